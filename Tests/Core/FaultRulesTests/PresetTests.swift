import FaultRules
import JSONValue
import TestSupport
import Testing

@Suite("Faults: presets")
struct PresetTests {
    @Test("are rules that the engine takes, each with its reports", arguments: FaultPreset.all.map(\.name))
    func rules(name: String) throws {
        let preset = try #require(FaultPreset.named(name))
        #expect(!preset.reports.isEmpty && !preset.symptom.isEmpty)
        // A text that is no JSON would be missing here.
        #expect(preset.json["rules"]?.arrayValue?.count == preset.rules.count)
        var book = FaultBook(seed: 7, nodeNames: ["alpha"])
        let ids = try book.post(["preset": .string(name)], canReadSignals: false)
        #expect(ids == (1...preset.rules.count).map { "f\($0)" })
        for (rule, posted) in zip(book.allJSON, preset.rules) {
            #expect(rule["name"] == .string(name))
            #expect(rule["target"] == "apns")
            #expect(rule["effect"] == posted["effect"])
        }
    }

    @Test("have a name each, and all their rules")
    func names() {
        #expect(Set(FaultPreset.all.map(\.name)).count == FaultPreset.all.count)
        #expect(FaultPreset.all.count == 65)
        #expect(FaultPreset.all.map(\.rules.count).reduce(0, +) == 74)
    }

    @Test("are what the documentation lists, and no others")
    func documentation() throws {
        let text = String(decoding: try Fixture.bytes("../Docs/faults.md"), as: UTF8.self)
        let section = try #require(text.split(separator: "## Presets").last?.split(separator: "\n## ").first)
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        #expect(
            rows
                == FaultPreset.all.map { preset in
                    "| `\(preset.name)` | \(preset.symptom) | \(preset.reports.joined(separator: ", ")) |"
                }
        )
    }

    @Test("take matchers beside their own")
    func matchers() throws {
        var book = FaultBook(seed: 7, nodeNames: [])
        let text = #"{"preset": "reset-after-idle", "match": {"token": "ab01", "idleMilliseconds": 5}}"#
        let ids = try book.post(rule(text), canReadSignals: false)
        #expect(ids == ["f1"])
        #expect(book.json("f1")?["match"] == ["idleMilliseconds": 5, "token": "ab01"])
    }

    @Test("stand beside ordinary rules")
    func ordinary() throws {
        var book = FaultBook(seed: 7, nodeNames: [])
        let ids = try book.post(rule(#"{"effect": {"kind": "reset"}}"#), canReadSignals: false)
        #expect(ids == ["f1"])
    }

    @Test(
        "are refused with the member at fault, and leave no rule behind",
        arguments: [
            (#"{"preset": "goaway-mid-fright"}"#, "preset"), (#"{"preset": 7}"#, "preset"),
            (#"{"preset": null}"#, "preset"), (#"{"preset": "one-stream", "limit": 1}"#, "limit"),
            (#"{"preset": "one-stream", "match": 7}"#, "match"),
            (#"{"preset": "one-stream", "match": {"token": "ab"}}"#, "match.token"),
            (#"{"preset": "no-streams-then-close", "match": {"token": "ab"}}"#, "match.token"),
        ]
    )
    func refusals(text: String, field: String) throws {
        var book = FaultBook(seed: 7, nodeNames: [])
        do throws(FaultRuleError) {
            _ = try book.post(try! rule(text), canReadSignals: false)
            Issue.record("\(text) was taken")
        } catch {
            #expect(error.field == field)
        }
        #expect(book.allJSON.isEmpty)
    }
}
