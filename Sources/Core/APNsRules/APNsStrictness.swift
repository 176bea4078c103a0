/// A set of checks that are made although Apple is not known to make them.
public struct APNsStrictness: Sendable, Equatable {
    /// One check.
    public enum Check: String, Sendable, CaseIterable {
        /// Provider tokens have a raw signature, base64 for URLs, an integer `iat` and an `alg`.
        case providerToken = "provider-token"
        /// The topic ends as the push type wants it.
        case topicSuffix = "topic-suffix"
        /// A push of type `background` has priority 5.
        case backgroundPriority = "background-priority"
        /// Device tokens have 64 digits.
        case tokenLength = "token-length"
    }

    private var bits: UInt8 = 0

    /// A set of checks.
    public init(_ checks: [Check] = []) {
        for check in checks { bits |= Self.bit(check) }
    }

    /// Whether a check is made.
    public func contains(_ check: Check) -> Bool { bits & Self.bit(check) != 0 }
    /// Whether none is made.
    public var isEmpty: Bool { bits == 0 }
    /// The checks, in order.
    public var checks: [Check] { Check.allCases.filter(contains) }

    private static func bit(_ check: Check) -> UInt8 {
        switch check {
        case .providerToken: 1
        case .topicSuffix: 2
        case .backgroundPriority: 4
        case .tokenLength: 8
        }
    }
}
