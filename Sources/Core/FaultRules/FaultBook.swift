public import Determinism
public import JSONValue

/// The fault rules of a world and the failure rates of its nodes, with how often each matched and fired.
///
/// A decision depends on nothing but the world's seed, the rule, and how many matches came before.
public struct FaultBook: Sendable {
    /// What ``FaultDecision/ruleId`` says when a node's failure rate struck.
    public static let failureRateId = "failureRate"
    /// What ``FaultDecision/ruleId`` says when nothing struck but the node's latency.
    public static let latencyId = "latency"
    /// Most rules a world holds.
    public static let maximumRules = 256

    private let seed: UInt64
    private let nodeNames: [String]
    private var rules: [FaultRule] = []
    private var rates: [String: FailureRate] = [:]
    private var latencies: [String: NodeLatency] = [:]
    private var lastNumber = 0
    private let replay: FaultReplay?
    /// How many rules of each identity were ever made.
    private var made: [String: Int] = [:]
    /// The counts of rules that are gone.
    private var retired: [MatchCount] = []

    /// Whether some node rule looks at a transaction's fields.
    public private(set) var needsTransactionFacts = false
    /// Whether some node rule looks inside signal messages.
    public private(set) var looksInsideSignals = false
    /// Whether no rule and no failure rate can strike, and no node has a latency.
    public private(set) var isEmpty = true

    /// A book without rules for a world of these nodes; with a record its decisions are made again.
    public init(seed: UInt64, nodeNames: [String], replay: FaultReplay? = nil) {
        self.seed = replay?.seed ?? seed
        self.nodeNames = nodeNames
        self.replay = replay
    }

    /// Adds a rule behind the others and tells its id: `f1`, `f2`, ….
    ///
    /// `canReadSignals` says whether the world has the key of the notification service, `now` what its clock says.
    public mutating func add(
        _ rule: JSONValue,
        canReadSignals: Bool,
        now: Timestamp = .epoch
    ) throws(FaultRuleError) -> String {
        guard rules.count < Self.maximumRules else {
            throw FaultRuleError(field: nil, message: "there are \(Self.maximumRules) rules already")
        }
        let context = RuleContext(nodeNames: nodeNames, canReadSignals: canReadSignals, now: now)
        var parsed = try FaultRule(id: "f\(lastNumber + 1)", posted: rule, context: context)
        lastNumber += 1
        parsed.occurrence = freeOccurrence(of: parsed)
        parsed.predecessors = made[parsed.identity, default: 0]
        if made.count < Self.maximumRetired || made[parsed.identity] != nil {
            made[parsed.identity, default: 0] += 1
        }
        rules.append(parsed)
        refreshNeeds()
        return parsed.id
    }

    /// Adds a rule, or the rules that `{"preset": …}` stands for, all or none, and tells their ids.
    public mutating func post(
        _ posted: JSONValue,
        canReadSignals: Bool,
        now: Timestamp = .epoch
    ) throws(FaultRuleError) -> [String] {
        guard posted["preset"] != nil else {
            return [try add(posted, canReadSignals: canReadSignals, now: now)]
        }
        var changed = self
        var ids: [String] = []
        for rule in try FaultPreset.expand(posted) {
            ids.append(try changed.add(rule, canReadSignals: canReadSignals, now: now))
        }
        self = changed
        return ids
    }

    /// Changes members of a rule; null takes one away; counters go on.
    ///
    /// Returns false when there is no such rule; the rule is unchanged when this throws.
    public mutating func patch(_ id: String, _ members: JSONValue, canReadSignals: Bool)
        throws(FaultRuleError) -> Bool
    {
        guard let index = rules.firstIndex(where: { $0.id == id }) else { return false }
        // One that is not known is refused though it were to be taken away.
        try MemberReader(members, at: nil).refuseOthers(than: FaultRule.members)
        var posted = rules[index].posted
        for member in members.objectValue?.members ?? [] {
            // Not a conditional expression: its nil would be JSON's null.
            posted[member.key] = Optional.none
            if !member.value.isNull { posted[member.key] = member.value }
        }
        let context = RuleContext(nodeNames: nodeNames, canReadSignals: canReadSignals, now: .epoch)
        var changed = try FaultRule(id: id, posted: .object(posted), context: context)
        changed.takeCounters(of: rules[index])
        rules[index] = changed
        refreshNeeds()
        return true
    }

