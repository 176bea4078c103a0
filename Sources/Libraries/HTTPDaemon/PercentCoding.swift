/// Percent-encoded text.
public enum PercentCoding {
    /// The text with each `%` and two digits replaced by its byte; malformed ones stay as they are.
    public static func decode(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> String {
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
                output.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func pair<Bytes: Collection<UInt8>>(
        in bytes: Bytes,
        at index: Bytes.Index
    ) -> (UInt8, Bytes.Index)? {
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
