/// What APNs does to a push, to its answer, or to its connection from then on.
public enum PushEffect: Sendable, Equatable {
    /// The push is refused and not processed.
    case reject(PushRejection)
    /// The push is judged as always, and its answer takes another form.
    case answer(AnswerForm)
    /// The push is answered 200 and never delivered.
    case drop
    /// Its stream is reset.
    case resetStream(FaultMoment, code: UInt32)
    /// SETTINGS change the number of streams, then the push is answered as always.
    case settings(StreamLimit)
    /// The connection goes away by GOAWAY.
    case goAway(FaultMoment, GoAwayForm)
    /// The connection is closed in order, without GOAWAY.
    case close(FaultMoment)
    /// From then on nothing is read or sent on the connection, which ends after so many seconds.
    case blackHole(FaultMoment, seconds: Int)

    /// Whether APNs acts on the push in spite of it.
    public var isProcessed: Bool {
        switch self {
        case .reject, .drop: false
        case .answer, .settings: true
        case .resetStream(let moment, _), .goAway(let moment, _), .close(let moment),
            .blackHole(let moment, _):
            moment == .after
        }
    }

    /// Whether the push on a stream is answered.
    public func isAnswered(on stream: Int32) -> Bool {
        switch self {
        case .reject, .answer, .drop, .settings: true
        case .resetStream, .blackHole, .close: false
        case .goAway(.before, _): false
        case .goAway(.after, let form):
            switch form.last {
            case .processed, .max: true
            case .lower: false
            case .stream(let last): stream <= last
            }
        }
    }
}

/// A refusal of APNs.
public struct PushRejection: Sendable, Equatable {
    /// Since when a token is refused.
    public enum Since: Sendable, Equatable {
        /// A moment in Unix milliseconds.
        case unixMilliseconds(Int64)
        /// So many seconds before the world's time; a negative number lies ahead.
        case secondsAgo(Int64)
    }

    /// How the body spells the moment.
    public enum TimestampForm: String, Sendable, CaseIterable {
        /// As Apple does: a number of milliseconds.
        case milliseconds
        /// A number of seconds.
        case seconds
        /// Milliseconds as text.
        case text
    }

    /// The HTTP status.
    public var status: Int
    /// The reason; nil only where the form gives a body of its own.
    public var reason: String?
    /// What `timestamp` tells; nil for none.
    public var since: Since?
    /// How `timestamp` is spelled.
    public var timestampForm = TimestampForm.milliseconds
    /// How the answer is sent.
    public var form = AnswerForm()
}
