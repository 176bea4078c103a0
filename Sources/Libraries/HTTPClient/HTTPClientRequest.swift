/// One request of an ``HTTPClient``.
public struct HTTPClientRequest: Sendable {
    /// For example `GET`.
    public var method: String
    /// An absolute `http` or `https` URL.
    public var url: String
    /// Names and values in order; nothing but `Host`, `Content-Length` and these is sent.
    public var headers: [(name: String, value: String)]
    /// The body; nil for none.
    public var body: [UInt8]?
    /// How long the whole exchange may take; nil for the client's own limit, 0 for no limit.
    public var timeoutMilliseconds: Int?
    /// Whether a new connection is opened for this request and closed after it.
    public var usesFreshConnection: Bool

    /// A request.
    public init(
        method: String = "GET",
        url: String,
        headers: [(name: String, value: String)] = [],
        body: [UInt8]? = nil,
        timeoutMilliseconds: Int? = nil,
        usesFreshConnection: Bool = false
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.timeoutMilliseconds = timeoutMilliseconds
        self.usesFreshConnection = usesFreshConnection
    }
}

/// The answer to an ``HTTPClientRequest``.
public struct HTTPClientResponse: Sendable {
    /// The status code.
    public var status: Int
    /// The protocol that was spoken: `1.0`, `1.1` or `2`.
    public var httpVersion: String
    /// Names as sent (lower case in HTTP/2) and values, in order.
    public var headers: [(name: String, value: String)]
    /// The body; empty where it was streamed.
    public var body: [UInt8]

    /// The first value of a header, whatever the case of its name.
    public func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}

/// Why an exchange brought no answer.
public enum HTTPClientError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Nobody listens at the address.
    case connectionRefused
    /// The connection ended before the answer was complete.
    case connectionReset
    /// The answer did not come in time.
    case timedOut
    /// The TLS handshake failed, or the certificate is not trusted.
    case tls(String)
    /// The answer is larger than the client accepts.
    case tooLarge(limitBytes: Int)
    /// ``HTTPClient/cancel()`` was called, or the receiver of a stream wanted no more.
    case cancelled
    /// Anything else, with libcurl's code (0 when the request was refused before it was sent).
    case other(code: Int, text: String)

    /// The cause, for people.
    public var description: String {
        switch self {
        case .connectionRefused: "connection refused"
        case .connectionReset: "connection reset"
        case .timedOut: "timed out"
        case .tls(let text): "TLS: \(text)"
        case .tooLarge(let limit): "answer larger than \(limit) bytes"
        case .cancelled: "cancelled"
        case .other(let code, let text): code == 0 ? text : "\(text) (\(code))"
        }
    }
}
