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
