import ScenarioModel
import Testing

/// Loops that make more of a short text than a machine could hold.
extension MistakeTests {
    /// Loops inside each other, each of whose values holds that of the one around it several times.
    private static func laughs(levels: Int, width: Int) -> String {
        var step = "{set: {x: '${v\(levels)}'}}"
        for level in (1...levels).reversed() {
            let value = level == 1 ? "ha" : "'${v\(level - 1)}'"
            let values = Array(repeating: value, count: width).joined(separator: ", ")
            step = "{for: v\(level), in: [[\(values)]], steps: [\(step)]}"
        }
        return story("  - \(step)\n")
    }

    @Test("of values that loops multiply")
    func ofManyValues() throws {
        let found = try #require(Self.mistake(Self.laughs(levels: 4, width: 30)))
        #expect(found.hasPrefix("s.yml:4:"))
        #expect(found.hasSuffix(": the loops of the story make more than 200000 values"))
        #expect(Self.mistake(Self.laughs(levels: 4, width: 10)) == nil)
    }

    @Test("of values that loops multiply and that others are looked for in")
    func ofManyRounds() throws {
        let values = Array(repeating: "1", count: 1000).joined(separator: ", ")
        let steps = "[{set: {x: [\(values)]}}]"
        let found = try #require(Self.mistake(Self.story("  - {repeat: 300, steps: \(steps)}\n")))
        #expect(found.hasSuffix(": the loops of the story make more than 200000 values"))
        #expect(Self.mistake(Self.story("  - {repeat: 100, steps: \(steps)}\n")) == nil)
    }

    @Test("of texts that loops multiply")
    func ofManyBytes() throws {
        let text = String(repeating: "x", count: 60_000)
        func steps(_ values: String) -> String {
            Self.story("  - {for: a, in: [\(text)], steps: [{set: {x: [\(values)]}}]}\n")
        }
        for value in ["'${a}'", "'${a}!'"] {
            let many = Array(repeating: value, count: 300).joined(separator: ", ")
            let found = try #require(Self.mistake(steps(many)))
            #expect(found.hasSuffix(": the loops of the story make more than 16777216 bytes of text"))
        }
        #expect(Self.mistake(steps("'${a}', '${a}!'")) == nil)
    }

    @Test("but not of as many steps as a story may have")
    func ofAllSteps() {
        let step = "{push: phone, from: siren, title: Fire, body: 'Reading ${round}', collapse: c}"
        let loops = "{repeat: 100, steps: [{repeat: 98, steps: [\(step)]}]}"
        #expect(Self.mistake(Self.story("  - \(loops)\n")) == nil)
    }
}
