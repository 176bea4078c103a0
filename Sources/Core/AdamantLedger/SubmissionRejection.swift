import JSONValue

/// Why a node does not take a posted transaction, in the node's words.
public struct SubmissionRejection: Error, Hashable, Sendable {
    /// The `error` text of the answer.
    public let message: String
    /// Whether the node throws inside the request: HTTP 500 and `API error: ` before the message.
    public let isException: Bool
    /// Whether the real node never answers.
    public let neverAnswered: Bool

    /// A refusal with HTTP 200.
    public init(_ message: String) {
        self.init(message: message)
    }

    private init(message: String, isException: Bool = false, neverAnswered: Bool = false) {
        self.message = message
        self.isException = isException
        self.neverAnswered = neverAnswered
    }

    /// A refusal by an exception.
    public static func exception(_ message: String) -> SubmissionRejection {
        SubmissionRejection(message: message, isException: true)
    }

    /// The silence of 0.10 on POST `/api/transactions` of other types than 8 and 9.
    public static let silence = SubmissionRejection(
        message: "The real node never answers this request",
        neverAnswered: true
    )
}

/// Where a transaction was posted.
public enum SubmissionEndpoint: Hashable, Sendable {
    /// `/api/transactions/process`
    case transactionsProcess
    /// `/api/chats/process`
    case chatsProcess
    /// `/api/states/store`
    case statesStore
    /// `/api/transactions`
    case transactions
    /// `/api/delegates`, which takes the bare transaction.
    case delegates
    /// `/api/accounts/delegates`, which takes the transaction bare or wrapped.
    case votes

    /// The posted transaction in a body.
    func transaction(in body: JSONValue) -> JSONValue? {
        switch self {
        case .transactionsProcess, .chatsProcess, .statesStore, .transactions: body["transaction"]
        case .delegates: body
        case .votes: body["transaction"] ?? body
        }
    }

    /// What the call asks of the transaction before anything else.
    var schema: ObjectSchema {
        switch self {
        case .transactionsProcess, .chatsProcess, .statesStore, .transactions: .posted
        case .delegates: .registration
        case .votes: .voting
        }
    }
}
