/// Whether a fault strikes before a call is processed or after it, when only the answer is lost.
public enum FaultMoment: String, Sendable, CaseIterable {
    /// Nothing happened.
    case before
    /// It was applied and the answer was lost.
    case after
}

/// What a fault does to a call.
public enum FaultEffect: Sendable, Equatable {
    /// A node answers a status and a body; nothing is processed.
    case status(code: Int, body: String?)
    /// A node answers 200 with `success: false`; nothing is processed.
    case error(message: String)
    /// The connection is reset.
    case reset(FaultMoment)
    /// No answer; the connection ends after so many seconds.
    case timeout(FaultMoment, seconds: Int)
    /// Nothing but the decision's delay.
    case delay
    /// A node keeps a valid transaction out of its pool until it is released.
    case hold(answersReset: Bool)
    /// A node's answer comes at so many bytes a second.
    case slow(bytesPerSecond: Int)
    /// A node's answer ends after so many bytes of its body, and the connection with it.
    case truncate(bytes: Int)
    /// A node's answer has so many bytes of its body changed.
    case corrupt(bytes: Int)
    /// A node answers a read as of so many blocks ago.
    case stale(blocks: Int)
    /// APNs does something to a push, to its answer, or to its connection from then on.
    case push(PushEffect)
    /// APNs does something to a connection from its beginning.
    case connection(ConnectionEffect)
    /// A node lets no client open a Socket.IO session.
    case socketRefuse
    /// The connection of a session breaks so many seconds after its handshake.
    case socketDrop(seconds: Int)
    /// In place of an event, each socket gets bytes that are none.
    case socketMalformed
    /// Each socket gets an event twice.
    case socketRepeat
    /// No socket gets an event.
    case socketWithhold
    /// A node's failure rate: 503 with the HTML page of a proxy.
    case serviceUnavailable
}

extension FaultEffect {
    /// When a rule of this effect is asked.
    var occasion: FaultRequest.Occasion {
        switch self {
        case .socketRefuse, .socketDrop: .socketHandshake
        case .socketMalformed, .socketRepeat, .socketWithhold: .socketEvent
        case .connection(.stalledHandshake): .accept
        case .connection: .connection
        case .status, .error, .reset, .timeout, .delay, .hold, .slow, .truncate, .corrupt, .stale, .push,
            .serviceUnavailable:
            .call
        }
    }
}

extension FaultEffect {
    /// Whether it needs more lots than when to strike and how long to wait.
    var draws: Bool { if case .corrupt = self { true } else { false } }
}

/// What is to happen to one call.
public struct FaultDecision: Sendable, Equatable {
    /// The rule that fired, ``FaultBook/failureRateId`` or ``FaultBook/latencyId``.
    public var ruleId: String
    /// What it does.
    public var effect: FaultEffect
    /// How long to wait before the effect or the answer.
    public var delayMilliseconds: Int
    /// Which match of the rule it is.
    public var place: Place
    /// What the rule calls its effect.
    public var kind: String
    /// What an effect draws from.
    public var draw: UInt64

    /// Where a decision stands among those of its world: the same in each run.
    public struct Place: Sendable, Equatable {
        /// What tells the rule from others, whatever its id.
        public var rule: String
        /// The route, where matches are counted by it.
        public var route: String?
        /// The number of the match, from 1; 0 for none.
        public var match: Int

        /// A place.
        public init(rule: String, route: String? = nil, match: Int) {
            self.rule = rule
            self.route = route
            self.match = match
        }
    }

    /// A decision.
    public init(
        ruleId: String,
        effect: FaultEffect,
        delayMilliseconds: Int = 0,
        place: Place = Place(rule: "", match: 0),
        kind: String = "",
        draw: UInt64 = 0
    ) {
        self.ruleId = ruleId
        self.effect = effect
        self.delayMilliseconds = delayMilliseconds
        self.place = place
        self.kind = kind
        self.draw = draw
    }
}
