public import Determinism

/// A request to the gateway as it is kept: what came, how it was judged, what became of it.
public struct PushRecord: Sendable {
    /// The number of the push's event; given by whoever keeps the record.
    public var sequence: Int64 = 0
    /// What became of it; nil for an accepted push of which nothing is known yet.
    public var delivery: PushDelivery?
    /// Everything that never changes, on the heap, so that a long list of records is cheap to grow.
    private let content: Content

    init(
        id: APNsUUID,
        receivedAt: Timestamp,
        request: APNsRequest,
        verdict: APNsVerdict,
        apnsId: ArraySlice<UInt8>,
        uniqueId: [UInt8]?,
        provider: ProviderFacts,
        fault: APNsFault?
    ) {
        content = Content(
            id: id,
            receivedAt: receivedAt,
            request: request,
            verdict: verdict,
            apnsId: apnsId,
            uniqueId: uniqueId,
            provider: provider,
            faultId: fault?.ruleId,
            isProcessed: fault?.isProcessed ?? true,
            isAnswered: fault?.isAnswered ?? true
        )
        if !isProcessed {
            delivery = PushDelivery(
                .notDelivered,
                at: receivedAt,
                why: "fault \(faultId ?? ""), not processed"
            )
        } else if verdict.rule != .accepted {
            delivery = PushDelivery(.notDelivered, at: receivedAt, why: verdict.reason)
        }
    }

    init(restoring content: Content) {
        self.content = content
    }

    /// Everything that never changes.
    final class Content: Sendable {
        let id: APNsUUID
        let receivedAt: Timestamp
        let request: APNsRequest
        let verdict: APNsVerdict
        let apnsId: ArraySlice<UInt8>
        let uniqueId: [UInt8]?
        let provider: ProviderFacts
        let faultId: String?
        let isProcessed: Bool
        let isAnswered: Bool

        init(
            id: APNsUUID,
            receivedAt: Timestamp,
            request: APNsRequest,
            verdict: APNsVerdict,
            apnsId: ArraySlice<UInt8>,
            uniqueId: [UInt8]?,
            provider: ProviderFacts,
            faultId: String?,
            isProcessed: Bool,
            isAnswered: Bool
        ) {
            self.id = id
            self.receivedAt = receivedAt
            self.request = request
            self.verdict = verdict
            self.apnsId = apnsId
            self.uniqueId = uniqueId
            self.provider = provider
            self.faultId = faultId
            self.isProcessed = isProcessed
            self.isAnswered = isAnswered
        }
    }

    /// The record's id.
    public var id: APNsUUID { content.id }
    /// When the request was complete.
    public var receivedAt: Timestamp { content.receivedAt }
    /// The request.
    public var request: APNsRequest { content.request }
    /// How it was judged.
    public var verdict: APNsVerdict { content.verdict }
    /// The value of `apns-id` in the answer.
    public var apnsId: ArraySlice<UInt8> { content.apnsId }
    /// The value of `apns-unique-id` in the answer.
    public var uniqueId: [UInt8]? { content.uniqueId }
    /// Who pushed.
    public var provider: ProviderFacts { content.provider }
    /// The fault rule that struck.
    public var faultId: String? { content.faultId }
    /// Whether the gateway acted on the push.
    public var isProcessed: Bool { content.isProcessed }
    /// Whether an answer was to be sent.
    public var isAnswered: Bool { content.isAnswered }

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

extension PushRecord {
    /// A record as it was at one moment, in less memory than a second record takes.
    public struct Snapshot: Sendable {
        private let content: Content
        /// What had become of the push by then.
        public let deliveryState: PushDelivery.State?

        init(_ content: Content, _ deliveryState: PushDelivery.State?) {
            self.content = content
            self.deliveryState = deliveryState
        }

        /// The record, without its number and its delivery.
        public var record: PushRecord { PushRecord(restoring: content) }
    }

    /// The record as it is now.
    public var snapshot: Snapshot { Snapshot(content, delivery?.state) }
}
