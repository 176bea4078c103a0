import CNghttp2

/// The server's side of one HTTP/2 connection without any I/O: bytes in, requests out; responses in, bytes out.
///
/// Not thread-safe: one thread owns a session with everything it calls. PING, SETTINGS, flow control and header
/// compression are nghttp2's, as are its bounds on floods of control frames and on rapid resets.
@safe
public final class HTTP2Session {
    /// Bytes of a body that are kept; the rest is counted and thrown away.
    public static let maximumBodyBytes = 65_536
    /// Streams above the last one named in a GOAWAY.
    public static let enhanceYourCalm: UInt32 = 11
    /// Output is handed out in pieces of about a TLS record.
    private static let outputBytes = 16_384

    /// The highest stream whose request was complete.
    public private(set) var lastRequest: Int32 = 0
    /// How many streams have a complete request and no end yet.
    public private(set) var openRequests = 0

    private unowned let delegate: any HTTP2SessionDelegate
    private let settings: HTTP2Settings
    /// SAFETY: made in `init`, freed in `deinit`; nil only if nghttp2 had no memory.
    private var session: OpaquePointer?
    /// Streams by place; their place plus one is the user data of nghttp2's stream.
    private var streams: [HTTP2Stream?] = []
    private var freePlaces: [Int] = []
    private var idleStreams: [HTTP2Stream] = []

    /// A session whose SETTINGS are the first output.
    public init(settings: HTTP2Settings, delegate: any HTTP2SessionDelegate) throws(HTTP2Error) {
        self.settings = settings
        self.delegate = delegate
        var made: OpaquePointer?
        let result = unsafe nghttp2_session_server_new2(
            &made, HTTP2Callbacks.shared.callbacks, Unmanaged.passUnretained(self).toOpaque(),
            HTTP2Callbacks.shared.options)
        guard result == 0 else { throw HTTP2Error(code: result) }
        unsafe session = made
        try submitSettings()
    }

    deinit { unsafe nghttp2_session_del(session) }

    /// Whether the connection has nothing more to do in either direction.
    public var isFinished: Bool {
        unsafe nghttp2_session_want_read(session) == 0 && nghttp2_session_want_write(session) == 0
    }

