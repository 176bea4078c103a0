import FaultRules
import JSONValue
import Testing

@Suite("Faults: failure rate of a node")
struct FailureRateTests {
    private func struck(_ rate: Double, mix: FailureMix? = nil, count: Int = 10_000) -> [FaultEffect] {
        var book = FaultBook(seed: 7, nodeNames: ["alpha", "beta"])
        book.setFailureRate(rate, mix: mix, node: "alpha")
        return (0..<count).compactMap { _ in book.decide(nodeCall())?.effect }
    }

    @Test("strikes never at 0, always at 1, and in between within the binomial bounds")
    func rates() {
        #expect(struck(0).isEmpty)
        #expect(struck(1).count == 10_000)
        let deviation = (10_000 * 0.3 * 0.7).squareRoot()
        #expect((Double(struck(0.3).count) - 3000).magnitude < 5 * deviation)
    }

    @Test("is half 503, and the rest spread evenly, unless told otherwise")
    func standardMix() {
        let effects = struck(1)
        func share(_ effect: FaultEffect) -> Double { Double(effects.count { $0 == effect }) / 10_000 }
        #expect((share(.serviceUnavailable) - 0.5).magnitude < 0.03)
        for effect in [FaultEffect.reset(.before), .timeout(.before, seconds: 120), .reset(.after)] {
            #expect((share(effect) - 1.0 / 6).magnitude < 0.02)
        }
    }

    @Test("keeps to a mix of one kind")
    func singleKinds() throws {
        let kinds: [(String, FaultEffect)] = [
            ("status503", .serviceUnavailable), ("resetBefore", .reset(.before)),
            ("timeout", .timeout(.before, seconds: 120)), ("resetAfter", .reset(.after)),
        ]
        for (name, effect) in kinds {
            let mix = try FailureMix(rule(#"{"\#(name)": 1}"#))
            #expect(Set(struck(1, mix: mix, count: 500).map { "\($0)" }) == ["\(effect)"])
            #expect(mix.json[name] == 1)
        }
    }

    @Test(
        "refuses a mix that does not add up to 1 or has unknown parts",
        arguments: [
            #"{"status503": 0.5}"#, "{}", #"{"status503": 1.5, "timeout": -0.5}"#, #"{"status500": 1}"#, "7",
            #"{"status503": "1"}"#,
        ]
    )
    func badMixes(text: String) throws {
        #expect(throws: FaultRuleError.self) { _ = try FailureMix(rule(text)) }
    }

    @Test("is only for calls below /api/ of its node")
    func scope() {
        var book = FaultBook(seed: 7, nodeNames: ["alpha", "beta"])
        book.setFailureRate(1, mix: nil, node: "alpha")
        #expect(book.decide(nodeCall(node: "beta")) == nil)
        #expect(book.decide(nodeCall("GET", "/socket.io/")) == nil)
        #expect(book.decide(nodeCall("GET", "/api")) == nil)
        #expect(book.decide(push()) == nil)
        #expect(book.decide(nodeCall())?.ruleId == FaultBook.failureRateId)
    }

    @Test("is tried last and counts the calls that a rule struck")
    func last() throws {
        var plain = FaultBook(seed: 7, nodeNames: ["alpha"])
        plain.setFailureRate(0.5, mix: nil, node: "alpha")
        let expected = plain.firings(nodeCall(), count: 40)
        var book = try book(#"{"limit": 10, "effect": {"kind": "reset"}}"#)
        book.setFailureRate(0.5, mix: nil, node: "alpha")
        let ids = (0..<40).map { _ in book.decide(nodeCall())?.ruleId }
        #expect(ids.prefix(10).allSatisfy { $0 == "f1" })
        #expect(ids.dropFirst(10).map { $0 != nil } == Array(expected.dropFirst(10)))
    }

    @Test("counts per route: a poll more or less does not move the fate of a POST")
    func perRoute() {
        var quiet = FaultBook(seed: 7, nodeNames: ["alpha"])
        quiet.setFailureRate(0.5, mix: nil, node: "alpha")
        var busy = quiet
        let call = nodeCall("POST", "/api/chats/process")
        let expected = quiet.firings(call, count: 60)
        let firings = (0..<60).map { _ in
            _ = busy.decide(nodeCall())
            return busy.decide(call) != nil
        }
        #expect(firings == expected)
    }

    @Test("tells what was set, and makes the book empty at 0")
    func settings() throws {
        var book = FaultBook(seed: 7, nodeNames: ["alpha"])
        #expect(book.isEmpty)
        #expect(book.failureMix(node: "alpha") == .standard)
        let mix = try FailureMix(rule(#"{"timeout": 1}"#))
        book.setFailureRate(0.25, mix: mix, node: "alpha")
        #expect(book.failureRate(node: "alpha") == 0.25)
        book.setFailureRate(0, mix: nil, node: "alpha")
        #expect(book.failureMix(node: "alpha") == mix)
        #expect(book.isEmpty)
        book.setFailureRate(.nan, mix: nil, node: "alpha")
        #expect(book.failureRate(node: "alpha") == 0)
    }
}
