public import AdamantLedger
public import AdamantModel
import ControlServer
public import Determinism
public import FaultRules
public import JSONValue
public import NodeServer
import Recording
import Simulators
import Synchronization

extension World: NodeBackend {
    /// The other nodes of the world, which reach each other on this machine.
    public func peers(of node: Int) -> [PeerStatus] {
        let ports = listeners.withLock(\.nodePorts)
        return withState { state, _ in
            zip(state.nodes, ports).enumerated().filter { $0.offset != node }.map { index, pair in
                let digest = cryptography.sha256(Array("nonce \(pair.0.name) \(seed)".utf8))
                return PeerStatus(
                    address: "127.0.0.1",
                    port: Int(pair.1),
                    isOnline: pair.0.isOnline,
                    version: pair.0.profile.version,
                    nonce: String(Hex.encode(digest).prefix(16))
                )
            }
        }
    }

    /// Reads or changes the ledger under the world's lock.
    public func withLedger<R>(_ body: (inout Ledger, Timestamp) throws -> R) rethrows -> R {
        try withState { state, now in try body(&state.ledger, now) }
    }

    /// What the fault rules have for a request.
    public func decide(_ request: FaultRequest) -> FaultDecision? {
        guard faultNeeds.any else { return nil }
        return withState { state, now -> FaultDecision? in
            var facts = request
            facts.now = now
            facts.height = Int(state.ledger.height)
            guard let decision = state.faults.decide(facts) else { return nil }
            guard decision.ruleId != FaultBook.latencyId else { return decision }
            let seq = state.journal.next
            state.decisions.append(DecisionLog.Entry(seq: seq, at: now, decision: decision, request: request))
            state.journal.append(
                .faultFired,
                at: now,
                node: request.node,
                transaction: request.transactionId.flatMap { Identifier($0) },
                faultId: decision.ruleId,
                data: [
                    "name": .optional(state.faults.json(decision.ruleId)?["name"]?.stringValue),
                    "effect": .string(decision.effect.sentence), "method": .optional(request.method),
                    "path": .cut(request.path), "sender": .cut(request.sender),
                    "recipient": .cut(request.recipient), "token": .cut(request.token),
                    "topic": .cut(request.topic),
                    "connection": request.connection.map { .int($0) } ?? .null,
                    "match": .int(decision.place.match),
                    "attempt": request.attempt.map { .int($0) } ?? .null,
                ]
            )
            return decision
        }
    }

    /// The time by which the nodes check timestamps.
    public func timestampsCheckedAt(_ now: Timestamp) -> Timestamp? {
        switch configuration.timestampChecks {
        case .world: now
        case .machine: machineNow
        case .off: nil
        }
    }

    /// What a signal to this world's ANS says; nil for anything else, and with a foreign ANS.
    public func signalPlaintext(of submission: Submission) -> (action: String?, token: String?)? {
        guard let ans = settings.ans, submission.chatType == Int(Transaction.ChatKind.signal),
            submission.recipient.flatMap({ Address($0) })?.uppercased == settings.ansAddress,
            let chat = submission.posted?["asset"]?["chat"],
            let key = submission.posted?["senderPublicKey"]?.stringValue.flatMap(Hex.decode),
            let text = MessageBox(
                message: chat["message"]?.stringValue ?? "",
                nonce: chat["own_message"]?.stringValue ?? ""
            ).open(publicKey: key, privateKey: ans.keys.privateKey, cryptography: cryptography),
            let signal = Signal(plainText: text)
        else { return nil }
        return (signal.action?.rawValue, signal.token)
    }

    /// Keeps a transaction out of the pool until it is released.
    public func hold(_ transaction: Transaction, posted: JSONObject, node: Int, ruleId: String) -> Bool {
        withState { state, now in
            let added = state.held.add(
                transaction,
                posted: posted,
                node: node,
                ruleId: ruleId,
                seq: state.journal.next,
                at: now
            )
            guard let held = added else { return false }
            state.arrivals.note(transaction.id, seq: held.seq, at: now)
            state.keep(.held, held.kept)
            state.journal.append(
                .transactionHeld,
                at: now,
                node: state.nodes[node].name,
                transaction: transaction.id,
                faultId: ruleId,
                data: .object(JSONObject([("held", .string(held.id))] + attempt(transaction.id)))
            )
            return true
        }
    }

    /// Counts a post of a transaction.
    public func countPost(of id: Identifier) -> Int { attempts.withLock { $0.note(id) } }

    /// What an event adds about a transaction that was posted before: which attempt this is.
    func attempt(_ id: Identifier?) -> [(String, JSONValue)] {
        let count = id.map { id in attempts.withLock { $0[id] } } ?? 0
        return count > 1 ? [("attempt", .int(count))] : []
    }

    /// Notes a posted transaction that a node refused.
    public func noteRefusal(_ submission: Submission, message: String, node: Int) {
        withState { state, now in
            state.journal.append(
                .transactionRefused,
                at: now,
                node: state.nodes[node].name,
                transaction: submission.id,
                data: .object(
                    JSONObject(
                        [
                            (
                                "kind",
                                .string(Self.kind(type: submission.type, chatType: submission.chatType))
                            ), ("sender", .optional(submission.sender?.text)),
                            ("recipient", .cut(submission.recipient)), ("error", .cut(message)),
                        ] + attempt(submission.id)
                    )
                )
            )
        }
    }

    /// Takes down a call, and how long it took where that is known already.
    public func record(_ call: NodeCall, took time: CallTime?) {
        let machine = machineNow
        let event = newestEvent
        requests.withLock { requests in
            requests.append(call, machine: machine, event: event)
            if let time { requests.times.note(time) }
        }
        waiters.changed()
    }

    /// Takes down how long a call took whose answer had to wait for the disk.
    public func note(_ time: CallTime) { requests.withLock { $0.times.note(time) } }

    /// Whether the world is kept in a directory.
    public var isKept: Bool { log != nil }

    /// Runs an action when everything accepted so far is on disk; at once when nothing is kept.
    public func afterDurable(_ action: @escaping @Sendable () -> Void) {
        if let log { log.afterCommitted(action) } else { action() }
    }

    /// Whether signals to this world's ANS can be read.
    var canReadSignals: Bool { settings.ans != nil }
}

extension NodeStatus {
    /// What a node of the state reports.
    init(_ node: NodeState) {
        self.init(
            name: node.name,
            profile: node.profile,
            socketPort: node.hasSocket ? node.socketPort : nil
        )
    }
}

extension JSONValue {
    /// Longest text of somebody else that an event repeats, in bytes.
    private static let longestText = 1024

    /// Somebody else's text as an event repeats it: events are many, and what is sent may be long.
    fileprivate static func cut(_ text: String?) -> JSONValue {
        guard let text, text.utf8.count > longestText else { return .optional(text) }
        return .string(String(decoding: text.utf8.prefix(longestText), as: UTF8.self) + "…")
    }
}
