import Determinism

/// Which provider tokens were used lately, to tell when they change too often.
///
/// - Source: Apple, Establishing a token-based connection to APNs (at most once every 20 minutes)
struct ProviderTokenUpdates: Sendable {
    /// A token by its claims, since two signatures of the same claims differ.
    private struct Identity: Equatable {
        let keyId: String?
        let teamId: String?
        let issuedAt: Timestamp?

        init(_ facts: ProviderFacts) {
            keyId = facts.keyId
            teamId = facts.teamId
            issuedAt = facts.issuedAt
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
        guard facts.isWellFormed, let owner = Self.owner(facts, request, settings), let known = uses[owner]
        else { return false }
        let token = Identity(facts)
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
        guard facts.isWellFormed, let owner = Self.owner(facts, request, settings) else { return }
        let token = Identity(facts)
        if let known = uses[owner], known.contains(where: { $0.token == token }) { return }
        if uses.count >= Self.capacity { uses.removeAll() }
        var known = uses[owner, default: []]
        if known.count >= Self.tokensPerOwner { known.removeFirst() }
        known.append(Use(token: token, since: now))
        uses[owner] = known
    }

    private static func owner(_ facts: ProviderFacts, _ request: APNsRequest, _ settings: APNsSettings)
        -> String?
    {
        let transport = request.transport
        return switch settings.tokenUpdateScope {
        case .team: facts.teamId
        case .connection: String(transport.connection)
        case .address:
            // Without the port.
            String(transport.peer.prefix(upTo: transport.peer.lastIndex(of: ":") ?? transport.peer.endIndex))
        }
    }
}
