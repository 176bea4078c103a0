/// A reason of Apple's table with its status.
///
/// - Source: Apple, Handling notification responses from APNs
public enum APNsReason: String, Sendable, CaseIterable {
    /// `BadCollapseId`
    case badCollapseId = "BadCollapseId"
    /// `BadDeviceToken`
    case badDeviceToken = "BadDeviceToken"
    /// `BadExpirationDate`
    case badExpirationDate = "BadExpirationDate"
    /// `BadMessageId`
    case badMessageId = "BadMessageId"
    /// `BadPriority`
    case badPriority = "BadPriority"
    /// `BadTopic`
    case badTopic = "BadTopic"
    /// `DeviceTokenNotForTopic`
    case deviceTokenNotForTopic = "DeviceTokenNotForTopic"
    /// `DuplicateHeaders`
    case duplicateHeaders = "DuplicateHeaders"
    /// `IdleTimeout`
    case idleTimeout = "IdleTimeout"
    /// `InvalidPushType`
    case invalidPushType = "InvalidPushType"
    /// `MissingDeviceToken`
    case missingDeviceToken = "MissingDeviceToken"
    /// `MissingTopic`
    case missingTopic = "MissingTopic"
    /// `PayloadEmpty`
    case payloadEmpty = "PayloadEmpty"
    /// `TopicDisallowed`
    case topicDisallowed = "TopicDisallowed"
    /// `BadCertificate`
    case badCertificate = "BadCertificate"
    /// `BadCertificateEnvironment`
    case badCertificateEnvironment = "BadCertificateEnvironment"
    /// `ExpiredProviderToken`
    case expiredProviderToken = "ExpiredProviderToken"
    /// `Forbidden`
    case forbidden = "Forbidden"
    /// `InvalidProviderToken`
    case invalidProviderToken = "InvalidProviderToken"
    /// `MissingProviderToken`
    case missingProviderToken = "MissingProviderToken"
    /// `UnrelatedKeyIdInToken`
    case unrelatedKeyIdInToken = "UnrelatedKeyIdInToken"
    /// `BadEnvironmentKeyInToken`, as on the wire; Apple's page spells it `BadEnvironmentKeyIdInToken`.
    case badEnvironmentKeyInToken = "BadEnvironmentKeyInToken"
    /// `BadPath`
    case badPath = "BadPath"
    /// `MethodNotAllowed`
    case methodNotAllowed = "MethodNotAllowed"
    /// `ExpiredToken`
    case expiredToken = "ExpiredToken"
    /// `Unregistered`
    case unregistered = "Unregistered"
    /// `PayloadTooLarge`
    case payloadTooLarge = "PayloadTooLarge"
    /// `TooManyProviderTokenUpdates`
    case tooManyProviderTokenUpdates = "TooManyProviderTokenUpdates"
    /// `TooManyRequests`
    case tooManyRequests = "TooManyRequests"
    /// `InternalServerError`
    case internalServerError = "InternalServerError"
    /// `ServiceUnavailable`
    case serviceUnavailable = "ServiceUnavailable"
    /// `Shutdown`
    case shutdown = "Shutdown"

    /// The HTTP status that carries the reason.
    public var status: Int {
        switch self {
        case .badCollapseId, .badDeviceToken, .badExpirationDate, .badMessageId, .badPriority, .badTopic,
            .deviceTokenNotForTopic, .duplicateHeaders, .idleTimeout, .invalidPushType, .missingDeviceToken,
            .missingTopic, .payloadEmpty, .topicDisallowed:
            400
        case .badCertificate, .badCertificateEnvironment, .expiredProviderToken, .forbidden,
            .invalidProviderToken, .missingProviderToken, .unrelatedKeyIdInToken, .badEnvironmentKeyInToken:
            403
        case .badPath: 404
        case .methodNotAllowed: 405
        case .expiredToken, .unregistered: 410
        case .payloadTooLarge: 413
        case .tooManyProviderTokenUpdates, .tooManyRequests: 429
        case .internalServerError: 500
        case .serviceUnavailable, .shutdown: 503
        }
    }
}
