public import Foundation

/// A request that APNs got, and what became of it.
public struct Push: Sendable, Codable {
    /// The number of its event; the next page begins after it.
    public let seq: Int
    /// What other calls name it by.
    public let id: String
    /// By the world's clock.
    public let receivedAt: Date
    /// `production` or `sandbox`.
    public let environment: String
    /// The number of its connection.
    public let connection: Int
    /// The device token of its path.
    public let token: String
    /// Its headers, names in lower case.
    public let headers: [String: String]
    /// Its payload; a text or null where it is no JSON object.
    public let payload: JSON
    /// The size of its payload.
    public let payloadBytes: Int
    /// The answer's status; nil where a fault kept the answer from being sent.
    public let status: Int?
    /// The answer's reason, such as `Unregistered`.
    public let reason: String?
    /// With a 410, since when the token is none, in milliseconds since 1970.
    public let timestamp: Int64?
    /// Its `apns-id`.
    public let apnsId: String?
    /// Which rule decided.
    public let verdict: Verdict
    /// The transaction that it tells of, its `txn-id`.
    public let transactionId: String?
    /// Its `push-recipient`.
    public let recipient: String?
    /// What became of it; nil for a token that no device of this world was given.
    public let delivery: Delivery?

    /// Why APNs answered so.
    public struct Verdict: Sendable, Codable {
        /// The rule that decided; nil where all were kept.
        public let rule: String?
        /// Others that would have refused it.
        public let alsoWouldHave: [String]
        /// What is odd about it, and no reason to refuse.
        public let lints: [JSON]
        /// The fault rule that struck it.
        public let faultId: String?
    }

    /// What became of an accepted push.
    public struct Delivery: Sendable, Codable {
        /// `delivered`, `stored`, `discarded`, `expired`, `collapsed`, `replaced`, `throttled` or `notDelivered`.
        public let state: String
        /// The device it is for.
        public let device: String?
        /// When it came to that.
        public let at: Date?
        /// Why.
        public let why: String?
    }
}

/// Which pushes are meant; members that are nil mean any.
public struct PushFilter: Sendable {
    /// The device token.
    public var token: String?
    /// The `apns-id` of the answer.
    public var apnsId: String?
    /// The address that is pushed to.
    public var recipient: String?
    /// The transaction that is told of.
    public var transactionId: String?
    /// The `apns-topic`.
    public var topic: String?
    /// The answer's status.
    public var status: Int?
    /// The answer's reason.
    public var reason: String?
    /// What became of it.
    public var delivery: String?

    /// A filter.
    public init(
        token: String? = nil,
        recipient: String? = nil,
        transactionId: String? = nil,
        topic: String? = nil,
        status: Int? = nil,
        reason: String? = nil,
        delivery: String? = nil,
        apnsId: String? = nil
    ) {
        self.token = token
        self.apnsId = apnsId
        self.recipient = recipient
        self.transactionId = transactionId
        self.topic = topic
        self.status = status
        self.reason = reason
        self.delivery = delivery
    }

    var query: [String: String?] {
        [
            "token": token, "recipient": recipient, "transactionId": transactionId, "topic": topic,
            "status": status.map(String.init), "reason": reason, "delivery": delivery,
            "apnsId": apnsId,
        ]
    }
}

/// A device token that APNs knows something of.
public struct DeviceToken: Sendable, Codable {
    /// Hex digits.
    public let token: String
    /// `active`, `unregistered`, `bad`, `wrong-topic`, `wrong-environment` or `expired`.
    public let state: String
    /// Since when it has ended.
    public let since: Date?
    /// The app it is for.
    public let topic: String?
    /// `production` or `sandbox`.
    public let environment: String?
}
