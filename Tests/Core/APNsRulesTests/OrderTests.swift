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
        (.providerMissing, "provider", { $0.authorization = nil }),
        (.providerInvalid, "provider", { $0.authorization = "bearer x" }),
        (
            .providerExpired, "provider",
            {
                let claims = ProviderTokenText.claims(issuedAt: "1780000000")
                $0.authorization = "bearer \(ProviderTokenText(claims: claims).text)"
            }
        ),
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

    private static var gateway: APNsGateway {
        var gateway = APNsGateway()
        for kind in DeviceTokenState.Kind.allCases {
            gateway.setState(DeviceTokenState(kind, since: Push.now), ofToken: token(kind))
        }
        return gateway
    }

    @Test("lists the rules in the order of the reference")
    func lists() {
        let tested = Self.faults.map(\.rule.rawValue)
        #expect(tested == tested.sorted())
        let untested: Set<APNsRule> = [.fault, .providerTeam, .tokenUnknown, .tokenRate, .accepted]
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
        for fault in [0, 3, 4, 7, 8, 9, 10, 11, 12, 14, 17] { Self.faults[fault].spoil(&push) }
        var gateway = Self.gateway
        let verdict = push.receive(by: &gateway).record.verdict
        #expect(verdict.rule == .method)
        #expect(
            verdict.alsoWouldHave.rules == [
                .duplicateHeaders, .providerMissing, .id, .expiration, .priority, .collapseId, .pushType,
                .topicMissing, .payloadEmpty, .tokenMalformed,
            ]
        )
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
