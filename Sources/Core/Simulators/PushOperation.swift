public import AdamantModel
public import Determinism
public import JSONValue

/// One push that a notification service sends.
public struct PushOrder: Hashable, Sendable {
    /// The header `apns-id`: a lower-case UUID.
    public var id: String
    /// Goes into the path as it was registered.
    public var token: String
    /// Whether it goes to the sandbox instead of the production environment.
    public var isSandbox: Bool
    /// The header `apns-topic`.
    public var topic: String
    /// The body.
    public var payload: JSONValue
    /// The header `apns-expiration`: Unix seconds, 0 for "now or never".
    public var expiration: Int64
    /// The header `apns-push-type`; nil for none.
    public var pushType: String?
    /// Unix seconds of the provider token to use.
    public var providerTokenIssuedAt: Int64
    /// What the push is about.
    public var transactionId: Identifier
    /// For whom.
    public var recipient: Address
    /// When the service decided to send it, by the world's clock.
    public var createdAt: Timestamp
}

/// How the push service answered.
public enum PushAnswer: Hashable, Sendable {
    /// A status; `reason` and `timestampMilliseconds` are members of the body, which may be no JSON object at all.
    case answered(status: Int, reason: String?, timestampMilliseconds: Int64?, hasObject: Bool)
    /// No answer.
    case failed(TransportFailure)

    /// The answer in few words.
    public var text: String {
        switch self {
        case .answered(let status, let reason, _, _): reason.map { "\(status) \($0)" } ?? String(status)
        case .failed(let failure): failure.description
        }
    }
}

/// What a notification service wants done; the answer is given to
/// ``NotificationService/complete(_:_:now:)``.
public struct ServiceOperation: Hashable, Sendable {
    /// The two kinds of work.
    public enum Work: Hashable, Sendable {
        /// Ask a node.
        case node(NodeRequest)
        /// Push, after so many milliseconds of real time.
        case push(PushOrder, afterMilliseconds: Int)
    }

    /// Names the operation.
    public let id: Int
    /// What to do.
    public let work: Work
}

/// What became of an operation.
public enum ServiceAnswer: Hashable, Sendable {
    /// Of a node.
    case node(NodeAnswer)
    /// Of the push service.
    case push(PushAnswer)
}
