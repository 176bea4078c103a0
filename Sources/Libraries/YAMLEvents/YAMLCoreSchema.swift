/// How plain scalars are resolved.
///
/// - Source: YAML 1.2.2, section 10.3 (core schema)
enum YAMLCoreSchema {
    /// The tags of the schema, without their prefix.
    static let tags = ["null", "bool", "int", "float", "str", "seq", "map"]

    private static let nulls: Set<String> = ["", "~", "null", "Null", "NULL"]
    private static let truths: Set<String> = ["true", "True", "TRUE"]
    private static let falsehoods: Set<String> = ["false", "False", "FALSE"]

    /// The content of a scalar; a tag overrides what it looks like.
    static func resolve(_ text: String, isPlain: Bool, tag: String?, at position: YAMLPosition)
        throws(YAMLError) -> YAMLNode.Content
    {
        guard let tag else { return isPlain ? plain(text) : .string(text) }
        switch (tag, plain(text)) {
        case ("str", _): return .string(text)
        case ("null", .null): return .null
        case ("bool", let value) where isBool(value): return value
        case ("int", .integer(let value, _)): return .integer(value, text: text)
        case ("float", .integer(let value, _)): return .float(Double(value), text: text)
        case ("float", .float(let value, _)): return .float(value, text: text)
        default: throw YAMLError(position: position, message: "this is no !!\(tag)")
        }
    }

    private static func isBool(_ content: YAMLNode.Content) -> Bool {
        if case .bool = content { true } else { false }
    }

    private static func plain(_ text: String) -> YAMLNode.Content {
        if nulls.contains(text) { return .null }
        if truths.contains(text) { return .bool(true) }
        if falsehoods.contains(text) { return .bool(false) }
        return number(text) ?? .string(text)
    }

    private static func number(_ text: String) -> YAMLNode.Content? {
        let bytes = Array(text.utf8)
        guard let first = bytes.first, (48...57).contains(first) || [43, 45, 46].contains(first) else {
            return nil
        }
        if text.hasPrefix("0x"), let value = Int64(text.dropFirst(2), radix: 16), bytes[2] != 43,
            bytes[2] != 45
        {
            return .integer(value, text: text)
        }
        if text.hasPrefix("0o"), let value = Int64(text.dropFirst(2), radix: 8), bytes[2] != 43,
            bytes[2] != 45
        {
            return .integer(value, text: text)
        }
        let unsigned = text.hasPrefix("+") || text.hasPrefix("-") ? text.dropFirst() : text[...]
        if [".inf", ".Inf", ".INF"].contains(unsigned) {
            return .float(text.hasPrefix("-") ? -.infinity : .infinity, text: text)
        }
        if [".nan", ".NaN", ".NAN"].contains(text) { return .float(.nan, text: text) }
        guard isDecimal(Array(unsigned.utf8)) else { return nil }
        if let value = Int64(text) { return .integer(value, text: text) }
        return Double(text.hasPrefix("+") ? String(unsigned) : text).map { .float($0, text: text) }
    }

    /// Whether bytes are a number: digits with an optional fraction and an optional exponent.
    private static func isDecimal(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        func digits() -> Int {
            let count = rest.prefix { (48...57).contains($0) }.count
            rest = rest.dropFirst(count)
            return count
        }
        let whole = digits()
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            guard digits() > 0 || whole > 0 else { return false }
        } else if whole == 0 {
            return false
        }
        guard let sign = rest.first else { return true }
        guard sign | 0x20 == UInt8(ascii: "e") else { return false }
        rest = rest.dropFirst()
        if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
        return digits() > 0 && rest.isEmpty
    }
}
