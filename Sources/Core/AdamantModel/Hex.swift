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
        let (source, values) = (text.utf8.span, Self.values.span)
        let count = pairs(source)
        var output = [UInt8](repeating: 0, count: count)
        var target = output.mutableSpan
        for place in 0..<count {
            target[place] =
                values[Int(source[2 * place])] << 4 | values[Int(source[2 * place + 1])]
        }
        return output
    }

    /// How many bytes ``decodeLeniently(_:)`` gives.
    public static func lenientCount(_ text: String) -> Int {
        pairs(text.utf8.span)
    }

    /// Whether text is well-formed and stands for so many bytes.
    public static func encodes(_ text: String, bytes count: Int) -> Bool {
        text.utf8.count == count * 2 && lenientCount(text) == count
    }

    /// How many pairs of digits come before anything else.
    private static func pairs(_ text: Span<UInt8>) -> Int {
        let values = Self.values.span
        var count = 0
        while count < text.count, values[Int(text[count])] < 16 { count += 1 }
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
