import FaultRules
import HTTP2Session

/// What faults have made of one connection.
final class ConnectionTrouble {
    /// The SETTINGS it begins with; nil for the ordinary ones.
    var settings: HTTP2Settings?
    /// How its session departs from what is right.
    var deviations: HTTP2Deviations?
    /// After how long windows open again; nil for never, and of no matter while they do so by themselves.
    var windowMilliseconds: Int?
    /// What is done once HTTP/2 has begun.
    var whenBegun: (() -> Void)?
    /// Requests on higher streams are not served.
    var lastStream = Int32.max
    /// What becomes of those.
    var newStreams = GoAwayForm.NewStreams.ignore
    /// Higher streams get no answer any more.
    var lastAnswered = Int32.max
    /// What becomes of streams above the limit; nil for what becomes of them anyway.
    var overLimit: StreamLimit.OverLimit?
    /// Open streams that are never answered.
    var passedOver: Set<Int32> = []
    /// How the connection ends once all others are answered.
    var ending: GoAwayForm?

    /// What is done once HTTP/2 has begun, to be done once.
    func takeBegin() -> (() -> Void)? {
        defer { whenBegun = nil }
        return whenBegun
    }
}
