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
    private(set) var keys = ProviderKeys()
    private var bindings = ProviderBindings()
    private var updates = ProviderTokenUpdates()
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
        let binding = provider.kind == .token ? bindings[request.transport.connection] : nil
        var findings = findings(of: request, provider: provider, binding: binding, now: now)
        if settings.delivery.tokenRequestsPerSecond > 0, fault?.isProcessed ?? true {
            limitRate(request, now: now, fired: &findings.fired)
        }
        let verdict: APNsVerdict
        if let fault, !fault.isProcessed {
            verdict = fault.verdict(alsoWouldHave: findings.fired, now: now)
        } else {
            verdict = APNsVerdict(
                fired: findings.fired,
                settings: settings,
                timestamp: timestamp(of: request)
            )
            if provider.kind == .token {
                bind(request, to: provider, first: binding, fired: findings.fired, now: now)
            }
        }
        let id = APNsUUID(using: &generator)
        let sentId = request.sentId
        let ownId = sentId == nil ? APNsUUID(using: &generator) : nil
        let uniqueId = request.environment == .sandbox ? APNsUUID(using: &generator) : nil
        let record = PushRecord(
            id: id,
            receivedAt: now,
            request: request,
            verdict: verdict,
            problems: findings.problems,
            ownId: ownId,
            uniqueId: uniqueId,
            provider: provider,
            fault: fault
        )
        let reply = APNsReply(
            status: verdict.status,
            body: Self.body(of: verdict, fault: fault),
            apnsId: sentId ?? ownId?.utf8(upperCase: true)[...] ?? [],
            isBroadcast: request.path == .broadcast,
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

    // MARK: - Provider keys

    /// Registers a key, or replaces the one of its id.
    public mutating func setKey(_ key: ProviderKey) {
        keys[key.keyId] = key
        // What was read of tokens says whether the key had signed them.
        providerTokens = ProviderTokenCache()
    }

    /// Forgets a key; false when it is not known.
    @discardableResult
    public mutating func removeKey(_ keyId: String) -> Bool {
        guard keys[keyId] != nil else { return false }
        keys[keyId] = nil
        providerTokens = ProviderTokenCache()
        return true
    }

    /// Every known key, in the order of their ids.
    public var knownKeys: [ProviderKey] { keys.all }

    // MARK: - Judging

    private mutating func facts(of request: APNsRequest) -> ProviderFacts {
        if request.transport.clientCertificate != nil { return .certificate }
        guard let value = request.headers.value(.authorization) else { return .none }
        return providerTokens.read(value, keys: keys) ?? .none
    }

    private func findings(
        of request: APNsRequest,
        provider: ProviderFacts,
        binding: ProviderBinding?,
        now: Timestamp
    ) -> APNsFindings {
        var findings = APNsFindings(request.head.failedRules)
        checkProvider(provider, of: request, binding: binding, now: now, into: &findings)
        if let range = request.path.token { checkToken(range, of: request, now: now, fired: &findings.fired) }
        PayloadRules.check(request, settings: settings, fired: &findings.fired)
        if !settings.strict.isEmpty { checkStrictly(request, fired: &findings.fired) }
        switch settings.service {
        case .up: break
        case .failing: findings.fired.insert(.serviceFailing)
        case .unavailable: findings.fired.insert(.serviceUnavailable)
        case .shutdown: findings.fired.insert(.serviceShutdown)
        }
        return findings
    }

    private func checkToken(
        _ range: Range<Int>,
        of request: APNsRequest,
        now: Timestamp,
        fired: inout APNsRuleSet
    ) {
        guard !tokens.isEmpty || settings.tokens == .strict, !fired.contains(.tokenMalformed) else { return }
        guard let state = tokens[DeviceToken.key(request.headers.bytes[range])] else {
            if settings.tokens == .strict { fired.insert(.tokenUnknown) }
            return
        }
        let topic = request.topic ?? request.transport.clientCertificate?.defaultTopic
        state.check(topic: topic, environment: request.environment, now: now, fired: &fired)
    }

    /// Counts the pushes that nothing else speaks against.
    private mutating func limitRate(_ request: APNsRequest, now: Timestamp, fired: inout APNsRuleSet) {
        guard fired.first == nil, let range = request.path.token else { return }
        let token = DeviceToken.key(request.headers.bytes[range])
        if !rates.take(token, now: now, settings: settings.delivery) { fired.insert(.tokenRate) }
    }

    private func checkProvider(
        _ provider: ProviderFacts,
        of request: APNsRequest,
        binding: ProviderBinding?,
        now: Timestamp,
        into findings: inout APNsFindings
    ) {
        guard settings.credentials != .off else { return }
        switch provider.kind {
        case .certificate:
            let certificate = request.transport.clientCertificate
            certificate?.check(request, settings: settings, now: now, into: &findings)
        case .none:
            findings.fail(
                .providerMissing,
                request.headers.value(.authorization) == nil
                    ? "neither a client certificate nor an authorization header"
                    : "the authorization header holds no bearer token"
            )
        case .token:
            check(provider, of: request, binding: binding, now: now, into: &findings)
            guard settings.tokenUpdateMinutes > 0 else { return }
            if updates.isTooEarly(provider, of: request, settings: settings, now: now) {
                findings.fail(
                    .providerUpdates,
                    "another provider token less than \(settings.tokenUpdateMinutes) minutes after the last new one"
                )
            }
        }
    }

    private func checkStrictly(_ request: APNsRequest, fired: inout APNsRuleSet) {
        let type = PushType.named(request.pushType)
        if settings.strict.contains(.topicSuffix), let type, let topic = request.topic,
            !type.fits(topic: topic)
        {
            fired.insert(.topicSuffix)
        }
        if settings.strict.contains(.backgroundPriority), type?.name == "background", request.priority != 5 {
            fired.insert(.backgroundPriority)
        }
        if settings.strict.contains(.tokenLength), let token = request.path.token, token.count != 64 {
            fired.insert(.tokenMalformed)
        }
    }

    /// Remembers what a push tells of its provider for those that follow.
    private mutating func bind(
        _ request: APNsRequest,
        to provider: ProviderFacts,
        first: ProviderBinding?,
        fired: APNsRuleSet,
        now: Timestamp
    ) {
        guard settings.credentials == .anyKey || settings.credentials == .registeredKeys else { return }
        let isGood = fired.isDisjoint(with: Self.providerRules)
        let connection = request.transport.connection
        if isGood {
            bindings.bind(connection, to: provider, first: first)
        } else if fired.contains(.providerExpired), settings.wedgesOnExpired {
            bindings.wedge(connection, first: first)
        }
        guard settings.tokenUpdateMinutes > 0, !fired.contains(.providerUpdates) else { return }
        if isGood || settings.tokenUpdateScope == .address {
            updates.note(provider, of: request, settings: settings, now: now)
        }
    }

    /// What a provider token can fail.
    private static let providerRules = APNsRuleSet([
        .providerUpdates, .providerInvalid, .providerTeam, .providerExpired, .providerEnvironment,
        .providerUnrelated, .providerForbidden,
    ])

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
