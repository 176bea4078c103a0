import Determinism
import Testing

@testable import APNsRules

@Suite("APNs: device tokens")
struct DeviceTokenTests {
    private static func gateway(_ state: DeviceTokenState, tokens: APNsSettings.Tokens = .open) -> APNsGateway
    {
        var gateway = APNsGateway(settings: APNsSettings(tokens: tokens))
        gateway.setState(state, ofToken: Push.token)
        return gateway
    }

    private static let before = Push.now.adding(milliseconds: -5000)

    @Test(
        "answers by the state",
        arguments: [
            (.active, "200", APNsRule.accepted), (.unregistered, "410 Unregistered", .tokenUnregistered),
            (.bad, "400 BadDeviceToken", .tokenBad), (.expired, "410 ExpiredToken", .tokenExpired),
            (.wrongTopic, "400 DeviceTokenNotForTopic", .tokenTopic),
            (.wrongEnvironment, "400 BadDeviceToken", .tokenEnvironment),
        ] as [(DeviceTokenState.Kind, String, APNsRule)]
    )
    func answers(kind: DeviceTokenState.Kind, answer: String, rule: APNsRule) {
        var gateway = Self.gateway(DeviceTokenState(kind, since: Self.before))
        let outcome = Push().receive(by: &gateway)
        #expect(outcome.answer == answer)
        #expect(outcome.record.verdict.rule == rule)
    }

    @Test("tells since when in milliseconds with 410 alone")
    func tellsTimestamp() {
        var gateway = Self.gateway(DeviceTokenState(.unregistered, since: Self.before))
        let reply = Push().receive(by: &gateway).reply
        #expect(
            String(decoding: reply.body, as: UTF8.self)
                == #"{"reason":"Unregistered","timestamp":1789999995000}"#
        )
        gateway.setState(DeviceTokenState(.bad, since: Self.before), ofToken: Push.token)
        #expect(
            String(decoding: Push().receive(by: &gateway).reply.body, as: UTF8.self)
                == #"{"reason":"BadDeviceToken"}"#
        )
        #expect(Push().outcome().reply.body.isEmpty)
    }

    @Test("goes on with 200 until the moment at which a token ends")
    func endsLater() {
        var gateway = Self.gateway(DeviceTokenState(.unregistered, since: Push.now))
        #expect(Push().receive(by: &gateway, at: Self.before).answer == "200")
        #expect(Push().receive(by: &gateway, at: Push.now).answer == "410 Unregistered")
    }

    @Test("knows a token in either case")
    func ignoresCase() {
        var gateway = Self.gateway(DeviceTokenState(.bad, since: Push.now))
        #expect(
            Push(path: "/3/device/\(Push.token.uppercased())").receive(by: &gateway).answer
                == "400 BadDeviceToken"
        )
        #expect(gateway.state(ofToken: Push.token.uppercased())?.kind == .bad)
        #expect(gateway.knownTokens.map(\.token) == [Push.token])
    }

    @Test("takes a token of one environment for a bad one in the other")
    func separatesEnvironments() {
        var gateway = Self.gateway(DeviceTokenState(.active, since: Push.now, environment: .sandbox))
        #expect(Push().receive(by: &gateway).answer == "400 BadDeviceToken")
        #expect(Push(environment: .sandbox).receive(by: &gateway).answer == "200")
    }

    @Test(
        "lets a token be pushed to for its own app alone",
        arguments: [
            (Push.topic, "200"), (Push.topic + ".voip", "200"),
            (Push.topic + ".push-type.liveactivity", "200"), ("im.other", "400 DeviceTokenNotForTopic"),
            (Push.topic + ".x", "400 DeviceTokenNotForTopic"),
            ("IM.EXAMPLE.MESSENGER", "400 DeviceTokenNotForTopic"),
        ]
    )
    func separatesTopics(topic: String, answer: String) {
        var gateway = Self.gateway(DeviceTokenState(.active, since: Push.now, topic: Push.topic))
        #expect(Push(topic: topic).receive(by: &gateway).answer == answer)
    }

    @Test("takes only known tokens when strict")
    func isStrict() {
        var gateway = Self.gateway(DeviceTokenState(.active, since: Push.now), tokens: .strict)
        #expect(Push().receive(by: &gateway).answer == "200")
        let unknown = Push(path: "/3/device/\(String(repeating: "a", count: 64))").receive(by: &gateway)
        #expect(unknown.answer == "400 BadDeviceToken")
        #expect(unknown.record.verdict.rule == .tokenUnknown)
        gateway.setState(nil, ofToken: Push.token)
        #expect(Push().receive(by: &gateway).answer == "400 BadDeviceToken")
    }

    @Test("keeps no text that is no token")
    func refusesMalformed() {
        var gateway = APNsGateway()
        let isKept = gateway.setState(DeviceTokenState(.bad, since: Push.now), ofToken: "x")
        #expect(!isKept)
        #expect(gateway.knownTokens.isEmpty)
    }

    @Test("tells 410 before the wrong topic, and the wrong topic beside it")
    func ordersStates() {
        let state = DeviceTokenState(.unregistered, since: Self.before, topic: "im.other")
        var gateway = Self.gateway(state)
        let verdict = Push().receive(by: &gateway).record.verdict
        #expect(verdict.rule == .tokenUnregistered)
        #expect(verdict.alsoWouldHave.rules == [.tokenTopic])
    }
}
