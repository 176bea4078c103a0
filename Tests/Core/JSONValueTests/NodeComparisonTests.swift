import Determinism
import JSONValue
import Testing

@Suite(
    "JSON beside Node",
    .enabled(if: NodeProgram.path != nil, "node is not installed; scripts/setup installs it for the tests")
)
struct NodeComparisonTests {
    @Test("generated documents mean the same", arguments: [1, 2, 3] as [UInt64])
    func generated(seed: UInt64) throws {
        var generator = DocumentGenerator(random: SeededGenerator(seed: seed))
        try compare((0..<2000).map { _ in Array(generator.wellFormed().utf8) }, accepted: 2000)
    }

    @Test("damaged documents are refused where Node refuses them", arguments: [4, 5, 6] as [UInt64])
    func damaged(seed: UInt64) throws {
        var generator = DocumentGenerator(random: SeededGenerator(seed: seed))
        try compare((0..<2000).map { _ in generator.damaged() })
    }

    @Test("hostile documents are refused where Node refuses them")
    func hostile() throws {
        try compare(hostileDocuments)
    }

    /// Compares accepting and refusing, and the values of what is accepted.
    private func compare(_ documents: [[UInt8]], accepted: Int? = nil) throws {
        let answers = try NodeProgram.answers(to: documents)
        try #require(answers.count == documents.count)
        if let accepted { #expect(answers.count { $0 != nil } == accepted) }
        for (document, theirs) in zip(documents, answers) {
            let ours = (try? JSONValue(parsing: document))?.javaScriptForm
            // Not by `==`, which takes canonically equivalent texts for the same.
            let isSame = ours.map { Array($0.utf8) } == theirs.map { Array($0.utf8) }
            let shown = String(decoding: document, as: UTF8.self)
            #expect(isSame, "\(shown)\nours: \(ours ?? "refused")\nNode: \(theirs ?? "refused")")
        }
    }
}

extension JSONValue {
    /// The value as JavaScript sees it: numbers are doubles and keys that are array indices come first.
    var javaScriptForm: String {
        switch self {
        case .number(let number): return number.javaScriptText
        case .array(let elements): return "[" + elements.map(\.javaScriptForm).joined(separator: ",") + "]"
        case .object(let object):
            let members = object.members.map { (index: Self.arrayIndex($0.key), member: $0) }
            let indexed = members.filter { $0.index != nil }.sorted { ($0.index ?? 0) < ($1.index ?? 0) }
            let ordered = indexed + members.filter { $0.index == nil }
            let texts = ordered.map {
                JSONValue.string($0.member.key).text + ":" + $0.member.value.javaScriptForm
            }
            return "{" + texts.joined(separator: ",") + "}"
        default: return text
        }
    }

    private static func arrayIndex(_ key: String) -> UInt32? {
        guard let index = UInt32(key), index != .max, String(index) == key else { return nil }
        return index
    }
}

/// Documents at the edges of the grammar.
let hostileDocuments: [[UInt8]] =
    [
        "", " ", "\n", "nul", "nulll", "NULL", "True", "undefined", "NaN", "Infinity", "-Infinity", "+1", "-",
        "--1",
        "01", "-01", "00", "1.", ".1", "-.1", "1.e1", "1e", "1e+", "1e-", "1e1.5", "0x10", "1_000", "1,",
        "1 2",
        "'a'", "\"", "\"a", "\"\\", "\"\\\"", "\"\\x41\"", "\"\\u\"", "\"\\u12\"", "\"\\u123\"",
        "\"\\u123g\"",
        "\"\\u 123\"", "\"\\u+123\"", "\"\\U0041\"", "\"\\'\"", "\"\\0\"", "\"\\v\"", "\"\\a\"", "\"\n\"",
        "\"\t\"",
        "\"\u{0}\"", "\"\u{1F}\"", "\"\u{7F}\"", "\"\u{80}\"", "\"\u{2028}\u{2029}\"", "\"\\ud800\"",
        "\"\\ud800\\\"", "\"\\ud800\\u\"", "\"\\ud800\\u00\"", "\"\\ud800\\ud8\"", "\"\\udbff\\udfff\"", "[",
        "]",
        "[1", "[1,", "[1,]", "[,1]", "[,]", "[1,,2]", "[1 2]", "[1:2]", "[]]", "[[]", "{", "}", "{}}", "{]",
        "[}",
        "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{,\"a\":1}", "{\"a\" 1}", "{\"a\":1 \"b\":2}", "{a:1}",
        "{'a':1}",
        "{1:1}", "{\"a\":1,,\"b\":2}", "{\"a\"::1}", "{\"a\":1}x", "{\"a\":1}{\"b\":2}", "{\"a\":1}//c",
        "/**/{\"a\":1}", "{\"a\":/**/1}", "\u{FEFF}{}", "{}\u{FEFF}", "\u{A0}1", "\u{2028}1", "\u{B}1",
        "\u{C}1",
        "1\u{0}", "\u{0}", "true false", "[true,false,null,]", "{\"a\":1,\"a\":2}",
        "{\"a\":1,\"b\":2,\"a\":3}",
        "{\"\u{E9}\":1,\"e\u{301}\":2}", "{\"K\":1,\"\u{212A}\":2}", "{\"__proto__\":{\"a\":1}}", "{\"\":1}",
        "{\"a\\u0062\":1,\"ab\":2}", "{\"2\":1,\"1\":2,\"b\":3,\"a\":4}", "1e400", "-1e400", "1e-400",
        "123456789012345678901234567890", "0.1e1", "-0", "-0.0", "-0e5",
        String(repeating: "[", count: 500) + String(repeating: "]", count: 500),
        String(repeating: "{\"a\":", count: 500) + "1" + String(repeating: "}", count: 500),
        String(repeating: "9", count: 400), "0." + String(repeating: "1", count: 2000),
        "1e" + String(repeating: "0", count: 99) + "1",
        "\"" + String(repeating: "\\u0041", count: 3000) + "\"",
    ].map { Array($0.utf8) }
    + [
        [0x22, 0xFF, 0x22], [0x22, 0xC3, 0x22], [0x22, 0xE2, 0x82, 0x22], [0x22, 0xC0, 0x80, 0x22],
        [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xF0, 0x9F, 0x98, 0x22], [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22],
        [0x22, 0xF8, 0x88, 0x80, 0x80, 0x80, 0x22], [0xEF, 0xBB, 0xBF, 0x31], [0xFF, 0xFE, 0x31, 0x00],
        [0x80],
        [0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D], [0x22, 0xE0, 0x80, 0x80, 0x41, 0x22],
    ]
