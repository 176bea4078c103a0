import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import TestSupport

/// The queries as the reference words them, over a plain list of all transactions.
struct QueryOracle {
    struct Row {
        let transaction: Transaction
        let block: Block
        /// Position on the chain.
        let place: Int
        let senderKey: String
    }

    let rows: [Row]
    let height: Int
    /// Stored keys by upper-case address.
    let keys: [String: String]

    init(_ ledger: Ledger) {
        var rows: [Row] = []
        var keys: [String: String] = [:]
        for height in ledger.startHeight...ledger.height {
            guard let block = ledger.block(height: height) else { continue }
            for transaction in ledger.transactions(height: height) {
                rows.append(
                    Row(
                        transaction: transaction,
                        block: block,
                        place: rows.count,
                        senderKey: Hex.encode(transaction.senderPublicKey)
                    )
                )
                for address in [transaction.sender, transaction.recipient?.uppercased].compactMap({ $0 }) {
                    keys[address.text] = ledger.account(address.text)?.publicKey.map { Hex.encode($0) }
                }
            }
        }
        self.rows = rows
        self.keys = keys
        height = ledger.height
    }

    /// Ids of the page, and how many match.
    func answer(_ query: TransactionQuery, order: TransactionOrder) -> (ids: [String], count: Int) {
        let matches = rows.filter { row in
            inScope(row, query)
                && (query.alternatives.isEmpty
                    || query.alternatives.contains { $0.allSatisfy { holds($0, row, query.scope) } })
                && query.required.allSatisfy { holds($0, row, query.scope) }
        }
        let sorted = matches.sorted { left, right in
            let comparison = compare(left, right, order.field)
            if comparison != 0 { return (comparison < 0) != order.isDescending }
            return left.place < right.place
        }
        let page = sorted.dropFirst(query.offset).prefix(query.limit)
        return (page.map(\.transaction.id.description), matches.count)
    }

    private func inScope(_ row: Row, _ query: TransactionQuery) -> Bool {
        let asksForType = (query.required + query.alternatives.flatMap { $0 })
            .contains { if case .chatType = $0 { true } else { false } }
        switch query.scope {
        case .transactions: return true
        case .states: return row.transaction.type == 9
        case .chats(let includesTransfers):
            if row.transaction.type == 0 { return includesTransfers && !asksForType }
            guard row.transaction.type == 8 else { return false }
            return asksForType || subtype(row) != 3
        }
    }

    private func subtype(_ row: Row) -> Int? {
        switch row.transaction.asset {
        case .chat(_, _, let type), .state(_, _, let type): Int(type)
        default: nil
        }
    }

    private func key(_ row: Row) -> String? {
        if case .state(_, let key, _) = row.transaction.asset { key } else { nil }
    }

    private func recipient(_ row: Row, _ scope: TransactionQuery.Scope) -> String? {
        scope == .transactions
            ? row.transaction.recipient?.uppercased.text : row.transaction.recipient?.text
    }

    private func holds(_ filter: TransactionFilter, _ row: Row, _ scope: TransactionQuery.Scope) -> Bool {
        let transaction = row.transaction
        let senderKey = row.senderKey
        let recipientKey = transaction.recipient.flatMap { keys[$0.text] }
        let recipient = recipient(row, scope)
        return switch filter {
        case .blockId(let text): row.block.id.description == text
        case .sender(let text): transaction.sender.text == text
        case .recipient(let text): recipient == text
        case .party(let text): transaction.sender.text == text || recipient == text
        case .senders(let texts): texts.contains(transaction.sender.text)
        case .recipients(let texts): recipient.map(texts.contains) ?? false
        case .senderPublicKey(let text): senderKey == text
        case .recipientPublicKey(let text): recipientKey == text
        case .senderPublicKeys(let texts): texts.contains(senderKey)
        case .recipientPublicKeys(let texts): recipientKey.map(texts.contains) ?? false
        case .type(let type): transaction.type == type
        case .types(let types): types.contains(transaction.type)
        case .chatType(let type): transaction.type == 8 && subtype(row) == type
        case .stateType(let type): transaction.type == 9 && subtype(row) == type
        case .key(let text): key(row).map { Array($0.utf8) == Array(text.utf8) } ?? false
        case .keys(let texts):
            key(row).map { key in texts.contains { Array($0.utf8) == Array(key.utf8) } } ?? false
        case .fromHeight(let height): row.block.height >= height
        case .aboveHeight(let height): row.block.height > height
        case .toHeight(let height): row.block.height <= height
        case .fromTimestamp(let seconds): Int64(transaction.timestamp) >= seconds
        case .toTimestamp(let seconds): Int64(transaction.timestamp) <= seconds
        case .minAmount(let bound): transaction.amount >= bound
        case .maxAmount(let bound): transaction.amount <= bound
        case .minFee(let bound): transaction.fee >= bound
        case .maxFee(let bound): transaction.fee <= bound
        case .withoutClutter: transaction.amount > 0 || transaction.type < 8
        case .minConfirmations(let bound): height + 1 - row.block.height >= bound
        case .owner(let address, let publicKey): senderKey == publicKey || recipient == address
        }
    }

    private func compare(_ left: Row, _ right: Row, _ field: TransactionOrder.Field?) -> Int {
        func numbers(_ of: (Row) -> Int64) -> Int { of(left) < of(right) ? -1 : of(left) > of(right) ? 1 : 0 }
        func texts(_ of: (Row) -> String?) -> Int {
            switch (of(left), of(right)) {
            case (nil, nil): 0
            case (nil, _): 1
            case (_, nil): -1
            case (let left?, let right?): left < right ? -1 : left > right ? 1 : 0
            }
        }
        return switch field {
        case nil: 0
        case .id?: texts { $0.transaction.id.description }
        case .blockId?: texts { $0.block.id.description }
        case .amount?: numbers { $0.transaction.amount }
        case .fee?: numbers { $0.transaction.fee }
        case .type?: numbers { Int64($0.transaction.type) }
        case .timestamp?:
            numbers { $0.transaction.timestampMilliseconds ?? Int64($0.transaction.timestamp) * 1000 }
        case .senderPublicKey?: texts { $0.senderKey }
        case .senderId?: texts { $0.transaction.sender.text }
        case .recipientId?: texts { $0.transaction.recipient?.uppercased.text }
        case .confirmations?: numbers { -Int64($0.block.height) }
        case .height?: numbers { Int64($0.block.height) }
        }
    }
}
