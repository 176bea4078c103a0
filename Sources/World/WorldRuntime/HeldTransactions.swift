import AdamantModel
import Determinism
import JSONValue

/// A transaction that a node has answered for but keeps out of its pool.
struct HeldTransaction: Sendable {
    let id: String
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
    private var last = 0

    /// Holds a transaction; nil when there are too many.
    mutating func add(
        _ transaction: Transaction,
        posted: JSONObject,
        node: Int,
        ruleId: String,
        at: Timestamp
    ) -> HeldTransaction? {
        guard all.count < Self.capacity else { return nil }
        last += 1
        let held = HeldTransaction(
            id: "h\(last)",
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
        last = max(last, Int(held.id.dropFirst()) ?? 0)
        all.append(held)
    }

    func find(_ id: String) -> HeldTransaction? {
        all.first { $0.id == id }
    }

    mutating func remove(_ id: String) {
        all.removeAll { $0.id == id }
    }
}
