/// Base64 as provider tokens carry it, and as the control API shows payloads.
enum Base64 {
    /// What was decoded, and in which flavour it was written.
    struct Decoded {
        var bytes: [UInt8]
        /// Whether `=`, `+` or `/` occurred: the plain alphabet instead of the one for URLs.
        var isPlain: Bool
    }

    /// Decodes either alphabet, with or without padding; nil for anything else.
    static func decode(_ text: ArraySlice<UInt8>) -> Decoded? {
        var decoded = Decoded(bytes: [], isPlain: false)
        decoded.bytes.reserveCapacity(text.count / 4 * 3 + 3)
        var content = text
        while let last = content.last, last == UInt8(ascii: "="), text.count - content.count < 2 {
            content.removeLast()
            decoded.isPlain = true
        }
        guard content.count % 4 != 1 else { return nil }
        var bits: UInt32 = 0
        var count = 0
        for byte in content {
            guard let value = value(byte) else { return nil }
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/") { decoded.isPlain = true }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                decoded.bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return decoded
    }

    /// Encodes with the plain alphabet and padding.
    static func encode(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for place in 0..<4 {
                let digit = alphabet[Int(bits >> UInt32(18 - 6 * place)) & 63]
                output.append(place <= group.count ? digit : UInt8(ascii: "="))
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
