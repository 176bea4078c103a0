public import JSONValue

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
        /// Not at all.
        case off
        /// Their form.
        case syntax
        /// Their form, age and team; the key of the signature cannot be known.
        case anyKey = "any-key"
    }

    /// Which device tokens are taken.
    public var tokens: Tokens
    /// How far provider tokens are checked.
    public var credentials: Credentials
    /// What happens after a push was accepted.
    public var delivery = DeliverySettings()

    /// The settings of a fresh world.
    public init(tokens: Tokens = .open, credentials: Credentials = .anyKey) {
        self.tokens = tokens
        self.credentials = credentials
    }

    /// The settings as the control API shows them; members without a choice yet have their one value.
    public var json: JSONValue {
        .object(
            JSONObject(
                [
                    ("tokens", .string(tokens.rawValue)), ("credentials", .string(credentials.rawValue)),
                    ("profile", "apple"), ("settings", "constant"), ("alpn", "optional"),
                    ("tokenUpdateMinutes", 0),
                ] + delivery.members
            )
        )
    }
}
