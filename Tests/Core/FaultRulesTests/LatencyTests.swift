import FaultRules
import JSONValue
import Testing

@Suite("Faults: latency of a node")
struct LatencyTests {
    private func book(seed: UInt64 = 7, _ latency: String) throws -> FaultBook {
        var book = FaultBook(seed: seed, nodeNames: ["alpha", "beta"])
        try book.setLatency(rule(latency), node: "alpha")
        return book
    }

    private func delays(_ book: FaultBook, _ requests: [FaultRequest]) -> [Int?] {
        var book = book
        return requests.map { book.decide($0)?.delayMilliseconds }
    }

    @Test("delays each call of that node, and is no rule")
    func delaysCalls() throws {
        var book = try book(#"{"milliseconds": 40}"#)
        #expect(!book.isEmpty && book.allJSON.isEmpty)
        let decision = book.decide(nodeCall())
        #expect(decision == FaultDecision(ruleId: FaultBook.latencyId, effect: .delay, delayMilliseconds: 40))
        #expect(book.decide(nodeCall(node: "beta")) == nil)
        #expect(book.decide(push()) == nil)
        try book.setLatency(.null, node: "alpha")
        #expect(book.isEmpty && book.decide(nodeCall()) == nil)
    }

    @Test("comes on top of what a rule does")
    func addsToRules() throws {
        var book = try book(#"{"milliseconds": 40}"#)
        _ = try book.add(
            rule(#"{"limit": 1, "effect": {"kind": "error", "milliseconds": 5}}"#),
            canReadSignals: true
        )
        let slowed = book.decide(nodeCall())
        #expect(slowed?.ruleId == "f1" && slowed?.effect == .error(message: "Injected fault"))
        #expect(slowed?.delayMilliseconds == 45)
        #expect(book.decide(nodeCall())?.delayMilliseconds == 40)
    }

    @Test("is drawn by the seed, for each route apart, within its bounds")
    func draws() throws {
        let calls = (0..<50).map { _ in nodeCall() }
        let text = #"{"minMilliseconds": 10, "maxMilliseconds": 90}"#
        let first = try delays(book(text), calls)
        #expect(first.allSatisfy { (10...90).contains($0 ?? 0) } && Set(first).count > 20)
        #expect(try delays(book(text), calls) == first)
        #expect(try delays(book(seed: 8, text), calls) != first)
        let mixed = calls.flatMap { [$0, nodeCall("GET", "/api/blocks/getHeight")] }
        let ofMixed = try delays(book(text), mixed)
        #expect(stride(from: 0, to: ofMixed.count, by: 2).map { ofMixed[$0] } == first)
    }

    @Test(
        "is refused like the effect delay",
        arguments: ["5", "{}", #"{"milliseconds": -1}"#, #"{"seconds": 1}"#, #"{"minMilliseconds": 1}"#]
    )
    func refuses(latency: String) throws {
        var book = try book(#"{"milliseconds": 40}"#)
        #expect(throws: FaultRuleError.self) { try book.setLatency(rule(latency), node: "alpha") }
        #expect(try book.latency(node: "alpha") == rule(#"{"milliseconds": 40}"#))
    }
}
