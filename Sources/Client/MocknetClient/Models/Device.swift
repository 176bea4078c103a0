public import Foundation

/// A simulated device with the app on it.
public struct Device: Sendable, Codable {
    /// What other calls name it by, beside its name.
    public let id: String
    /// What the world calls it.
    public let name: String
    /// Its token for pushes; nil without the app.
    public let token: String?
    /// The address of who is signed in.
    public let owner: String?
    /// `as-deployed` or `ordered`.
    public let behaviour: String
    /// Whether it has a network.
    public let online: Bool
    /// Whether its user permits notifications.
    public let notifications: Bool
    /// Whether the app believes that the notification service knows it.
    public let believesRegistered: Bool
    /// Deregistrations that failed and are kept for another try.
    public let queuedRemovals: Int
    /// When a push last came.
    public let lastDeliveredAt: Date?
    /// Pushes for it that were lost since.
    public let lostSinceDelivery: Int
    /// What it has shown, the oldest first.
    public let banners: [Banner]

    /// A notification on its screen.
    public struct Banner: Sendable, Codable {
        /// When it was shown.
        public let at: Date
        /// The transaction it tells of.
        public let transactionId: String?
        /// The first line.
        public let title: String
        /// The decrypted text, or the push's own.
        public let body: String
        /// Whether it shows the push's own text, since the transaction could not be had.
        public let fallback: Bool
        /// Whether it made no sound.
        public let silent: Bool
    }
}

/// How a test push ended.
public struct TestPush: Sendable, Codable {
    /// `shown` or `lost`.
    public let outcome: String
    /// The message that was sent.
    public let transactionId: String?
    /// Real time from the call to the banner.
    public let afterMilliseconds: Int?
    /// The first station that it did not come by.
    public let lostAt: String?
    /// The cause as a code.
    public let causeCode: String?
    /// The cause in words.
    public let cause: String?
}
