import AdamantModel
import JSONValue

/// What a confirmed and an unconfirmed transaction are ordered by together.
private enum MergeKey: Comparable {
    case number(Int64)
    case text(String)
    /// Null, after everything.
    case null
}

/// A transaction of a list that holds both kinds.
enum MergedTransaction {
    /// A row of the chain.
    case confirmed(UInt32)
    /// A transaction of the unconfirmed part.
    case waiting(PooledTransaction)
}

extension Ledger {
    /// A page of confirmed and unconfirmed transactions in one order.
    ///
    /// - Source: adamant:modules/transactions.js, modules/chats.js, modules/states.js (`returnUnconfirmed`); the
    ///   first counts the unconfirmed twice
    func mergedPage(
        _ query: TransactionQuery,
        order: TransactionOrder,
        form: TransactionForm,
        profile: NodeProfile,
        node: Int,
        into output: inout [UInt8]
    ) -> Int {
        let added = unconfirmed(node: node).filter { matches($0, query) }
        let offset = max(query.offset, 0)
        let limit = max(query.limit, 0)
        var wider = query
        wider.offset = 0
        wider.limit = offset > Int.max - limit ? .max : offset + limit
        let confirmed = chain.select(wider, order: order, cryptography: cryptography)
        let items = merge(confirmed.rows, added, order: order, offset: offset, limit: limit)
        output.append(joining: items) { item, output in
            append(item, form: form, profile: profile, into: &output)
        }
        return confirmed.count + added.count * (query.scope == .transactions ? 2 : 1)
    }

    /// Appends either kind of transaction.
    func append(
        _ item: MergedTransaction,
        form: TransactionForm,
        profile: NodeProfile,
        into output: inout [UInt8]
    ) {
        switch item {
        case .confirmed(let row): chain.render(row, form, profile, into: &output)
        case .waiting(let entry):
            let object = entry.json(profile: profile, keepsMilliseconds: height >= Self.millisecondsHeight)
            JSONValue.object(object).write(to: &output)
        }
    }

    /// The page of rows, which are in an order and reach to the page's end, and of waiting transactions among them.
    func merge(
        _ sorted: [UInt32],
        _ added: [PooledTransaction],
        order: TransactionOrder,
        offset: Int,
        limit: Int
    ) -> [MergedTransaction] {
        var waiting = added.enumerated().map {
            (key: key($0.element, order), element: $0.element, place: $0.offset)
        }
        waiting.sort { left, right in
            guard left.key != right.key else { return left.place < right.place }
            return (left.key > right.key) == order.isDescending
        }
        var rows = sorted[...]
        var rest = waiting[...]
        var place = 0
        var page: [MergedTransaction] = []
        while page.count < limit, !rows.isEmpty || !rest.isEmpty {
            let takesWaiting = rest.first.map { entry in
                guard let row = rows.first, let field = order.field else { return rows.isEmpty }
                let rowKey = key(chain.rows[row], field)
                return entry.key != rowKey && (entry.key > rowKey) == order.isDescending
            }
            let entry = takesWaiting == true ? rest.popFirst() : nil
            let row = entry == nil ? rows.popFirst() : nil
            place += 1
            guard place > offset else { continue }
            if let entry { page.append(.waiting(entry.element)) }
            if let row { page.append(.confirmed(row)) }
        }
        return page
    }

    private func key(_ entry: PooledTransaction, _ order: TransactionOrder) -> MergeKey {
        let transaction = entry.transaction
        return switch order.field {
        case nil: .null
        case .height?, .blockId?: .null
        case .confirmations?: .number(0)
        case .timestamp?:
            .number(transaction.timestampMilliseconds ?? Int64(transaction.timestamp) * 1000)
        case .amount?: .number(transaction.amount)
        case .fee?: .number(transaction.fee)
        case .type?: .number(Int64(transaction.type))
        case .id?: .text(transaction.id.description)
        case .senderPublicKey?: .text(Hex.encode(transaction.senderPublicKey))
        case .senderId?: .text(transaction.sender.text)
        case .recipientId?: transaction.recipient.map { .text($0.uppercased.text) } ?? .null
        }
    }

