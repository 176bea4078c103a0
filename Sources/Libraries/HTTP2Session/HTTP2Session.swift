import CNghttp2

/// The server's side of one HTTP/2 connection without any I/O: bytes in, requests out; responses in, bytes out.
///
/// Not thread-safe: one thread owns a session with everything it calls. PING, SETTINGS, flow control and header
/// compression are nghttp2's, as are its bounds on floods of control frames and on rapid resets.
@safe
public final class HTTP2Session {
    /// Bytes of a body that are kept; the rest is counted and thrown away.
    public static let maximumBodyBytes = 8192
    /// The error code of a stream that breaks a rule.
    public static let protocolError: UInt32 = 1
    /// The error code of a stream whose header list is too large.
    public static let enhanceYourCalm: UInt32 = 11
    /// The error code of a stream that was not processed.
    public static let refusedStream: UInt32 = 7
    /// The error code of a failure of the server.
    public static let internalError: UInt32 = 2
    /// Output is handed out in pieces of about a TLS record.
    private static let outputBytes = 16_384

    /// What changes with every frame.
    @safe
    private struct State {
        /// SAFETY: made in `init`, freed in `deinit`; nil only if nghttp2 had no memory.
        var session: OpaquePointer?
        var pool = HTTP2StreamPool()
        var scratch: HTTP2HeaderScratch
        var rules = HTTP2FieldRules()
        var recent = HTTP2RecentBlocks()
        var openRequests = 0
        var limit: HTTP2StreamLimit
        /// Set where what nghttp2 makes is not sent as it is.
        var deviations: HTTP2Deviations?
        /// Frames that nghttp2 does not know of, sent behind what it has ready.
        var ownFrames: [UInt8] = []
    }

    /// The next part of a response's body.
    enum BodyPart {
        case more(Int)
        case last(Int, endsStream: Bool)
        case none
    }

    private unowned let delegate: any HTTP2SessionDelegate
    private let settings: HTTP2Settings
    /// SAFETY: allocated in `init`, freed in `deinit`; the owner's thread alone uses it, never two accesses at once.
    private let state: UnsafeMutablePointer<State>

    /// A session whose SETTINGS are the first output.
    public init(
        settings: HTTP2Settings,
        deviations: HTTP2Deviations? = nil,
        delegate: any HTTP2SessionDelegate
    ) throws(HTTP2Error) {
        self.settings = settings
        self.delegate = delegate
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(
            to: State(
                scratch: HTTP2HeaderScratch(limit: Int(settings.maximumHeaderListSize)),
                limit: HTTP2StreamLimit(settings.maximumConcurrentStreams)
            )
        )
        var made: OpaquePointer?
        let result = unsafe nghttp2_session_server_new2(
            &made,
            HTTP2Callbacks.shared.callbacks,
            Unmanaged.passUnretained(self).toOpaque(),
            deviations?.opensWindows ?? true
                ? HTTP2Callbacks.shared.options : HTTP2Callbacks.shared.optionsWithoutUpdates
        )
        unsafe state.pointee.session = made
        unsafe state.pointee.deviations = deviations
        unsafe state.pointee.limit.isEnforced = deviations?.enforcesStreamLimit ?? true
        guard result == 0 else { throw HTTP2Error(code: result) }
        var entries = [
            (NGHTTP2_SETTINGS_HEADER_TABLE_SIZE, settings.headerTableSize),
            (NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, HTTP2StreamLimit.none),
            (NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, settings.initialWindowSize),
            (NGHTTP2_SETTINGS_MAX_FRAME_SIZE, settings.maximumFrameSize),
            (NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, settings.maximumHeaderListSize),
        ]
        if let deviations, !deviations.namesStreamLimit { entries.remove(at: 1) }
        try submit(entries)
    }

    deinit {
        unsafe nghttp2_session_del(session)
        unsafe state.pointee.pool.free()
        unsafe state.pointee.scratch.free()
        unsafe state.deinitialize(count: 1)
        unsafe state.deallocate()
    }

