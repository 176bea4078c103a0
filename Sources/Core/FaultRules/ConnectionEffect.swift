/// What APNs does to a connection from its beginning.
public enum ConnectionEffect: Sendable, Equatable {
    /// TCP is accepted and TLS never answered; the connection ends after so many seconds.
    case stalledHandshake(seconds: Int)
    /// The connection ends without GOAWAY: right after the handshake, or once SETTINGS are sent.
    case end(isReset: Bool, afterSettings: Bool)
    /// GOAWAY follows SETTINGS.
    case goAway(GoAwayForm)
    /// SETTINGS name another number of streams, or none at all.
    case settings(StreamLimit?)
    /// SETTINGS are never sent.
    case noSettings
    /// PING is never answered.
    case silentPing
    /// Nothing is read or sent any more once there was no push for so long; it ends so many seconds later.
    case blackHole(idleMilliseconds: Int, seconds: Int)
    /// Small windows, which open again late, or never.
    case windows(initialBytes: UInt32, updateMilliseconds: Int?)
}

/// A limit of concurrent streams.
public struct StreamLimit: Sendable, Equatable {
    /// What becomes of streams over the limit.
    public enum OverLimit: String, Sendable, CaseIterable {
        /// They are reset with REFUSED_STREAM.
        case refuse
        /// The connection goes away with that code and Apple's text.
        case goAway = "goaway"
        /// They are served.
        case allow
    }

    /// The value in SETTINGS.
    public let streams: UInt32
    /// What becomes of streams over the limit.
    public let overLimit: OverLimit
}
