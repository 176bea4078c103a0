/// How a session departs on purpose from what a server owes its client.
public struct HTTP2Deviations: Sendable, Equatable {
    /// Whether SETTINGS are sent, acknowledgements included.
    public var sendsSettings = true
    /// Whether PING is answered.
    public var answersPings = true
    /// Whether windows open again by themselves; else by ``HTTP2Session/consume(_:of:)``.
    public var opensWindows = true

    /// Whether SETTINGS name the number of streams that may be open at once.
    public var namesStreamLimit = true
    /// Whether streams above that number are refused.
    public var enforcesStreamLimit = true

    /// A session that departs in nothing.
    public init() {}

    private static let headBytes = 9
    private static let settings: UInt8 = 4
    private static let ping: UInt8 = 6
    private static let acknowledgement: UInt8 = 1

    /// Whether a frame is kept from the client.
    ///
    /// - Source: RFC 9113, sections 4.1, 6.5 and 6.7
    func withholds(_ frame: UnsafeBufferPointer<UInt8>) -> Bool {
        guard frame.count >= Self.headBytes else { return false }
        switch unsafe frame[3] {
        case Self.settings: return !sendsSettings
        case Self.ping: return unsafe !answersPings && frame[4] & Self.acknowledgement != 0
        default: return false
        }
    }
}
