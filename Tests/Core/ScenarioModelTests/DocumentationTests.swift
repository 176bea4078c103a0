import JSONValue
@testable import ScenarioModel
import Testing
import TestSupport

@Suite("Scenarios: documentation")
struct DocumentationTests {
    private static let text =
        (try? Fixture.bytes("../Docs/scenarios.md")).map { String(decoding: $0, as: UTF8.self) } ?? ""

    @Test("names every verb and what it takes", arguments: Verb.all.map(\.name))
    func verbs(name: String) throws {
        let verb = try #require(Verb.named(name))
        #expect(Self.text.contains("`\(name)`") || Self.text.contains("`\(name): "))
        for member in verb.members {
            let names = ["`\(member.name)`", "`\(member.name): ", "\(member.name): "]
            #expect(names.contains { Self.text.contains($0) }, "\(member.name)")
        }
    }

    @Test("names every claim and what may be said", arguments: Subject.all.map(\.name))
    func claims(name: String) throws {
        let subject = try #require(Subject.named(name))
        let row = Self.text.split(separator: "\n").last { $0.hasPrefix("| `\(name): ") }
        let line = try #require(row)
        for member in subject.members {
            #expect(line.contains("`\(member.name)`"), "\(member.name)")
        }
    }

    @Test("names every operator and every key")
    func operators() {
        for name in ScenarioReader.operators { #expect(Self.text.contains("{\(name): ")) }
        for key in [
            "name", "story", "seeds", "world", "parties", "steps", "scenes", "within", "for", "exactly",
            "at least",
        ] {
            #expect(Self.text.contains("`\(key)"), "\(key)")
        }
    }
}
