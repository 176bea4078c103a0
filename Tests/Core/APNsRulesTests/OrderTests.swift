import Testing

@testable import APNsRules

@Suite("APNs: order of checks")
struct OrderTests {
    /// One way to fail each rule, in the order of the reference; those of one group exclude each other.
    private static let faults: [(rule: APNsRule, group: String, spoil: @Sendable (inout Push) -> Void)] = [
        (.method, "method", { $0.method = "GET" }),
        (.path, "path", { $0.path = "/" }),
        (.tokenMissing, "path", { $0.path = "/3/device/" }),
        (.duplicateHeaders, "duplicate", { $0.headers += [("apns-x", "1"), ("apns-x", "1")] }),
        (
            .certificateInvalid, "provider",
            { $0.clientCertificate = .sample(topics: [Push.topic, "a b"], isTrusted: false) }
        ),
        (
            .certificateEnvironment, "provider",
            { $0.clientCertificate = .sample(topics: [Push.topic, "a b"], isForSandboxAlone: true) }
        ),
        (.providerMissing, "provider", { $0.authorization = nil }),
        (.providerInvalid, "provider", { $0.authorization = "bearer x" }),
        (
            .providerExpired, "provider",
            {
                let claims = ProviderTokenText.claims(issuedAt: "1780000000")
                $0.authorization = "bearer \(ProviderTokenText(claims: claims).text)"
            }
        ),
        (.providerEnvironment, "provider", { $0.authorization = bearer(keyId: "SANDBOXKEY") }),
        (.providerForbidden, "provider", { $0.authorization = bearer(keyId: "DISABLED01") }),
        (.id, "id", { $0.headers.append(("apns-id", "x")) }),
        (.expiration, "expiration", { $0.headers.append(("apns-expiration", "x")) }),
        (.priority, "priority", { $0.headers.append(("apns-priority", "x")) }),
        (
            .collapseId, "collapse",
            { $0.headers.append(("apns-collapse-id", String(repeating: "x", count: 65))) }
        ),
        (.pushType, "type", { $0.headers.append(("apns-push-type", "x")) }),
        (.topicMissing, "topic", { $0.topic = nil }),
        (.topicInvalid, "topic", { $0.topic = "a b" }),
        (.payloadEmpty, "payload", { $0.body = [] }),
        (.payloadSize, "payload", { $0.bodyCount = 100_000 }),
        (.payloadForm, "payload", { $0.body = [0x78] }),
        (.tokenMalformed, "path", { $0.path = "/3/device/x" }),
        (.tokenBad, "path", { $0.path = "/3/device/\(token(.bad))" }),
        (.tokenEnvironment, "path", { $0.path = "/3/device/\(token(.wrongEnvironment))" }),
        (.tokenUnregistered, "path", { $0.path = "/3/device/\(token(.unregistered))" }),
        (.tokenExpired, "path", { $0.path = "/3/device/\(token(.expired))" }),
        (.tokenTopic, "path", { $0.path = "/3/device/\(token(.wrongTopic))" }),
    ]

    private static func token(_ kind: DeviceTokenState.Kind) -> String {
        let digit = DeviceTokenState.Kind.allCases.firstIndex(of: kind) ?? 0
        return String(repeating: "\(digit)", count: 64)
    }

