/// A fault that strikes a push.
public struct APNsFault: Sendable, Equatable {
    /// What it does.
    public enum Effect: Sendable, Equatable {
        /// Answers with any status and reason; nothing is processed.
        case reject(status: Int, reason: String, timestampMilliseconds: Int64?)
        /// Resets the connection.
        case reset(isProcessed: Bool)
        /// Never answers; the connection ends after so many seconds.
        case timeout(isProcessed: Bool, seconds: Int)
        /// Answers later.
        case delay
        /// Sends GOAWAY: after the open streams were answered, or leaving them unprocessed.
        case goAway(isProcessed: Bool, APNsGoAway)
    }

    /// The rule that fired.
    public let ruleId: String
    /// What it does.
    public let effect: Effect
    /// How long the answer, or the effect, waits.
    public let delayMilliseconds: Int

    /// A fault.
    public init(ruleId: String, effect: Effect, delayMilliseconds: Int = 0) {
        self.ruleId = ruleId
        self.effect = effect
        self.delayMilliseconds = delayMilliseconds
    }

    /// Whether the gateway processes the push in spite of it.
    var isProcessed: Bool {
        switch effect {
        case .reject: false
        case .delay: true
        case .reset(let isProcessed), .timeout(let isProcessed, _), .goAway(let isProcessed, _): isProcessed
        }
    }

    /// Whether an answer is sent.
    var isAnswered: Bool {
        switch effect {
        case .reject, .delay: true
        case .reset, .timeout: false
        case .goAway(let isProcessed, _): isProcessed
        }
    }
}

/// A GOAWAY frame.
public struct APNsGoAway: Sendable, Equatable {
    /// The reason in its debug data; none leaves the data empty.
    public let reason: String?
    /// The error code.
    public let code: UInt32
    /// The last stream it names; nil for the last one processed.
    public let lastStream: Int32?

    /// A frame.
    public init(reason: String?, code: UInt32, lastStream: Int32?) {
        self.reason = reason
        self.code = code
        self.lastStream = lastStream
    }
}
