public import Determinism

/// A request to the gateway as it is kept: what came, how it was judged, what became of it.
public struct PushRecord: Sendable {
    /// The number of the push's event; given by whoever keeps the record.
    public var sequence: Int64 = 0
    /// What became of it, on the heap, since of most pushes nothing is known.
    private var deliveryBox: DeliveryBox?
    /// Everything that never changes, on the heap, so that a long list of records is cheap to grow.
    let content: Content

    init(
        id: APNsUUID,
        receivedAt: Timestamp,
        request: APNsRequest,
        verdict: APNsVerdict,
        problems: [String],
        ownId: APNsUUID?,
        uniqueId: APNsUUID?,
        provider: ProviderFacts,
        fault: APNsFault?
    ) {
        content = Content(
            id: id,
            receivedAt: receivedAt,
            request: request,
            ownId: ownId,
            uniqueId: uniqueId,
            provider: provider,
            exception: Exception(
                verdict: verdict,
                problems: problems,
                faultId: fault?.ruleId,
                isProcessed: fault?.isProcessed ?? true,
                isAnswered: fault?.isAnswered ?? true
            )
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
        /// The `apns-id` that the gateway drew; nil when the request brought one.
        let ownId: APNsUUID?
        let uniqueId: APNsUUID?
        let provider: ProviderFacts
        let exception: Exception?

        init(
            id: APNsUUID,
            receivedAt: Timestamp,
            request: APNsRequest,
            ownId: APNsUUID?,
            uniqueId: APNsUUID?,
            provider: ProviderFacts,
            exception: Exception?
        ) {
            self.id = id
            self.receivedAt = receivedAt
            self.request = request
            self.ownId = ownId
            self.uniqueId = uniqueId
            self.provider = provider
            self.exception = exception
        }
    }

    /// How a push differs from one that is simply accepted.
    final class Exception: Sendable {
        let verdict: APNsVerdict
        let problems: [String]
        let faultId: String?
        let isProcessed: Bool
        let isAnswered: Bool

        /// Nil where there is no difference.
        init?(
            verdict: APNsVerdict,
            problems: [String],
            faultId: String?,
            isProcessed: Bool,
            isAnswered: Bool
        ) {
            if verdict == PushRecord.accepted, faultId == nil, isProcessed, isAnswered { return nil }
            self.verdict = verdict
            self.problems = problems
            self.faultId = faultId
            self.isProcessed = isProcessed
            self.isAnswered = isAnswered
        }
    }

    private final class DeliveryBox: Sendable {
        let delivery: PushDelivery

        init(_ delivery: PushDelivery) { self.delivery = delivery }
    }

    private static let accepted = APNsVerdict(status: 200, rule: .accepted)

    /// What became of it; nil for an accepted push of which nothing is known yet.
    public var delivery: PushDelivery? {
        get { deliveryBox?.delivery }
        set { deliveryBox = newValue.map(DeliveryBox.init) }
    }

    /// The record's id.
    public var id: APNsUUID { content.id }
    /// When the request was complete.
    public var receivedAt: Timestamp { content.receivedAt }
    /// The request.
    public var request: APNsRequest { content.request }
    /// How it was judged.
    public var verdict: APNsVerdict { content.exception?.verdict ?? Self.accepted }
    /// What exactly is wrong with the credential, in words.
    public var problems: [String] { content.exception?.problems ?? [] }
    /// The value of `apns-id` in the answer.
    public var apnsId: ArraySlice<UInt8> {
        content.ownId?.utf8(upperCase: true)[...] ?? request.sentId ?? []
    }
    /// The value of `apns-unique-id` in the answer.
    public var uniqueId: [UInt8]? { content.uniqueId?.utf8(upperCase: false) }
    /// Who pushed.
    public var provider: ProviderFacts { content.provider }
    /// The fault rule that struck.
    public var faultId: String? { content.exception?.faultId }
    /// Whether the gateway acted on the push.
    public var isProcessed: Bool { content.exception?.isProcessed ?? true }
    /// Whether an answer was to be sent.
    public var isAnswered: Bool { content.exception?.isAnswered ?? true }

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
    /// Whether the device token is the one of a key, without making a text of it.
    func hasToken(_ key: [UInt8]) -> Bool {
        guard let range = request.path.token, range.count == key.count else { return false }
        let span = request.headers.bytes.span
        for offset in key.indices {
            let byte = span[range.lowerBound + offset]
            guard (byte >= 65 && byte <= 90 ? byte | 32 : byte) == key[offset] else { return false }
        }
        return true
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
