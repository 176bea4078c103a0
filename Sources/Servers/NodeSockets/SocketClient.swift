import HTTPDaemon
import SocketIORules
import WebSockets

/// A GET that waits for packets.
struct WaitingPoll: Sendable {
    let replier: HTTPReplier
    /// How its answer may be packed.
    let coding: ContentCoding?
}

/// One client of a node: its session, and what it is connected by.
struct SocketClient: Sendable {
    var session: SocketSession
    var poll: WaitingPoll?
    var socket: WebSocket?
    var candidate: WebSocket?

    init(_ session: SocketSession) { self.session = session }
}
