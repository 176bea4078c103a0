/// A set of rules, in their order.
public struct APNsRuleSet: Sendable, Equatable {
    private var bits: UInt64 = 0

    /// No rule.
    public init() {}

    /// A set of rules.
    init(_ rules: [APNsRule]) {
        for rule in rules { insert(rule) }
    }

    /// Adds a rule.
    public mutating func insert(_ rule: APNsRule) { bits |= 1 << UInt64(rule.rawValue) }
    /// Takes a rule out.
    public mutating func remove(_ rule: APNsRule) { bits &= ~(1 << UInt64(rule.rawValue)) }
    /// Whether a rule is in the set.
    public func contains(_ rule: APNsRule) -> Bool { bits & 1 << UInt64(rule.rawValue) != 0 }
    /// Whether no rule is in both sets.
    func isDisjoint(with other: APNsRuleSet) -> Bool { bits & other.bits == 0 }
    /// The rule that comes first in Apple's order.
    public var first: APNsRule? {
        bits == 0 ? nil : APNsRule(rawValue: UInt8(truncatingIfNeeded: bits.trailingZeroBitCount))
    }
    /// The rules in Apple's order.
    public var rules: [APNsRule] { APNsRule.allCases.filter(contains) }

    /// The rule that decides in the order of a profile.
    public func first(in profile: APNsProfile) -> APNsRule? {
        guard profile != .apple, bits != 0 else { return first }
        return profile.order.first(where: contains) ?? first
    }
}
