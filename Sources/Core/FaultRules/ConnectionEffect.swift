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

/// How a connection goes away.
public struct GoAwayForm: Sendable, Equatable {
    /// The stream that is named as the last one processed.
    public enum Last: Sendable, Equatable {
        /// The last one processed in truth.
        case processed
        /// The highest number there is.
        case max
        /// One below the push that is struck, which is then not answered.
        case lower
        /// A number.
        case stream(Int32)
    }

    /// The debug data of the frame.
    public enum Data: Sendable, Equatable {
        /// None.
        case empty
        /// A JSON object with a reason.
        case reason(String)
        /// Text as it stands.
        case text(String)
    }

    /// How the connection ends.
    public enum Ending: String, Sendable, CaseIterable {
        /// In order.
        case close
        /// By RST.
        case reset
        /// Not at all.
        case keepOpen = "keep-open"
    }

    /// What becomes of streams that are opened afterwards.
    public enum NewStreams: String, Sendable, CaseIterable {
        /// They are passed over in silence.
        case ignore
        /// They are reset with REFUSED_STREAM.
        case refuse
    }

    /// The last stream.
    public var last = Last.processed
    /// The error code.
    public var code: UInt32 = 0
    /// The debug data.
    public var data = Data.empty
    /// How long the connection stays after the frame and the last answer.
    public var lingerMilliseconds = 0
    /// How it ends then.
    public var ending = Ending.close
    /// Whether a second frame without debug data follows at once.
    public var isDouble = false
    /// What becomes of later streams.
    public var newStreams = NewStreams.ignore

    /// A connection that goes away in order, without a reason.
    public init() {}
}
