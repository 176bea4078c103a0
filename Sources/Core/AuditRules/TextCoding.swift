import AdamantModel
import JSONValue

/// The codings in which text can hide in text.
enum TextCoding {
    /// Shorter texts are no codings of anything worth hiding.
    private static let shortest = 6
    /// Decoded bytes of which more than one in this many is no text are no text.
    private static let toleratedBinary = 8

    /// What a text is when it is decoded, by each coding that it can be.
    static func decodings(of text: String) -> [(coding: String, text: String)] {
        guard text.utf8.count >= shortest else { return [] }
        var found: [(String, String)] = []
        if let bytes = Hex.decode(text), let decoded = readable(bytes) {
            found.append(("hexadecimal", decoded))
        }
        if let bytes = base64(text), let decoded = readable(bytes) { found.append(("base64", decoded)) }
        if text.contains("\\"), let decoded = unescaped(text) { found.append(("JSON-escaped", decoded)) }
        if text.contains("%"), let decoded = readable(percentDecoded(text)), decoded != text {
            found.append(("percent-encoded", decoded))
        }
        return found.filter { $0.1 != text }
    }

    /// A text read backwards, if it is long enough to be worth it.
    static func backwards(_ text: String) -> String? {
        guard text.utf8.count >= 2 * shortest else { return nil }
        let reversed = String(text.reversed())
        return reversed == text ? nil : reversed
    }

    /// Base64 in either alphabet, padded or not.
    private static func base64(_ text: String) -> [UInt8]? {
        var bits: UInt32 = 0
        var count = 0
        var bytes: [UInt8] = []
        for letter in text.utf8 {
            let value: UInt8
            switch letter {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = letter - 65
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = letter - 71
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = letter + 4
            case UInt8(ascii: "+"), UInt8(ascii: "-"): value = 62
            case UInt8(ascii: "/"), UInt8(ascii: "_"): value = 63
            case UInt8(ascii: "="), UInt8(ascii: "\n"): continue
            default: return nil
            }
            bits = bits << 6 | UInt32(value)
            count += 6
            guard count >= 8 else { continue }
            count -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
        }
        return bytes
    }

    /// What stands between the quotes of a JSON string.
    private static func unescaped(_ text: String) -> String? {
        let quoted = "\"" + text.replacing("\"", with: "\\\"") + "\""
        return (try? JSONValue(parsing: quoted))?.stringValue ?? (try? JSONValue(parsing: text))?.stringValue
    }

    private static func percentDecoded(_ text: String) -> [UInt8] {
        let bytes = Array(text.utf8)
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), index + 2 < bytes.count,
                let pair = Hex.decode(String(decoding: bytes[index + 1...index + 2], as: UTF8.self)),
                let byte = pair.first
            {
                decoded.append(byte)
                index += 3
            } else {
                decoded.append(bytes[index])
                index += 1
            }
        }
        return decoded
    }

    /// The text that bytes are, if they are mostly text.
    private static func readable(_ bytes: [UInt8]) -> String? {
        guard bytes.count >= 2 else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        let odd = text.unicodeScalars.filter { $0.value == 0xFFFD || $0.value < 32 && $0.value != 10 }.count
        return odd * toleratedBinary <= bytes.count ? text : nil
    }
}
