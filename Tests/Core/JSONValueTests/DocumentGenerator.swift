import JSONValue

/// Makes documents: well-formed ones, and the same with a few bytes changed.
struct DocumentGenerator {
    var random: any RandomNumberGenerator

    private static let numbers = [
        "0", "-0", "1", "-1", "10", "1.0", "0.5", "-0.5", "1e3", "1E+3", "1e-8", "1e-7", "0.000001",
        "0.0000001",
        "123456789012345678", "1234567890123456789", "12345678901234567890", "9007199254740991",
        "9007199254740992", "9007199254740993", "-9223372036854775808", "9223372036854775807",
        "9223372036854775808", "1e20", "1e21", "123e19", "1e22", "1.5e300", "1e308", "1e309", "-1e400",
        "5e-324",
        "2e-324", "0.1", "0.30000000000000004", "100.00", "1.7976931348623157e308", "4.35", "0e0", "0.0e-5",
    ]
    private static let pieces = [
        "a", "key", "é", "e\u{301}", "\u{212A}", "K", "日本", "😀", "\u{7F}", "\u{2028}", "\u{FEFF}", " ", "/",
        "\\\\",
        "\\\"", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t", "\\u0000", "\\u001f", "\\u0041", "\\u00e9",
        "\\uD83D\\uDE00",
        "\\ud83d\\ude00", "0", "10", "2", "007", "4294967294", "4294967295", "__proto__", "toString",
    ]
    /// Only in values: a key cannot be told from another when both are replaced by U+FFFD.
    private static let loneSurrogates = [
        "\\ud800", "\\udc00", "\\ud800\\u0041", "\\ud800\\ud800\\udc00", "\\udfffx",
    ]

    mutating func wellFormed(depth: Int = 0) -> String {
        let kind = pick(0..<(depth > 4 ? 5 : 9))
        switch kind {
        case 0: return ["null", "true", "false"][pick(0..<3)]
        case 1, 2: return number()
        case 3, 4: return "\"" + text(in: Self.pieces + Self.loneSurrogates) + "\""
        case 5, 6:
            let elements = (0..<pick(0..<5)).map { _ in wellFormed(depth: depth + 1) }
            return "[" + space() + elements.joined(separator: space() + "," + space()) + space() + "]"
        default:
            let members = (0..<pick(0..<(pick(0..<12) == 0 ? 60 : 6))).map { _ in
                "\"" + text(in: Self.pieces) + "\"" + space() + ":" + space() + wellFormed(depth: depth + 1)
            }
            return "{" + space() + members.joined(separator: space() + "," + space()) + space() + "}"
        }
    }

    /// A document with one to three bytes removed, doubled, exchanged or put in.
    mutating func damaged() -> [UInt8] {
        var bytes = Array(wellFormed().utf8)
        for _ in 0...pick(0..<3) {
            let byte = interestingByte()
            guard !bytes.isEmpty else { return [byte] }
            let place = pick(bytes.indices)
            switch pick(0..<4) {
            case 0: bytes.remove(at: place)
            case 1: bytes.insert(bytes[place], at: place)
            case 2: bytes[place] = byte
            default: bytes.insert(byte, at: place)
            }
        }
        return bytes
    }

    private mutating func number() -> String {
        guard pick(0..<3) == 0 else { return Self.numbers[pick(Self.numbers.indices)] }
        let value = Double(bitPattern: UInt64.random(in: .min ... .max, using: &random))
        return value.isFinite ? "\(value)".replacing("e+", with: "e") : "7"
    }

    private mutating func text(in pieces: [String]) -> String {
        (0..<pick(0..<4)).map { _ in pieces[pick(pieces.indices)] }.joined()
    }

    private mutating func space() -> String {
        ["", "", "", " ", "\n", "\r\t", "  "][pick(0..<7)]
    }

    private mutating func interestingByte() -> UInt8 {
        let bytes =
            Array("{}[]\",:\\/u0123456789eE+-.tfn \t\n\r'aAx".utf8) + [
                0, 1, 0x1F, 0x7F, 0x80, 0xC3, 0xED, 0xF0, 0xFF, 0x0B,
            ]
        return bytes[pick(bytes.indices)]
    }

    private mutating func pick(_ range: Range<Int>) -> Int {
        Int.random(in: range, using: &random)
    }
}
