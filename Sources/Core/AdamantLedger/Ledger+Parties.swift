public import AdamantModel

/// Who a transaction of a block is from and for, which is known of it without reading it.
public struct TransactionParties: Hashable, Sendable {
    /// The id.
    public let id: Identifier
    /// What it is.
    public let kind: Kind
    /// The sender.
    public let sender: Address
    /// The recipient; nil for none.
    public let recipient: Address?

    /// Kinds as people tell them apart.
    public enum Kind: Hashable, Sendable {
        /// Type 0.
        case transfer
        /// Type 8 but for signals.
        case message
        /// Type 8 of chat type 3.
        case signal
        /// Any other.
        case other
    }

    /// Parties.
    public init(id: Identifier, kind: Kind, sender: Address, recipient: Address?) {
        self.id = id
        self.kind = kind
        self.sender = sender
        self.recipient = recipient
    }
}

extension Ledger {
    /// The parties of the transactions of the block at a height, in block order.
    public func parties(height: Int) -> [TransactionParties] {
        let index = height.subtractingReportingOverflow(chain.startHeight)
        guard !index.overflow, (0..<chain.blocks.count).contains(index.partialValue) else { return [] }
        return chain.rows(blocks: index.partialValue..<index.partialValue + 1).map { number in
            let row = chain.rows[number]
            return TransactionParties(
                id: Identifier(row.id),
                kind: row.kind.parties,
                sender: chain.accounts[row.sender].address,
                recipient: row.recipient == TransactionRow.none
                    ? nil : chain.accounts[row.recipient].address
            )
        }
    }
}

extension RowKind {
    fileprivate var parties: TransactionParties.Kind {
        switch self {
        case .transfer: .transfer
        case .chat0, .chat1, .chat2: .message
        case .signal: .signal
        case .delegate, .vote, .state0, .state1, .other: .other
        }
    }
}
