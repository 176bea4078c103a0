import APNsRules
import ControlServer

/// The members of a call that changes what is set of APNs.
struct APNsSettingsForm {
    static let members =
        [
            "tokens", "credentials", "profile", "settings", "dropsStreams", "overLimit", "alpn",
            "idleSeconds",
            "errorLimit", "certificates", "tokenUpdateMinutes", "tokenUpdateScope", "wedgesOnExpired",
            "environmentReason", "malformedPayload", "strict", "service",
        ] + DeliverySettings.names

    private var changes: [(inout APNsSettings) -> Void] = []

    /// Reads the members of a body; nothing is changed when one of them is wrong.
    init(_ body: ControlBody) throws(ControlError) {
        change(\.tokens, try body.word("tokens", as: APNsSettings.Tokens.self))
        change(\.credentials, try body.word("credentials", as: APNsSettings.Credentials.self))
        change(\.profile, try body.word("profile", as: APNsProfile.self))
        change(\.streams, try body.word("settings", as: APNsSettings.Streams.self))
        change(\.dropsStreams, try body.bool("dropsStreams"))
        change(\.overLimit, try body.word("overLimit", as: APNsSettings.OverLimit.self))
        change(\.alpn, try body.word("alpn", as: APNsSettings.ALPN.self))
        change(\.idleSeconds, try Self.number("idleSeconds", body))
        change(\.errorLimit, try Self.number("errorLimit", body))
        change(\.certificates, try body.word("certificates", as: APNsSettings.Certificates.self))
        change(\.tokenUpdateMinutes, try Self.number("tokenUpdateMinutes", body))
        change(\.tokenUpdateScope, try body.word("tokenUpdateScope", as: APNsSettings.UpdateScope.self))
        change(\.wedgesOnExpired, try body.bool("wedgesOnExpired"))
        change(
            \.environmentReason,
            try body.word("environmentReason", as: APNsSettings.EnvironmentReason.self)
        )
        change(\.malformedPayload, try body.word("malformedPayload", as: APNsSettings.MalformedPayload.self))
        change(\.strict, try Self.strictness(body))
        change(\.service, try body.word("service", as: APNsSettings.Service.self))
        let delivery = try DeliveryChange(body)
        changes.append { delivery.apply(to: &$0.delivery) }
    }

    /// Makes the changes.
    func apply(to settings: inout APNsSettings) {
        for change in changes { change(&settings) }
    }

    private mutating func change<Value>(
        _ member: WritableKeyPath<APNsSettings, Value>,
        _ value: Value?
    ) {
        guard let value else { return }
        changes.append { $0[keyPath: member] = value }
    }

    private static func number(_ name: String, _ body: ControlBody) throws(ControlError) -> Int? {
        try body.integer(name, in: 0...APNsSettings.largestNumber).map { Int(clamping: $0) }
    }

    private static func strictness(_ body: ControlBody) throws(ControlError) -> APNsStrictness? {
        guard let names = try body.strings("strict") else { return nil }
        var checks: [APNsStrictness.Check] = []
        for name in names {
            guard let check = APNsStrictness.Check(rawValue: name) else {
                let known = APNsStrictness.Check.allCases.map(\.rawValue).joined(separator: ", ")
                throw .invalid("strict", "strict is a list of \(known); '\(name)' is none of them")
            }
            checks.append(check)
        }
        return APNsStrictness(checks)
    }
}

/// The members of a call that registers a provider's key.
enum ProviderKeyForm {
    static let members = ["teamId", "key", "environment", "topics", "relatedKeyId", "state"]

    /// Most characters of a key id or team id; Apple's have 10.
    private static let longestId = 64

    /// The key that a body describes.
    static func key(_ keyId: String, _ body: ControlBody) throws(ControlError) -> ProviderKey {
        guard (1...longestId).contains(keyId.utf8.count) else {
            throw .badRequest("a key id has 1 to \(longestId) characters", field: "keyId")
        }
        let teamId = try body.requiredString("teamId")
        guard (1...longestId).contains(teamId.utf8.count) else {
            throw .invalid("teamId", "teamId has 1 to \(longestId) characters")
        }
        var half: String?
        if let text = try body.string("key") {
            half = ProviderKey.publicHalf(ofPEM: text)
            if half == nil { throw .invalid("key", "key must be a P-256 key in PEM, private or public") }
        }
        let key = ProviderKey(
            keyId: keyId,
            teamId: teamId,
            publicKeyPEM: half,
            environment: try body.word("environment", as: APNsEnvironment.self),
            topics: try body.strings("topics") ?? [],
            relatedKeyId: try body.string("relatedKeyId"),
            state: try body.word("state", as: ProviderKey.State.self) ?? .active
        )
        guard let ready = key.readyToVerify else {
            throw .invalid("key", "key must be a P-256 key in PEM, private or public")
        }
        return ready
    }
}
