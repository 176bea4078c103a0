import AdamantLedger
import AdamantModel
import Determinism
import FaultRules
import JSONValue

/// How a node's chain and clock stand to the world's.
struct NodeShift: Hashable, Sendable {
    /// In step with the world.
    static let none = NodeShift(NodeSituation())

    /// How many blocks the chain is behind.
    var blocks: Int
    /// How far the clock is ahead.
    let clockMilliseconds: Int64

    init(_ situation: NodeSituation) {
        blocks = situation.lagBlocks
        clockMilliseconds = situation.clockSkewMilliseconds
    }
}

/// A world as a node sees it whose chain is behind and whose clock goes wrong.
final class ShiftedBackend: NodeBackend {
    private let base: any NodeBackend
    private let shift: NodeShift

    init(_ base: any NodeBackend, _ shift: NodeShift) {
        self.base = base
        self.shift = shift
    }

    func withLedger<R>(_ body: (inout Ledger, Timestamp) throws -> R) rethrows -> R {
        let (blocks, skew) = (shift.blocks, shift.clockMilliseconds)
        return try base.withLedger { ledger, now in
            let now = now.adding(milliseconds: skew)
            guard blocks > 0 else { return try body(&ledger, now) }
            return try ledger.past(blocksAgo: blocks) { past in try body(&past, now) }
        }
    }

    func timestampsCheckedAt(_ now: Timestamp) -> Timestamp? {
        let skew = shift.clockMilliseconds
        return base.timestampsCheckedAt(now.adding(milliseconds: -skew))?.adding(milliseconds: skew)
    }

    var cryptography: any Cryptography { base.cryptography }
    var faultNeeds: (any: Bool, transactionFacts: Bool, insideSignals: Bool) { base.faultNeeds }
    var isKept: Bool { base.isKept }
    func status(node: Int) -> NodeStatus { base.status(node: node) }
    func peers(of node: Int) -> [PeerStatus] { base.peers(of: node) }
    func decide(_ request: FaultRequest) -> FaultDecision? { base.decide(request) }
    func signalPlaintext(of submission: Submission) -> (action: String?, token: String?)? {
        base.signalPlaintext(of: submission)
    }
    func hold(_ transaction: Transaction, posted: JSONObject, node: Int, ruleId: String) -> Bool {
        base.hold(transaction, posted: posted, node: node, ruleId: ruleId)
    }
    func countPost(of id: Identifier) -> Int { base.countPost(of: id) }

    func noteRefusal(_ submission: Submission, message: String, node: Int) {
        base.noteRefusal(submission, message: message, node: node)
    }
    func record(_ call: NodeCall, took time: CallTime?) { base.record(call, took: time) }
    func note(_ time: CallTime) { base.note(time) }
    func afterDurable(_ action: @escaping @Sendable () -> Void) { base.afterDurable(action) }
}
