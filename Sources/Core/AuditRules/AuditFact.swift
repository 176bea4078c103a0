public import AdamantLedger
public import AdamantModel
public import Determinism

/// The texts of a push, made when somebody asks for them: thousands come in a second, and few of them break a rule.
public protocol PushTexts: Sendable {
    /// The record's id.
    var id: String { get }
    /// The device token, in lower case.
    var token: String { get }
    /// The reason sent.
    var reason: String? { get }
    /// The time of death that a 410 names, in Unix milliseconds.
    var timestamp: Int64? { get }
    /// The payload's `push-recipient`.
    var recipient: String? { get }
    /// The payload's `txn-id`.
    var transactionId: String? { get }
    /// The payload as sent.
    var payload: [UInt8] { get }
}

/// A push as the audit looks at it: numbers, and texts on demand.
public struct AuditedPush: Sendable {
    /// Number of its event.
    public var seq: Int
    /// When it came.
    public var at: Timestamp
    /// The status sent; nil when no answer was sent.
    public var status: Int?
    /// Whether APNs took it for its device.
    public var isAccepted: Bool
    /// Whether it is one of the messenger's, by its topic or its payload.
    public var isOfMessenger: Bool
    /// The number of its device token, without regard to case.
    public var tokenNumber: UInt64
    /// The number of `push-recipient`, without regard to case; nil unless that is an address.
    public var recipientNumber: UInt64?
    /// The transaction that `txn-id` names.
    public var transaction: Identifier?
    /// Changes with the payload but for `push-recipient` and `txn-id`.
    public var template: UInt64
    /// What it says in words.
    public var texts: any PushTexts

    /// A push of its parts.
    public init(
        seq: Int,
        at: Timestamp,
        status: Int?,
        isAccepted: Bool,
        isOfMessenger: Bool = true,
        tokenNumber: UInt64,
        recipientNumber: UInt64?,
        transaction: Identifier?,
        template: UInt64,
        texts: any PushTexts
    ) {
        self.seq = seq
        self.at = at
        self.status = status
        self.isAccepted = isAccepted
        self.isOfMessenger = isOfMessenger
        self.tokenNumber = tokenNumber
        self.recipientNumber = recipientNumber
        self.transaction = transaction
        self.template = template
        self.texts = texts
    }

    /// Whether APNs said that the token is dead.
    var endsToken: Bool { status == 410 || status == 400 && texts.reason == "BadDeviceToken" }

    /// What was answered, for people.
    var answer: String {
        guard status != 200 else { return "200" }
        return status.map { "\($0)\(texts.reason.map { " " + $0 } ?? "")" } ?? "nothing"
    }
}

/// What a push must not tell: what is known of the transaction that it names.
public struct SecretContent: Sendable, Equatable {
    /// The sender's address.
    public var sender: String
    /// The decrypted text; nil when nobody here has a key, or there is none.
    public var text: String?

    /// A secret of its parts.
    public init(sender: String, text: String?) {
        self.sender = sender
        self.text = text
    }
}

/// A block as the audit looks at it.
public struct AuditedBlock: Sendable {
    /// Number of its event.
    public var seq: Int
    /// When it was forged.
    public var at: Timestamp
    /// Its height.
    public var height: Int
    /// Who its transactions are from and for.
    public var transactions: [TransactionParties]

    /// A block of its parts.
    public init(seq: Int, at: Timestamp, height: Int, transactions: [TransactionParties]) {
        self.seq = seq
        self.at = at
        self.height = height
        self.transactions = transactions
    }
}

/// How long things may take, in milliseconds of the world's clock.
public struct AuditLimits: Sendable {
    /// From a block to the push for a message in it.
    public var pushMilliseconds: Int64
    /// Without a push until an address's tokens count as orphans.
    public var orphanMilliseconds: Int64

    /// Limits.
    public init(pushMilliseconds: Int64, orphanMilliseconds: Int64) {
        self.pushMilliseconds = pushMilliseconds
        self.orphanMilliseconds = orphanMilliseconds
    }
}
