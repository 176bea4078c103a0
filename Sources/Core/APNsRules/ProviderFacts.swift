public import Determinism
import JSONValue

/// Who pushes, as far as a request tells.
public final class ProviderFacts: Sendable, Equatable {
    /// The kind of credential.
    public enum Kind: String, Sendable, CaseIterable {
        /// A bearer token.
        case token
        /// A client certificate; a bearer token beside it is ignored.
        case certificate
        /// Neither.
        case none
    }

    /// The kind of credential.
    public let kind: Kind
    /// The token's `kid`.
    public let keyId: String?
    /// The token's `iss`.
    public let teamId: String?
    /// The token's `iat`.
    public let issuedAt: Timestamp?
    /// Peculiarities that Apple accepts, and what makes a token invalid.
    public let notes: [String]
    /// Those of the notes that make a token invalid.
    public let defects: [String]
    /// Whether the signature is the known key's; nil where the key is not known.
    public let isSignatureValid: Bool?

    /// Whether the token has the form of a provider token.
    public var isWellFormed: Bool { defects.isEmpty }

    /// Facts.
    public init(
        kind: Kind,
        keyId: String? = nil,
        teamId: String? = nil,
        issuedAt: Timestamp? = nil,
        notes: [String] = [],
        defects: [String] = [],
        isSignatureValid: Bool? = nil
    ) {
        self.kind = kind
        self.keyId = keyId
        self.teamId = teamId
        self.issuedAt = issuedAt
        self.notes = notes
        self.defects = defects
        self.isSignatureValid = isSignatureValid
    }

    /// A request without any credential.
    public static let none = ProviderFacts(kind: .none)
    /// A request on a connection with a client certificate.
    public static let certificate = ProviderFacts(kind: .certificate)

    /// The facts as a push record shows them.
    var members: JSONObject {
        JSONObject([
            ("kind", .string(kind.rawValue)), ("keyId", .optional(keyId)), ("teamId", .optional(teamId)),
            ("issuedAt", .optional(issuedAt?.rfc3339)), ("notes", .array(notes.map(JSONValue.string))),
        ])
    }

    /// Compares by content.
    public static func == (left: ProviderFacts, right: ProviderFacts) -> Bool {
        left === right
            || left.kind == right.kind && left.keyId == right.keyId && left.teamId == right.teamId
                && left.issuedAt == right.issuedAt && left.notes == right.notes
                && left.defects == right.defects && left.isSignatureValid == right.isSignatureValid
    }
}
