import Determinism

/// A fault that strikes a push, as far as it concerns how the push is judged and recorded.
public struct APNsFault: Sendable, Equatable {
    /// What it does.
    public enum Effect: Sendable, Equatable {
        /// Answers with any status and reason; nothing is processed.
        case reject(status: Int, reason: String?, timestamp: APNsFaultTimestamp?)
        /// Answers 200 and delivers nothing.
        case drop
        /// The push is judged as always and answered.
        case answered
        /// The answer is never sent.
        case unanswered(isProcessed: Bool)
    }

    /// The rule that fired.
    public let ruleId: String
    /// What it does.
    public let effect: Effect

    /// A fault.
    public init(ruleId: String, effect: Effect) {
        self.ruleId = ruleId
        self.effect = effect
    }

    /// Whether the gateway processes the push in spite of it.
    var isProcessed: Bool {
        switch effect {
        case .reject, .drop: false
        case .answered: true
        case .unanswered(let isProcessed): isProcessed
        }
    }

    /// Whether an answer is sent.
    var isAnswered: Bool {
        switch effect {
        case .reject, .drop, .answered: true
        case .unanswered: false
        }
    }

    /// What the push is answered where it is not processed.
    func verdict(alsoWouldHave fired: APNsRuleSet, now: Timestamp) -> APNsVerdict {
        guard case .reject(let status, let reason, let timestamp) = effect else {
            return APNsVerdict(status: 200, rule: .fault, alsoWouldHave: fired)
        }
        return APNsVerdict(
            status: status,
            reason: reason,
            timestamp: timestamp?.unixMilliseconds(now: now),
            rule: .fault,
            alsoWouldHave: fired
        )
    }
}

/// The timestamp of a refusal that a fault gives.
public struct APNsFaultTimestamp: Sendable, Equatable {
    /// The moment it names.
    public enum Moment: Sendable, Equatable {
        /// Unix milliseconds.
        case unixMilliseconds(Int64)
        /// So many seconds before now; a negative number lies ahead.
        case secondsAgo(Int64)
    }

    /// The moment.
    public let moment: Moment
    /// Whether the body names seconds in place of milliseconds.
    public let isInSeconds: Bool
    /// Whether the body has it as a text.
    public let isText: Bool

    /// A timestamp.
    public init(_ moment: Moment, isInSeconds: Bool = false, isText: Bool = false) {
        self.moment = moment
        self.isInSeconds = isInSeconds
        self.isText = isText
    }

    func unixMilliseconds(now: Timestamp) -> Int64 {
        switch moment {
        case .unixMilliseconds(let milliseconds): return milliseconds
        case .secondsAgo(let seconds):
            let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
            let (moment, isBeyond) = now.unixMilliseconds.subtractingReportingOverflow(milliseconds)
            return overflow || isBeyond ? 0 : moment
        }
    }

    /// The moment as the body spells it, in JSON.
    func spelled(_ unixMilliseconds: Int64) -> String {
        let number = String(isInSeconds ? unixMilliseconds / 1000 : unixMilliseconds)
        return isText ? "\"\(number)\"" : number
    }
}
