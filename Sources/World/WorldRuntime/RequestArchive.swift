import Determinism
import JSONValue
import NodeServer

/// The newest calls that the nodes of a world got, in the order of their answers.
struct RequestArchive: Sendable {
    /// Most calls kept; older ones give way.
    static let capacity = 10_000

    private struct Entry {
        let call: NodeCall
        let at: Timestamp
    }

    /// The world's clock, as it is behind the world's lock, so that a call is timed without taking that.
    var clock = WorldClock()
    private var entries: [Entry] = []
    private var start = 0
    private var last = 0

    /// Appends a call, with the machine's time.
    mutating func append(_ call: NodeCall, machine: Timestamp) {
        last += 1
        let entry = Entry(call: call, at: clock.now(machine: machine))
        if entries.count < Self.capacity {
            entries.append(entry)
        } else {
            entries[start] = entry
            start = (start + 1) % Self.capacity
        }
    }

    /// Forgets all calls; numbers go on.
    mutating func removeAll() {
        entries = []
        start = 0
    }

    /// Up to `limit` calls after a number that fit, as the control API shows them, each with its number.
    func page(
        after: Int,
        limit: Int,
        nodes: [String],
        where fits: (NodeCall) -> Bool
    ) -> [(number: Int, json: JSONValue)] {
        var result: [(Int, JSONValue)] = []
        let oldest = last - entries.count + 1
        let first = max(after, oldest - 1, 0)
        guard first < last else { return [] }
        for number in first + 1...last {
            let entry = entries[(start + number - oldest) % entries.count]
            guard fits(entry.call) else { continue }
            result.append((number, json(entry, number: number, nodes: nodes)))
            if result.count == limit { break }
        }
        return result
    }

    /// The first call since a moment that fits, and when it was answered.
    func first(since moment: Timestamp, where fits: (NodeCall) -> Bool) -> (at: Timestamp, node: Int)? {
        // The newest are the fewest to look at.
        var found: (Timestamp, Int)?
        for offset in stride(from: entries.count - 1, through: 0, by: -1) {
            let entry = entries[(start + offset) % entries.count]
            guard entry.at >= moment else { break }
            if fits(entry.call) { found = (entry.at, entry.call.node) }
        }
        return found
    }

    private func json(_ entry: Entry, number: Int, nodes: [String]) -> JSONValue {
        let call = entry.call
        return [
            "seq": .int(number), "at": .string(entry.at.rfc3339), "node": .string(nodes[call.node]),
            "client": .string(call.client), "agent": .optional(call.agent), "method": .string(call.method),
            "path": .string(call.path), "query": .string(call.query),
            "status": call.status.map { .int($0) } ?? .null, "faultId": .optional(call.faultId),
            "transactionId": .optional(call.transactionId),
            "attempt": call.attempt.map { .int($0) } ?? .null,
        ]
    }
}
