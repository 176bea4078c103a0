import FaultRules
import JSONValue
import Testing

@Suite("Faults: book")
struct BookTests {
    @Test("shows a rule as posted, with id and counters")
    func json() throws {
        var book = try book(#"{"name": "lose one", "limit": 1, "effect": {"kind": "reset"}}"#)
        #expect(
            book.json("f1")?.text
                == #"{"id":"f1","name":"lose one","limit":1,"effect":{"kind":"reset"},"matched":0,"fired":0,"spent":false}"#
        )
        _ = book.decide(nodeCall())
        #expect(book.json("f1")?["spent"] == true)
        #expect(book.allJSON.count == 1)
        #expect(book.json("f2") == nil)
    }

    @Test("changes members and keeps the counters; null takes a member away")
    func patch() throws {
        var book = try book(#"{"limit": 1, "effect": {"kind": "reset"}}"#)
        _ = book.decide(nodeCall())
        #expect(book.decide(nodeCall()) == nil)
        let more = try book.patch("f1", rule(#"{"limit": 2, "name": "two"}"#), canReadSignals: true)
        #expect(more)
        #expect(book.decide(nodeCall())?.ruleId == "f1")
        #expect(book.decide(nodeCall()) == nil)
        let unlimited = try book.patch("f1", rule(#"{"limit": null}"#), canReadSignals: true)
        #expect(unlimited)
        #expect(book.decide(nodeCall()) != nil)
        let json = try #require(book.json("f1"))
        #expect(json["matched"] == 5)
        #expect(json["fired"] == 3)
        #expect(json.objectValue?.keys.contains("limit") == false)
        #expect(json["name"] == "two")
    }

    @Test("leaves a rule as it was when a change is refused")
    func badPatch() throws {
        var book = try book(#"{"limit": 1, "effect": {"kind": "reset"}}"#)
        let before = book.json("f1")
        #expect(throws: FaultRuleError.self) {
            try book.patch("f1", rule(#"{"limit": -1}"#), canReadSignals: true)
        }
        #expect(throws: FaultRuleError.self) {
            try book.patch("f1", rule(#"{"effect": null}"#), canReadSignals: true)
        }
        #expect(throws: FaultRuleError.self) { try book.patch("f1", 7, canReadSignals: true) }
        #expect(book.json("f1") == before)
        let unknown = #expect(throws: FaultRuleError.self) {
            try book.patch("f1", rule(#"{"bogus": null}"#), canReadSignals: true)
        }
        #expect(unknown?.field == "bogus")
        let isKnown = try book.patch("f9", rule("{}"), canReadSignals: true)
        #expect(!isKnown)
    }

    @Test("removes one rule or all, and goes on counting ids")
    func remove() throws {
        let text = #"{"effect": {"kind": "reset"}}"#
        var book = try book(text, text)
        let removals = [book.remove("f1"), book.remove("f1")]
        #expect(removals == [true, false])
        #expect(book.decide(nodeCall())?.ruleId == "f2")
        book.removeAll()
        #expect(book.decide(nodeCall()) == nil)
        let id = try book.add(rule(text), canReadSignals: true)
        #expect(id == "f3")
    }
}
