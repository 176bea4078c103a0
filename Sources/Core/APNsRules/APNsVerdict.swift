import JSONValue

/// How a push was judged.
public struct APNsVerdict: Sendable, Equatable {
    /// The status.
    public var status: Int
    /// The reason of a refusal.
    public var reason: String?
    /// Unix milliseconds since when a 410 holds.
    public var timestamp: Int64?
    /// The rule that decided.
    public var rule: APNsRule
    /// The other rules that would have refused it.
    public var alsoWouldHave: APNsRuleSet

    /// A verdict.
    public init(
        status: Int,
        reason: String? = nil,
        timestamp: Int64? = nil,
        rule: APNsRule,
        alsoWouldHave: APNsRuleSet = APNsRuleSet()
    ) {
        self.status = status
        self.reason = reason
        self.timestamp = timestamp
        self.rule = rule
        self.alsoWouldHave = alsoWouldHave
    }

    /// The verdict that a set of failed rules gives.
    init(fired: APNsRuleSet, settings: APNsSettings, timestamp: Int64?) {
        guard let rule = fired.first(in: settings.profile), let reason = rule.reason else {
            self.init(status: 200, rule: .accepted)
            return
        }
        var others = fired
        others.remove(rule)
        self.init(
            status: reason.status,
            reason: rule == .providerEnvironment ? settings.environmentReason.rawValue : reason.rawValue,
            timestamp: reason.status == 410 ? timestamp : nil,
            rule: rule,
            alsoWouldHave: others
        )
    }
}
