/// An answer to a request.
public struct HTTPResponse: Sendable {
    /// The status code.
    public var status: Int { didSet { prepared = nil } }
    /// Header fields in order; `Content-Length`, `Connection` and `Date` are the server's.
    public var headers: [(String, String)] { didSet { prepared = nil } }
    /// The body; not sent for HEAD, 204 and 304.
    public var body: [UInt8] { didSet { prepared = nil } }
    /// What ``prepare()`` made.
    private(set) var prepared: PreparedResponse?

    /// An answer of its parts.
    public init(status: Int, headers: [(String, String)] = [], body: [UInt8] = []) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Whether ``prepare()`` was of use.
    public var isPrepared: Bool { prepared != nil }

    /// Makes once what sending would make each time: worth it for an answer that is given again.
    public mutating func prepare() {
        prepared = prepared ?? PreparedResponse(self)
    }
}

/// Status and header fields of an answer whose body is streamed.
public struct HTTPStreamHead: Sendable {
    /// The status code.
    public var status: Int
    /// Header fields in order.
    public var headers: [(String, String)]
    /// Sent whenever nothing else was for 15 seconds, so that a client that left is noticed.
    public var heartbeat: [UInt8]
    /// The `Content-Length`; nil for a body whose end is told by its last chunk.
    public var length: Int?

    /// A head of its parts; the default heartbeat is a comment of server-sent events.
    ///
    /// A stream of a length that finishes before it ends the connection.
    public init(
        status: Int = 200,
        headers: [(String, String)] = [],
        heartbeat: [UInt8] = [58, 10, 10],
        length: Int? = nil
    ) {
        self.status = status
        self.headers = headers
        self.heartbeat = heartbeat
        self.length = length
    }
}

/// What a handler wants done with a request.
public enum HTTPAction: Sendable {
    /// Answers at once.
    case respond(HTTPResponse)
    /// Answers when the replier is told so; the closure runs at once and must not block.
    case later(@Sendable (HTTPReplier) -> Void)
    /// Ends the connection with an RST.
    case reset
    /// Ends the connection with a FIN and no answer.
    case close
    /// Answers with a body that is sent piece by piece; the closure runs at once and must not block.
    case stream(HTTPStreamHead, @Sendable (HTTPStream) -> Void)
    /// Answers 101 with these fields, `Upgrade` among them, and hands the socket over; the closure must not block.
    case upgrade([(String, String)], @Sendable (UpgradedSocket) -> Void)
}
