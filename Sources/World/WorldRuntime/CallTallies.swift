import NodeServer

/// How many calls nodes got, of which only the newest are kept.
struct CallTallies: Sendable {
    /// What calls are counted by.
    struct Key: Hashable, Sendable {
        let node: Int
        let method: String
        let path: String
        let status: Int?
    }

    /// Most combinations counted apart; clients can ask for any path.
    private static let capacity = 500

    private(set) var counts: [Key: Int] = [:]

    /// Counts a call.
    mutating func note(_ call: NodeCall) {
        let key = Key(node: call.node, method: call.method, path: call.path, status: call.status)
        if counts[key] != nil || counts.count < Self.capacity {
            counts[key, default: 0] += 1
        } else {
            counts[Key(node: call.node, method: "other", path: "other", status: call.status), default: 0] += 1
        }
    }
}
