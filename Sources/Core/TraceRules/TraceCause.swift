/// Why a transaction went no further.
public struct TraceCause: Hashable, Sendable {
    /// The kinds of causes; raw values are the `causeCode`s of the control API.
    public enum Code: String, Sendable, CaseIterable {
        // Up to the chain.
        case refused
        case postLost = "post-lost"
        case held
        case notForged = "not-forged"
        case dropped
        case reverted
        // Up to the service.
        case notPolled = "not-polled"
        case serviceSilent = "service-silent"
        case pollFailed = "poll-failed"
        case laggingNode = "lagging-node"
        case askedAbove = "asked-above"
        case askedBelow = "asked-below"
        case otherList = "other-list"
        case otherPage = "other-page"
        case signalIgnored = "signal-ignored"
        // Up to APNs.
        case noPushExpected = "no-push-expected"
        case notRegistered = "not-registered"
        case registeredLater = "registered-later"
        case removed
        case registrationRefused = "registration-refused"
        case registrationHeld = "registration-held"
        case registrationSkipped = "registration-skipped"
        case registeredElsewhere = "registered-elsewhere"
        case signalUnreadable = "signal-unreadable"
        case registryUnknown = "registry-unknown"
        case registrationUnread = "registration-unread"
        case batchOrder = "batch-order"
        case tokenDropped = "token-dropped"
        case otherProvider = "other-provider"
        case serviceDied = "service-died"
        case otherToken = "other-token"
        case notPushed = "not-pushed"
        // Up to the device.
        case tokenRefused = "token-refused"
        case pushRefused = "push-refused"
        case pushLost = "push-lost"
        case noDevice = "no-device"
        case stored, throttled, discarded, expired, replaced
        // On the device.
        case fetchFailed = "fetch-failed"
        case notFetched = "not-fetched"
        case otherAccount = "other-account"
        case notShown = "not-shown"
    }

    /// The kind.
    public let code: Code
    /// The cause in words.
    public let text: String
    /// Whether it cannot go further any more.
    public let isFinal: Bool

    /// A cause.
    public init(_ code: Code, _ text: String, isFinal: Bool) {
        self.code = code
        self.text = text
        self.isFinal = isFinal
    }
}
