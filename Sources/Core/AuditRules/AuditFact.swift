public import AdamantLedger
public import Determinism

/// A push as the audit looks at it.
public struct AuditedPush: Sendable {
    /// Number of its event.
    public var seq: Int
    /// When it came.
    public var at: Timestamp
    /// The record's id.
    public var id: String
    /// The device token, in lower case.
    public var token: String
    /// The status sent; nil when no answer was sent.
    public var status: Int?
    /// The reason sent.
    public var reason: String?
    /// The time of death that a 410 names, in Unix milliseconds.
    public var timestamp: Int64?
    /// Whether APNs took it for its device.
    public var isAccepted: Bool
    /// The payload's `push-recipient`.
    public var recipient: String?
    /// The payload's `txn-id`.
    public var transactionId: String?
    /// Whether it is one of the messenger's, by its topic or its payload.
    public var isOfMessenger: Bool
    /// Changes with the payload but for `push-recipient` and `txn-id`.
    public var template: UInt64
    /// The payload as sent.
    public var payload: [UInt8]

    /// A push of its parts.
    public init(
        seq: Int,
        at: Timestamp,
        id: String,
        token: String,
        status: Int?,
        reason: String? = nil,
        timestamp: Int64? = nil,
        isAccepted: Bool,
        recipient: String? = nil,
        transactionId: String? = nil,
        isOfMessenger: Bool = true,
        template: UInt64,
        payload: [UInt8]
    ) {
        self.seq = seq
        self.at = at
        self.id = id
        self.token = token
        self.status = status
        self.reason = reason
        self.timestamp = timestamp
        self.isAccepted = isAccepted
        self.recipient = recipient
        self.transactionId = transactionId
        self.isOfMessenger = isOfMessenger
        self.template = template
        self.payload = payload
    }

    /// Whether APNs said that the token is dead.
    var endsToken: Bool { status == 410 || status == 400 && reason == "BadDeviceToken" }

    /// What was answered, for people.
    var answer: String {
        guard status != 200 else { return "200" }
        return status.map { "\($0)\(reason.map { " " + $0 } ?? "")" } ?? "nothing"
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
