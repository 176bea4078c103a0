import Testing
import YAMLEvents

@Suite("YAML: events")
struct EventReaderTests {
    private func events(_ text: String) throws -> [YAMLEvent] {
        let reader = try YAMLEventReader(Array(text.utf8))
        var events: [YAMLEvent] = []
        while events.last?.kind != .streamEnd { events.append(try reader.next()) }
        return events
    }

    @Test("come in order, with lines and columns")
    func order() throws {
        let events = try events("a: 1\nb:\n  - 'x'\n  - &y z\n")
        #expect(
            events.map(\.kind) == [
                .documentStart, .mappingStart, .scalar("a", isPlain: true), .scalar("1", isPlain: true),
                .scalar("b", isPlain: true), .sequenceStart, .scalar("x", isPlain: false),
                .scalar("z", isPlain: true), .sequenceEnd, .mappingEnd, .documentEnd, .streamEnd,
            ]
        )
        #expect(events[3].position == YAMLPosition(line: 1, column: 4))
        #expect(events[6].position == YAMLPosition(line: 3, column: 5))
        #expect(events[7].anchor == "y")
    }

    @Test("resolve tags by the document's prefixes")
    func tags() throws {
        let events = try events("%TAG !e! tag:example.org,2000:\n---\n!e!x a\n")
        #expect(events[1].tag == "tag:example.org,2000:x")
        #expect(try self.events("!!str 1")[1].tag == "tag:yaml.org,2002:str")
    }

    @Test(
        "end with an error that names line and column",
        arguments: [
            ("a: [1,\nb: }\n", 2), ("a:\n\t- b\n", 2), ("'abc", 1), ("a: b: c", 1), ("\u{1}", 1),
            ("a: 1\n\u{7}", 2),
            ("x: *", 1),
        ]
    )
    func errors(text: String, line: Int) throws {
        let error = #expect(throws: YAMLError.self) { try events(text) }
        #expect(error?.position.line == line)
        #expect(error?.message.isEmpty == false)
    }

    @Test("refuse bytes that are not UTF-8, at their place")
    func notUTF8() throws {
        let reader = try YAMLEventReader(Array("a: 1\nb: ".utf8) + [0xFF, 0xFE])
        let error = #expect(throws: YAMLError.self) {
            while try reader.next().kind != .streamEnd {}
        }
        #expect(error?.position.line == 2)
    }
}
