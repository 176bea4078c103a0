import AdamantModel
public import Determinism
public import JSONValue
import Simulators

/// The way of one transaction: the stations it came by, and where and why it was lost.
public struct Trace: Sendable {
    /// Where a message comes by, in order.
    public enum Station: String, Sendable, CaseIterable, Comparable {
        case posted, accepted, forged, polled, pushed, delivered, fetched, shown

        /// The order of the way.
        public static func < (left: Station, right: Station) -> Bool { left.place < right.place }

        private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// How it ended, so far.
    public enum Outcome: String, Sendable, CaseIterable {
        /// A user saw it, or finds it in the list.
        case shown
        /// It has arrived where it was to arrive, and nothing else is known.
        case delivered
        /// It does not arrive.
        case lost
        /// It may still arrive.
        case pending
    }

    /// One stop at a station.
    public struct Stop: Sendable {
        /// The station.
        public var station: Station
        /// When.
        public var at: Timestamp
        /// The node.
        public var node: String?
        /// The height of the block, or of the newest block that a list was read from.
        public var height: Int?
        /// The fault rule that struck on the way.
        public var faultId: String?
        /// The push.
        public var pushId: String?
        /// The device.
        public var device: String?
        /// The device token of the push.
        public var token: String?
        /// Number of the request.
        public var request: Int?
        /// What else there is to tell, for people.
        public var note: String?

        init(
            _ station: Station,
            at: Timestamp,
            node: String? = nil,
            height: Int? = nil,
            faultId: String? = nil,
            pushId: String? = nil,
            device: String? = nil,
            token: String? = nil,
            request: Int? = nil,
            note: String? = nil
        ) {
            self.station = station
            self.at = at
            self.node = node
            self.height = height
            self.faultId = faultId
            self.pushId = pushId
            self.device = device
            self.token = token
            self.request = request
            self.note = note
        }
    }

    /// The way from the service to one token: one for each push, and for each registered token without any.
    public struct Delivery: Sendable {
        /// The device token.
        public var token: String?
        /// The device, where it is one of the world's.
        public var device: String?
        /// The push.
        public var pushId: String?
        /// How it ended.
        public var outcome: Outcome
        /// The first station that it did not come by.
        public var lostAt: Station?
        /// Why.
        public var cause: TraceCause?
        /// Why it repeats a push of the same transaction to the token, if it does.
        public var repeats: TraceRepeat?
    }

    /// What is known.
    let facts: TraceFacts
    /// The stops by stations, and at each in the order of time.
    public internal(set) var stops: [Stop] = []
    /// The ways from the service to tokens.
    public internal(set) var deliveries: [Delivery] = []
    /// How it ended.
    public internal(set) var outcome = Outcome.pending
    /// The first station that it did not come by, if that has to be explained.
    public internal(set) var lostAt: Station?
    /// Why.
    public internal(set) var cause: TraceCause?

    /// Follows a transaction through the facts.
    public init(_ facts: TraceFacts) {
        self.facts = facts
        followToChain()
        if passed(.forged), cause == nil { followToService() }
        // What was pushed was served, whatever is known of it.
        if !facts.pushes.isEmpty || cause == nil, passed(.forged) { followPushes() }
        stops = stops.enumerated().sorted {
            ($0.element.station, $0.element.at, $0.offset) < ($1.element.station, $1.element.at, $1.offset)
        }.map(\.element)
    }

    /// Whether it came by a station.
    public func passed(_ station: Station) -> Bool { stops.contains { $0.station == station } }

    /// Notes why it does not come by a station; lost when that is certain, or has taken too long.
    mutating func miss(_ station: Station, _ cause: TraceCause) {
        lostAt = station
        self.cause = cause
        outcome = judged(cause, since: stops.map(\.at).max())
    }

    /// Whether what a cause stops is lost, or may still go on.
    func judged(_ cause: TraceCause, since moment: Timestamp?) -> Outcome {
        if cause.isFinal { return .lost }
        switch cause.code {
        case .stored, .throttled, .noDevice, .held: return .pending
        default: break
        }
        guard let moment else { return .pending }
        return moment.adding(milliseconds: facts.limitMilliseconds) <= facts.now ? .lost : .pending
    }
}

extension Trace {
    /// The trace as the control API shows it.
    public var json: JSONValue {
        [
            "transactionId": .string(facts.id.description), "kind": .string(facts.kind),
            "sender": .optional(facts.sender), "recipient": .optional(facts.recipient),
            "state": .string(facts.state), "height": facts.block.map { .int($0.height) } ?? .null,
            "signal": facts.signal?.json ?? .null,
            "outcome": .string(outcome.rawValue), "lostAt": .optional(lostAt?.rawValue),
            "causeCode": .optional(cause?.code.rawValue), "cause": .optional(cause?.text),
            "stations": .array(stops.map(\.json)), "deliveries": .array(deliveries.map(\.json)),
            "gaps": .array(facts.gaps.map(JSONValue.string)),
        ]
    }
}

extension Trace.Stop {
    fileprivate var json: JSONValue {
        [
            "station": .string(station.rawValue), "at": .string(at.rfc3339), "node": .optional(node),
            "height": height.map { .int($0) } ?? .null, "faultId": .optional(faultId),
            "pushId": .optional(pushId), "device": .optional(device), "token": .optional(token),
            "request": request.map { .int($0) } ?? .null, "note": .optional(note),
        ]
    }
}

extension Trace.Delivery {
    fileprivate var json: JSONValue {
        [
            "token": .optional(token), "device": .optional(device), "pushId": .optional(pushId),
            "outcome": .string(outcome.rawValue), "lostAt": .optional(lostAt?.rawValue),
            "causeCode": .optional(cause?.code.rawValue), "cause": .optional(cause?.text),
            "repeatCode": .optional(repeats?.code.rawValue), "repeat": .optional(repeats?.text),
        ]
    }
}

extension ChainSignal.Reading {
    /// The reading as the control API shows it; `readBy` tells whether the key or the length told it.
    public var json: JSONValue {
        switch self {
        case .opened(let signal):
            [
                "action": .optional(signal.action?.rawValue), "token": .optional(signal.token),
                "provider": .optional(signal.provider), "readBy": "key",
            ]
        case .sealed(let kind):
            [
                "action": .optional(kind?.action.rawValue), "token": nil,
                "provider": .optional(kind?.provider),
                "readBy": kind == nil ? nil : "length",
            ]
        case .plainText: ["action": nil, "token": nil, "provider": nil, "readBy": "nobody sealed it"]
        case .notASignal: ["action": nil, "token": nil, "provider": nil, "readBy": "key"]
        case .unreadable: ["action": nil, "token": nil, "provider": nil, "readBy": nil]
        }
    }
}
