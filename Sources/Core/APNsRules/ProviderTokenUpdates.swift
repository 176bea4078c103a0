import Determinism

/// Which provider tokens were used lately, to tell when they change too often.
///
/// - Source: Apple, Establishing a token-based connection to APNs (at most once every 20 minutes)
struct ProviderTokenUpdates: Sendable {
    /// A token by its claims, since two signatures of the same claims differ.
    private struct Identity: Equatable {
        let keyId: String
        let teamId: String
        let issuedAt: Timestamp

        /// Nil for a token whose claims cannot be read; whether it is good otherwise does not matter.
        init?(_ facts: ProviderFacts) {
            guard let keyId = facts.keyId, let teamId = facts.teamId, let issuedAt = facts.issuedAt else {
                return nil
            }
            self.keyId = keyId
            self.teamId = teamId
            self.issuedAt = issuedAt
        }
    }

    private struct Use {
        let token: Identity
        let since: Timestamp
    }

    /// Most owners of tokens that are remembered; at the next one all are forgotten.
    private static let capacity = 16_384
    /// Most tokens of one owner that are remembered.
    private static let tokensPerOwner = 8

    private var uses: [String: [Use]] = [:]

    /// Whether a push brings one new token too many.
    func isTooEarly(_ facts: ProviderFacts, of request: APNsRequest, settings: APNsSettings, now: Timestamp)
        -> Bool
    {
        guard let token = Identity(facts), let known = uses[Self.owner(token, request, settings)] else {
            return false
        }
        guard !known.contains(where: { $0.token == token }) else { return false }
        let window = Int64(settings.tokenUpdateMinutes).multipliedClamped(by: 60_000)
        let recent = known.count { now.milliseconds.subtractingClamped($0.since.milliseconds) < window }
        return recent >= (settings.tokenUpdateScope == .address ? 2 : 1)
    }

    /// Notes the token of a push.
    mutating func note(
        _ facts: ProviderFacts,
        of request: APNsRequest,
        settings: APNsSettings,
        now: Timestamp
    ) {
        guard let token = Identity(facts) else { return }
        let owner = Self.owner(token, request, settings)
        if let known = uses[owner], known.contains(where: { $0.token == token }) { return }
        if uses.count >= Self.capacity { uses.removeAll() }
        var known = uses[owner, default: []]
        if known.count >= Self.tokensPerOwner { known.removeFirst() }
        known.append(Use(token: token, since: now))
        uses[owner] = known
    }

    private static func owner(_ token: Identity, _ request: APNsRequest, _ settings: APNsSettings) -> String {
        let transport = request.transport
        return switch settings.tokenUpdateScope {
        case .team: token.teamId
        case .connection: String(transport.connection)
        case .address:
            // Without the port.
            String(transport.peer.prefix(upTo: transport.peer.lastIndex(of: ":") ?? transport.peer.endIndex))
        }
    }
}
