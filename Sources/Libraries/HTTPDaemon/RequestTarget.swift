/// A request target taken apart.
struct RequestTarget {
    let text: String
    let path: String
    let query: String

    init(_ sent: String) {
        let sent = Self.withoutAuthority(sent)
        let bytes = sent.utf8
        text = sent
        guard let mark = bytes.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "%") })
        else {
            path = sent
            query = ""
            return
        }
        let question = bytes[mark...].firstIndex(of: UInt8(ascii: "?"))
        path = PercentCoding.decode(sent[..<(question ?? bytes.endIndex)])
        query = if let question { String(sent[bytes.index(after: question)...]) } else { "" }
    }

    /// `http://host/path` → `/path`.
    private static func withoutAuthority(_ sent: String) -> String {
        guard sent.utf8.first != UInt8(ascii: "/") else { return sent }
        guard sent.hasPrefix("http://") || sent.hasPrefix("https://") else { return sent }
        let bytes = sent.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return sent }
        let host = bytes.index(colon, offsetBy: 3)
        let end = bytes[host...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
        guard let end else { return "/" }
        let rest = String(sent[end...])
        return rest.utf8.first == UInt8(ascii: "/") ? rest : "/" + rest
    }
}
