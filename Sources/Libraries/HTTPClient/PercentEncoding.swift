/// Texts as they stand in a URL.
public enum PercentEncoding {
    /// One segment of a path, or one part of a query.
    ///
    /// - Source: RFC 3986, section 2.3
    public static func encode(_ text: String) -> String {
        var output = ""
        for byte in text.utf8 {
            switch byte {
            case 48...57, 65...90, 97...122, UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                output.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                output += "%" + (digits.count < 2 ? "0" : "") + digits
            }
        }
        return output
    }
}
