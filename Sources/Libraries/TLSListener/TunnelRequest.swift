/// The head of a request to a proxy for a tunnel, as it arrives.
///
/// - Source: RFC 9110, section 9.3.6: `CONNECT host:port`, no content; a 2xx answer begins the tunnel.
struct TunnelRequest {
    /// What is known after some bytes.
    enum Outcome: Equatable {
        /// More has to come.
        case incomplete
        /// A tunnel to this host, in lower case, and port is asked for.
        case wanted(host: String, port: UInt16)
        /// It is no such request; an answer of this status and text ends the connection.
        case refused(status: String, text: String)
    }

    /// Longest head that is read.
    static let maximumBytes = 8192
    private static let end = Array("\r\n\r\n".utf8)

    private var head: [UInt8] = []

    /// Takes what has arrived.
    mutating func receive(_ bytes: Span<UInt8>) -> Outcome {
        guard head.count + bytes.count <= Self.maximumBytes else {
            return .refused(status: "431 Request Header Fields Too Large", text: "the head is too long")
        }
        for index in bytes.indices { head.append(bytes[index]) }
        guard let end = head.indices.first(where: { head[$0...].starts(with: Self.end) }) else {
            return .incomplete
        }
        // A client says nothing behind its request before it has the answer.
        guard case .wanted = outcome, end + Self.end.count < head.count else { return outcome }
        return .refused(status: "400 Bad Request", text: "CONNECT has no content")
    }

    private var outcome: Outcome {
        let line = String(decoding: head.prefix { $0 != UInt8(ascii: "\r") }, as: UTF8.self)
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard words.count == 3, words[2].hasPrefix("HTTP/1.") else {
            return .refused(status: "400 Bad Request", text: "no request line of HTTP/1.1")
        }
        guard words[0] == "CONNECT" else {
            return .refused(
                status: "405 Method Not Allowed",
                text: "this proxy makes tunnels (CONNECT) to Apple's push service alone"
            )
        }
        guard let colon = words[1].lastIndex(of: ":"), colon != words[1].startIndex,
            let port = UInt16(words[1][words[1].index(after: colon)...])
        else {
            return .refused(status: "400 Bad Request", text: "CONNECT takes HOST:PORT")
        }
        return .wanted(host: words[1][..<colon].lowercased(), port: port)
    }

    /// The answer that begins a tunnel.
    static let accepted = Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)

    /// An answer that ends the connection.
    static func refusal(status: String, text: String) -> [UInt8] {
        Array(
            """
            HTTP/1.1 \(status)\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\
            Content-Length: \(text.utf8.count + 1)\r\n\r\n\(text)\n
            """.utf8
        )
    }
}
