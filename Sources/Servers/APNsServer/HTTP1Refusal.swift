/// The answer to a client that speaks HTTP/1.1.
enum HTTP1Refusal {
    /// The preface with which every HTTP/2 client begins.
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    /// Bytes after which a preface cannot be mistaken for an HTTP/1.1 request.
    static let decisiveBytes = 4

    /// A short answer in HTTP/1.1.
    static let response: [UInt8] = {
        let text = "APNs speaks HTTP/2 only.\n"
        return Array(
            ("HTTP/1.1 505 HTTP Version Not Supported\r\ncontent-type: text/plain\r\n"
                + "content-length: \(text.utf8.count)\r\nconnection: close\r\n\r\n\(text)").utf8
        )
    }()

    /// Whether bytes may begin an HTTP/1.1 request: with a method.
    static func looksLikeRequest(_ bytes: [UInt8]) -> Bool {
        guard let first = bytes.first else { return false }
        return first >= UInt8(ascii: "A") && first <= UInt8(ascii: "Z")
    }
}
