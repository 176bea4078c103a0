import AdamantLedger
import AdamantModel

// What a list call asks for, judged for one transaction at a time, whatever the chain holds by now.

extension TransactionQuery {
    /// From which height on a call asks.
    struct LowerBound {
        /// As the call says it.
        let stated: Int
        /// Whether the block of this height is left out.
        let isExclusive: Bool
        /// The first height that is let in.
        var height: Int { isExclusive && stated < .max ? stated + 1 : stated }
    }

    /// The conditions that must all hold: those of a single group, and those that hold whatever the groups say.
    private var conjunction: [TransactionFilter] {
        (alternatives.count == 1 ? alternatives[0] : []) + required
    }

    /// From which height on the call asks.
    var lowerBound: LowerBound? {
        conjunction.compactMap { filter in
            switch filter {
            case .fromHeight(let height): LowerBound(stated: height, isExclusive: false)
            case .aboveHeight(let height): LowerBound(stated: height, isExclusive: true)
            default: nil
            }
        }.max { $0.height < $1.height }
    }

    /// The last height that the call asks for.
    var upperBound: Int? {
        conjunction.compactMap { if case .toHeight(let height) = $0 { height } else { nil } }.min()
    }

    /// The addresses and keys whose transactions the call asks for; none when it asks for everybody's.
    var parties: [String] {
        (alternatives.flatMap(\.self) + required).flatMap { filter -> [String] in
            switch filter {
            case .sender(let text), .recipient(let text), .party(let text), .senderPublicKey(let text),
                .recipientPublicKey(let text):
                [text]
            case .senders(let texts), .recipients(let texts), .senderPublicKeys(let texts),
                .recipientPublicKeys(let texts):
                texts
            case .owner(let address, _): [address]
            default: []
            }
        }
    }

    /// Whether the call lists transactions of one's kind at all.
    func lists(kindOf transaction: ListedTransaction) -> Bool {
        switch scope {
        case .states: return false
        case .transactions: break
        case .chats(let includesTransfers):
            let asksForKind = (alternatives.flatMap(\.self) + required).contains {
                if case .chatType = $0 { true } else { false }
            }
            guard transaction.type == Transaction.Kind.chat else {
                guard includesTransfers, !asksForKind, transaction.type == Transaction.Kind.transfer else {
                    return false
                }
                break
            }
            if transaction.isSignal, !asksForKind { return false }
        }
        return holds { filter in
            switch filter {
            case .type(let type): transaction.type == type
            case .types(let types): types.contains(transaction.type)
            case .chatType(let type): transaction.chatType == type
            case .minAmount(let bound): transaction.amount >= bound
            case .maxAmount(let bound): transaction.amount <= bound
            case .withoutClutter: transaction.amount > 0 || transaction.type < Transaction.Kind.chat
            default: true
            }
        }
    }

    /// Whether all conditions let a transaction of a block in, as far as they can be judged without the chain.
    func fits(_ transaction: ListedTransaction, at height: Int, view: Int) -> Bool {
        holds { filter in
            switch filter {
            case .sender(let text): transaction.sender.text == text
            case .recipient(let text): isRecipient(text, of: transaction)
            case .party(let text): transaction.sender.text == text || isRecipient(text, of: transaction)
            case .senders(let texts): texts.contains(transaction.sender.text)
            case .recipients(let texts): texts.contains { isRecipient($0, of: transaction) }
            case .senderPublicKey(let text): transaction.senderPublicKey == text
            case .senderPublicKeys(let texts): texts.contains(transaction.senderPublicKey)
            case .owner(let address, let key):
                transaction.senderPublicKey == key || isRecipient(address, of: transaction)
            case .fromHeight(let bound): height >= bound
            case .aboveHeight(let bound): height > bound
            case .toHeight(let bound): height <= bound
            case .fromTimestamp(let bound): Int64(transaction.timestamp) >= bound
            case .toTimestamp(let bound): Int64(transaction.timestamp) <= bound
            case .minFee(let bound): transaction.fee >= bound
            case .maxFee(let bound): transaction.fee <= bound
            case .minConfirmations(let count): view - height + 1 >= count
            case .stateType, .key, .keys: false
            case .blockId, .recipientPublicKey, .recipientPublicKeys, .type, .types, .chatType, .minAmount,
                .maxAmount, .withoutClutter:
                true
            }
        }
    }

    /// Whether the call lists signal messages, whoever sent them.
    var listsSignals: Bool {
        if case .states = scope { return false }
        let asked = (alternatives.flatMap(\.self) + required).compactMap { filter -> Int? in
            if case .chatType(let type) = filter { type } else { nil }
        }
        if case .chats = scope { return asked.contains(Int(Transaction.ChatKind.signal)) }
        return holds { filter in
            switch filter {
            case .type(let type): type == Transaction.Kind.chat
            case .types(let types): types.contains(Transaction.Kind.chat)
            case .minAmount(let bound): bound <= 0
            case .withoutClutter: false
            default: true
            }
        }
    }

    /// Whether the call lists messages or transfers.
    var listsMessages: Bool {
        let filters = alternatives.flatMap(\.self) + required
        switch scope {
        case .states: return false
        case .chats:
            let asked = filters.compactMap { if case .chatType(let type) = $0 { type } else { nil } }
            return asked.allSatisfy { $0 != Int(Transaction.ChatKind.signal) }
        case .transactions:
            return holds { filter in
                switch filter {
                case .type(let type): type == Transaction.Kind.chat || type == Transaction.Kind.transfer
                default: true
                }
            }
        }
    }

    private func isRecipient(_ text: String, of transaction: ListedTransaction) -> Bool {
        guard let recipient = transaction.recipient else { return false }
        return scope == .transactions ? recipient.uppercased.text == text : recipient.text == text
    }

    private func holds(_ test: (TransactionFilter) -> Bool) -> Bool {
        required.allSatisfy(test) && (alternatives.isEmpty || alternatives.contains { $0.allSatisfy(test) })
    }
}
