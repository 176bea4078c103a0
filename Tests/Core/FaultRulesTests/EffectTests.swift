import FaultRules
import JSONValue
import Testing

@Suite("Faults: effects")
struct EffectTests {
    @Test(
        "reads the effects on nodes",
        arguments: [
            (
                #"{"kind": "status", "status": 503, "body": "<html>"}"#,
                FaultEffect.status(code: 503, body: "<html>")
            ),
            (#"{"kind": "status", "status": 404}"#, .status(code: 404, body: nil)),
            (#"{"kind": "status", "status": 400, "body": {"a": 1}}"#, .status(code: 400, body: #"{"a":1}"#)),
            (#"{"kind": "error", "message": "busy"}"#, .error(message: "busy")),
            (#"{"kind": "reset"}"#, .reset(.before)),
            (#"{"kind": "reset", "when": "after"}"#, .reset(.after)),
            (#"{"kind": "timeout"}"#, .timeout(.before, seconds: 120)),
            (#"{"kind": "timeout", "when": "after", "seconds": 3}"#, .timeout(.after, seconds: 3)),
            (#"{"kind": "delay", "milliseconds": 5}"#, .delay),
            (#"{"kind": "hold"}"#, .hold(answersReset: false)),
            (#"{"kind": "hold", "answer": "reset"}"#, .hold(answersReset: true)),
            (#"{"kind": "stale", "blocks": 10000}"#, .stale(blocks: 10_000)),
        ]
    )
    func nodeEffects(effect: String, expected: FaultEffect) throws {
        var book = try book(#"{"effect": \#(effect)}"#)
        #expect(book.decide(signal())?.effect == expected)
    }

    @Test("lets any effect carry a delay")
    func delayBeside() throws {
        var book = try book(#"{"effect": {"kind": "status", "status": 500, "milliseconds": 40}}"#)
        #expect(book.decide(nodeCall())?.delayMilliseconds == 40)
    }

    @Test("draws a uniform delay within its bounds, both included, and the same for the same seed")
    func uniform() throws {
        let text = #"{"effect": {"kind": "delay", "minMilliseconds": 10, "maxMilliseconds": 13}}"#
        var first = try book(text)
        var second = try book(text)
        let delays = (0..<500).map { _ in first.decide(nodeCall())?.delayMilliseconds ?? -1 }
        #expect(Set(delays) == [10, 11, 12, 13])
        #expect((0..<500).map { _ in second.decide(nodeCall())?.delayMilliseconds ?? -1 } == delays)
    }

    @Test("draws a log-normal delay with its median and spread")
    func logNormal() throws {
        var book = try book(#"{"effect": {"kind": "delay", "medianMilliseconds": 1000, "sigma": 0.5}}"#)
        let delays = (0..<10_001).map { _ in book.decide(nodeCall())?.delayMilliseconds ?? 0 }.sorted()
        // The quantiles of the distribution: median · e^(sigma · z), with z of 15.87 % and 84.13 % = ∓1.
        #expect((delays[5000] - 1000).magnitude < 40)
        #expect((delays[1587] - 607).magnitude < 40)
        #expect((delays[8414] - 1649).magnitude < 80)
    }

    @Test("waits the median alone at sigma 0, and at most an hour")
    func logNormalBounds() throws {
        var still = try book(#"{"effect": {"kind": "delay", "medianMilliseconds": 250.4, "sigma": 0}}"#)
        #expect(still.decide(nodeCall())?.delayMilliseconds == 250)
        var wild = try book(#"{"effect": {"kind": "delay", "medianMilliseconds": 3600000, "sigma": 10}}"#)
        let delays = (0..<100).map { _ in wild.decide(nodeCall())?.delayMilliseconds ?? -1 }
        #expect(delays.allSatisfy { (0...3_600_000).contains($0) })
    }
}
