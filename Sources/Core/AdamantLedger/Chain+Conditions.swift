import AdamantModel
import Determinism

extension Chain {
    /// The groups of a query, each a conjunction; together they hold what any of them accepts.
    func conjunctions(_ query: TransactionQuery, cryptography: any Cryptography) -> [Conjunction] {
        var groups = query.alternatives.isEmpty ? [[]] : query.alternatives
        groups = groups.map { $0 + query.required }
        return groups.flatMap { splitOwners($0) }
            .map { conjunction($0, scope: query.scope, cryptography: cryptography) }
            .filter { !$0.isImpossible && !$0.rows.isEmpty && !$0.kinds.isEmpty }
    }

    /// An owner is a sender's key or a recipient, hence two groups.
    private func splitOwners(_ filters: [TransactionFilter]) -> [[TransactionFilter]] {
        let hasOwner = filters.contains { if case .owner = $0 { true } else { false } }
        guard hasOwner else { return [filters] }
        var groups: [[TransactionFilter]] = [[]]
        for filter in filters {
            guard case .owner(let address, let publicKey) = filter else {
                for index in groups.indices { groups[index].append(filter) }
                continue
            }
            groups = groups.flatMap { [$0 + [.senderPublicKey(publicKey)], $0 + [.recipient(address)]] }
        }
        return groups
    }

    private func conjunction(
        _ filters: [TransactionFilter],
        scope: TransactionQuery.Scope,
        cryptography: any Cryptography
    ) -> Conjunction {
        var result = Conjunction(rows: 0..<UInt32(rows.count))
        switch scope {
        case .transactions: break
        case .chats(let includesTransfers):
            let asksForType = filters.contains { if case .chatType = $0 { true } else { false } }
            result.kinds = asksForType ? .chats : .messages
            if includesTransfers, !asksForType { result.kinds.formUnion(.transfers) }
        case .states: result.kinds = .states
        }
        let reader = ConditionReader(
            chain: self,
            ignoresCase: scope == .transactions,
            cryptography: cryptography
        )
        for filter in filters { reader.add(filter, to: &result) }
        return result
    }
}

/// Turns the wire's conditions into numbers of rows, accounts and keys.
private struct ConditionReader {
    let chain: Chain
    /// Whether recipients are compared in upper case.
    let ignoresCase: Bool
    let cryptography: any Cryptography

    func add(_ filter: TransactionFilter, to result: inout Conjunction) {
        switch filter {
        case .blockId(let text): restrictBlock(text, &result)
        case .sender(let text): lookUp(.sender(senders([text])), &result)
        case .recipient(let text): lookUp(.recipient(recipients([text])), &result)
        case .party(let text):
            lookUp(.party(senders: senders([text]), recipients: recipients([text])), &result)
        case .senders(let texts): lookUp(.sender(senders(texts)), &result)
        case .recipients(let texts): lookUp(.recipient(recipients(texts)), &result)
        case .senderPublicKey(let text): lookUp(.sender(owners([text])), &result)
        case .recipientPublicKey(let text): lookUp(.recipient(owners([text])), &result)
        case .senderPublicKeys(let texts): lookUp(.sender(owners(texts)), &result)
        case .recipientPublicKeys(let texts): lookUp(.recipient(owners(texts)), &result)
        case .key(let text): lookUp(.key(keys([text])), &result)
        case .keys(let texts): lookUp(.key(keys(texts)), &result)
        case .type, .types, .chatType, .stateType: restrictKinds(filter, &result)
        case .fromHeight, .aboveHeight, .toHeight, .minConfirmations: restrictHeight(filter, &result)
        case .fromTimestamp(let seconds): result.restrict(from: seconds)
        case .toTimestamp(let seconds): result.restrict(to: seconds)
        case .minAmount(let bound): result.tests.append(.minAmount(bound))
        case .maxAmount(let bound): result.tests.append(.maxAmount(bound))
        case .minFee(let bound): result.tests.append(.minFee(bound))
        case .maxFee(let bound): result.tests.append(.maxFee(bound))
        case .withoutClutter: result.tests.append(.withoutClutter)
        case .owner: break
        }
    }

