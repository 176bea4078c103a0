/// The times and sizes of a Socket.IO server.
public struct SocketSettings: Hashable, Sendable {
    /// How often the side that pings does so.
    ///
    /// - Source: engine.io (`pingInterval`)
    public var pingIntervalMilliseconds: Int64 = 25_000
    /// How long the other side may take to answer.
    ///
    /// - Source: engine.io (`pingTimeout`)
    public var pingTimeoutMilliseconds: Int64 = 20_000
    /// How long a client may take to go over to another transport.
    ///
    /// - Source: engine.io (`upgradeTimeout`)
    public var upgradeTimeoutMilliseconds: Int64 = 10_000
    /// How long a client may take to join a namespace.
    ///
    /// - Source: socket.io (`connectTimeout`)
    public var connectTimeoutMilliseconds: Int64 = 45_000
    /// Most bytes of a message or a posted body.
    ///
    /// - Source: engine.io (`maxHttpBufferSize`)
    public var maximumPayloadBytes = 1_000_000

    /// The defaults of the library.
    public init() {}
}
