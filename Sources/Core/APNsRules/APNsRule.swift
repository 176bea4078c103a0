/// A check of the gateway, in the order in which the first to fail decides.
///
/// - Source: assumed, since Apple publishes no order; it says only that credentials are checked before the device token
public enum APNsRule: UInt8, Sendable, CaseIterable {
    /// An injected fault took the place of the checks.
    case fault
    /// The method is `POST`.
    case method
    /// The path is `/3/device/<token>`.
    case path
    /// The path holds a token.
    case tokenMissing
    /// No `apns-` header and no `authorization` twice.
    case duplicateHeaders
    /// There is a bearer token or a client certificate.
    case providerMissing
    /// The provider token is well-formed.
    case providerInvalid
    /// The connection's first team is the token's.
    case providerTeam
    /// The provider token is at most an hour old.
    case providerExpired
    /// `apns-id` is a UUID.
    case id
    /// `apns-expiration` is an integer.
    case expiration
    /// `apns-priority` is 1, 5 or 10.
    case priority
    /// `apns-collapse-id` has at most 64 bytes.
    case collapseId
    /// `apns-push-type` is a known one.
    case pushType
    /// There is an `apns-topic`.
    case topicMissing
    /// `apns-topic` has the form of a bundle id.
    case topicInvalid
    /// There is a body.
    case payloadEmpty
    /// The body is within the limit.
    case payloadSize
    /// The body is a JSON object.
    case payloadForm
    /// The device token consists of hexadecimal digits.
    case tokenMalformed
    /// The device token was never declared bad.
    case tokenBad
    /// The device token belongs to this environment.
    case tokenEnvironment
    /// The device token was issued, where tokens are `strict`.
    case tokenUnknown
    /// The device token is registered.
    case tokenUnregistered
    /// The device token has not expired.
    case tokenExpired
    /// The device token was issued for the topic.
    case tokenTopic
    /// The device token got fewer pushes than the rate allows.
    case tokenRate
    /// Nothing speaks against the push.
    case accepted

    /// The rule's name in records.
    public var name: String {
        switch self {
        case .fault: "fault"
        case .method: "method"
        case .path: "path"
        case .tokenMissing: "token.missing"
        case .duplicateHeaders: "headers.duplicate"
        case .providerMissing: "provider.missing"
        case .providerInvalid: "provider.invalid"
        case .providerTeam: "provider.team"
        case .providerExpired: "provider.expired"
        case .id: "id"
        case .expiration: "expiration"
        case .priority: "priority"
        case .collapseId: "collapse-id"
        case .pushType: "push-type"
        case .topicMissing: "topic.missing"
        case .topicInvalid: "topic.invalid"
        case .payloadEmpty: "payload.empty"
        case .payloadSize: "payload.size"
        case .payloadForm: "payload.form"
        case .tokenMalformed: "token.malformed"
        case .tokenBad: "token.bad"
        case .tokenEnvironment: "token.environment"
        case .tokenUnknown: "token.unknown"
        case .tokenUnregistered: "token.unregistered"
        case .tokenExpired: "token.expired"
        case .tokenTopic: "token.topic"
        case .tokenRate: "token.rate"
        case .accepted: "accepted"
        }
    }

    /// The rule of a name.
    public init?(name: String) {
        guard let rule = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = rule
    }

    /// What a failed check is answered with; nil for ``fault`` and ``accepted``.
    public var reason: APNsReason? {
        switch self {
        case .fault, .accepted: nil
        case .method: .methodNotAllowed
        case .path: .badPath
        case .tokenMissing: .missingDeviceToken
        case .duplicateHeaders: .duplicateHeaders
        case .providerMissing: .missingProviderToken
        case .providerInvalid, .providerTeam: .invalidProviderToken
        case .providerExpired: .expiredProviderToken
        case .id: .badMessageId
        case .expiration: .badExpirationDate
        case .priority: .badPriority
        case .collapseId: .badCollapseId
        case .pushType: .invalidPushType
        case .topicMissing: .missingTopic
        case .topicInvalid: .badTopic
        case .payloadEmpty, .payloadForm: .payloadEmpty
        case .payloadSize: .payloadTooLarge
        case .tokenMalformed, .tokenBad, .tokenEnvironment, .tokenUnknown: .badDeviceToken
        case .tokenUnregistered: .unregistered
        case .tokenExpired: .expiredToken
        case .tokenTopic: .deviceTokenNotForTopic
        case .tokenRate: .tooManyRequests
        }
    }
}

/// A set of rules, in their order.
public struct APNsRuleSet: Sendable, Equatable {
    private var bits: UInt32 = 0

    /// No rule.
    public init() {}

    /// Adds a rule.
    public mutating func insert(_ rule: APNsRule) { bits |= 1 << UInt32(rule.rawValue) }
    /// Takes a rule out.
    public mutating func remove(_ rule: APNsRule) { bits &= ~(1 << UInt32(rule.rawValue)) }
    /// Whether a rule is in the set.
    public func contains(_ rule: APNsRule) -> Bool { bits & 1 << UInt32(rule.rawValue) != 0 }
    /// The rule that comes first.
    public var first: APNsRule? {
        bits == 0 ? nil : APNsRule(rawValue: UInt8(truncatingIfNeeded: bits.trailingZeroBitCount))
    }
    /// The rules in their order.
    public var rules: [APNsRule] { APNsRule.allCases.filter(contains) }
}