    private static func bearer(keyId: String) -> String {
        "bearer " + ProviderTokenText(header: #"{"alg":"ES256","kid":"\#(keyId)"}"#).text
    }

    private static var gateway: APNsGateway {
        var gateway = APNsGateway()
        gateway.setKey(ProviderKey(keyId: "SANDBOXKEY", teamId: "TEAM123456", environment: .sandbox))
        gateway.setKey(ProviderKey(keyId: "DISABLED01", teamId: "TEAM123456", state: .disabled))
        for kind in DeviceTokenState.Kind.allCases {
            gateway.setState(DeviceTokenState(kind, since: Push.now), ofToken: token(kind))
        }
        return gateway
    }

    @Test("lists the rules in the order of the reference")
    func lists() {
        let tested = Self.faults.map(\.rule.rawValue)
        #expect(tested == tested.sorted())
        // These need more than one push, or other settings, and have tests of their own.
        let untested: Set<APNsRule> = [
            .fault, .serviceFailing, .serviceUnavailable, .serviceShutdown, .providerUpdates, .providerTeam,
            .providerUnrelated, .backgroundPriority, .topicCertificate, .topicDisallowed, .tokenUnknown,
            .topicSuffix, .tokenRate, .accepted,
        ]
        #expect(Set(Self.faults.map(\.rule)).union(untested) == Set(APNsRule.allCases))
    }

    @Test("lets the earlier of two failed rules decide and tells the other", arguments: faults.indices)
    func decidesInOrder(first: Int) {
        for second in Self.faults.indices where second > first {
            let (earlier, later) = (Self.faults[first], Self.faults[second])
            guard earlier.group != later.group else { continue }
            var push = Push()
            later.spoil(&push)
            earlier.spoil(&push)
            var gateway = Self.gateway
            let verdict = push.receive(by: &gateway).record.verdict
            #expect(verdict.rule == earlier.rule)
            #expect(verdict.reason == earlier.rule.reason?.rawValue)
            #expect(verdict.alsoWouldHave.rules == [later.rule])
        }
    }

    @Test("tells every failed rule of a push that fails many")
    func tellsAll() {
        var push = Push()
        let failed: [APNsRule] = [
            .method, .duplicateHeaders, .providerMissing, .id, .expiration, .priority, .collapseId, .pushType,
            .topicMissing, .payloadEmpty, .tokenMalformed,
        ]
        for fault in Self.faults where failed.contains(fault.rule) { fault.spoil(&push) }
        var gateway = Self.gateway
        let verdict = push.receive(by: &gateway).record.verdict
        #expect(verdict.rule == .method)
        #expect(verdict.alsoWouldHave.rules == Array(failed.dropFirst()))
    }

    /// The order of Pushy's mock server as its source has it; what it never checks comes last.
    private static let pushyOrder: [APNsRule] = [
        .id, .method, .topicMissing, .collapseId, .priority, .pushType, .tokenMissing, .tokenMalformed,
        .tokenBad, .tokenEnvironment, .tokenUnregistered, .tokenExpired, .tokenTopic, .path,
        .certificateInvalid, .certificateEnvironment, .providerMissing, .providerInvalid, .providerExpired,
        .providerEnvironment, .providerForbidden, .topicInvalid, .payloadEmpty, .payloadForm, .payloadSize,
        .duplicateHeaders, .expiration,
    ]

    @Test("has another order, of the same checks, as a profile", arguments: faults.indices)
    func decidesAsPushy(first: Int) throws {
        #expect(Set(Self.pushyOrder) == Set(Self.faults.map(\.rule)))
        for second in Self.faults.indices where second > first {
            let (one, other) = (Self.faults[first], Self.faults[second])
            guard one.group != other.group else { continue }
            var push = Push()
            other.spoil(&push)
            one.spoil(&push)
            var gateway = Self.gateway
            gateway.settings.profile = .pushy
            let verdict = push.receive(by: &gateway).record.verdict
            let winner = try #require(Self.pushyOrder.first { $0 == one.rule || $0 == other.rule })
            #expect(verdict.rule == winner)
            #expect(verdict.alsoWouldHave.rules == [winner == one.rule ? other.rule : one.rule])
        }
    }

    @Test("names every rule once")
    func names() {
        #expect(Set(APNsRule.allCases.map(\.name)).count == APNsRule.allCases.count)
        for rule in APNsRule.allCases { #expect(APNsRule(name: rule.name) == rule) }
        #expect(APNsRule(name: "x") == nil)
    }

    @Test(
        "has Apple's status for each reason",
        arguments: [
            (400, "BadCollapseId"), (400, "BadDeviceToken"), (400, "BadExpirationDate"),
            (400, "BadMessageId"),
            (400, "BadPriority"), (400, "BadTopic"), (400, "DeviceTokenNotForTopic"),
            (400, "DuplicateHeaders"),
            (400, "IdleTimeout"), (400, "InvalidPushType"), (400, "MissingDeviceToken"),
            (400, "MissingTopic"),
            (400, "PayloadEmpty"), (400, "TopicDisallowed"), (403, "BadCertificate"),
            (403, "BadCertificateEnvironment"), (403, "ExpiredProviderToken"), (403, "Forbidden"),
            (403, "InvalidProviderToken"), (403, "MissingProviderToken"), (403, "UnrelatedKeyIdInToken"),
            (403, "BadEnvironmentKeyInToken"), (404, "BadPath"), (405, "MethodNotAllowed"),
            (410, "ExpiredToken"),
            (410, "Unregistered"), (413, "PayloadTooLarge"), (429, "TooManyProviderTokenUpdates"),
            (429, "TooManyRequests"), (500, "InternalServerError"), (503, "ServiceUnavailable"),
            (503, "Shutdown"),
        ]
    )
    func hasStatuses(status: Int, reason: String) throws {
        #expect(try #require(APNsReason(rawValue: reason)).status == status)
        #expect(APNsReason.allCases.count == 32)
    }
}
