import Determinism
import FaultRules
import JSONValue
import Testing

@Suite("Faults: windows")
struct WindowTests {
    private static let reset = #""effect": {"kind": "reset"}"#
    private static let made = Timestamp(epochSeconds: 1_000_000)

    private func book(_ window: String, more: String = "") throws -> FaultBook {
        var book = FaultBook(seed: 7, nodeNames: ["alpha", "beta"])
        _ = try book.add(
            rule("{\"window\": \(window), \(more) \(Self.reset)}"),
            canReadSignals: true,
            now: Self.made
        )
        return book
    }

    private func strikes(_ book: inout FaultBook, after seconds: [Int64]) -> [Bool] {
        var result: [Bool] = []
        for second in seconds { result.append(strikes(&book, after: second)) }
        return result
    }

    private func strikes(_ book: inout FaultBook, height heights: [Int]) -> [Bool] {
        var result: [Bool] = []
        for height in heights { result.append(strikes(&book, height: height)) }
        return result
    }

    private func strikes(_ book: inout FaultBook, after seconds: Int64 = 0, height: Int = 1) -> Bool {
        var call = nodeCall()
        call.now = Self.made.adding(milliseconds: seconds * 1000)
        call.height = height
        return book.decide(call) != nil
    }

    @Test(
        "a rule is awake between two moments, the first included, by the time since it was made or by dates"
    )
    func time() throws {
        let first = Self.made.adding(milliseconds: 10_000).rfc3339
        let last = Self.made.adding(milliseconds: 20_000).rfc3339
        for window in [
            #"{"fromSeconds": 10, "toSeconds": 20}"#, "{\"from\": \"\(first)\", \"to\": \"\(last)\"}",
            "{\"fromSeconds\": 10, \"to\": \"\(last)\"}",
        ] {
            var book = try book(window)
            let struck1 = strikes(&book, after: [9, 10, 19, 20])
            #expect(struck1 == [false, true, true, false])
            // What comes outside is no match.
            #expect(book.json("f1")?["matched"] == 2)
        }
        var open = try book(#"{"fromSeconds": 0.5}"#)
        let struck2 = strikes(&open, after: [0, 1, 1_000_000])
        #expect(struck2 == [false, true, true])
    }

    @Test("a rule is awake between two heights, both included, and skips and limits count inside alone")
    func heights() throws {
        var book = try book(#"{"fromHeight": 3, "toHeight": 4}"#, more: #""skip": 1, "limit": 2,"#)
        let struck3 = strikes(&book, height: [1, 2, 3, 3, 4, 4, 5])
        #expect(struck3 == [false, false, false, true, true, false, false])
        var call = nodeCall()
        call.height = nil
        #expect(book.decide(call) == nil)
    }

    @Test("a rule fires at the matches that its window numbers, each route apart where they are counted so")
    func matches() throws {
        var some = try book(#"{"fromMatch": 2, "toMatch": 5, "everyMatch": 2}"#)
        let firings = (1...7).map { _ in strikes(&some) }
        #expect(firings == [false, true, false, true, false, false, false])
        #expect(some.json("f1")?["spent"] == true && some.json("f1")?["matched"] == 7)
        var third = try book(#"{"everyMatch": 3}"#, more: #""per": "route","#)
        for _ in 0..<2 {
            let struck = strikes(&third)
            #expect(!struck)
        }
        #expect(third.decide(nodeCall("POST", "/api/chats/process")) == nil)
        let struck = strikes(&third)
        #expect(struck)
        #expect(third.json("f1")?["spent"] == false)
    }

    @Test("a changed rule keeps the moment from which its seconds count")
    func patched() throws {
        var book = try book(#"{"fromSeconds": 10}"#)
        _ = try book.patch("f1", rule(#"{"window": {"fromSeconds": 5}}"#), canReadSignals: true)
        let struck4 = strikes(&book, after: [4, 5])
        #expect(struck4 == [false, true])
    }

    @Test(
        "names what cannot be a window",
        arguments: [
            (#"{"begin": 1}"#, "window.begin"), (#"[]"#, "window"), (#"{"from": "noon"}"#, "window.from"),
            (#"{"from": 5}"#, "window.from"), (#"{"fromSeconds": -1}"#, "window.fromSeconds"),
            (#"{"fromSeconds": 1e300}"#, "window.fromSeconds"),
            (#"{"from": "2026-01-01T00:00:00Z", "fromSeconds": 1}"#, "window.fromSeconds"),
            (#"{"fromSeconds": 2, "toSeconds": 2}"#, "window.toSeconds"),
            (#"{"from": "2026-01-01T00:00:00Z", "to": "2025-01-01T00:00:00Z"}"#, "window.to"),
            (#"{"fromHeight": 0}"#, "window.fromHeight"),
            (#"{"fromHeight": 5, "toHeight": 4}"#, "window.toHeight"),
            (#"{"fromMatch": 5, "toMatch": 4}"#, "window.toMatch"),
            (#"{"everyMatch": 0}"#, "window.everyMatch"),
        ]
    )
    func refusals(window: String, field: String) {
        let error = #expect(throws: FaultRuleError.self) { _ = try book(window) }
        #expect(error?.field == field)
    }
}
