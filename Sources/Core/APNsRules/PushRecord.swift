public import Determinism

/// A request to the gateway as it is kept: what came, how it was judged, what became of it.
public struct PushRecord: Sendable {
    /// The number of the push's event; given by whoever keeps the record.
    public var sequence: Int64 = 0
    /// The record's id.
    public let id: APNsUUID
    /// When the request was complete.
    public let receivedAt: Timestamp
    /// The request.
    public let request: APNsRequest
    /// How it was judged.
    public let verdict: APNsVerdict
    /// The value of `apns-id` in the answer.
    public let apnsId: [UInt8]
    /// The value of `apns-unique-id` in the answer.
    public let uniqueId: [UInt8]?
    /// Who pushed.
    public let provider: ProviderFacts
    /// The fault rule that struck.
    public let faultId: String?
    /// Whether the gateway acted on the push.
    public let isProcessed: Bool
    /// Whether an answer was to be sent.
    public let isAnswered: Bool
    /// What became of it; nil for an accepted push of which nothing is known yet.
    public var delivery: PushDelivery?

    init(
        id: APNsUUID, receivedAt: Timestamp, request: APNsRequest, verdict: APNsVerdict, apnsId: [UInt8],
        uniqueId: [UInt8]?, provider: ProviderFacts, fault: APNsFault?
    ) {
        self.init(
            restoring: Restored(
                id: id, receivedAt: receivedAt, request: request, verdict: verdict, apnsId: apnsId,
                uniqueId: uniqueId, provider: provider, faultId: fault?.ruleId,
                isProcessed: fault?.isProcessed ?? true, isAnswered: fault?.isAnswered ?? true))
        if !isProcessed {
            delivery = PushDelivery(.notDelivered, at: receivedAt, why: "fault \(faultId ?? ""), not processed")
        } else if verdict.rule != .accepted {
            delivery = PushDelivery(.notDelivered, at: receivedAt, why: verdict.reason)
        }
    }

    /// Everything that never changes.
    struct Restored {
        var id: APNsUUID
        var receivedAt: Timestamp
        var request: APNsRequest
        var verdict: APNsVerdict
        var apnsId: [UInt8]
        var uniqueId: [UInt8]?
        var provider: ProviderFacts
        var faultId: String?
        var isProcessed: Bool
        var isAnswered: Bool
    }

    init(restoring parts: Restored) {
        id = parts.id
        receivedAt = parts.receivedAt
        request = parts.request
        verdict = parts.verdict
        apnsId = parts.apnsId
        uniqueId = parts.uniqueId
        provider = parts.provider
        faultId = parts.faultId
        isProcessed = parts.isProcessed
        isAnswered = parts.isAnswered
    }

    /// Whether the push goes on to its device.
    public var isAccepted: Bool { isProcessed && verdict.rule == .accepted }
    /// The status that was sent; nil where a fault kept the answer from being sent.
    public var status: Int? { isAnswered ? verdict.status : nil }
    /// The reason that was sent.
    public var reason: String? { isAnswered ? verdict.reason : nil }
    /// The device token in the form under which it is known, when the path holds one.
    public var token: String? {
        request.path.token.map { DeviceToken.key(request.headers.bytes[$0]) }
    }
    /// The payload's `txn-id`.
    public var transactionId: String? { request.transactionId }
    /// The payload's `push-recipient`.
    public var recipient: String? { request.recipient }
    /// When the push stops being worth delivering; nil without the header, 0 for a single attempt.
    public var expirationUnixSeconds: Int64? { request.headers.text(.expiration).flatMap { Int64($0) } }
    /// The value of `apns-collapse-id`.
    public var collapseId: String? { request.headers.text(.collapseId) }
}
