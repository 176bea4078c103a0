import Determinism
import Testing

@testable import APNsRules

@Suite("APNs: changes of the provider token")
struct ProviderTokenUpdateTests {
    private static func settings(_ scope: APNsSettings.UpdateScope) -> APNsSettings {
        var settings = APNsSettings()
        settings.tokenUpdateMinutes = 20
        settings.tokenUpdateScope = scope
        return settings
    }

    private static func push(
        issuedAt: Int = 1_790_000_000,
        team: String = "TEAM123456",
        signature: UInt8 = 7,
        connection: Int = 1,
        peer: String = "127.0.0.1:40000"
    ) -> Push {
        let token = ProviderTokenText(
            claims: ProviderTokenText.claims(issuedAt: "\(issuedAt)", team: team),
            signature: [UInt8](repeating: signature, count: 64)
        )
        return Push(authorization: "bearer \(token.text)", connection: connection, peer: peer)
    }

    private static func later(minutes: Int64) -> Timestamp { Push.now.adding(milliseconds: minutes * 60_000) }

    @Test("has no rule until asked for one")
    func isOff() {
        var gateway = APNsGateway()
        for number in 0..<5 {
            #expect(Self.push(issuedAt: 1_790_000_000 - number).receive(by: &gateway).answer == "200")
        }
    }

    @Test(
        "refuses a team's second token within the time, over all connections, and keeps the first one working"
    )
    func refusesSecond() {
        var gateway = APNsGateway(settings: Self.settings(.team))
        #expect(Self.push().receive(by: &gateway).answer == "200")
        let new = Self.push(issuedAt: 1_790_000_001, connection: 2)
        let refused = new.receive(by: &gateway, at: Self.later(minutes: 10))
        #expect(refused.answer == "429 TooManyProviderTokenUpdates")
        #expect(refused.record.verdict.rule == .providerUpdates)
        #expect(
            refused.record.problems == [
                "another provider token less than 20 minutes after the last new one"
            ]
        )
        #expect(Self.push().receive(by: &gateway, at: Self.later(minutes: 11)).answer == "200")
        // Two signatures over the same claims are one token.
        #expect(Self.push(signature: 8).receive(by: &gateway, at: Self.later(minutes: 11)).answer == "200")
        #expect(new.receive(by: &gateway, at: Self.later(minutes: 20)).answer == "200")
        #expect(Self.push().receive(by: &gateway, at: Self.later(minutes: 21)).answer == "200")
        let third = Self.push(issuedAt: 1_790_000_002, connection: 3)
        #expect(third.receive(by: &gateway, at: Self.later(minutes: 39)).answer.hasPrefix("429"))
        #expect(third.receive(by: &gateway, at: Self.later(minutes: 40)).answer == "200")
        #expect(Self.push(team: "OTHERTEAM1", connection: 4).receive(by: &gateway).answer == "200")
    }

    @Test("refuses a second token as one too many whatever else is wrong with it, if its claims can be read")
    func comesBeforeForm() {
        var gateway = APNsGateway(settings: Self.settings(.team))
        #expect(Self.push().receive(by: &gateway).answer == "200")
        func answer(_ change: (inout ProviderTokenText) -> Void) -> String {
            var token = ProviderTokenText(claims: ProviderTokenText.claims(issuedAt: "1790000001"))
            change(&token)
            return Push(authorization: "bearer \(token.text)").receive(by: &gateway).answer
        }
        #expect(
            answer { $0.header = #"{"alg":"HS256","kid":"ABCDE12345"}"# } == "429 TooManyProviderTokenUpdates"
        )
        #expect(answer { $0.signature = [] } == "429 TooManyProviderTokenUpdates")
        #expect(answer { $0.header = #"{"alg":"ES256"}"# } == "403 InvalidProviderToken")
        gateway.settings.tokenUpdateScope = .address
        for seconds in ["1790000002", "1790000003"] {
            #expect(
                answer {
                    $0.claims = ProviderTokenText.claims(issuedAt: seconds)
                    $0.signature = []
                } == "403 InvalidProviderToken"
            )
        }
        #expect(answer { $0.signature = [] } == "429 TooManyProviderTokenUpdates")
    }

    @Test("counts per connection where it is told to")
    func countsPerConnection() {
        var gateway = APNsGateway(settings: Self.settings(.connection))
        #expect(Self.push().receive(by: &gateway).answer == "200")
        #expect(Self.push(issuedAt: 1_790_000_001, connection: 2).receive(by: &gateway).answer == "200")
        #expect(Self.push(issuedAt: 1_790_000_001).receive(by: &gateway).answer.hasPrefix("429"))
    }

    @Test("counts per address, bad tokens too, whose 403 the 429 then replaces")
    func countsPerAddress() {
        var gateway = APNsGateway(settings: Self.settings(.address))
        gateway.settings.credentials = .registeredKeys
        func answer(_ number: Int, peer: String = "127.0.0.1:\(40_000)") -> String {
            Self.push(issuedAt: 1_790_000_000 - number, connection: number, peer: peer)
                .receive(by: &gateway).answer
        }
        #expect(answer(1) == "403 InvalidProviderToken")
        #expect(answer(2, peer: "127.0.0.1:40001") == "403 InvalidProviderToken")
        #expect(answer(3, peer: "127.0.0.1:40002") == "429 TooManyProviderTokenUpdates")
        #expect(answer(4, peer: "[::1]:40002") == "403 InvalidProviderToken")
    }

    @Test("does not count a token that was refused for another reason")
    func countsGoodOnes() {
        var gateway = APNsGateway(settings: Self.settings(.team))
        #expect(Self.push(issuedAt: 1_700_000_000).receive(by: &gateway).answer == "403 ExpiredProviderToken")
        #expect(Self.push().receive(by: &gateway).answer == "200")
    }

    @Test("lets an expired token spoil the connection where it is told to")
    func wedges() {
        var gateway = APNsGateway()
        gateway.settings.wedgesOnExpired = true
        #expect(Self.push().receive(by: &gateway).answer == "200")
        let old = Self.push(issuedAt: 1_700_000_000)
        #expect(old.receive(by: &gateway).answer == "403 ExpiredProviderToken")
        let outcome = Self.push().receive(by: &gateway)
        #expect(outcome.answer == "403 ExpiredProviderToken")
        #expect(outcome.record.problems == ["the connection has seen an expired token"])
        #expect(Self.push(connection: 2).receive(by: &gateway).answer == "200")
        gateway.settings.wedgesOnExpired = false
        #expect(Self.push().receive(by: &gateway).answer == "200")
    }
}
