/// Which pushes a list shows; nil is any.
public struct PushFilter: Sendable, Equatable {
    /// The device token, in either case.
    public var token: String? {
        didSet { tokenKey = token.map { Array(DeviceToken.key(Array($0.utf8)[...]).utf8) } }
    }
    private var tokenKey: [UInt8]?
    /// The payload's `push-recipient`.
    public var recipient: String? { didSet { recipientBytes = recipient.map { Array($0.utf8) } } }
    private var recipientBytes: [UInt8]?
    /// The payload's `txn-id`.
    public var transactionId: String? { didSet { transactionBytes = transactionId.map { Array($0.utf8) } } }
    private var transactionBytes: [UInt8]?
    /// The value of `apns-id` in the answer, in either case.
    public var apnsId: String? { didSet { apnsIdFolded = apnsId?.lowercased() } }
    private var apnsIdFolded: String?
    /// The value of `apns-topic`.
    public var topic: String?
    /// The status sent.
    public var status: Int?
    /// Any status but this, none at all included.
    public var exceptStatus: Int?
    /// The reason sent.
    public var reason: String?
    /// What became of it.
    public var delivery: PushDelivery.State?

    /// A filter that lets everything through.
    public init() {}

    /// Whether a record is shown.
    public func matches(_ record: PushRecord) -> Bool {
        if let status, record.status != status { return false }
        if let exceptStatus, record.status == exceptStatus { return false }
        if let reason, record.reason != reason { return false }
        if let delivery, record.delivery?.state != delivery { return false }
        if let topic, record.request.topic != topic { return false }
        if let apnsIdFolded, String(decoding: record.apnsId, as: UTF8.self).lowercased() != apnsIdFolded {
            return false
        }
        if let tokenKey, !record.hasToken(tokenKey) { return false }
        let request = record.request
        if let recipientBytes, !request.holds(recipientBytes, at: request.payload.recipient) { return false }
        if let transactionBytes, !request.holds(transactionBytes, at: request.payload.transactionId) {
            return false
        }
        return true
    }
}
