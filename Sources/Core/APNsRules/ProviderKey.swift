/// Checks signatures with one public key; filled in by a layer that has cryptography.
public protocol ProviderKeyVerifier: Sendable {
    /// Whether an ECDSA signature with SHA-256, raw or DER, belongs to a message.
    func isValid(signature: [UInt8], message: [UInt8]) -> Bool
}

/// A key with which a provider signs its tokens, as the developer portal knows it.
///
/// - Source: Apple, Establishing a token-based connection to APNs (team-scoped and topic-specific keys)
public struct ProviderKey: Sendable {
    /// What has become of the key.
    public enum State: String, Sendable, CaseIterable {
        /// It is in use.
        case active
        /// It was revoked: its tokens are invalid.
        case revoked
        /// Its account may not push.
        case disabled
    }

    /// The `kid` of its tokens.
    public var keyId: String
    /// The `iss` of its tokens.
    public var teamId: String
    /// The public half as PEM text; nil where only facts about the key are declared.
    public var publicKeyPEM: String?
    /// What checks its signatures; nil without a public half.
    public var verifier: (any ProviderKeyVerifier)?
    /// The environment it is for; nil for both.
    public var environment: APNsEnvironment?
    /// The topics it is for, as bundle ids; none for all of the team's.
    public var topics: [String]
    /// The one other topic-specific key that may follow it on a connection.
    public var relatedKeyId: String?
    /// What has become of it.
    public var state: State

    /// A key.
    public init(
        keyId: String,
        teamId: String,
        publicKeyPEM: String? = nil,
        verifier: (any ProviderKeyVerifier)? = nil,
        environment: APNsEnvironment? = nil,
        topics: [String] = [],
        relatedKeyId: String? = nil,
        state: State = .active
    ) {
        self.keyId = keyId
        self.teamId = teamId
        self.publicKeyPEM = publicKeyPEM
        self.verifier = verifier
        self.environment = environment
        self.topics = topics
        self.relatedKeyId = relatedKeyId
        self.state = state
    }

    /// Whether it may push to a topic, by the bundle id.
    func covers(topic: String) -> Bool {
        topics.isEmpty || topics.contains(topic) || topics.contains(PushType.bundleId(ofTopic: topic))
    }

    /// Whether it may follow another key on a connection.
    func isRelated(to first: ProviderKey) -> Bool {
        if keyId == first.keyId || topics.isEmpty && first.topics.isEmpty { return true }
        guard !topics.isEmpty, !first.topics.isEmpty else { return false }
        return first.relatedKeyId == keyId || relatedKeyId == first.keyId
    }
}