    /// Takes bytes from the client; the delegate is called for what is complete in them.
    public func receive(_ bytes: Span<UInt8>) throws(HTTP2Error) {
        let result = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe nghttp2_session_mem_recv(session, buffer.baseAddress, buffer.count)
        }
        guard result >= 0 else { throw HTTP2Error(code: Int32(clamping: result)) }
    }

    /// Appends what is to be sent, about 16 KiB at most.
    public func appendOutput(to buffer: inout [UInt8]) throws(HTTP2Error) {
        while buffer.count < Self.outputBytes {
            var data: UnsafePointer<UInt8>?
            let count = unsafe nghttp2_session_mem_send(session, &data)
            guard count > 0, let data = unsafe data else {
                if count < 0 { throw HTTP2Error(code: Int32(clamping: count)) }
                return
            }
            unsafe buffer.append(contentsOf: UnsafeBufferPointer(start: data, count: count))
        }
    }

    /// Answers a stream: END_STREAM on HEADERS without a body, else on the one DATA frame.
    ///
    /// A stream that has gone meanwhile is passed over.
    public func respond(to stream: Int32, status: [UInt8], fields: [HTTP2ResponseField], body: [UInt8]) {
        guard let place = place(of: stream), let open = streams[place] else { return }
        open.responseBody = body
        open.responseOffset = 0
        let provider = unsafe nghttp2_data_provider(
            source: nghttp2_data_source(fd: Int32(truncatingIfNeeded: place)), read_callback: HTTP2Callbacks.readBody)
        unsafe withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: fields.count + 1) { list in
            unsafe fill(list, at: 0, status: status, fields: fields) { filled in
                _ = unsafe withUnsafePointer(to: provider) { provider in
                    unsafe nghttp2_submit_response(
                        session, stream, filled.baseAddress, filled.count, body.isEmpty ? nil : provider)
                }
            }
        }
    }

    /// Ends a stream without an answer.
    public func resetStream(_ stream: Int32, errorCode: UInt32) {
        _ = unsafe nghttp2_submit_rst_stream(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, errorCode)
    }

    /// Sends GOAWAY; streams above `lastStream` are dropped, and further ones are ignored.
    public func goAway(lastStream: Int32, errorCode: UInt32, debugData: [UInt8]) {
        _ = unsafe debugData.withUnsafeBufferPointer { data in
            unsafe nghttp2_submit_goaway(
                session, UInt8(NGHTTP2_FLAG_NONE.rawValue), max(0, lastStream), errorCode, data.baseAddress, data.count)
        }
    }

    // MARK: - Called by the callbacks

    func beginStream(_ id: Int32) {
        let stream = idleStreams.popLast() ?? HTTP2Stream()
        stream.begin(id)
        let place: Int
        if let free = freePlaces.popLast() {
            place = free
            streams[free] = stream
        } else {
            place = streams.count
            streams.append(stream)
        }
        _ = unsafe nghttp2_session_set_stream_user_data(session, id, UnsafeMutableRawPointer(bitPattern: place + 1))
    }

    /// Takes one field; false when the header list is larger than announced.
    func appendField(
        stream id: Int32, name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        guard let stream = stream(id), !stream.hasHeaders else { return true }
        // As RFC 9113, section 6.5.2, counts.
        stream.headerListSize += name.count + value.count + 32
        guard stream.headerListSize <= Int(settings.maximumHeaderListSize) else {
            resetStream(id, errorCode: Self.enhanceYourCalm)
            return false
        }
        unsafe stream.headers.bytes.append(contentsOf: name)
        stream.headers.bounds.append(Int32(truncatingIfNeeded: stream.headers.bytes.count))
        unsafe stream.headers.bytes.append(contentsOf: value)
        stream.headers.bounds.append(Int32(truncatingIfNeeded: stream.headers.bytes.count))
        return true
    }

    func appendBody(stream id: Int32, chunk: UnsafeBufferPointer<UInt8>) {
        unsafe stream(id)?.append(chunk)
    }

    func frameEnded(stream id: Int32, endsHeaders: Bool, endsStream: Bool) {
        guard let stream = stream(id) else { return }
        if endsHeaders { stream.hasHeaders = true }
        guard endsStream, !stream.isDelivered else { return }
        stream.isDelivered = true
        lastRequest = max(lastRequest, id)
        openRequests += 1
        let request = HTTP2Request(
            stream: id, headers: stream.headers, body: stream.body, bodyCount: stream.bodyCount)
        stream.headers = HTTP2HeaderBlock()
        stream.body = []
        delegate.received(request)
    }

    func endStream(_ id: Int32) {
        guard let place = place(of: id), let stream = streams[place] else { return }
        streams[place] = nil
        freePlaces.append(place)
        if idleStreams.count < 128 { idleStreams.append(stream) }
        guard stream.isDelivered else { return }
        openRequests -= 1
        delegate.closed(stream: id)
    }

    /// Copies the next part of a response's body; nil when the stream is unknown.
    func readBody(place: Int, into buffer: UnsafeMutableBufferPointer<UInt8>) -> (count: Int, isLast: Bool)? {
        guard place >= 0, place < streams.count, let stream = streams[place] else { return nil }
        let count = min(buffer.count, stream.responseBody.count - stream.responseOffset)
        let end = stream.responseOffset + count
        _ = unsafe buffer.update(fromContentsOf: stream.responseBody[stream.responseOffset..<end])
        stream.responseOffset = end
        return (count, end == stream.responseBody.count)
    }

    // MARK: - Details

    private func place(of id: Int32) -> Int? {
        guard let mark = unsafe nghttp2_session_get_stream_user_data(session, id) else { return nil }
        let place = Int(bitPattern: mark) - 1
        return streams.indices.contains(place) ? place : nil
    }

    private func stream(_ id: Int32) -> HTTP2Stream? {
        place(of: id).flatMap { streams[$0] }
    }

    private func submitSettings() throws(HTTP2Error) {
        let entries = [
            (NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, settings.headerTableSize),
            (NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, settings.maximumConcurrentStreams),
            (NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, settings.initialWindowSize),
            (NGHTTP2_SETTINGS_MAX_FRAME_SIZE, settings.maximumFrameSize),
            (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, settings.maximumHeaderListSize),
        ].map { nghttp2_settings_entry(settings_id: Int32($0.0.rawValue), value: $0.1) }
        let result = unsafe nghttp2_submit_settings(
            session, UInt8(NGHTTP2_FLAG_NONE.rawValue), entries, entries.count)
        guard result == 0 else { throw HTTP2Error(code: result) }
    }

    /// Writes the fields from `index` on, one level of borrowing for each value, then calls `body`.
    private func fill(
        _ list: UnsafeMutableBufferPointer<nghttp2_nv>, at index: Int, status: [UInt8],
        fields: [HTTP2ResponseField], _ body: (UnsafeMutableBufferPointer<nghttp2_nv>) -> Void
    ) {
        guard index <= fields.count else {
            unsafe body(list)
            return
        }
        let field = index == 0 ? HTTP2ResponseField(":status", status, recurs: true) : fields[index - 1]
        unsafe field.value.withUnsafeBufferPointer { value in
            let indexing = field.recurs ? 0 : NGHTTP2_NV_FLAG_NO_INDEX.rawValue
            unsafe list[index] = nghttp2_nv(
                name: UnsafeMutablePointer(mutating: field.name.utf8Start),
                value: UnsafeMutablePointer(mutating: value.baseAddress), namelen: field.name.utf8CodeUnitCount,
                valuelen: value.count, flags: UInt8(NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue | indexing))
            unsafe fill(list, at: index + 1, status: status, fields: fields, body)
        }
    }
}
