/// Hexadecimal text.
public enum Hex {
    /// Lower-case digits, two for each byte.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        encode(Array(bytes))
    }

    /// Lower-case digits, two for each byte.
    public static func encode(_ bytes: [UInt8]) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count * 2)
        for byte in bytes {
            output.append(digit(byte >> 4))
            output.append(digit(byte & 15))
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The bytes of well-formed hexadecimal text of either case; nil for anything else.
    public static func decode(_ text: String) -> [UInt8]? {
        let decoded = decodeLeniently(text)
        return decoded.count * 2 == text.utf8.count ? decoded : nil
    }

    /// The bytes of the pairs before the first that is none; a trailing odd digit is dropped.
    ///
    /// - Source: Node's `Buffer.from(text, 'hex')`, with which the node makes the bytes of chat messages
    public static func decodeLeniently(_ text: String) -> [UInt8] {
        let digits = Array(text.utf8)
        let values = Self.values
        var output: [UInt8] = []
        output.reserveCapacity(digits.count / 2)
        for place in stride(from: 0, to: digits.count - 1, by: 2) {
            let high = values[Int(digits[place])]
            let low = values[Int(digits[place + 1])]
            guard high | low < 16 else { return output }
            output.append(high << 4 | low)
        }
        return output
    }

    /// How many bytes ``decodeLeniently(_:)`` gives.
    public static func lenientCount(_ text: String) -> Int {
        let values = Self.values
        var count = 0
        for byte in text.utf8 {
            guard values[Int(byte)] < 16 else { break }
            count += 1
        }
        return count / 2
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    /// The value of each byte as a digit; 255 for what is none.
    private static let values: [UInt8] = (0...255).map { value($0) ?? 255 }

    private static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
