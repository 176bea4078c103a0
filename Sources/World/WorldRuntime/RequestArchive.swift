import Determinism
import JSONValue
import NodeServer

/// The newest calls that the nodes of a world got, in the order of their answers.
///
/// Those that asked for lists of transactions are kept longer than others, since they tell what services know.
struct RequestArchive: Sendable {
    /// Most calls kept, and most calls of lists; older ones give way.
    static let capacity = 10_000

    /// One call.
    struct Entry: Sendable {
        let number: Int
        let call: NodeCall
        let at: Timestamp
        /// Number of the newest event when it was answered, which places it among the events.
        let event: Int
    }

    /// The world's clock, as it is behind the world's lock, so that a call is timed without taking that.
    var clock = WorldClock()
    private var calls = RecentEntries()
    private var listCalls = RecentEntries()
    /// How many there were.
    private(set) var tallies = CallTallies()
    /// How long they took.
    var times = CallTimes()
    /// Number of the newest call; 0 when there was none yet.
    private(set) var last = 0

    /// Appends a call, with the machine's time and the number of the newest event.
    mutating func append(_ call: NodeCall, machine: Timestamp, event: Int) {
        last += 1
        tallies.note(call)
        let entry = Entry(number: last, call: call, at: clock.now(machine: machine), event: event)
        calls.append(entry)
        if call.isList { listCalls.append(entry) }
    }

    /// Forgets all calls; numbers go on.
    mutating func removeAll() {
        calls = RecentEntries()
        listCalls = RecentEntries()
    }

    /// Up to `limit` calls after a number that fit, as the control API shows them, each with its number.
    func page(
        after: Int,
        limit: Int,
        nodes: [String],
        where fits: (NodeCall) -> Bool,
        matching search: DocumentSearch = DocumentSearch("")
    ) -> [(number: Int, json: JSONValue)] {
        var found: [(Int, JSONValue)] = []
        _ = calls.entries(after: after, limit: limit) { entry in
            guard fits(entry.call) else { return false }
            let json = json(entry, nodes: nodes)
            guard search.matches(json) else { return false }
            found.append((entry.number, json))
            return true
        }
        return found
    }

    /// The calls that name a transaction: that posted it, or asked for it by its id.
    func calls(of transaction: String) -> [Entry] {
        calls.entries(after: 0, limit: .max) { $0.call.transactionId == transaction }
    }

    /// All calls that are kept, oldest first.
    var all: [Entry] { calls.entries(after: 0, limit: .max) { _ in true } }

    /// Up to `limit` calls of lists after a number.
    func listCalls(after number: Int, limit: Int = .max) -> [Entry] {
        listCalls.entries(after: number, limit: limit) { _ in true }
    }

    /// When the oldest call of a list that is still kept was answered; nil when none had to give way.
    var listsForgottenBefore: Timestamp? { listCalls.hasForgotten ? listCalls.oldest?.at : nil }

    private func json(_ entry: Entry, nodes: [String]) -> JSONValue {
        let call = entry.call
        return [
            "seq": .int(entry.number), "at": .string(entry.at.rfc3339), "node": .string(nodes[call.node]),
            "client": .string(call.client), "agent": .optional(call.agent), "method": .string(call.method),
            "path": .string(call.path), "query": .string(call.query),
            "status": call.status.map { .int($0) } ?? .null, "faultId": .optional(call.faultId),
            "transactionId": .optional(call.transactionId),
            "height": call.height.map { .int($0) } ?? .null,
            "attempt": call.attempt.map { .int($0) } ?? .null,
        ]
    }
}

/// The newest calls of some kind, in the order of their numbers.
private struct RecentEntries: Sendable {
    private var entries: [RequestArchive.Entry] = []
    private var start = 0
    private(set) var hasForgotten = false

    mutating func append(_ entry: RequestArchive.Entry) {
        if entries.count < RequestArchive.capacity {
            entries.append(entry)
        } else {
            hasForgotten = true
            entries[start] = entry
            start = (start + 1) % RequestArchive.capacity
        }
    }

    var oldest: RequestArchive.Entry? { entries.isEmpty ? nil : entries[start] }

    func entries(after number: Int, limit: Int, where fits: (RequestArchive.Entry) -> Bool)
        -> [RequestArchive.Entry]
    {
        var result: [RequestArchive.Entry] = []
        // Where the first of those lies that come after the number.
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[(start + middle) % entries.count].number <= number {
                low = middle + 1
            } else {
                high = middle
            }
        }
        for offset in low..<max(low, entries.count) where result.count < limit {
            let entry = entries[(start + offset) % entries.count]
            if fits(entry) { result.append(entry) }
        }
        return result
    }
}
