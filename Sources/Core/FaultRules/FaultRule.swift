import Determinism
import JSONValue

/// What a rule is checked against when it is read.
struct RuleContext {
    let nodeNames: [String]
    /// Whether the world has the key of the notification service.
    let canReadSignals: Bool
}

/// One rule: matcher, schedule and effect, with its counters.
struct FaultRule: Sendable {
    /// After how many seconds a timeout ends the connection unless told otherwise.
    static let defaultTimeoutSeconds = 120

    /// Whether matches are counted together or for each route apart.
    enum Scope: String, Sendable, CaseIterable {
        case rule
        case route
    }

    /// One match: its route, when counted apart, and how many came before.
    struct Match {
        let route: String?
        let before: Int
    }

    private static let members = [
        "name", "target", "match", "skip", "limit", "probability", "per", "effect",
    ]
    private static let maximumCount: Int64 = 1_000_000_000_000

    let id: String
    let posted: JSONObject
    let matcher: FaultMatcher
    /// What the rule is, for its draws: all but name, schedule and counters.
    let identity: String
    /// Tells rules of the same identity apart.
    var occurrence = 0 {
        didSet { drawPurpose = "fault \(occurrence) \(identity)" }
    }

    private let skip: Int
    private let limit: Int?
    private let probability: Double
    private let scope: Scope
    private let effect: FaultEffect
    private let delay: FaultDelay
    private var drawPurpose: String
    private var matched = 0
    private var fired = 0
    private var routeMatches = RouteCounter()
    private var routeFirings = RouteCounter()

    /// Reads a rule as posted.
    init(id: String, posted: JSONValue, context: RuleContext) throws(FaultRuleError) {
        let reader = try MemberReader(posted, at: nil)
        try reader.refuseOthers(than: Self.members)
        _ = try reader.text("name")
        let targets = FaultRequest.Target.allCases.map(\.rawValue)
        let target =
            try reader.word("target", of: targets).flatMap(FaultRequest.Target.init(rawValue:)) ?? .node
        guard let effectValue = reader.value("effect") else { throw reader.error("effect", "is missing") }
        let effectReader = try MemberReader(effectValue, at: "effect")
        self.id = id
        self.posted = posted.objectValue ?? JSONObject()
        effect = try FaultEffect(effectReader, target: target)
        delay = try FaultDelay(effectReader)
        if effect == .delay, delay == .none { throw effectReader.error("milliseconds", "is missing") }
        matcher = try FaultMatcher(
            reader.value("match") ?? .object(JSONObject()),
            target: target,
            effect: effect,
            context: context
        )
        skip = try reader.integer("skip", in: 0...Self.maximumCount).map(Int.init) ?? 0
        limit = try reader.integer("limit", in: 0...Self.maximumCount).map(Int.init)
        probability = try reader.number("probability", in: 0...1) ?? 1
        scope =
            try reader.word("per", of: Scope.allCases.map(\.rawValue)).flatMap(Scope.init(rawValue:)) ?? .rule
        identity = "\(target.rawValue) \(matcher.identity) \(scope.rawValue) \(effectReader.canonicalText)"
        drawPurpose = "fault 0 \(identity)"
    }

    /// Goes on with the counters of the rule this one replaces.
    mutating func takeCounters(of other: FaultRule) {
        occurrence = other.occurrence
        matched = other.matched
        fired = other.fired
        routeMatches = other.routeMatches
        routeFirings = other.routeFirings
    }

    /// Counts a call that matches.
    mutating func countMatch(_ request: FaultRequest) -> Match {
        let before = matched
        matched &+= 1
        guard scope == .route else { return Match(route: nil, before: before) }
        let route = RouteCounter.route(of: request)
        return Match(route: route, before: routeMatches.count(route))
    }

    /// Fires for a match, or not.
    mutating func decide(_ match: Match, seed: UInt64) -> FaultDecision? {
        let firings = match.route.map { routeFirings[$0] } ?? fired
        guard match.before >= skip, limit.map({ firings < $0 }) ?? true else { return nil }
        let index = UInt64(match.before)
        let purpose = match.route.map { "\(drawPurpose) \($0)" } ?? drawPurpose
        if probability < 1 {
            let draw = SeededGenerator.fraction(seed: seed, purpose: purpose, index: index)
            guard draw < probability else { return nil }
        }
        fired &+= 1
        if let route = match.route { _ = routeFirings.count(route) }
        return FaultDecision(
            ruleId: id,
            effect: effect,
            delayMilliseconds: delay.milliseconds {
                SeededGenerator.fraction(seed: seed, purpose: "delay, \(purpose)", index: index)
            }
        )
    }

    /// The rule as posted with its id and counters.
    ///
    /// A rule whose limit counts for each route apart is never spent: another route may come.
    var json: JSONValue {
        var object = JSONObject([("id", .string(id))])
        for member in posted.members { object[member.key] = member.value }
        object["matched"] = .int(matched)
        object["fired"] = .int(fired)
        object["spent"] = .bool(limit.map { scope == .rule ? fired >= $0 : $0 == 0 } ?? false)
        return .object(object)
    }
}
