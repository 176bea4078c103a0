import CNghttp2

/// nghttp2's callbacks and options, the same for every session.
@safe
final class HTTP2Callbacks: Sendable {
    static let shared = HTTP2Callbacks()

    /// SAFETY: filled in `init`, only read after it, never freed: the one instance lives as long as the process.
    nonisolated(unsafe) let callbacks: OpaquePointer?
    /// SAFETY: as `callbacks`.
    nonisolated(unsafe) let options: OpaquePointer?
    /// SAFETY: as `callbacks`.
    nonisolated(unsafe) let optionsWithoutUpdates: OpaquePointer?

    private init() {
        var callbacks: OpaquePointer?
        _ = unsafe nghttp2_session_callbacks_new(&callbacks)
        unsafe nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, Self.beginHeaders)
        unsafe nghttp2_session_callbacks_set_on_header_callback(callbacks, Self.header)
        unsafe nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, Self.dataChunk)
        unsafe nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, Self.frame)
        unsafe nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, Self.streamClosed)
        unsafe nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks, Self.invalidFrame)
        unsafe self.callbacks = callbacks
        unsafe options = Self.makeOptions()
        unsafe optionsWithoutUpdates = Self.makeOptions()
        unsafe nghttp2_option_set_no_auto_window_update(optionsWithoutUpdates, 1)
    }

    private static func makeOptions() -> OpaquePointer? {
        var options: OpaquePointer?
        _ = unsafe nghttp2_option_new(&options)
        // Closed streams serve priorities alone, which Apple ignores.
        unsafe nghttp2_option_set_no_closed_streams(options, 1)
        // HTTP2FieldRules checks header lists.
        unsafe nghttp2_option_set_no_http_messaging(options, 1)
        return unsafe options
    }

    /// Hands out the next part of a response's body.
    static let readBody: nghttp2_data_source_read_callback = { _, stream, buffer, room, flags, _, raw in
        guard let session = unsafe session(raw), let buffer = unsafe buffer, let flags = unsafe flags,
            let part = unsafe session.readBody(
                stream: stream,
                into: UnsafeMutableBufferPointer(start: buffer, count: room)
            )
        else { return Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue) }
        switch part {
        case .more(let count): return count
        case .last(let count, let endsStream):
            let end = endsStream ? 0 : NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue
            unsafe flags.pointee |= UInt32(NGHTTP2_DATA_FLAG_EOF.rawValue | end)
            return count
        case .none: return Int(NGHTTP2_ERR_DEFERRED.rawValue)
        }
    }

    private static let beginHeaders: nghttp2_on_begin_headers_callback = { _, frame, raw in
        guard let session = unsafe session(raw), let frame = unsafe frame else { return 0 }
        guard unsafe frame.pointee.headers.cat == NGHTTP2_HCAT_REQUEST else {
            session.beginTrailers()
            return 0
        }
        let isTaken = unsafe session.beginStream(frame.pointee.hd.stream_id)
        return isTaken ? 0 : Int32(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
    }

    private static let header: nghttp2_on_header_callback = {
        _,
        frame,
        name,
        nameCount,
        value,
        valueCount,
        _,
        raw in
        guard let session = unsafe session(raw), let frame = unsafe frame else { return 0 }
        let fits = unsafe session.takeField(
            stream: frame.pointee.hd.stream_id,
            name: UnsafeBufferPointer(start: name, count: nameCount),
            value: UnsafeBufferPointer(start: value, count: valueCount)
        )
        return fits ? 0 : Int32(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue)
    }

    private static let dataChunk: nghttp2_on_data_chunk_recv_callback = { _, _, stream, data, count, raw in
        unsafe session(raw)?.appendBody(stream: stream, chunk: UnsafeBufferPointer(start: data, count: count))
        return 0
    }

    private static let frame: nghttp2_on_frame_recv_callback = { _, frame, raw in
        guard let session = unsafe session(raw), let frame = unsafe frame else { return 0 }
        let head = unsafe frame.pointee.hd
        if head.type == UInt8(NGHTTP2_SETTINGS.rawValue), head.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0 {
            session.settingsAcknowledged()
        }
        let isHeaders = head.type == UInt8(NGHTTP2_HEADERS.rawValue)
        guard isHeaders || head.type == UInt8(NGHTTP2_DATA.rawValue) else { return 0 }
        session.frameEnded(
            stream: head.stream_id,
            endsHeaders: isHeaders,
            endsStream: head.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
        )
        return 0
    }

    private static let streamClosed: nghttp2_on_stream_close_callback = { _, stream, _, raw in
        unsafe session(raw)?.endStream(stream)
        return 0
    }

    private static let invalidFrame: nghttp2_on_invalid_frame_recv_callback = { _, frame, code, raw in
        guard let frame = unsafe frame else { return 0 }
        unsafe session(raw)?.receivedInvalidFrame(stream: frame.pointee.hd.stream_id, code: code)
        return 0
    }

    private static func session(_ raw: UnsafeMutableRawPointer?) -> HTTP2Session? {
        guard let raw = unsafe raw else { return nil }
        return unsafe Unmanaged<HTTP2Session>.fromOpaque(raw).takeUnretainedValue()
    }
}
