#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif
internal import Polling

/// One connection, as the loop's thread sees it.
final class WebSocketConnection {
    /// What a connection begins with.
    struct Start: Sendable {
        let socket: WebSocket
        let descriptor: Int32
        let received: [UInt8]
        let maximumMessageBytes: Int
        let onAbort: @Sendable () -> Void
        let onRelease: @Sendable () -> Void
        let onEvent: @Sendable (WebSocket, WebSocketEvent) -> Void
    }

    /// The code of a server that ends.
    static let goingAway: UInt16 = 1001
    /// What a client may lag behind before it is dropped.
    private static let maximumPendingBytes = 8 << 20

    /// What is sent together at most; while it is made into frames it stands in memory three times.
    private static let maximumQueuedBytes = 8 << 10

    let descriptor: Int32
    var interest = PollInterest.read
    var isUnflushed = false
    private(set) var hasEnded = false
    private let socket: WebSocket
    private let onAbort: @Sendable () -> Void
    private let onRelease: @Sendable () -> Void
    private let onEvent: @Sendable (WebSocket, WebSocketEvent) -> Void
    private let framing: WebSocketFraming
    private var pending = Backlog()
    /// Texts that are not framed yet: frames would be bytes of each connection's own, these are shared by all.
    private var queue: [[UInt8]] = []
    private var queuedBytes = 0

    /// Nil without memory.
    init?(_ start: Start) {
        guard let framing = WebSocketFraming(maximumMessageBytes: start.maximumMessageBytes) else {
            return nil
        }
        self.framing = framing
        socket = start.socket
        descriptor = start.descriptor
        onAbort = start.onAbort
        onRelease = start.onRelease
        onEvent = start.onEvent
    }

    var id: UInt64 { socket.id }

    /// Whether bytes wait for the client.
    var isBehind: Bool { !pending.isEmpty }

    /// Whether so much is queued that it is better sent now than with what comes next.
    var isFull: Bool { queuedBytes >= Self.maximumQueuedBytes }

    /// Whether a close frame has been sent.
    var isClosing: Bool { framing.isClosing }

    func send(text: [UInt8]) {
        queue.append(text)
        queuedBytes += text.count
    }

    func close(code: UInt16?) {
        frameQueue()
        framing.close(code: code)
    }

    /// Puts bytes behind what was sent before.
    func send(unframed bytes: [UInt8]) {
        frameQueue()
        _ = pending.append(by: framing.write)
        pending.append(bytes)
    }

    private func frameQueue() {
        for text in queue { framing.send(text: text) }
        queue = []
        queuedBytes = 0
    }

    /// Reads what is there; false when the client has gone or nothing can be understood.
    func read(_ buffer: inout [UInt8]) -> Bool {
        let count = unsafe recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return count < 0 && (errno == EAGAIN || errno == EINTR) }
        return tell(
            unsafe buffer.withUnsafeBytes { bytes in
                unsafe framing.receive(UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            }
        )
    }

    /// Takes bytes of the client; false when nothing can be understood any more.
    func receive(_ bytes: [UInt8]) -> Bool { tell(framing.receive(bytes)) }

    private func tell(_ messages: [WebSocketMessage]?) -> Bool {
        guard let messages else { return false }
        for message in messages {
            switch message {
            case .text(let text): onEvent(socket, .text(text))
            case .binary(let bytes): onEvent(socket, .binary(bytes))
            }
        }
        return true
    }

    /// Sends what the system takes; false when the connection is over.
    func flush() -> Bool {
        frameQueue()
        let goesOn = pending.append(by: framing.write)
        while !pending.isEmpty {
            let count = unsafe pending.withUnsafeBytes { unsafe send($0) }
            guard count > 0 else {
                guard count < 0, errno == EAGAIN || errno == EINTR else { return false }
                break
            }
            pending.drop(count)
        }
        guard isBehind else { return goesOn && !framing.isClosed }
        return goesOn && pending.count <= Self.maximumPendingBytes
    }

    private func send(_ bytes: UnsafeRawBufferPointer) -> Int {
        #if canImport(Darwin)
            let flags: Int32 = 0
        #else
            let flags = Int32(MSG_NOSIGNAL)
        #endif
        #if canImport(Darwin)
            return unsafe Darwin.send(descriptor, bytes.baseAddress, bytes.count, flags)
        #else
            return unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, flags)
        #endif
    }

    /// Makes the end an RST.
    func abort() { onAbort() }

    /// Lets go of the socket and tells so.
    func end() {
        hasEnded = true
        onRelease()
        onEvent(socket, .closed)
    }
}
