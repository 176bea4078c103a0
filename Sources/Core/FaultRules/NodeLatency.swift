import Determinism
import JSONValue

/// How long every answer of one node takes beyond what it takes anyway, drawn for each route apart.
struct NodeLatency: Sendable {
    /// As given.
    let posted: JSONValue
    private let node: String
    private let delay: FaultDelay
    private var routes = RouteCounter()

    /// Reads the members of a delay.
    init(_ value: JSONValue, node: String) throws(FaultRuleError) {
        let reader = try MemberReader(value, at: "latency")
        try reader.refuseOthers(than: FaultDelay.members)
        delay = try FaultDelay(reader)
        guard delay != .none else { throw reader.error("milliseconds", "is missing") }
        posted = value
        self.node = node
    }

    /// Counts a call and draws for it.
    mutating func milliseconds(for request: FaultRequest, seed: UInt64) -> Int {
        let route = RouteCounter.route(of: request)
        let index = UInt64(routes.count(route))
        return delay.milliseconds {
            SeededGenerator.fraction(seed: seed, purpose: "latency of \(node): \(route)", index: index)
        }
    }
}
