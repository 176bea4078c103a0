internal import Synchronization

/// A request whose body has arrived.
@safe public final class HTTPRequest: Sendable {
    /// The method as sent, for example `GET`.
    public let method: String
    /// The request target as sent, without scheme and authority.
    public let target: String
    /// The path without query, percent-decoded.
    public let path: String
    /// The query as sent, without the question mark; empty when there is none.
    public let query: String
    /// The body; empty when it was too large.
    public let body: [UInt8]
    /// Whether the body exceeded the listener's limit and was thrown away.
    public let bodyWasTooLarge: Bool
    /// The numeric address of the client.
    public let clientAddress: String
    /// The port the client connected to.
    public let serverPort: UInt16

    private let source: Mutex<HeaderSource>

    /// A request of its parts, for those who test handlers without sockets.
    public convenience init(
        method: String,
        target: String,
        headers: [(String, String)] = [],
        body: [UInt8] = [],
        bodyWasTooLarge: Bool = false,
        clientAddress: String = "127.0.0.1",
        serverPort: UInt16 = 0
    ) {
        self.init(
            method: method,
            target: target,
            source: HeaderSource(copied: headers),
            body: body,
            bodyWasTooLarge: bodyWasTooLarge,
            clientAddress: clientAddress,
            serverPort: serverPort
        )
    }

    init(
        method: String,
        target: String,
        source: HeaderSource,
        body: [UInt8],
        bodyWasTooLarge: Bool,
        clientAddress: String,
        serverPort: UInt16
    ) {
        self.method = method
        self.body = body
        self.bodyWasTooLarge = bodyWasTooLarge
        self.clientAddress = clientAddress
        self.serverPort = serverPort
        let target = RequestTarget(target)
        self.target = target.text
        path = target.path
        query = target.query
        self.source = Mutex(source)
    }

    /// The first field of a name, without regard to case.
    ///
    /// Fields can be read until the answer is on its way; after that there are none.
    public func header(_ name: String) -> String? {
        source.withLock { $0.value(of: name) }
    }

    /// All fields in the order sent; empty once the answer is on its way.
    public var headers: [(String, String)] {
        source.withLock { $0.all }
    }

    /// The path without query, as sent.
    public var rawPath: Substring {
        target[..<(target.utf8.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex)]
    }

    /// Forgets the connection, which is about to go.
    func detach() {
        source.withLock { $0 = HeaderSource(copied: []) }
    }
}
