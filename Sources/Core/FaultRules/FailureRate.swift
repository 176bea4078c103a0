import Determinism

/// How often the calls of one node fail: a rule of its own, tried last, counted per route.
struct FailureRate: Sendable {
    let node: String
    var rate = 0.0
    var mix = FailureMix.standard
    private var routes = RouteCounter()

    init(node: String) {
        self.node = node
    }

    /// Counts a call and decides about it.
    mutating func decide(_ request: FaultRequest, seed: UInt64, replay: FaultReplay?) -> FaultDecision? {
        let route = RouteCounter.route(of: request)
        let index = UInt64(routes.count(route))
        let place = FaultDecision.Place(rule: recordName, route: route, match: Int(clamping: index) + 1)
        let effect: FaultEffect
        switch replay?.verdict(place) {
        case .passes?: return nil
        case .strikes(let kind, _)?:
            guard let recorded = FailureMix.effect(named: kind) else { return nil }
            effect = recorded
        case nil:
            let purpose = "failure rate of \(node): \(route)"
            guard SeededGenerator.fraction(seed: seed, purpose: purpose, index: index) < rate else {
                return nil
            }
            let draw = SeededGenerator.fraction(seed: seed, purpose: "kind, \(purpose)", index: index)
            effect = mix.effect(draw: draw)
        }
        return FaultDecision(
            ruleId: FaultBook.failureRateId,
            effect: effect,
            place: place,
            kind: FailureMix.name(of: effect)
        )
    }

    /// What a record of decisions calls the rate.
    private var recordName: String { "failure rate of \(node)" }

    /// How many calls of each route were counted.
    var matchCounts: [MatchCount] {
        routes.all.map { MatchCount(rule: recordName, route: $0.route, count: $0.count) }
    }
}
