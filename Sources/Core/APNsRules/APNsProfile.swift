/// An order in which the checks decide.
public enum APNsProfile: String, Sendable, CaseIterable {
    /// The most plausible order at Apple: credentials before everything that needs them.
    case apple
    /// The order of Pushy's mock server, with credentials late, so that a suite can tell whether it relies on one.
    case pushy

    /// The rules that come first, in order; the others follow in Apple's.
    ///
    /// - Source: pushy:server/ValidatingPushNotificationHandler.java
    var order: [APNsRule] {
        switch self {
        case .apple: []
        case .pushy: Self.pushyOrder
        }
    }

    private static let pushyOrder: [APNsRule] = [
        .fault, .serviceFailing, .serviceUnavailable, .serviceShutdown,
        .id, .method, .topicMissing, .collapseId, .priority, .backgroundPriority, .pushType,
        .tokenMissing, .tokenMalformed, .tokenBad, .tokenEnvironment, .tokenUnknown,
        .tokenUnregistered, .tokenExpired, .tokenTopic, .topicSuffix, .path,
        .certificateInvalid, .certificateEnvironment, .providerMissing, .providerInvalid, .providerTeam,
        .providerExpired, .providerEnvironment, .providerUnrelated, .providerForbidden, .providerUpdates,
        .topicInvalid, .topicCertificate, .topicDisallowed,
        .payloadEmpty, .payloadForm, .payloadSize,
    ]
}
