public import Determinism

/// What a fault rule can look at in one call; what does not apply is nil.
public struct FaultRequest: Sendable, Equatable {
    /// The kind of port a call came in at.
    public enum Target: String, Sendable, CaseIterable {
        /// An ADAMANT node's HTTP port.
        case node
        /// Apple's push service.
        case apns
    }

    /// What happens when a decision is asked for.
    public enum Occasion: String, Sendable {
        /// A request, or a push.
        case call
        /// A client opens a Socket.IO session.
        case socketHandshake = "handshake of a socket"
        /// A node tells its sockets something.
        case socketEvent = "event of a socket"
        /// A client has connected to APNs and not yet begun the handshake.
        case accept = "connection before its handshake"
        /// The handshake of a connection to APNs has ended.
        case connection = "new connection"
    }

    /// The kind of port.
    public var target: Target
    /// What happens.
    public var occasion = Occasion.call
    /// The node's name.
    public var node: String?
    /// The HTTP method as sent.
    public var method: String?
    /// The path as sent, percent-decoded, without the query.
    public var path: String?
    /// The name of a socket's event: `newTrans`, `newBlock` or `balances/change`.
    public var event: String?
    /// A posted transaction's type, or that of a socket's event.
    public var transactionType: Int?
    /// A posted chat transaction's `asset.chat.type`.
    public var chatType: Int?
    /// A posted transaction's sender, or nil when it cannot be told.
    public var sender: String?
    /// A posted transaction's recipient, or on APNs the one named in the payload.
    public var recipient: String?
    /// A posted transaction's id, or on APNs the one named in the payload.
    public var transactionId: String?
    /// Which post of the same signed bytes it is, from 1.
    public var attempt: Int?
    /// The action inside a signal message: `add` or `remove`.
    public var signalAction: String?
    /// The token inside a signal message, or on APNs the path's.
    public var token: String?
    /// The value of `apns-topic`.
    public var topic: String?
    /// The value of `apns-push-type`.
    public var pushType: String?
    /// The value of `apns-priority`.
    public var priority: Int?
    /// `production` or `sandbox`.
    public var environment: String?
    /// The number of the connection to APNs, from 1.
    public var connection: Int?
    /// Which request of its connection a push is, from 1.
    public var requestNumber: Int?
    /// How long the connection of a push had been without one.
    public var idleMilliseconds: Int?
    /// The time by the world's clock.
    public var now: Timestamp?
    /// The height of the world's chain.
    public var height: Int?
    /// Whether the client of a connection to APNs has shown a certificate.
    public var hasClientCertificate: Bool?

    /// A call of which nothing but the kind of port is known yet.
    public init(target: Target) {
        self.target = target
    }
}
