public import Determinism
public import JSONValue

/// The faults that struck, each by its rule and the number of the match, so that they can be repeated.
public struct DecisionLog: Sendable {
    /// One fault that struck.
    public struct Entry: Sendable {
        /// The number of the event that told of it.
        public var seq: Int
        /// When, by the world's clock.
        public var at: Timestamp
        /// What was decided.
        public var decision: FaultDecision
        /// The node it struck.
        public var node: String?
        /// The transaction it was about.
        public var transactionId: String?
        /// Which post of the same signed bytes it was.
        public var attempt: Int?

        /// A fault that struck.
        public init(seq: Int, at: Timestamp, decision: FaultDecision, request: FaultRequest) {
            self.seq = seq
            self.at = at
            self.decision = decision
            node = request.node
            transactionId = request.transactionId
            attempt = request.attempt
        }

        /// The fault as the control API shows it.
        public var json: JSONValue {
            [
                "seq": .int(seq), "at": .string(at.rfc3339), "faultId": .string(decision.ruleId),
                "rule": .string(decision.place.rule), "route": .optional(decision.place.route),
                "match": .int(decision.place.match), "kind": .string(decision.kind),
                "delayMilliseconds": .int(decision.delayMilliseconds), "node": .optional(node),
                "transactionId": .optional(transactionId), "attempt": attempt.map { .int($0) } ?? .null,
            ]
        }
    }

    /// Most entries kept; the oldest give way.
    public static let capacity = 50_000

    private var entries: [Entry] = []
    private var start = 0
    /// How many have given way.
    public private(set) var evicted = 0

    /// An empty log.
    public init() {}

    /// Adds a fault, whose number is higher than any before.
    public mutating func append(_ entry: Entry) {
        guard entries.count >= Self.capacity else { return entries.append(entry) }
        entries[start] = entry
        start = (start + 1) % Self.capacity
        evicted += 1
    }

    /// Up to `limit` of those whose numbers are higher than `after`.
    public func page(after: Int, limit: Int) -> [Entry] {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entry(middle).seq > after { high = middle } else { low = middle + 1 }
        }
        return (low..<low + min(entries.count - low, max(0, limit))).map(entry)
    }

    private func entry(_ offset: Int) -> Entry { entries[(start + offset) % entries.count] }
}
