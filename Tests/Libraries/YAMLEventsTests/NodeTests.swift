import Testing
import YAMLEvents

@Suite("YAML: nodes")
struct NodeTests {
    private func node(_ text: String) throws -> YAMLNode { try YAMLNode(parsing: Array(text.utf8)) }

    @Test(
        "are resolved by the core schema",
        arguments: [
            ("", YAMLNode.Content.null), ("~", .null), ("null", .null), ("Null", .null),
            ("nULL", .string("nULL")),
            ("true", .bool(true)), ("FALSE", .bool(false)), ("yes", .string("yes")), ("on", .string("on")),
            ("7", .integer(7, text: "7")), ("-7", .integer(-7, text: "-7")), ("+7", .integer(7, text: "+7")),
            ("007", .integer(7, text: "007")), ("0x1F", .integer(31, text: "0x1F")),
            ("0o17", .integer(15, text: "0o17")),
            ("0x", .string("0x")), ("0x-1", .string("0x-1")), ("1_000", .string("1_000")),
            ("9223372036854775807", .integer(.max, text: "9223372036854775807")),
            ("9223372036854775808", .float(9_223_372_036_854_775_808, text: "9223372036854775808")),
            ("0.10", .float(0.1, text: "0.10")), ("1.", .float(1, text: "1.")),
            (".5", .float(0.5, text: ".5")),
            ("-1.5e3", .float(-1500, text: "-1.5e3")), ("+.5E-1", .float(0.05, text: "+.5E-1")),
            (".inf", .float(.infinity, text: ".inf")), ("-.INF", .float(-.infinity, text: "-.INF")),
            (".", .string(".")), ("1e", .string("1e")), ("1.2.3", .string("1.2.3")),
            ("5s", .string("5s")),
            ("'7'", .string("7")), ("\"true\"", .string("true")), ("!!str 7", .string("7")),
            ("! 7", .string("7")),
            ("!!float 7", .float(7, text: "7")), ("|\n  a\n  b\n", .string("a\nb\n")),
            ("U123", .string("U123")), ("12:30", .string("12:30")),
        ]
    )
    func scalars(text: String, content: YAMLNode.Content) throws {
        #expect(try node(text).content == content)
    }

    @Test("keep order and places")
    func places() throws {
        let root = try node("b: 1\na:\n  - x\n  - y: 2\n")
        guard case .mapping(let entries) = root.content else {
            Issue.record("no mapping")
            return
        }
        #expect(entries.map(\.key) == ["b", "a"])
        #expect(entries[1].position == YAMLPosition(line: 2, column: 1))
        guard case .sequence(let elements)? = root["a"]?.content else {
            Issue.record("no sequence")
            return
        }
        #expect(elements[1].position == YAMLPosition(line: 4, column: 5))
        #expect(elements[1]["y"]?.scalarText == "2")
        #expect(root["c"] == nil)
    }

    @Test("repeat what an alias names")
    func aliases() throws {
        let root = try node("a: &x {k: 1}\nb: *x\n")
        #expect(root["a"]?.content == root["b"]?.content)
    }

    @Test(
        "refuse what is not accepted, with its place",
        arguments: [
            ("a: 1\nb: 2\na: 3\n", 3, "already"), ("a: !!binary aGk=\n", 1, "tag"),
            ("a: !thing x\n", 1, "tag"),
            ("a: !!int x\n", 1, "!!int"), ("a: !!map [1]\n", 1, "!!map"), ("a: !!seq {b: 1}\n", 1, "!!seq"),
            ("a: *nobody\n", 1, "anchor"), ("a: 1\n---\nb: 2\n", 2, "one document"),
            ("? [a]\n: 1\n", 1, "key"),
            ("a: &x [*x]\n", 1, "anchor"),
        ]
    )
    func refusals(text: String, line: Int, words: String) throws {
        let error = #expect(throws: YAMLError.self) { try node(text) }
        #expect(error?.position.line == line)
        #expect(error?.message.contains(words) == true)
    }

    @Test("refuse nesting that is too deep")
    func depth() throws {
        let depth = YAMLNode.maximumDepth + 2
        let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
        let error = #expect(throws: YAMLError.self) { try node(text) }
        #expect(error?.message.contains("deeper") == true)
    }

    @Test("refuse aliases that grow without end")
    func billionLaughs() throws {
        var text = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
        for level in 1...9 {
            let copies = Array(repeating: "*a\(level - 1)", count: 10).joined(separator: ", ")
            text += "a\(level): &a\(level) [\(copies)]\n"
        }
        let error = #expect(throws: YAMLError.self) { try node(text) }
        #expect(error?.message.contains("values") == true)
    }
}