    private func key(_ row: TransactionRow, _ field: TransactionOrder.Field) -> MergeKey {
        switch field {
        case .height: .number(Int64(chain.height(block: row.block)))
        case .blockId: .text(String(chain.blocks[row.block].id))
        case .confirmations: .number(Int64(chain.blocks.count - Int(row.block)))
        case .timestamp: .number(row.time)
        case .amount: .number(row.amount)
        case .fee: .number(row.fee)
        case .type: .number(Int64(row.kind.type))
        case .id: .text(String(row.id))
        case .senderPublicKey:
            .text(String(decoding: chain.accounts[row.sender].publicKeyHex ?? [], as: UTF8.self))
        case .senderId: .text(chain.accounts[row.sender].address.text)
        case .recipientId:
            row.recipient == TransactionRow.none
                ? .null : .text(chain.accounts[row.recipient].address.uppercased.text)
        }
    }

    /// Whether an unconfirmed transaction is added: its conditions are joined from left to right.
    private func matches(_ entry: PooledTransaction, _ query: TransactionQuery) -> Bool {
        let type = entry.transaction.type
        switch query.scope {
        case .transactions: break
        case .chats: guard type == Transaction.Kind.chat else { return false }
        case .states: guard type == Transaction.Kind.state else { return false }
        }
        var result: Bool?
        for condition in query.unconfirmedConditions {
            switch condition.filter {
            case .blockId, .toHeight: return false
            default: break
            }
            guard let holds = holds(condition.filter, entry.transaction) else { continue }
            guard let before = result else {
                result = holds
                continue
            }
            result = condition.combination == .and ? before && holds : before || holds
        }
        return result ?? true
    }

    /// Whether a condition holds; nil for those that do not count here.
    private func holds(_ filter: TransactionFilter, _ transaction: Transaction) -> Bool? {
        let sender = transaction.sender.text
        let recipient = transaction.recipient?.text
        var (chatType, stateType, key): (Int32?, Int32?, String?)
        switch transaction.asset {
        case .chat(_, _, let type): chatType = type
        case .state(_, let name, let type): (key, stateType) = (name, type)
        case .none, .delegate, .votes: break
        }
        switch filter {
        case .sender(let text): return sender == text
        case .recipient(let text): return recipient == text
        case .party(let text): return sender == text || recipient == text
        case .senders(let texts): return texts.contains(sender)
        case .recipients(let texts): return recipient.map(texts.contains) ?? false
        case .senderPublicKey(let text): return Hex.encode(transaction.senderPublicKey) == text
        case .senderPublicKeys(let texts): return texts.contains(Hex.encode(transaction.senderPublicKey))
        case .recipientPublicKey(let text): return recipientKey(transaction) == text
        case .recipientPublicKeys(let texts): return recipientKey(transaction).map(texts.contains) ?? false
        case .type(let type): return transaction.type == type
        case .types: return false
        case .chatType(let type): return chatType.map { Int($0) == type } ?? false
        case .stateType(let type): return stateType.map { Int($0) == type } ?? false
        case .key(let text): return key.map { $0.utf8.elementsEqual(text.utf8) } ?? false
        case .keys(let texts):
            return key.map { key in texts.contains { $0.utf8.elementsEqual(key.utf8) } } ?? false
        case .fromHeight: return true
        case .minAmount(let bound): return transaction.amount >= bound
        case .maxAmount(let bound): return transaction.amount <= bound
        case .aboveHeight, .blockId, .toHeight, .fromTimestamp, .toTimestamp, .minFee, .maxFee,
            .withoutClutter,
            .minConfirmations, .owner:
            return nil
        }
    }

    private func recipientKey(_ transaction: Transaction) -> String? {
        guard let recipient = transaction.recipient, let number = chain.accounts.number(recipient),
            let key = chain.accounts[number].publicKeyHex
        else { return nil }
        return String(decoding: key, as: UTF8.self)
    }
}
