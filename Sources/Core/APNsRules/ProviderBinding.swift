/// What a connection is bound to by its first good provider token.
final class ProviderBinding: Sendable {
    /// The token's team; nil while no token was good.
    let teamId: String?
    /// The token's key.
    let keyId: String?
    /// Whether the connection has seen an expired token.
    let isWedged: Bool

    init(teamId: String?, keyId: String?, isWedged: Bool = false) {
        self.teamId = teamId
        self.keyId = keyId
        self.isWedged = isWedged
    }
}

/// The bindings of connections.
struct ProviderBindings: Sendable {
    /// Most connections remembered; the older half is forgotten at the next one.
    private static let capacity = 16_384

    private var bindings: [Int: ProviderBinding] = [:]

    subscript(connection: Int) -> ProviderBinding? { bindings[connection] }

    /// Binds a connection to its first good token.
    mutating func bind(_ connection: Int, to facts: ProviderFacts, first: ProviderBinding?) {
        guard first?.teamId == nil, let team = facts.teamId else { return }
        set(
            ProviderBinding(teamId: team, keyId: facts.keyId, isWedged: first?.isWedged ?? false),
            of: connection
        )
    }

    /// Notes that a connection has seen an expired token.
    mutating func wedge(_ connection: Int, first: ProviderBinding?) {
        guard first?.isWedged != true else { return }
        set(ProviderBinding(teamId: first?.teamId, keyId: first?.keyId, isWedged: true), of: connection)
    }

    private mutating func set(_ binding: ProviderBinding, of connection: Int) {
        if bindings.count >= Self.capacity {
            // Connections are numbered upwards.
            for old in bindings.keys.sorted().prefix(Self.capacity / 2) { bindings[old] = nil }
        }
        bindings[connection] = binding
    }
}
