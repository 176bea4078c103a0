/// A check of the gateway, in the order in which the first to fail decides.
///
/// - Source: assumed, since Apple publishes no order; it says only that credentials are checked before the device token
public enum APNsRule: UInt8, Sendable, CaseIterable {
    /// An injected fault took the place of the checks.
    case fault
    /// The service is not set to fail.
    case serviceFailing
    /// The service is not set to be unavailable.
    case serviceUnavailable
    /// The service is not set to be shutting down.
    case serviceShutdown
    /// The method is `POST`.
    case method
    /// The path is `/3/device/<token>`.
    case path
    /// The path holds a token.
    case tokenMissing
    /// No `apns-` header and no `authorization` twice.
    case duplicateHeaders
    /// The client certificate is trusted, within its time, and names a topic.
    case certificateInvalid
    /// The client certificate is for this environment.
    case certificateEnvironment
    /// There is a bearer token or a client certificate.
    case providerMissing
    /// The provider token has not changed more often than allowed.
    case providerUpdates
    /// The provider token is well-formed, and the key's where keys are registered.
    case providerInvalid
    /// The connection's first team is the token's.
    case providerTeam
    /// The provider token is at most an hour old.
    case providerExpired
    /// The provider token's key is for this environment.
    case providerEnvironment
    /// The provider token's key goes with the connection's first.
    case providerUnrelated
    /// The account of the provider token's key is not disabled.
    case providerForbidden
    /// `apns-id` is a UUID.
    case id
    /// `apns-expiration` is an integer.
    case expiration
    /// `apns-priority` is 1, 5 or 10.
    case priority
    /// A push of type `background` has priority 5; checked where it is `strict`.
    case backgroundPriority
    /// `apns-collapse-id` has at most 64 bytes.
    case collapseId
    /// `apns-push-type` is a known one.
    case pushType
    /// There is an `apns-topic`.
    case topicMissing
    /// `apns-topic` has the form of a bundle id.
    case topicInvalid
    /// The topic is one of the client certificate's.
    case topicCertificate
    /// The provider token's key may push to the topic, and the credential may push this type.
    case topicDisallowed
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
    /// The topic ends as the push type wants it; checked where it is `strict`.
    case topicSuffix
    /// The device token got fewer pushes than the rate allows.
    case tokenRate
    /// Nothing speaks against the push.
    case accepted

    /// The rule's name in records.
    public var name: String {
        switch self {
        case .fault: "fault"
        case .serviceFailing: "service.failing"
        case .serviceUnavailable: "service.unavailable"
        case .serviceShutdown: "service.shutdown"
        case .method: "method"
        case .path: "path"
        case .tokenMissing: "token.missing"
        case .duplicateHeaders: "headers.duplicate"
        case .certificateInvalid: "certificate.invalid"
        case .certificateEnvironment: "certificate.environment"
        case .providerMissing: "provider.missing"
        case .providerUpdates: "provider.updates"
        case .providerInvalid: "provider.invalid"
        case .providerTeam: "provider.team"
        case .providerExpired: "provider.expired"
        case .providerEnvironment: "provider.environment"
        case .providerUnrelated: "provider.unrelated"
        case .providerForbidden: "provider.forbidden"
        case .id: "id"
        case .expiration: "expiration"
        case .priority: "priority"
        case .backgroundPriority: "priority.background"
        case .collapseId: "collapse-id"
        case .pushType: "push-type"
        case .topicMissing: "topic.missing"
        case .topicInvalid: "topic.invalid"
        case .topicCertificate: "topic.certificate"
        case .topicDisallowed: "topic.disallowed"
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
        case .topicSuffix: "topic.suffix"
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
        case .serviceFailing: .internalServerError
        case .serviceUnavailable: .serviceUnavailable
        case .serviceShutdown: .shutdown
        case .method: .methodNotAllowed
        case .path: .badPath
        case .tokenMissing: .missingDeviceToken
        case .duplicateHeaders: .duplicateHeaders
        case .certificateInvalid: .badCertificate
        case .certificateEnvironment: .badCertificateEnvironment
        case .providerMissing: .missingProviderToken
        case .providerUpdates: .tooManyProviderTokenUpdates
        case .providerInvalid, .providerTeam: .invalidProviderToken
        case .providerExpired: .expiredProviderToken
        case .providerEnvironment: .badEnvironmentKeyInToken
        case .providerUnrelated: .unrelatedKeyIdInToken
        case .providerForbidden: .forbidden
        case .id: .badMessageId
        case .expiration: .badExpirationDate
        case .priority, .backgroundPriority: .badPriority
        case .collapseId: .badCollapseId
        case .pushType: .invalidPushType
        case .topicMissing: .missingTopic
        case .topicInvalid, .topicCertificate: .badTopic
        case .topicDisallowed: .topicDisallowed
        case .payloadEmpty, .payloadForm: .payloadEmpty
        case .payloadSize: .payloadTooLarge
        case .tokenMalformed, .tokenBad, .tokenEnvironment, .tokenUnknown: .badDeviceToken
        case .tokenUnregistered: .unregistered
        case .tokenExpired: .expiredToken
        case .tokenTopic, .topicSuffix: .deviceTokenNotForTopic
        case .tokenRate: .tooManyRequests
        }
    }
}
