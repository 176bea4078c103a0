/// What happens to a WebSocket, told on the loop's thread.
public enum WebSocketEvent: Sendable {
    /// A complete text message.
    case text([UInt8])
    /// A complete binary message.
    case binary([UInt8])
    /// It has ended, whoever ended it; the last event.
    case closed
}

/// One connection of a ``WebSocketLoop``, for any thread; nothing happens once it has ended.
public struct WebSocket: Sendable, Hashable {
    let id: UInt64
    private let loop: WebSocketLoop

    init(id: UInt64, loop: WebSocketLoop) {
        self.id = id
        self.loop = loop
    }

    /// Sends a text message.
    public func send(text: [UInt8]) { loop.enqueue(.text([id], text)) }

    /// Sends bytes as they are, without a frame around them: what a broken server would send.
    public func send(unframed bytes: [UInt8]) { loop.enqueue(.unframed(id, bytes)) }

    /// Says goodbye by a close frame, and ends when the client has answered or a moment later; nil names no code.
    public func close(code: UInt16? = nil) { loop.enqueue(.close(id, code: code)) }

    /// Ends the connection with an RST.
    public func abort() { loop.enqueue(.abort(id)) }

    /// The same connection of the same loop.
    public static func == (left: WebSocket, right: WebSocket) -> Bool {
        left.id == right.id && left.loop === right.loop
    }

    /// Mixes in what tells connections apart.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