    private func lookUp(_ test: RowTest, _ result: inout Conjunction) {
        result.lookups.append(test)
        switch test {
        case .sender(let numbers), .recipient(let numbers), .key(let numbers):
            if numbers.isEmpty { result.isImpossible = true }
        case .party(let senders, let recipients):
            if senders.isEmpty, recipients.isEmpty { result.isImpossible = true }
        default: break
        }
    }

    private func restrictBlock(_ text: String, _ result: inout Conjunction) {
        guard let id = Identifier(text), id.description == text, let index = chain.blockIndex(id) else {
            result.isImpossible = true
            return
        }
        result.restrict(chain.rows(blocks: Int(index)..<Int(index) + 1))
    }

    private func restrictKinds(_ filter: TransactionFilter, _ result: inout Conjunction) {
        switch filter {
        case .type(let type): result.kinds.formIntersection(.ofType(type))
        case .types(let types):
            result.kinds.formIntersection(types.reduce(into: RowKinds([])) { $0.formUnion(.ofType($1)) })
        case .chatType(let type): result.kinds.formIntersection(kind(8, type))
        case .stateType(let type): result.kinds.formIntersection(kind(9, type))
        default: break
        }
    }

    private func kind(_ type: Int, _ subtype: Int) -> RowKinds {
        let kind = RowKind(type: type, subtype: Int32(clamping: subtype))
        return kind == .other ? RowKinds([]) : RowKinds([kind])
    }

    private func restrictHeight(_ filter: TransactionFilter, _ result: inout Conjunction) {
        let count = chain.blocks.count
        func index(_ height: Int) -> Int {
            min(max(Int(clamping: Int64(height).subtractingClamped(Int64(chain.startHeight))), 0), count)
        }
        switch filter {
        case .fromHeight(let height): result.restrict(chain.rows(blocks: index(height)..<count))
        case .aboveHeight(let height):
            result.restrict(chain.rows(blocks: (height == .max ? count : index(height + 1))..<count))
        case .toHeight(let height):
            result.restrict(chain.rows(blocks: 0..<(height == .max ? count : index(height + 1))))
        case .minConfirmations(let confirmations):
            result.restrict(chain.rows(blocks: 0..<min(max(count - max(confirmations, 1) + 1, 0), count)))
        default: break
        }
    }

    /// A sender is always stored in upper case.
    private func senders(_ texts: [String]) -> [UInt32] { numbers(texts) { [$0] } }

    private func recipients(_ texts: [String]) -> [UInt32] {
        guard ignoresCase else { return numbers(texts) { [$0] } }
        return numbers(texts) { $0.isUppercased ? [$0, $0.lowercased] : [] }
    }

    private func numbers(_ texts: [String], _ spellings: (Address) -> [Address]) -> [UInt32] {
        distinct(
            texts.compactMap(Address.init).flatMap(spellings).compactMap { chain.accounts.number($0) }
        )
    }

    /// The accounts whose stored key is shown as one of these texts.
    private func owners(_ texts: [String]) -> [UInt32] {
        distinct(
            texts.compactMap { text in
                guard let key = Hex.decode(text), key.count == 32,
                    let number = chain.accounts.number(Address(publicKey: key, cryptography: cryptography)),
                    let shown = chain.accounts[number].publicKeyHex, shown.elementsEqual(text.utf8)
                else { return nil }
                return number
            }
        )
    }

    private func keys(_ texts: [String]) -> [UInt32] { distinct(texts.compactMap { chain.keys.number($0) }) }

    private func distinct(_ numbers: [UInt32]) -> [UInt32] {
        guard numbers.count > 1 else { return numbers }
        var seen: Set<UInt32> = []
        return numbers.filter { seen.insert($0).inserted }
    }
}
