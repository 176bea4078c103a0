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
    mutating func decide(_ request: FaultRequest, seed: UInt64) -> FaultDecision? {
        let route = RouteCounter.route(of: request)
        let index = UInt64(routes.count(route))
        let purpose = "failure rate of \(node): \(route)"
        guard SeededGenerator.fraction(seed: seed, purpose: purpose, index: index) < rate else { return nil }
        let draw = SeededGenerator.fraction(seed: seed, purpose: "kind, \(purpose)", index: index)
        return FaultDecision(ruleId: FaultBook.failureRateId, effect: mix.effect(draw: draw))
    }
}
