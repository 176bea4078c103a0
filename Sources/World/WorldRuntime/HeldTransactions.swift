import AdamantModel
import Determinism
import JSONValue

/// A transaction that a node has answered for but keeps out of its pool.
struct HeldTransaction: Sendable {
    let id: String
    /// Number of the event that told of it.
    let seq: Int
    let ruleId: String
    let node: Int
    let transaction: Transaction
    let posted: JSONObject
    let at: Timestamp
}

/// The transactions held back, in the order in which they came.
struct HeldTransactions: Sendable {
    /// Most transactions held at a time.
    static let capacity = 10_000

    private(set) var all: [HeldTransaction] = []
    /// Number in the id of the newest of all that were held.
    var last = 0

    /// Holds a transaction, of which the event with the number `seq` will tell; nil when there are too many.
    mutating func add(
        _ transaction: Transaction,
        posted: JSONObject,
        node: Int,
        ruleId: String,
        seq: Int,
        at: Timestamp
    ) -> HeldTransaction? {
        guard all.count < Self.capacity else { return nil }
        last += 1
        let held = HeldTransaction(
            id: "h\(last)",
            seq: seq,
            ruleId: ruleId,
            node: node,
            transaction: transaction,
            posted: posted,
            at: at
        )
        all.append(held)
        return held
    }

    /// Puts back one that was held before a restart.
    mutating func restore(_ held: HeldTransaction) {
        last = max(last, held.id.numberOfId)
        all.append(held)
    }

    /// Holds again what was held at an earlier moment; ids go on.
    mutating func revert(to earlier: HeldTransactions) {
        all = earlier.all
    }

    func find(_ id: String) -> HeldTransaction? {
        all.first { $0.id == id }
    }

    mutating func remove(_ id: String) {
        all.removeAll { $0.id == id }
    }
}
