import AdamantModel

/// How often each of the newest transactions was posted, told by its id, which follows from its signed bytes.
struct PostAttempts: Sendable {
    /// Most transactions that are remembered; an older one that returns counts as new.
    private static let capacity = 10_000

    private var counts: [Identifier: Int] = [:]
    private var order: [Identifier] = []
    private var oldest = 0

    /// How often a transaction was posted.
    subscript(_ id: Identifier) -> Int { counts[id] ?? 0 }

    /// Counts a post; the first is 1.
    mutating func note(_ id: Identifier) -> Int {
        if let count = counts[id] {
            counts[id] = count &+ 1
            return count &+ 1
        }
        counts[id] = 1
        guard order.count >= Self.capacity else {
            order.append(id)
            return 1
        }
        counts[order[oldest]] = nil
        order[oldest] = id
        oldest = (oldest + 1) % Self.capacity
        return 1
    }

    /// Forgets all.
    mutating func removeAll() { self = PostAttempts() }
}
