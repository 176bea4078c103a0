import AdamantModel
import JSONValue

/// Writes values compactly, for ``BinaryReader`` to read.
struct BinaryWriter {
    private(set) var bytes: [UInt8] = []

    /// One byte.
    mutating func write(byte: UInt8) { bytes.append(byte) }

    /// A non-negative number, seven bits a byte, lowest first.
    mutating func write(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// A number of either sign.
    mutating func write(_ value: Int64) {
        write(UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    /// Bytes with their length.
    mutating func write(_ value: [UInt8]) {
        write(UInt64(value.count))
        bytes += value
    }

    /// Text; lower-case hexadecimal takes half the room.
    mutating func write(_ text: String) {
        let utf8 = Array(text.utf8)
        let packed = utf8.count >= 8 ? Hex.decode(text) : nil
        if let packed, Hex.encode(packed).utf8.elementsEqual(utf8) {
            write(UInt64(packed.count) << 1 | 1)
            bytes += packed
        } else {
            write(UInt64(utf8.count) << 1)
            bytes += utf8
        }
    }

    /// Text, or that there is none.
    mutating func write(optional text: String?) {
        write(byte: text == nil ? 0 : 1)
        if let text { write(text) }
    }

    /// A JSON value.
    mutating func write(_ value: JSONValue) {
        switch value {
        case .null: write(byte: 0)
        case .bool(let value): write(byte: value ? 2 : 1)
        case .number(let number):
            if let integer = number.int64, String(integer) == number.literal {
                write(byte: 3)
                write(integer)
            } else {
                write(byte: 4)
                write(number.literal)
            }
        case .string(let text):
            write(byte: 5)
            write(text)
        case .array(let elements):
            write(byte: 6)
            write(UInt64(elements.count))
            for element in elements { write(element) }
        case .object(let object):
            write(byte: 7)
            write(object)
        }
    }

    /// The members of an object in order.
    mutating func write(_ object: JSONObject) {
        write(UInt64(object.members.count))
        for member in object.members {
            write(member.key)
            write(member.value)
        }
    }
}
