/// How a session departs on purpose from what a server owes its client.
public struct HTTP2Deviations: Sendable, Equatable {
    /// Whether SETTINGS are sent, acknowledgements included.
    public var sendsSettings = true
    /// Whether PING is answered.
    public var answersPings = true
    /// Whether windows open again by themselves; else by ``HTTP2Session/consume(_:of:)``.
    public var opensWindows = true

    /// A session that departs in nothing.
    public init() {}

    private static let headBytes = 9
    private static let settings: UInt8 = 4
    private static let ping: UInt8 = 6
    private static let acknowledgement: UInt8 = 1
    private static let maximumConcurrentStreams: UInt8 = 3

    /// Appends a frame as it goes out, or not.
    ///
    /// - Source: RFC 9113, sections 4.1, 6.5.1 and 6.7
    func append(_ frame: UnsafeBufferPointer<UInt8>, to buffer: inout [UInt8]) {
        guard frame.count >= Self.headBytes else { return unsafe buffer.append(contentsOf: frame) }
        let (type, flags) = unsafe (frame[3], frame[4])
        if type == Self.settings, !sendsSettings { return }
        if type == Self.ping, flags & Self.acknowledgement != 0, !answersPings { return }
        let start = buffer.count + Self.headBytes
        unsafe buffer.append(contentsOf: frame)
        guard type == Self.settings else { return }
        for entry in stride(from: start, to: buffer.count - 5, by: 6)
        where buffer[entry] == 0 && buffer[entry + 1] == Self.maximumConcurrentStreams {
            buffer[entry + 2] &= ~UInt8(HTTP2Settings.unenforced >> 24)
        }
    }
}
