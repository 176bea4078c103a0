/// What can be set of a gateway.
public struct APNsSettings: Sendable, Equatable {
    /// Which device tokens are taken.
    public enum Tokens: String, Sendable, CaseIterable {
        /// Any well-formed token works until told otherwise.
        case open
        /// Only tokens that were issued.
        case strict
    }

    /// How far provider tokens are checked.
    public enum Credentials: String, Sendable, CaseIterable {
        /// Not at all, nor client certificates.
        case off
        /// Their form.
        case syntax
        /// Their form, age and team; the key of the signature cannot be known.
        case anyKey = "any-key"
        /// All of it: the key must be registered, and the signature is checked with it.
        case registeredKeys = "registered-keys"
    }

    /// What SETTINGS frames say of concurrent streams.
    public enum Streams: String, Sendable, CaseIterable {
        /// 1000 from the start.
        case constant
        /// 1 with a provider token until a push was accepted, then 1000; 1000 with a client certificate.
        case apple
    }

    /// What happens to a stream above the limit.
    public enum OverLimit: String, Sendable, CaseIterable {
        /// The stream is reset with REFUSED_STREAM.
        case refuse
        /// The connection ends with the GOAWAY that Apple was seen to send.
        case goAway = "goaway"
    }

    /// Whether a client has to offer `h2` by ALPN.
    public enum ALPN: String, Sendable, CaseIterable {
        /// A client without ALPN is served, as by Apple.
        case optional
        /// A client without ALPN is turned away.
        case required
    }

    /// Which client certificates are good.
    public enum Certificates: String, Sendable, CaseIterable {
        /// Those of the world's own authority.
        case own
        /// Any, for tests with exported real ones.
        case any
    }

    /// Among whose pushes changes of the provider token are counted.
    public enum UpdateScope: String, Sendable, CaseIterable {
        /// A team's, over all connections.
        case team
        /// A connection's, as Apple's text says.
        case connection
        /// An address's, even with tokens that are invalid; two tokens are allowed.
        case address
    }

    /// How the reason for a key of the other environment is spelled.
    public enum EnvironmentReason: String, Sendable, CaseIterable {
        /// As on the wire.
        case wire = "BadEnvironmentKeyInToken"
        /// As on Apple's page.
        case page = "BadEnvironmentKeyIdInToken"
    }

    /// What happens to a body that is no JSON object.
    public enum MalformedPayload: String, Sendable, CaseIterable {
        /// It is refused as `PayloadEmpty`.
        case refuse
        /// It is passed on.
        case accept
    }

    /// How the service is.
    public enum Service: String, Sendable, CaseIterable {
        /// It answers.
        case up
        /// 500 `InternalServerError` to everything.
        case failing
        /// 503 `ServiceUnavailable` to everything.
        case unavailable
        /// 503 `Shutdown` to everything.
        case shutdown
    }

    /// Which device tokens are taken.
    public var tokens = Tokens.open
    /// How far provider tokens are checked.
    public var credentials = Credentials.anyKey
    /// The order in which the checks decide.
    public var profile = APNsProfile.apple
    /// What SETTINGS frames say of concurrent streams.
    public var streams = Streams.constant
    /// Whether a refusal other than a 410 takes the limit of streams down to 1 until the next accepted push.
    public var dropsStreams = false
    /// What happens to a stream above the limit.
    public var overLimit = OverLimit.refuse
    /// Whether a client has to offer `h2` by ALPN.
    public var alpn = ALPN.optional
    /// After how many seconds without a frame a connection ends with `IdleTimeout`; 0 for never.
    public var idleSeconds = 0
    /// After how many refusals a connection ends, those of bad device tokens counted twice; 0 for never.
    public var errorLimit = 0
    /// Which client certificates are good.
    public var certificates = Certificates.own
    /// How long a provider token must be kept, in minutes; 0 for no rule.
    public var tokenUpdateMinutes = 0
    /// Among whose pushes changes of the provider token are counted.
    public var tokenUpdateScope = UpdateScope.team
    /// Whether a connection that has seen an expired provider token takes no other any more.
    public var wedgesOnExpired = false
    /// How the reason for a key of the other environment is spelled.
    public var environmentReason = EnvironmentReason.wire
    /// What happens to a body that is no JSON object.
    public var malformedPayload = MalformedPayload.refuse
    /// The checks that are made although Apple is not known to make them.
    public var strict = APNsStrictness()
    /// How the service is.
    public var service = Service.up
    /// What happens after a push was accepted.
    public var delivery = DeliverySettings()

    /// The settings of a fresh world.
    public init(tokens: Tokens = .open, credentials: Credentials = .anyKey) {
        self.tokens = tokens
        self.credentials = credentials
    }
}
