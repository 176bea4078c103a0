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

    private var keys: [Key: Int] = [:]
    private var tallies: [(key: Key, count: Int)] = []
    /// Where the call before was counted: clients mostly repeat themselves.
    private var latest = 0

    /// How many calls there were of each combination.
    var counts: [(key: Key, count: Int)] { tallies }

    /// Counts a call.
    mutating func note(_ call: NodeCall) {
        if tallies.indices.contains(latest), tallies[latest].key.fits(call) {
            tallies[latest].count += 1
            return
        }
        var key = Key(node: call.node, method: call.method, path: call.path, status: call.status)
        if keys[key] == nil, tallies.count >= Self.capacity {
            key = Key(node: call.node, method: "other", path: "other", status: call.status)
        }
        latest = keys[key] ?? tallies.count
        if latest == tallies.count {
            keys[key] = latest
            tallies.append((key, 0))
        }
        tallies[latest].count += 1
    }
}

extension CallTallies.Key {
    /// Whether a call is counted by it.
    fileprivate func fits(_ call: NodeCall) -> Bool {
        node == call.node && status == call.status && path == call.path && method == call.method
    }
}
