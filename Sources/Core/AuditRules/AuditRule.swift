/// What must hold in a network of private pushes; raw values are the names in the control API.
public enum AuditRule: String, Sendable, CaseIterable {
    case noContent = "no-content"
    case noCallback = "no-callback"
    case sealedSignals = "sealed-signals"
    case rightOwner = "right-owner"
    case nobodyForgotten = "nobody-forgotten"
    case noDuplicates = "no-duplicates"
    case deadTokensDropped = "dead-tokens-dropped"
    case noHeartbeat = "no-heartbeat"
    case noOrphans = "no-orphans"

    /// Its place among all.
    var place: Int {
        switch self {
        case .noContent: 0
        case .noCallback: 1
        case .sealedSignals: 2
        case .rightOwner: 3
        case .nobodyForgotten: 4
        case .noDuplicates: 5
        case .deadTokensDropped: 6
        case .noHeartbeat: 7
        case .noOrphans: 8
        }
    }

    /// What a breach means for real users.
    public var consequence: String {
        switch self {
        case .noContent:
            "Apple, and whoever reads its records, learns what was written or by whom"
        case .noCallback:
            "the service, and whoever watches the network, learns the device's address and when it is used"
        case .sealedSignals:
            "anybody who reads the chain learns the device token, or no service can register it"
        case .rightOwner:
            "a device shows that somebody else got a message, and Apple learns that both use one device"
        case .nobodyForgotten: "a user is never told of a message"
        case .noDuplicates: "a user is told twice of one message"
        case .deadTokensDropped:
            "Apple throttles or blocks a provider that keeps pushing to dead tokens"
        case .noHeartbeat:
            "the chain becomes a diary of when the app was used, and each entry costs its user a fee"
        case .noOrphans:
            "the registry grows with tokens of gone devices, and whoever gets one of them gets another's alerts"
        }
    }
}

/// A breach of a rule.
public struct Finding: Sendable, Equatable {
    /// How sure it is.
    public enum Certainty: String, Sendable {
        /// It was read.
        case known
        /// It follows from lengths alone, since nobody here has the key.
        case byLength = "length"
    }

    /// The rule.
    public var rule: AuditRule
    /// When it was broken, as milliseconds of the world's clock.
    public var at: Int64
    /// The address it is about.
    public var address: String?
    /// The device token it is about.
    public var token: String?
    /// The transaction it is about.
    public var transactionId: String?
    /// The push it is about.
    public var pushId: String?
    /// What was seen.
    public var evidence: String
    /// How sure it is.
    public var certainty = Certainty.known

    init(
        _ rule: AuditRule,
        at: Int64,
        address: String? = nil,
        token: String? = nil,
        transactionId: String? = nil,
        pushId: String? = nil,
        _ evidence: String,
        certainty: Certainty = .known
    ) {
        self.rule = rule
        self.at = at
        self.address = address
        self.token = token
        self.transactionId = transactionId
        self.pushId = pushId
        self.evidence = evidence
        self.certainty = certainty
    }
}
