internal import CWslay

/// A complete message of a client.
enum WebSocketMessage: Hashable, Sendable {
    /// UTF-8 text.
    case text([UInt8])
    /// Bytes.
    case binary([UInt8])
}

/// The server's side of a WebSocket without I/O: bytes in, messages and bytes out.
///
/// Pings are answered, fragments joined, and what breaks the protocol is answered by a close frame.
/// - Source: RFC 6455
@safe final class WebSocketFraming {
    /// What the library's callbacks read and write.
    ///
    /// SAFETY: what arrives is lent for the time of ``receive(_:)`` alone.
    @safe private final class Buffers {
        var arriving: UnsafeRawBufferPointer = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        var messages: [WebSocketMessage] = []
        var output: [UInt8] = []
    }

    /// SAFETY: made in `init`, freed in `deinit`; this object belongs to one thread.
    private let context: wslay_event_context_ptr
    /// Whether frames can no longer be told apart.
    private var isBroken = false
    /// A close frame that says so; the library's own would name no code.
    private static let protocolError: [UInt8] = [0x88, 0x02, 0x03, 0xEA]
    /// Kept alive as long as the context, which points at it.
    private let buffers: Buffers

    /// A connection on which nothing was said yet; nil without memory.
    init?(maximumMessageBytes: Int) {
        buffers = Buffers()
        var callbacks = wslay_event_callbacks()
        unsafe callbacks.recv_callback = Self.read
        unsafe callbacks.send_callback = Self.write
        unsafe callbacks.on_msg_recv_callback = Self.received
        var made: wslay_event_context_ptr?
        let user = unsafe Unmanaged.passUnretained(buffers).toOpaque()
        guard unsafe wslay_event_context_server_init(&made, &callbacks, user) == 0, let made = unsafe made
        else { return nil }
        unsafe context = made
        unsafe wslay_event_config_set_max_recv_msg_length(made, UInt64(max(0, maximumMessageBytes)))
    }

    deinit { unsafe wslay_event_context_free(context) }

    /// Takes bytes of the client; the messages they complete, and nil when nothing can be understood any more.
    func receive(_ bytes: UnsafeRawBufferPointer) -> [WebSocketMessage]? {
        unsafe buffers.arriving = unsafe bytes
        let result = unsafe wslay_event_recv(context)
        unsafe buffers.arriving = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
        defer { buffers.messages = [] }
        guard result == 0 else {
            isBroken = true
            return nil
        }
        return buffers.messages
    }

    /// Takes bytes of the client.
    func receive(_ bytes: [UInt8]) -> [WebSocketMessage]? {
        unsafe bytes.withUnsafeBytes { unsafe receive($0) }
    }

    /// Queues a text message.
    func send(text: [UInt8]) {
        unsafe text.withUnsafeBufferPointer { bytes in
            var message = unsafe wslay_event_msg(
                opcode: UInt8(WSLAY_TEXT_FRAME.rawValue),
                msg: bytes.baseAddress,
                msg_length: bytes.count
            )
            _ = unsafe wslay_event_queue_msg(context, &message)
        }
    }

    /// Queues a close frame, nil for one without a code; what was queued before goes out first.
    func close(code: UInt16?) {
        // The library would let the close frame overtake what waits.
        _ = unsafe wslay_event_send(context)
        _ = unsafe wslay_event_queue_close(context, code ?? 0, nil, 0)
    }

    /// Appends the bytes for the client; false when nothing more can follow.
    func write(to output: inout [UInt8]) -> Bool {
        guard !isBroken else {
            output += Self.protocolError
            return false
        }
        let result = unsafe wslay_event_send(context)
        output += buffers.output
        buffers.output = []
        return result == 0
    }

    /// Whether a close frame is on its way, so that nothing may follow.
    var isClosing: Bool { unsafe wslay_event_get_close_sent(context) != 0 }

    /// Whether both sides have said that they close.
    var isClosed: Bool { unsafe isClosing && wslay_event_get_close_received(context) != 0 }

    private static let read: wslay_event_recv_callback = { context, target, size, _, user in
        guard let target = unsafe target, let user = unsafe user else { return -1 }
        let buffers = unsafe Unmanaged<Buffers>.fromOpaque(user).takeUnretainedValue()
        let count = min(size, unsafe buffers.arriving.count)
        guard count > 0 else {
            unsafe wslay_event_set_error(context, WSLAY_ERR_WOULDBLOCK.rawValue)
            return -1
        }
        unsafe UnsafeMutableRawPointer(target).copyMemory(
            from: buffers.arriving.baseAddress ?? UnsafeRawPointer(user),
            byteCount: count
        )
        unsafe buffers.arriving = unsafe UnsafeRawBufferPointer(rebasing: buffers.arriving[count...])
        return count
    }

    private static let write: wslay_event_send_callback = { _, source, size, _, user in
        guard let source = unsafe source, let user = unsafe user else { return -1 }
        let buffers = unsafe Unmanaged<Buffers>.fromOpaque(user).takeUnretainedValue()
        unsafe buffers.output.append(contentsOf: UnsafeBufferPointer(start: source, count: size))
        return size
    }

    private static let received: wslay_event_on_msg_recv_callback = { _, argument, user in
        guard let argument = unsafe argument?.pointee, let user = unsafe user else { return }
        let buffers = unsafe Unmanaged<Buffers>.fromOpaque(user).takeUnretainedValue()
        let bytes = unsafe Array(UnsafeBufferPointer(start: argument.msg, count: argument.msg_length))
        switch unsafe UInt32(argument.opcode) {
        case WSLAY_TEXT_FRAME.rawValue: buffers.messages.append(.text(bytes))
        case WSLAY_BINARY_FRAME.rawValue: buffers.messages.append(.binary(bytes))
        default: break
        }
    }
}
