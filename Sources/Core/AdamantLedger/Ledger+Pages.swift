extension Ledger {
    /// Appends the elements of a list, joined by commas, and returns how many transactions match in all.
    ///
    /// Only confirmed transactions are listed.
    /// - Throws: ``QueryError`` where the node's database refuses the order.
    public func page(
        _ query: TransactionQuery,
        profile: NodeProfile,
        into output: inout [UInt8]
    ) throws(QueryError) -> Int {
        let order = query.order ?? .standard(profile)
        var form = TransactionForm.transactions(returnsAsset: query.returnsAsset)
        switch query.scope {
        case .transactions: break
        case .states: form = .states
        case .chats:
            form = .chats
            guard order.field != .type else {
                throw QueryError(
                    message: "Failed to get transactions: error: column \"type\" does not exist"
                )
            }
        }
        let selection = chain.select(query, order: order, cryptography: cryptography)
        for (index, row) in selection.rows.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            chain.render(row, form, profile, into: &output)
        }
        return selection.count
    }

    /// The rows of a page without rendering them; `order` counts, not the profile's default.
    package func selection(_ query: TransactionQuery) -> RowSelection {
        chain.select(query, order: query.order ?? .insertion, cryptography: cryptography)
    }
}