    /// Removes a rule; false when there is none of that id.
    public mutating func remove(_ id: String) -> Bool {
        guard let index = rules.firstIndex(where: { $0.id == id }) else { return false }
        retire(rules.remove(at: index))
        refreshNeeds()
        return true
    }

    /// Removes all rules; failure rates stay.
    public mutating func removeAll() {
        for rule in rules { retire(rule) }
        rules.removeAll()
        refreshNeeds()
    }

    /// A rule as posted with `id`, `matched`, `fired` and `spent`.
    public func json(_ id: String) -> JSONValue? {
        rules.first { $0.id == id }?.json
    }

    /// All rules in the order they are tried, as ``json(_:)`` gives each.
    public var allJSON: [JSONValue] { rules.map(\.json) }

    /// Sets how often calls below `/api/` of a node fail, from 0 to 1; a nil mix leaves the node's as it is.
    public mutating func setFailureRate(_ rate: Double, mix: FailureMix?, node: String) {
        var entry = rates[node] ?? FailureRate(node: node)
        entry.rate = rate.isFinite ? min(max(rate, 0), 1) : 0
        if let mix { entry.mix = mix }
        rates[node] = entry
        refreshNeeds()
    }

    /// How often calls of a node fail.
    public func failureRate(node: String) -> Double { rates[node]?.rate ?? 0 }

    /// How a node's failures spread.
    public func failureMix(node: String) -> FailureMix { rates[node]?.mix ?? .standard }

    /// Lets every answer of a node take longer, by the members of the effect `delay`; null for not at all.
    public mutating func setLatency(_ value: JSONValue, node: String) throws(FaultRuleError) {
        latencies[node] = value.isNull ? nil : try NodeLatency(value, node: node)
        refreshNeeds()
    }

    /// How much longer answers of a node take, as given; null for not at all.
    public func latency(node: String) -> JSONValue { latencies[node]?.posted ?? .null }

    /// Decides about one call: every rule that matches counts it, the first that fires decides.
    public mutating func decide(_ request: FaultRequest) -> FaultDecision? {
        guard !isEmpty else { return nil }
        var decision: FaultDecision?
        for index in rules.indices where rules[index].matches(request) {
            let match = rules[index].countMatch(request)
            guard decision == nil else { continue }
            decision = rules[index].decide(match, seed: seed, replay: replay)
        }
        if request.target == .node, let node = request.node, let path = request.path,
            path.hasPrefix("/api/"),
            let struck = rates[node]?.decide(
                request,
                seed: seed,
                replay: replay
            )
        {
            decision = decision ?? struck
        }
        return slowed(decision, request)
    }

    /// The decision with the node's latency.
    private mutating func slowed(_ decision: FaultDecision?, _ request: FaultRequest) -> FaultDecision? {
        guard request.target == .node, request.occasion == .call, let node = request.node,
            let milliseconds = latencies[node]?.milliseconds(for: request, seed: seed), milliseconds > 0
        else { return decision }
        var slowed = decision ?? FaultDecision(ruleId: Self.latencyId, effect: .delay)
        slowed.delayMilliseconds += milliseconds
        return slowed
    }

    /// What a record of decisions says of the matches that were counted, beside the decisions themselves.
    public var matchesJSON: JSONValue {
        let counts =
            retired + rules.flatMap(\.matchCounts)
            + nodeNames.flatMap { rates[$0]?.matchCounts ?? [] }
        return .array(counts.filter { $0.count > 0 }.map(\.json))
    }

    /// The seed from which the decisions follow: that of a record that is made again, where there is one.
    public var decidingSeed: UInt64 { seed }

    /// Most rules that are gone of which a record tells.
    private static let maximumRetired = 10_000

    private mutating func retire(_ rule: FaultRule) {
        let counts = rule.matchCounts.filter { $0.count > 0 }
        if retired.count + counts.count <= Self.maximumRetired { retired += counts }
    }

    /// Rules that are alike draw apart: the lowest number that none of them has.
    private func freeOccurrence(of rule: FaultRule) -> Int {
        let taken = rules.filter { $0.identity == rule.identity }.map(\.occurrence)
        return (0...taken.count).first { !taken.contains($0) } ?? taken.count
    }

    private mutating func refreshNeeds() {
        needsTransactionFacts = rules.contains { $0.matcher.needsTransactionFacts }
        looksInsideSignals = rules.contains { $0.matcher.looksInsideSignals }
        isEmpty = rules.isEmpty && rates.values.allSatisfy { $0.rate == 0 } && latencies.isEmpty
    }
}
