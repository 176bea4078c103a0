import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import Recording

extension World {
    /// Draws the consequences of what the ledger did: the journal, the registry, the disk, instant blocks.
    ///
    /// Called under the lock, before it is let go.
    func settle(_ state: inout WorldState, now: Timestamp) {
        while state.ledger.hasEvents {
            var hasAccepted = false
            for event in state.ledger.takeEvents() {
                if case .accepted = event { hasAccepted = true }
                record(event, in: &state, now: now)
            }
            guard hasAccepted, state.forging.mode == .instant else { continue }
            state.ledger.fillPools(now: now)
            _ = state.ledger.forge(now: now)
        }
        if let evictions = state.pushes.takeNotice() {
            let facts: JSONValue = ["evicted": .int(evictions.count), "why": .string(evictions.why)]
            state.journal.append(.pushesEvicted, at: now, data: facts)
        }
        if state.pushes.takeWakeUp() { pushWriter.wake() }
        save(&state)
        announce(&state, now: now)
    }

    private func record(_ event: LedgerEvent, in state: inout WorldState, now: Timestamp) {
        state.keep(.ledger, event.encoded)
        state.follow(event, seq: state.journal.next, cryptography: cryptography)
        switch event {
        case .accepted(let node, let transaction, _, _):
            relayLater(transaction.id, from: node, in: &state)
            state.journal.append(
                .transactionAccepted,
                at: now,
                node: state.nodes[node].name,
                transaction: transaction.id,
                data: facts(ofAccepted: transaction)
            )
        case .dropped(let node, let id, let reason):
            state.journal.append(
                .transactionDropped,
                at: now,
                node: state.nodes[node].name,
                transaction: id,
                data: ["reason": .string(reason)]
            )
        case .forged(let block, let transactions):
            for transaction in transactions {
                state.journal.append(
                    .transactionForged,
                    at: now,
                    transaction: transaction.id,
                    data: ["height": .int(block.height)]
                )
            }
            state.journal.append(.blockForged, at: now, data: Self.facts(of: block))
        case .reverted(let block, let transactions):
            for transaction in transactions {
                state.journal.append(
                    .transactionReverted,
                    at: now,
                    transaction: transaction.id,
                    data: ["height": .int(block.height)]
                )
            }
            state.journal.append(.blockReverted, at: now, data: Self.facts(of: block))
        case .pooled(let node, let entry):
            state.journal.append(
                .transactionReturned,
                at: now,
                node: state.nodes[node].name,
                transaction: entry.transaction.id
            )
        case .relayed, .unconfirmed, .accountStored: break
        }
    }

    /// Hands to the writer what the disk has to keep; the order of the rows is that of the lock.
    private func save(_ state: inout WorldState) {
        guard let log else { return }
        if let number = state.journal.reservation() { log.setMeta(WorldStorage.eventsKey, String(number)) }
        guard !state.unsaved.isEmpty else { return }
        for entry in state.unsaved { log.append(kind: entry.kind.rawValue, body: entry.body) }
        state.unsaved.removeAll(keepingCapacity: true)
    }

    /// What the journal tells of a transaction: its kind and its parties, never its content.
    static func facts(of transaction: Transaction) -> JSONValue {
        [
            "kind": .string(kind(of: transaction)), "sender": .string(transaction.sender.text),
            "recipient": .optional(transaction.recipient?.text),
        ]
    }

    /// The same of one that a node accepted, with the number of the attempt where it is not the first.
    private func facts(ofAccepted transaction: Transaction) -> JSONValue {
        let facts = Self.facts(of: transaction)
        let more = attempt(transaction.id)
        guard !more.isEmpty, let members = facts.objectValue?.members else { return facts }
        return .object(JSONObject(members.map { ($0.key, $0.value) } + more))
    }

    /// What the journal tells of a block.
    static func facts(of block: Block) -> JSONValue {
        [
            "id": .string(block.id.description), "height": .int(block.height),
            "transactions": .int(Int64(block.numberOfTransactions)),
        ]
    }

    /// What people call a transaction.
    static func kind(of transaction: Transaction) -> String {
        var chatType: Int?
        if case .chat(_, _, let type) = transaction.asset { chatType = Int(type) }
        return kind(type: transaction.type, chatType: chatType)
    }

    /// All that transactions are called.
    static let kinds = [
        "message", "signal", "transfer", "state", "vote", "delegate registration", "transaction",
    ]

    /// What people call a transaction of a type.
    static func kind(type: Int?, chatType: Int?) -> String {
        switch type {
        case Transaction.Kind.transfer: "transfer"
        case Transaction.Kind.delegate: "delegate registration"
        case Transaction.Kind.vote: "vote"
        case Transaction.Kind.chat: chatType == Int(Transaction.ChatKind.signal) ? "signal" : "message"
        case Transaction.Kind.state: "state"
        default: "transaction"
        }
    }
}
