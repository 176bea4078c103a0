import Determinism
import JSONValue

/// What a rule is checked against when it is read.
struct RuleContext {
    let nodeNames: [String]
    /// Whether the world has the key of the notification service.
    let canReadSignals: Bool
    /// The time by the world's clock.
    let now: Timestamp
}

/// One rule: matcher, schedule and effect, with its counters.
struct FaultRule: Sendable {
    /// After how many seconds a timeout ends the connection unless told otherwise.
    static let defaultTimeoutSeconds = 120

    static let members = [
        "name", "target", "match", "window", "skip", "limit", "probability", "per", "effect",
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

    /// How many rules of the same identity were made before it, which tells them apart in a record.
    var predecessors = 0 {
        didSet { recordName = Self.recordName(identity, predecessors) }
    }
    /// What a record of decisions calls it.
    private(set) var recordName: String

    private let skip: Int
    private let limit: Int?
    private let probability: Double
    private let window: FaultWindow
    private let effect: FaultEffect
    private let kind: String
    private let delay: FaultDelay
    private var madeAt: Timestamp
    private var drawPurpose: String
    private var counter: MatchCounter

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
        window = try FaultWindow(reader.value("window"))
        let scopes = MatchCounter.Scope.allCases.map(\.rawValue)
        let scope =
            try reader.word("per", of: scopes).flatMap(MatchCounter.Scope.init(rawValue:)) ?? .rule
        counter = MatchCounter(scope: scope)
        kind = effectReader.value("kind")?.stringValue ?? ""
        madeAt = context.now
        identity = "\(target.rawValue) \(matcher.identity) \(scope.rawValue) \(effectReader.canonicalText)"
        drawPurpose = "fault 0 \(identity)"
        recordName = Self.recordName(identity, 0)
    }

    /// Goes on with the counters of the rule this one replaces.
    mutating func takeCounters(of other: FaultRule) {
        occurrence = other.occurrence
        predecessors = other.predecessors
        recordName = other.recordName
        madeAt = other.madeAt
        let scope = counter.scope
        counter = other.counter
        counter.scope = scope
    }

    /// Whether a call is a match.
    func matches(_ request: FaultRequest) -> Bool {
        matcher.matches(request) && counter.counts(request) && window.isOpen(request, ruleMadeAt: madeAt)
    }

    /// Counts a call that matches.
    mutating func countMatch(_ request: FaultRequest) -> MatchCounter.Match { counter.count(request) }

    /// Fires for a match, or not.
    mutating func decide(_ match: MatchCounter.Match, seed: UInt64, replay: FaultReplay?) -> FaultDecision? {
        let place = FaultDecision.Place(rule: recordName, route: match.route, match: match.before &+ 1)
        let purpose = match.route.map { "\(drawPurpose) \($0)" } ?? drawPurpose
        let index = UInt64(match.before)
        let verdict = replay?.verdict(place)
        if let earlier = match.earlier {
            // A retry shares the fate of the first.
            guard earlier else { return nil }
        } else {
            guard verdict.map({ $0 != .passes }) ?? isDue(match, seed: seed, purpose: purpose) else {
                return nil
            }
            counter.noteFiring(match)
        }
        var wait = delay.milliseconds {
            SeededGenerator.fraction(seed: seed, purpose: "delay, \(purpose)", index: index)
        }
        if case .strikes(_, let recorded)? = verdict { wait = recorded }
        return FaultDecision(
            ruleId: id,
            effect: effect,
            delayMilliseconds: wait,
            place: place,
            kind: kind,
            draw: effect.draws
                ? SeededGenerator(seed: seed, purpose: "bytes, \(index) \(purpose)").state : 0
        )
    }

    /// Whether the schedule lets the rule fire for a match.
    private func isDue(_ match: MatchCounter.Match, seed: UInt64, purpose: String) -> Bool {
        guard match.before >= skip, window.includes(matchesBefore: match.before),
            limit.map({ counter.firings(match) < $0 }) ?? true
        else { return false }
        guard probability < 1 else { return true }
        let draw = SeededGenerator.fraction(seed: seed, purpose: purpose, index: UInt64(match.before))
        return draw < probability
    }

    /// How many matches were counted.
    var matchCounts: [MatchCount] {
        counter.counts.map { MatchCount(rule: recordName, route: $0.route, count: $0.count) }
    }

    /// Short, and the same in every process.
    private static func recordName(_ identity: String, _ predecessors: Int) -> String {
        let digits = String(SeededGenerator(seed: 0, purpose: identity).state, radix: 16)
        return "\(digits)-\(predecessors + 1)"
    }

    /// The rule as posted with its id and counters.
    ///
    /// A rule whose limit counts for each route apart is never spent: another route may come.
    var json: JSONValue {
        var object = JSONObject([("id", .string(id))])
        for member in posted.members { object[member.key] = member.value }
        object["matched"] = .int(counter.matched)
        object["fired"] = .int(counter.fired)
        let counted = counter.scope == .route ? 0 : counter.fired
        let isOver = counter.scope != .route && window.isOver(matches: counter.matched)
        object["spent"] = .bool(isOver || (limit.map { counted >= $0 } ?? false))
        return .object(object)
    }
}
