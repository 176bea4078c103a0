/// Percent-encoded text.
public enum PercentCoding {
    /// The text with each `%` and two digits replaced by its byte; malformed ones stay as they are.
    public static func decode(_ text: Substring, plusIsSpace: Bool = false) -> String {
        let bytes = text.utf8
        let plus = plusIsSpace ? UInt8(ascii: "+") : UInt8(ascii: "%")
        guard bytes.contains(where: { $0 == UInt8(ascii: "%") || $0 == plus }) else { return String(text) }
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            bytes.formIndex(after: &index)
            if byte == UInt8(ascii: "%"), let (value, next) = pair(in: bytes, at: index) {
                output.append(value)
                index = next
            } else {
                output.append(byte == plus && plusIsSpace ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The names and values of a query or a form, decoded, up to so many.
    public static func pairs(_ query: String, limit: Int) -> [(String, String)] {
        var pairs: [(String, String)] = []
        var rest = query[...]
        while pairs.count < limit, let start = rest.utf8.firstIndex(where: { $0 != UInt8(ascii: "&") }) {
            let end = rest.utf8[start...].firstIndex(of: UInt8(ascii: "&")) ?? rest.endIndex
            let equals = rest.utf8[start..<end].firstIndex(of: UInt8(ascii: "="))
            let name = decode(rest[start..<(equals ?? end)], plusIsSpace: true)
            let value = equals.map { decode(rest[rest.utf8.index(after: $0)..<end], plusIsSpace: true) }
            pairs.append((name, value ?? ""))
            rest = rest[end...]
        }
        return pairs
    }

    private static func pair(
        in bytes: Substring.UTF8View,
        at index: Substring.UTF8View.Index
    ) -> (UInt8, Substring.UTF8View.Index)? {
        guard index < bytes.endIndex, let high = digit(bytes[index]) else { return nil }
        let second = bytes.index(after: index)
        guard second < bytes.endIndex, let low = digit(bytes[second]) else { return nil }
        return (high << 4 | low, bytes.index(after: second))
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