    /// How many streams have a complete request and no end yet.
    public var openRequests: Int { unsafe state.pointee.openRequests }

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
                if unsafe !state.pointee.ownFrames.isEmpty {
                    unsafe buffer.append(contentsOf: state.pointee.ownFrames)
                    unsafe state.pointee.ownFrames = []
                }
                return
            }
            let start = buffer.count
            let frame = unsafe UnsafeBufferPointer(start: data, count: count)
            if let deviations = unsafe state.pointee.deviations, unsafe deviations.withholds(frame) {
                continue
            }
            unsafe buffer.append(contentsOf: frame)
            // nghttp2 hands out one frame at a time.
            if HTTP2StreamLimit.isSettings(buffer, from: start) {
                unsafe state.pointee.limit.write(into: &buffer, from: start)
            }
        }
    }

    /// Answers a stream: END_STREAM on HEADERS without a body, else on the one DATA frame, unless shaped otherwise.
    ///
    /// A stream that has gone meanwhile is passed over.
    public func respond(
        to stream: Int32,
        status: ArraySlice<UInt8>,
        fields: [HTTP2ResponseField],
        body: [UInt8],
        shape: HTTP2ResponseShape? = nil
    ) {
        guard let open = unsafe self.stream(stream) else { return }
        var provider = unsafe nghttp2_data_provider(
            source: nghttp2_data_source(fd: 0),
            read_callback: HTTP2Callbacks.readBody
        )
        var hasBody = !body.isEmpty
        if let shape {
            hasBody = hasBody || shape.ending != .lastFrame
            let frames = max(1, shape.dataFrames)
            unsafe open.pointee.pieceBytes = max(1, body.count / frames + (body.count % frames == 0 ? 0 : 1))
            unsafe open.pointee.ending = shape.ending
        }
        if hasBody {
            unsafe open.pointee.responseBody = body
            unsafe open.pointee.responseOffset = 0
        }
        unsafe withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: fields.count + 1) { list in
            unsafe HTTP2ResponseField.fill(list, at: 0, status: status, fields: fields) { filled in
                _ = unsafe withUnsafePointer(to: &provider) { provider in
                    unsafe nghttp2_submit_response(
                        session,
                        stream,
                        filled.baseAddress,
                        filled.count,
                        hasBody ? provider : nil
                    )
                }
            }
        }
    }

    /// How many streams may be open at once, as last announced.
    public var maximumConcurrentStreams: UInt32 { unsafe state.pointee.limit.current }

    /// Announces another number of streams that may be open at once; streams above it are refused from now on.
    ///
    /// Where the limit is not enforced, they are served all the same.
    public func setMaximumConcurrentStreams(_ maximum: UInt32, isEnforced: Bool = true) {
        unsafe state.pointee.limit.announce(maximum)
        unsafe state.pointee.limit.isEnforced = isEnforced
        try? submit([(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, HTTP2StreamLimit.none)])
    }

    /// Ends a stream without an answer.
    public func resetStream(_ stream: Int32, errorCode: UInt32) {
        _ = unsafe nghttp2_submit_rst_stream(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, errorCode)
    }

    /// Sends an informational answer, after which the answer itself still has to come.
    public func inform(_ stream: Int32, status: ArraySlice<UInt8>) {
        guard unsafe self.stream(stream) != nil else { return }
        unsafe withUnsafeTemporaryAllocation(of: nghttp2_nv.self, capacity: 1) { list in
            unsafe HTTP2ResponseField.fill(list, at: 0, status: status, fields: []) { filled in
                _ = unsafe nghttp2_submit_headers(
                    session,
                    UInt8(NGHTTP2_FLAG_NONE.rawValue),
                    stream,
                    nil,
                    filled.baseAddress,
                    filled.count,
                    nil
                )
            }
        }
    }

    /// Opens windows again by so many bytes of a stream; for a session that does not do so by itself.
    public func consume(_ bytes: Int, of stream: Int32) {
        _ = unsafe nghttp2_session_consume(session, stream, bytes)
    }

    /// Sends GOAWAY behind what is ready; which streams are served afterwards is the delegate's choice.
    ///
    /// - Source: RFC 9113, section 6.8
    public func goAway(lastStream: Int32, errorCode: UInt32, debugData: [UInt8]) {
        let data = debugData.prefix(Int(settings.maximumFrameSize) - 8)
        let length = UInt32(8 + data.count)
        var frame: [UInt8] = [UInt8(length >> 16), UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)]
        frame += [UInt8(NGHTTP2_GOAWAY.rawValue), 0, 0, 0, 0, 0]
        for number in [UInt32(max(0, lastStream)), errorCode] {
            frame += [24, 16, 8, 0].map { UInt8(number >> $0 & 0xFF) }
        }
        unsafe state.pointee.ownFrames += frame + data
    }

    // MARK: - Called by the callbacks

    /// Takes a new stream; false when it is one too many.
    func beginStream(_ id: Int32) -> Bool {
        guard unsafe state.pointee.limit.open() else {
            resetStream(id, errorCode: Self.refusedStream)
            delegate.refused(stream: id, knewLimit: unsafe state.pointee.limit.isAcknowledged)
            return false
        }
        let stream = unsafe state.pointee.pool.take(id)
        unsafe state.pointee.scratch = state.pointee.scratch.begun(for: stream)
        unsafe state.pointee.rules = HTTP2FieldRules()
        _ = unsafe nghttp2_session_set_stream_user_data(session, id, stream)
        return true
    }

    func settingsAcknowledged() { unsafe state.pointee.limit.acknowledged() }

    func beginTrailers() { unsafe state.pointee.rules = HTTP2FieldRules(areTrailers: true) }

    /// Takes one field of the header list that is being read; false when its stream is reset over it.
    func takeField(
        stream id: Int32,
        name: UnsafeBufferPointer<UInt8>,
        value: UnsafeBufferPointer<UInt8>
    ) -> Bool {
        if let why = unsafe state.pointee.rules.check(name: name, value: value) {
            refuse(id, why)
            return false
        }
        if unsafe state.pointee.rules.areTrailers { return true }
        guard unsafe state.pointee.scratch.append(name: name, value: value) else {
            unsafe stream(id)?.pointee.isRefused = true
            resetStream(id, errorCode: Self.enhanceYourCalm)
            return false
        }
        return true
    }

    func appendBody(stream id: Int32, chunk: UnsafeBufferPointer<UInt8>) {
        if let stream = unsafe stream(id) {
            unsafe stream.pointee.append(chunk)
            if let length = unsafe stream.pointee.contentLength, unsafe stream.pointee.bodyCount > length {
                refuse(id, Self.wrongLength)
            }
        }
        if let deviations = unsafe state.pointee.deviations, !deviations.opensWindows {
            delegate.received(bytes: chunk.count, of: id)
        }
    }

    func frameEnded(stream id: Int32, endsHeaders: Bool, endsStream: Bool) {
        guard let stream = unsafe stream(id), unsafe !stream.pointee.isRefused else { return }
        if endsHeaders, unsafe stream.pointee.hasHeaders, !endsStream {
            return refuse(id, "trailers do not end the stream")
        }
        if endsHeaders, unsafe !stream.pointee.hasHeaders {
            unsafe stream.pointee.hasHeaders = true
            if let defect = unsafe state.pointee.rules.defect { return refuse(id, defect) }
            unsafe stream.pointee.contentLength = state.pointee.rules.bodyLength
            unsafe stream.pointee.headers = state.pointee.recent.block(for: state.pointee.scratch)
        }
        guard endsStream, unsafe !stream.pointee.isDelivered, let headers = unsafe stream.pointee.headers
        else { return }
        if let length = unsafe stream.pointee.contentLength, unsafe stream.pointee.bodyCount != length {
            return refuse(id, Self.wrongLength)
        }
        unsafe stream.pointee.isDelivered = true
        unsafe state.pointee.openRequests += 1
        let request = unsafe HTTP2Request(
            stream: id,
            headers: headers,
            body: stream.pointee.body,
            bodyCount: stream.pointee.bodyCount
        )
        unsafe stream.pointee.headers = nil
        unsafe stream.pointee.body = []
        delegate.received(request)
    }

    func receivedInvalidFrame(stream id: Int32, code: Int32) {
        delegate.malformed(stream: id, why: HTTP2Error(code: code).text)
    }

    func endStream(_ id: Int32) {
        guard let stream = unsafe stream(id) else { return }
        let wasDelivered = unsafe stream.pointee.isDelivered
        _ = unsafe nghttp2_session_set_stream_user_data(session, id, nil)
        unsafe state.pointee.pool.giveBack(stream)
        unsafe state.pointee.limit.close()
        guard wasDelivered else { return }
        unsafe state.pointee.openRequests -= 1
        delegate.closed(stream: id)
    }

    /// Copies the next part of a response's body; nil when the stream is unknown.
    func readBody(stream id: Int32, into buffer: UnsafeMutableBufferPointer<UInt8>) -> BodyPart? {
        guard let stream = unsafe stream(id) else { return nil }
        let offset = unsafe stream.pointee.responseOffset
        let body = unsafe stream.pointee.responseBody
        let count = unsafe min(buffer.count, body.count - offset, stream.pointee.pieceBytes)
        _ = unsafe buffer.update(fromContentsOf: body[offset..<offset + count])
        unsafe stream.pointee.responseOffset = offset + count
        guard offset + count == body.count else { return .more(count) }
        switch unsafe stream.pointee.ending {
        case .lastFrame: return .last(count, endsStream: true)
        case .emptyFrame: return count == 0 ? .last(0, endsStream: true) : .more(count)
        case .never: return count == 0 ? BodyPart.none : .last(count, endsStream: false)
        case .trailers:
            submitTrailers(id)
            return .last(count, endsStream: false)
        }
    }

    // MARK: - Details

    private static let wrongLength = "the body has not the length that 'content-length' says"

    /// Resets a stream for what was sent on it, and never delivers it.
    private func refuse(_ id: Int32, _ why: String) {
        guard let stream = unsafe stream(id), unsafe !stream.pointee.isRefused else { return }
        unsafe stream.pointee.isRefused = true
        unsafe stream.pointee.headers = nil
        resetStream(id, errorCode: Self.protocolError)
        delegate.malformed(stream: id, why: why)
    }

    private var session: OpaquePointer? { unsafe state.pointee.session }

    private func stream(_ id: Int32) -> UnsafeMutablePointer<HTTP2Stream>? {
        unsafe nghttp2_session_get_stream_user_data(session, id)?.assumingMemoryBound(to: HTTP2Stream.self)
    }

    private func submit(_ values: [(nghttp2_settings_id, UInt32)]) throws(HTTP2Error) {
        let entries = values.map { nghttp2_settings_entry(settings_id: Int32($0.0.rawValue), value: $0.1) }
        let result = unsafe nghttp2_submit_settings(
            session,
            UInt8(NGHTTP2_FLAG_NONE.rawValue),
            entries,
            entries.count
        )
        guard result == 0 else { throw HTTP2Error(code: result) }
    }

    private func submitTrailers(_ stream: Int32) {
        let name: StaticString = "apns-trailer"
        var field = unsafe nghttp2_nv(
            name: UnsafeMutablePointer(mutating: name.utf8Start),
            value: UnsafeMutablePointer(mutating: name.utf8Start),
            namelen: name.utf8CodeUnitCount,
            valuelen: name.utf8CodeUnitCount,
            flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue)
        )
        _ = unsafe nghttp2_submit_trailer(session, stream, &field, 1)
    }
}
