/// A document that is not JSON.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, for people.
    public let reason: String
    /// Byte offset at which the document stops being JSON.
    public let position: Int

    /// The reason with its place.
    public var description: String { "\(reason) in JSON at position \(position)" }
}

extension JSONValue {
    /// Deepest nesting that is read; the stack of a server thread holds it.
    public static let maximumDepth = 512

    /// Reads one JSON document.
    ///
    /// Accepts and refuses what `JSON.parse` does, except for nesting deeper than ``maximumDepth``. Bytes that
    /// are not UTF-8 and lone surrogates become U+FFFD.
    public init(parsing bytes: [UInt8]) throws(JSONError) {
        var parser = JSONParser(bytes: bytes)
        self = try parser.document()
    }

    /// Reads one JSON document from text.
    public init(parsing text: String) throws(JSONError) {
        try self.init(parsing: Array(text.utf8))
    }
}

private struct JSONParser {
    /// Room for members that is made at once; objects of more grow.
    private static let usualMembers = 10

    let bytes: [UInt8]
    var position = 0
    var depth = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func document() throws(JSONError) -> JSONValue {
        skipSpace()
        let value = try self.value()
        skipSpace()
        guard position == bytes.count else { throw unexpected() }
        return value
    }

    private mutating func value() throws(JSONError) -> JSONValue {
        switch peek() {
        case UInt8(ascii: "{"): return try object()
        case UInt8(ascii: "["): return try array()
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        default: return .number(try number())
        }
    }

    private mutating func object() throws(JSONError) -> JSONValue {
        try enter()
        var members: [JSONObject.Member] = []
        if peek() == UInt8(ascii: "}") {
            leave()
            return .object(JSONObject())
        }
        members.reserveCapacity(Self.usualMembers)
        while true {
            guard peek() == UInt8(ascii: "\"") else { throw unexpected() }
            let key = try string()
            skipSpace()
            guard peek() == UInt8(ascii: ":") else { throw unexpected() }
            position += 1
            skipSpace()
            members.append(JSONObject.Member(key: key, value: try value()))
            skipSpace()
            if peek() == UInt8(ascii: "}") { break }
            guard peek() == UInt8(ascii: ",") else { throw unexpected() }
            position += 1
            skipSpace()
        }
        leave()
        return .object(JSONObject(merging: members))
    }

    private mutating func array() throws(JSONError) -> JSONValue {
        try enter()
        var elements: [JSONValue] = []
        if peek() == UInt8(ascii: "]") {
            leave()
            return .array([])
        }
        while true {
            elements.append(try value())
            skipSpace()
            if peek() == UInt8(ascii: "]") { break }
            guard peek() == UInt8(ascii: ",") else { throw unexpected() }
            position += 1
            skipSpace()
        }
        leave()
        return .array(elements)
    }

    private mutating func enter() throws(JSONError) {
        depth += 1
        guard depth <= JSONValue.maximumDepth else {
            throw JSONError(reason: "Nesting deeper than \(JSONValue.maximumDepth)", position: position)
        }
        position += 1
        skipSpace()
    }

    private mutating func leave() {
        depth -= 1
        position += 1
    }

    private mutating func word(_ text: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        for expected in text.description.utf8 {
            guard peek() == expected else { throw unexpected() }
            position += 1
        }
        return value
    }

    private mutating func number() throws(JSONError) -> JSONNumber {
        let start = position
        if peek() == UInt8(ascii: "-") { position += 1 }
        let integerStart = position
        guard digits() > 0 else { throw unexpected() }
        if bytes[integerStart] == UInt8(ascii: "0"), position - integerStart > 1 {
            position = integerStart + 1
            throw unexpected()
        }
        var isInteger = true
        if peek() == UInt8(ascii: ".") {
            isInteger = false
            position += 1
            guard digits() > 0 else { throw unexpected() }
        }
        if let sign = peek(), sign == UInt8(ascii: "e") || sign == UInt8(ascii: "E") {
            isInteger = false
            position += 1
            if let sign = peek(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
            guard digits() > 0 else { throw unexpected() }
        }
        if isInteger, position - start <= 18, bytes[start] != UInt8(ascii: "-") {
            return JSONNumber(bytes[start..<position].reduce(0) { $0 &* 10 &+ Int64($1 &- 48) })
        }
        return JSONNumber(unchecked: String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func digits() -> Int {
        let start = position
        while let byte = peek(), (48...57).contains(byte) { position += 1 }
        return position - start
    }

    private mutating func string() throws(JSONError) -> String {
        position += 1
        let start = position
        position = endOfPlainText(from: start)
        switch peek() {
        case UInt8(ascii: "\""):
            position += 1
            return String(decoding: bytes[start..<position - 1], as: UTF8.self)
        case UInt8(ascii: "\\"): return try escapedString(from: start)
        default: throw unexpected()
        }
    }

    /// The place of the first byte that ends a string, begins an escape or must not be there.
    private func endOfPlainText(from start: Int) -> Int {
        let text = bytes.span
        var end = start
        while end < text.count, text[end] >= 0x20, text[end] != UInt8(ascii: "\""),
            text[end] != UInt8(ascii: "\\")
        {
            end += 1
        }
        return end
    }

    private mutating func escapedString(from start: Int) throws(JSONError) -> String {
        var text = Array(bytes[start..<position])
        while let byte = peek() {
            if byte == UInt8(ascii: "\"") {
                position += 1
                return String(decoding: text, as: UTF8.self)
            }
            guard byte >= 0x20 else { throw unexpected() }
            position += 1
            if byte == UInt8(ascii: "\\") {
                try escape(into: &text)
            } else {
                text.append(byte)
            }
        }
        throw unexpected()
    }

    private mutating func escape(into text: inout [UInt8]) throws(JSONError) {
        guard let byte = peek() else { throw unexpected() }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
        case UInt8(ascii: "b"): text.append(8)
        case UInt8(ascii: "f"): text.append(12)
        case UInt8(ascii: "n"): text.append(10)
        case UInt8(ascii: "r"): text.append(13)
        case UInt8(ascii: "t"): text.append(9)
        case UInt8(ascii: "u"): text.append(contentsOf: String(try unicodeScalar()).utf8)
        default:
            position -= 1
            throw unexpected()
        }
    }

    /// The scalar of `\uXXXX`, joined with a following low surrogate; U+FFFD for a lone surrogate.
    private mutating func unicodeScalar() throws(JSONError) -> Unicode.Scalar {
        let unit = try hexUnit()
        if (0xD800..<0xDC00).contains(unit), peek() == UInt8(ascii: "\\"),
            position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "u")
        {
            let rewind = position
            position += 2
            let low = try hexUnit()
            if (0xDC00..<0xE000).contains(low) {
                return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
            }
            position = rewind
        }
        return Unicode.Scalar(unit) ?? "\u{FFFD}"
    }

    private mutating func hexUnit() throws(JSONError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 128
            else {
                throw unexpected()
            }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }

    private mutating func skipSpace() {
        while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            position += 1
        }
    }

    private func peek() -> UInt8? {
        position < bytes.count ? bytes[position] : nil
    }

    private func unexpected() -> JSONError {
        guard let byte = peek() else {
            return JSONError(reason: "Unexpected end of input", position: position)
        }
        let token = (0x20..<0x7F).contains(byte) ? " " + String(Character(Unicode.Scalar(byte))) : ""
        return JSONError(reason: "Unexpected token\(token)", position: position)
    }
}
