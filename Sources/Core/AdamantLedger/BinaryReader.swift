import AdamantModel
import JSONValue

/// Bytes that no ``BinaryWriter`` wrote.
struct MalformedBytes: Error {}

/// Reads what a ``BinaryWriter`` wrote; anything else throws.
struct BinaryReader {
    private let bytes: [UInt8]
    private var place = 0

    /// A reader at the first byte.
    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether everything was read.
    var isAtEnd: Bool { place == bytes.count }

    /// One byte.
    mutating func byte() throws(MalformedBytes) -> UInt8 {
        guard place < bytes.count else { throw MalformedBytes() }
        defer { place += 1 }
        return bytes[place]
    }

    /// A non-negative number.
    mutating func unsigned() throws(MalformedBytes) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            let byte = try byte()
            guard shift < 63 || (shift == 63 && byte <= 1) else { throw MalformedBytes() }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
    }

    /// A number of either sign.
    mutating func signed() throws(MalformedBytes) -> Int64 {
        let value = try unsigned()
        return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
    }

    /// A number of either sign that fits another type.
    mutating func integer<Value: FixedWidthInteger>(_: Value.Type) throws(MalformedBytes) -> Value {
        guard let value = Value(exactly: try signed()) else { throw MalformedBytes() }
        return value
    }

    /// Bytes with their length, where a length is required.
    mutating func bytes(count: Int? = nil) throws(MalformedBytes) -> [UInt8] {
        let length = try unsigned()
        if let count, length != UInt64(count) { throw MalformedBytes() }
        return try raw(length)
    }

    /// Text.
    mutating func text() throws(MalformedBytes) -> String {
        let head = try unsigned()
        let raw = try raw(head >> 1)
        return head & 1 == 1 ? Hex.encode(raw) : String(decoding: raw, as: UTF8.self)
    }

    /// Text, where there is any.
    mutating func optionalText() throws(MalformedBytes) -> String? {
        switch try byte() {
        case 0: return nil
        case 1: return try text()
        default: throw MalformedBytes()
        }
    }

    /// A JSON value, no deeper than the parser of posted bodies allows.
    mutating func json(depth: Int = 0) throws(MalformedBytes) -> JSONValue {
        guard depth <= JSONValue.maximumDepth else { throw MalformedBytes() }
        switch try byte() {
        case 0: return .null
        case 1: return .bool(false)
        case 2: return .bool(true)
        case 3: return .int(try signed())
        case 4: return try number()
        case 5: return .string(try text())
        case 6:
            var elements: [JSONValue] = []
            for _ in 0..<(try count()) { elements.append(try json(depth: depth + 1)) }
            return .array(elements)
        case 7: return .object(try object(depth: depth + 1))
        default: throw MalformedBytes()
        }
    }

    /// The members of an object in order.
    mutating func object(depth: Int = 0) throws(MalformedBytes) -> JSONObject {
        var members: [JSONObject.Member] = []
        for _ in 0..<(try count()) {
            members.append(JSONObject.Member(key: try text(), value: try json(depth: depth)))
        }
        return JSONObject(merging: members)
    }

    private mutating func raw(_ length: UInt64) throws(MalformedBytes) -> [UInt8] {
        guard length <= UInt64(bytes.count - place) else { throw MalformedBytes() }
        defer { place += Int(length) }
        return Array(bytes[place..<place + Int(length)])
    }

    /// A number of elements, each of which takes at least a byte.
    private mutating func count() throws(MalformedBytes) -> Int {
        let count = try unsigned()
        guard count <= UInt64(bytes.count - place) else { throw MalformedBytes() }
        return Int(count)
    }

    private mutating func number() throws(MalformedBytes) -> JSONValue {
        guard let value = try? JSONValue(parsing: try text()), case .number = value else {
            throw MalformedBytes()
        }
        return value
    }
}
