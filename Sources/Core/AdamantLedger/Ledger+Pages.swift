public import AdamantModel

extension Ledger {
    /// Appends the elements of a list, joined by commas, and tells how many transactions match in all.
    ///
    /// The unconfirmed ones of a node are among them where the query and the profile say so.
    /// - Throws: ``QueryError`` where the node's database refuses the order.
    public func page(
        _ query: TransactionQuery,
        profile: NodeProfile,
        node: Int = 0,
        into output: inout [UInt8]
    ) throws(QueryError) -> PageSummary {
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
        if query.returnsUnconfirmed, profile.canReturnUnconfirmed {
            let count = mergedPage(
                query,
                order: order,
                form: form,
                profile: profile,
                node: node,
                into: &output
            )
            return PageSummary(count: count, digest: nil)
        }
        let selection = chain.select(query, order: order, cryptography: cryptography)
        return render(selection, form, profile, into: &output)
    }

    /// Whether a page holds a transaction of a block in sight.
    public func page(_ query: TransactionQuery, profile: NodeProfile, holds id: Identifier) -> Bool {
        guard let row = chain.row(id) else { return false }
        let order = query.order ?? .standard(profile)
        return chain.select(query, order: order, cryptography: cryptography).rows.contains(row)
    }

    /// Appends rows, joined by commas.
    func render(
        _ selection: RowSelection,
        _ form: TransactionForm,
        _ profile: NodeProfile,
        into output: inout [UInt8]
    ) -> PageSummary {
        let bytes = selection.rows.reduce(0) { $0 + chain.greatestLength($1) }
        output.reserveCapacity(output.count + bytes + Self.envelopeBytes)
        output.append(joining: selection.rows) { row, output in
            chain.render(row, form, profile, into: &output)
        }
        return PageSummary(count: selection.count, digest: chain.digest(selection, form, profile))
    }

    /// Room for what goes around the elements of a page.
    private static let envelopeBytes = 512

    /// The rows of a page without rendering them; `order` counts, not the profile's default.
    package func selection(_ query: TransactionQuery) -> RowSelection {
        chain.select(query, order: query.order ?? .insertion, cryptography: cryptography)
    }
}
