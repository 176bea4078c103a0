import JSONValue

/// What one pass over a payload tells, without building a value of it.
struct PayloadScan: Sendable, Equatable {
    /// Whether the bytes are one JSON object.
    private(set) var isObject = false
    private var recipientPlace = Place()
    private var transactionPlace = Place()

    /// A range of a body; empty when there is none.
    private struct Place: Sendable, Equatable {
        var start: UInt32 = 0
        var end: UInt32 = 0

        init(_ range: Range<Int>? = nil) {
            guard let range, let end = UInt32(exactly: range.upperBound) else { return }
            start = UInt32(truncatingIfNeeded: range.lowerBound)
            self.end = end
        }

        var range: Range<Int>? { end == 0 ? nil : Int(start)..<Int(end) }
    }

    /// Where the string of `push-recipient` lies, quotes included.
    var recipient: Range<Int>? { recipientPlace.range }
    /// Where the string of `txn-id` lies, quotes included.
    var transactionId: Range<Int>? { transactionPlace.range }

    /// The places of both, in order.
    var places: [Range<Int>] {
        switch (recipient, transactionId) {
        case (let recipient?, let id?):
            recipient.lowerBound < id.lowerBound ? [recipient, id] : [id, recipient]
        case (let place, nil), (nil, let place): place.map { [$0] } ?? []
        }
    }

    private static let recipientKey = Array("\"push-recipient\"".utf8)
    private static let transactionKey = Array("\"txn-id\"".utf8)

    /// Reads a payload; accepts and refuses what ``JSONValue`` does.
    init(_ bytes: [UInt8]) {
        var reader = PayloadReader(bytes: bytes)
        reader.skipSpace()
        guard reader.take(UInt8(ascii: "{")) else { return }
        var recipient: Range<Int>?
        var transactionId: Range<Int>?
        let isSound = reader.members { key, value in
            let isString = bytes[value.lowerBound] == UInt8(ascii: "\"")
            if key.count == Self.recipientKey.count, bytes[key] == Self.recipientKey[...] {
                recipient = isString ? value : nil
            } else if key.count == Self.transactionKey.count, bytes[key] == Self.transactionKey[...] {
                transactionId = isString ? value : nil
            }
        }
        reader.skipSpace()
        guard isSound, reader.isAtEnd else { return }
        isObject = true
        recipientPlace = Place(recipient)
        transactionPlace = Place(transactionId)
    }

    /// What stands between the quotes of a string literal in a payload, where that is its text.
    static func plain(_ bytes: [UInt8], _ range: Range<Int>?) -> ArraySlice<UInt8>? {
        guard let range, range.upperBound <= bytes.count, range.count >= 2 else { return nil }
        let content = bytes[range].dropFirst().dropLast()
        // Without an escape, and in ASCII.
        return content.contains { $0 == UInt8(ascii: "\\") || $0 >= 128 } ? nil : content
    }

    /// The text of a string literal in a payload.
    static func text(_ bytes: [UInt8], _ range: Range<Int>?) -> String? {
        if let plain = plain(bytes, range) { return String(decoding: plain, as: UTF8.self) }
        guard let range, range.upperBound <= bytes.count, range.count >= 2 else { return nil }
        return (try? JSONValue(parsing: Array(bytes[range])))?.stringValue
    }
}

/// Checks JSON's grammar byte by byte.
private struct PayloadReader {
    private let bytes: [UInt8]
    private let count: Int
    private var position = 0
    private var depth = 1

    init(bytes: [UInt8]) {
        self.bytes = bytes
        count = bytes.count
    }

    var isAtEnd: Bool { position == count }

    private var current: UInt8 { position < count ? bytes[position] : 0 }

    mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    mutating func skipSpace() {
        while position < count {
            let byte = bytes[position]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
            position += 1
        }
    }

    /// The rest of an object after its brace; tells the places of each key and value.
    mutating func members(_ visit: (_ key: Range<Int>, _ value: Range<Int>) -> Void) -> Bool {
        skipSpace()
        if take(UInt8(ascii: "}")) { return true }
        while true {
            let keyStart = position
            guard string() else { return false }
            let key = keyStart..<position
            skipSpace()
            guard take(UInt8(ascii: ":")) else { return false }
            skipSpace()
            let valueStart = position
            guard value() else { return false }
            visit(key, valueStart..<position)
            skipSpace()
            if take(UInt8(ascii: "}")) { return true }
            guard take(UInt8(ascii: ",")) else { return false }
            skipSpace()
        }
    }

    private mutating func elements() -> Bool {
        skipSpace()
        if take(UInt8(ascii: "]")) { return true }
        while true {
            guard value() else { return false }
            skipSpace()
            if take(UInt8(ascii: "]")) { return true }
            guard take(UInt8(ascii: ",")) else { return false }
            skipSpace()
        }
    }

    private mutating func value() -> Bool {
        switch current {
        case UInt8(ascii: "{"): return nested { $0.members { _, _ in } }
        case UInt8(ascii: "["): return nested { $0.elements() }
        case UInt8(ascii: "\""): return string()
        case UInt8(ascii: "t"): return word("true")
        case UInt8(ascii: "f"): return word("false")
        case UInt8(ascii: "n"): return word("null")
        default: return number()
        }
    }

    private mutating func nested(_ read: (inout PayloadReader) -> Bool) -> Bool {
        depth += 1
        position += 1
        guard depth <= JSONValue.maximumDepth, read(&self) else { return false }
        depth -= 1
        return true
    }

    private mutating func word(_ text: StaticString) -> Bool {
        for byte in text.description.utf8 where !take(byte) { return false }
        return true
    }

    private mutating func string() -> Bool {
        guard take(UInt8(ascii: "\"")) else { return false }
        while true {
            position = Self.endOfPlainText(bytes, from: position)
            guard position < count else { return false }
            let byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") { return true }
            guard byte == UInt8(ascii: "\\"), escape() else { return false }
        }
    }

    /// The place of the next quote, backslash or control character; most of a payload passes through here.
    private static func endOfPlainText(_ bytes: [UInt8], from start: Int) -> Int {
        let span = bytes.span
        var index = start
        while index < span.count {
            let byte = span[index]
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 { break }
            index &+= 1
        }
        return index
    }

    private mutating func escape() -> Bool {
        let byte = current
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return true
        case UInt8(ascii: "u"):
            for _ in 0..<4 {
                guard HexDigit.value(current) != nil else { return false }
                position += 1
            }
            return true
        default: return false
        }
    }

    private mutating func number() -> Bool {
        _ = take(UInt8(ascii: "-"))
        if take(UInt8(ascii: "0")) {
            if isDigit { return false }
        } else if !digits() {
            return false
        }
        if take(UInt8(ascii: ".")), !digits() { return false }
        if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
            _ = take(UInt8(ascii: "+")) || take(UInt8(ascii: "-"))
            if !digits() { return false }
        }
        return true
    }

    private var isDigit: Bool { current >= UInt8(ascii: "0") && current <= UInt8(ascii: "9") }

    private mutating func digits() -> Bool {
        let start = position
        while isDigit { position += 1 }
        return position > start
    }
}
