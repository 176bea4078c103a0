/// Which pushes a list shows; nil is any.
public struct PushFilter: Sendable, Equatable {
    /// The device token, in either case.
    public var token: String? {
        didSet { tokenKey = token.map { Array(DeviceToken.key(Array($0.utf8)[...]).utf8) } }
    }
    private var tokenKey: [UInt8]?
    /// The payload's `push-recipient`.
    public var recipient: String?
    /// The payload's `txn-id`.
    public var transactionId: String?
    /// The value of `apns-topic`.
    public var topic: String?
    /// The status sent.
    public var status: Int?
    /// The reason sent.
    public var reason: String?
    /// What became of it.
    public var delivery: PushDelivery.State?

    /// A filter that lets everything through.
    public init() {}

    /// Whether a record is shown.
    public func matches(_ record: PushRecord) -> Bool {
        if let status, record.status != status { return false }
        if let reason, record.reason != reason { return false }
        if let delivery, record.delivery?.state != delivery { return false }
        if let topic, record.request.topic != topic { return false }
        if let tokenKey, !record.hasToken(tokenKey) { return false }
        if let recipient, record.recipient != recipient { return false }
        if let transactionId, record.transactionId != transactionId { return false }
        return true
    }
}
