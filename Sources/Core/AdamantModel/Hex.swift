/// Hexadecimal text.
public enum Hex {
    /// Lower-case digits, two for each byte.
    public static func encode(_ bytes: some Sequence<UInt8>) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.underestimatedCount * 2)
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
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count / 2)
        var high: UInt8?
        for byte in text.utf8 {
            guard let nibble = value(byte) else { return output }
            if let first = high {
                output.append(first << 4 | nibble)
                high = nil
            } else {
                high = nibble
            }
        }
        return output
    }

    /// How many bytes ``decodeLeniently(_:)`` gives.
    public static func lenientCount(_ text: String) -> Int {
        text.utf8.prefix { value($0) != nil }.count / 2
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    private static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
