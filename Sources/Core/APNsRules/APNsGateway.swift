public import Determinism

/// Apple's push service as a value: what it knows of tokens, and how it judges each push.
///
/// - Source: Apple, Sending notification requests to APNs; Handling notification responses from APNs
public struct APNsGateway: Sendable {
    /// A push as recorded and as answered.
    public struct Outcome: Sendable {
        /// What is kept.
        public var record: PushRecord
        /// What is sent.
        public var reply: APNsReply
    }

    /// What can be set.
    public var settings: APNsSettings
    private var tokens: [String: DeviceTokenState] = [:]
    private var providerTokens = ProviderTokenCache()
    private var teams = ConnectionTeams()
    private var rates = TokenRates()

    /// A gateway that knows no token.
    public init(settings: APNsSettings = APNsSettings()) {
        self.settings = settings
    }

    /// Judges a push, as a fault lets it, and says what to record and to answer.
    public mutating func receive(
        _ request: APNsRequest,
        fault: APNsFault? = nil,
        now: Timestamp,
        generator: inout SeededGenerator
    ) -> Outcome {
        let provider = facts(of: request)
        var fired = failedRules(request, provider: provider, now: now)
        if settings.delivery.tokenRequestsPerSecond > 0, fault?.isProcessed ?? true {
            limitRate(request, now: now, fired: &fired)
        }
        let verdict: APNsVerdict
        if let fault, !fault.isProcessed {
            verdict = fault.verdict(alsoWouldHave: fired, now: now)
        } else {
            verdict = APNsVerdict(fired: fired, timestamp: timestamp(of: request))
            bindTeam(request, provider: provider, fired: fired)
        }
        let id = APNsUUID(using: &generator)
        let sentId = request.headers.value(.id)
        let ownId = sentId == nil ? APNsUUID(using: &generator) : nil
        let uniqueId = request.environment == .sandbox ? APNsUUID(using: &generator) : nil
        let record = PushRecord(
            id: id,
            receivedAt: now,
            request: request,
            verdict: verdict,
            ownId: ownId,
            uniqueId: uniqueId,
            provider: provider,
            fault: fault
        )
        let reply = APNsReply(
            status: verdict.status,
            body: Self.body(of: verdict, fault: fault),
            apnsId: sentId ?? ownId?.utf8(upperCase: true)[...] ?? [],
            uniqueId: uniqueId?.utf8(upperCase: false)
        )
        return Outcome(record: record, reply: reply)
    }

    // MARK: - Device tokens

    /// What is known of a token; nil when nothing is.
    public func state(ofToken token: String) -> DeviceTokenState? {
        tokens[DeviceToken.key(Array(token.utf8)[...])]
    }

    /// Sets what is known of a token; nil forgets it.
    ///
    /// - Returns: whether the text has the form of a device token.
    @discardableResult
    public mutating func setState(_ state: DeviceTokenState?, ofToken token: String) -> Bool {
        guard DeviceToken.isWellFormed(token) else { return false }
        tokens[DeviceToken.key(Array(token.utf8)[...])] = state
        return true
    }

    /// Forgets all tokens.
    public mutating func removeAllTokens() { tokens.removeAll() }

    /// Every known token in lower case, in order.
    public var knownTokens: [(token: String, state: DeviceTokenState)] {
        tokens.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    // MARK: - Judging

    private mutating func facts(of request: APNsRequest) -> ProviderFacts {
        if let value = request.headers.value(.authorization), let facts = providerTokens.read(value) {
            return facts
        }
        return request.transport.clientCertificate == nil ? .none : .certificate
    }

    private func failedRules(_ request: APNsRequest, provider: ProviderFacts, now: Timestamp) -> APNsRuleSet {
        var fired = request.head.failedRules
        if let range = request.path.token, !fired.contains(.tokenMalformed) {
            checkToken(range, of: request, now: now, fired: &fired)
        }
        checkProvider(provider, connection: request.transport.connection, now: now, fired: &fired)
        PayloadRules.check(request, fired: &fired)
        return fired
    }

    private func checkToken(
        _ range: Range<Int>,
        of request: APNsRequest,
        now: Timestamp,
        fired: inout APNsRuleSet
    ) {
        guard !tokens.isEmpty || settings.tokens == .strict else { return }
        guard let state = tokens[DeviceToken.key(request.headers.bytes[range])] else {
            if settings.tokens == .strict { fired.insert(.tokenUnknown) }
            return
        }
        state.check(topic: request.topic, environment: request.environment, now: now, fired: &fired)
    }

    /// Counts the pushes that nothing else speaks against.
    private mutating func limitRate(_ request: APNsRequest, now: Timestamp, fired: inout APNsRuleSet) {
        guard fired.first == nil, let range = request.path.token else { return }
        let token = DeviceToken.key(request.headers.bytes[range])
        if !rates.take(token, now: now, settings: settings.delivery) { fired.insert(.tokenRate) }
    }

    private func checkProvider(
        _ provider: ProviderFacts,
        connection: Int,
        now: Timestamp,
        fired: inout APNsRuleSet
    ) {
        guard settings.credentials != .off, provider.kind != .certificate else { return }
        guard provider.kind == .token else {
            fired.insert(.providerMissing)
            return
        }
        if !provider.isWellFormed { fired.insert(.providerInvalid) }
        guard settings.credentials == .anyKey else { return }
        if let issuedAt = provider.issuedAt {
            let age = now.milliseconds - issuedAt.milliseconds
            if age > Self.tokenLifeMilliseconds { fired.insert(.providerExpired) }
            if age < -Self.tokenLifeMilliseconds { fired.insert(.providerInvalid) }
        }
        if let team = provider.teamId, let first = teams.team(of: connection), first != team {
            fired.insert(.providerTeam)
        }
    }

    /// Age at which a provider token expires, and how far it may lie in the future.
    ///
    /// - Source: Apple, Establishing a token-based connection to APNs
    private static let tokenLifeMilliseconds: Int64 = 3_600_000

    private mutating func bindTeam(_ request: APNsRequest, provider: ProviderFacts, fired: APNsRuleSet) {
        guard let team = provider.teamId, provider.isWellFormed, settings.credentials == .anyKey,
            !fired.contains(.providerInvalid), !fired.contains(.providerExpired)
        else { return }
        teams.bind(request.transport.connection, to: team)
    }

    private func timestamp(of request: APNsRequest) -> Int64? {
        guard !tokens.isEmpty, let range = request.path.token else { return nil }
        return tokens[DeviceToken.key(request.headers.bytes[range])]?.since.unixMilliseconds
    }

    private static func body(of verdict: APNsVerdict, fault: APNsFault?) -> [UInt8] {
        guard let reason = verdict.reason else { return [] }
        guard let timestamp = verdict.timestamp, case .reject(_, _, let form?)? = fault?.effect else {
            return APNsReply.body(reason: reason, timestamp: verdict.timestamp)
        }
        return APNsReply.body(reason: reason, timestampText: form.spelled(timestamp))
    }
}

/// The team that first pushed on each connection.
private struct ConnectionTeams {
    /// Most connections remembered; the older half is forgotten at the next one.
    private static let capacity = 16_384

    private var teams: [Int: String] = [:]

    func team(of connection: Int) -> String? { teams[connection] }

    mutating func bind(_ connection: Int, to team: String) {
        guard teams[connection] == nil else { return }
        if teams.count >= Self.capacity {
            // Connections are numbered upwards.
            for old in teams.keys.sorted().prefix(Self.capacity / 2) { teams[old] = nil }
        }
        teams[connection] = team
    }
}
