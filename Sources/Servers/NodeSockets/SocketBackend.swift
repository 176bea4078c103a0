public import AdamantModel
public import FaultRules

/// One request of a socket's client, for the record.
public struct SocketCall: Sendable {
    /// The node's index.
    public let node: Int
    /// The numeric address of the client.
    public let client: String
    /// The client's `User-Agent`.
    public let agent: String?
    /// The method as sent.
    public let method: String
    /// The path, percent-decoded.
    public let path: String
    /// The query as sent.
    public let query: String
    /// The status of the answer.
    public let status: Int
    /// The fault rule that struck.
    public let faultId: String?
}

/// What the sockets of a node need of their world.
public protocol SocketBackend: AnyObject, Sendable {
    /// Whether any fault rule exists; without one, none is asked for.
    var hasFaults: Bool { get }
    /// The fate of a handshake or an event; counts it.
    func decide(_ request: FaultRequest) -> FaultDecision?
    /// Whether a node's version has the events `balances` and `blocks`.
    func knowsBlocks(node: Int) -> Bool
    /// Says whether somebody listens to a node, which otherwise need not tell anything.
    func watch(node: Int, _ isWatched: Bool)
    /// The address of the notification service, whose own sockets are of interest.
    var serviceAddress: String { get }
    /// Says that so many sockets of a service were told of a transaction.
    func noteTold(of transaction: Identifier, node: Int, sockets: Int)
    /// Takes down a request.
    func record(_ call: SocketCall)
}
