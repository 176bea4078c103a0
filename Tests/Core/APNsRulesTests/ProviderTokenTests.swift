import Determinism
import Testing

@testable import APNsRules

@Suite("APNs: provider tokens")
struct ProviderTokenTests {
    private static func push(_ token: ProviderTokenText) -> Push {
        Push(authorization: "bearer \(token.text)")
    }

    @Test(
        "refuses what is no usable token",
        arguments: [
            (nil, "403 MissingProviderToken"), ("", "403 MissingProviderToken"),
            ("bearer", "403 MissingProviderToken"), ("bearer ", "403 MissingProviderToken"),
            ("basic YWJj", "403 MissingProviderToken"), ("bearerabc.def.ghi", "403 MissingProviderToken"),
            ("bearer abc", "403 InvalidProviderToken"), ("bearer a.b", "403 InvalidProviderToken"),
            ("bearer a.b.c.d", "403 InvalidProviderToken"), ("bearer ..", "403 InvalidProviderToken"),
            ("bearer !!!!.e30.e30", "403 InvalidProviderToken"),
            ("bearer e30.e30.e30", "403 InvalidProviderToken"),
            ("bearer W10.W10.W10", "403 InvalidProviderToken"),
        ] as [(String?, String)]
    )
    func refusesUnusable(header: String?, answer: String) {
        #expect(Push(authorization: header).answer() == answer)
    }

    @Test(
        "refuses a header or claims that lack or spoil a member",
        arguments: [
            (#"{"alg":"ES256"}"#, ProviderTokenText().claims),
            (#"{"alg":"ES256","kid":""}"#, ProviderTokenText().claims),
            (#"{"alg":"ES256","kid":7}"#, ProviderTokenText().claims),
            (#"{"alg":"HS256","kid":"ABCDE12345"}"#, ProviderTokenText().claims),
            (#"{"alg":"none","kid":"ABCDE12345"}"#, ProviderTokenText().claims),
            (#"{"alg":null,"kid":"ABCDE12345"}"#, ProviderTokenText().claims),
            (#"["kid"]"#, ProviderTokenText().claims),
            (ProviderTokenText().header, #"{"iat":1790000000}"#),
            (ProviderTokenText().header, #"{"iss":"","iat":1790000000}"#),
            (ProviderTokenText().header, #"{"iss":"TEAM123456"}"#),
            (ProviderTokenText().header, #"{"iss":"TEAM123456","iat":"soon"}"#),
            (ProviderTokenText().header, #"{"iss":"TEAM123456","iat":""}"#),
            (ProviderTokenText().header, #"{"iss":"TEAM123456","iat":"0x6AB13B80"}"#),
            (ProviderTokenText().header, #"{"iss":"TEAM123456","iat":"nan"}"#),
            (ProviderTokenText().header, #"{"iss":"TEAM123456","iat":null}"#),
            (ProviderTokenText().header, #"{"iss":"TEAM123456","iat":"-"}"#),
            (ProviderTokenText().header, #"{"iss":"TEAM123456","iat":1e300}"#),
            (ProviderTokenText().header, #"{"iss":"TEAM123456","iat":1e999}"#),
            (ProviderTokenText().header, "not JSON"),
        ]
    )
    func refusesMembers(header: String, claims: String) {
        let push = Self.push(ProviderTokenText(header: header, claims: claims))
        #expect(push.answer() == "403 InvalidProviderToken")
        #expect(push.answer(APNsSettings(credentials: .syntax)) == "403 InvalidProviderToken")
        #expect(push.answer(APNsSettings(credentials: .off)) == "200")
    }

    @Test("takes a time before 1970 for one that is long ago", arguments: ["-1", "-1e300", "\"-5\"", "-0.5"])
    func expiresEarlyTimes(issuedAt: String) {
        let outcome = Self.push(ProviderTokenText(claims: ProviderTokenText.claims(issuedAt: issuedAt)))
            .outcome()
        #expect(outcome.answer == "403 ExpiredProviderToken")
        #expect(outcome.record.provider.notes.contains("iat before 1970"))
    }

    @Test(
        "refuses a signature that is neither 64 bytes nor DER",
        arguments: [
            [], [1], [UInt8](repeating: 7, count: 63), [UInt8](repeating: 7, count: 65),
            [0x30, 0x06, 0x02, 0x01, 1, 0x02, 0x01],
            [0x30, 0x07, 0x02, 0x01, 1, 0x02, 0x01, 1],
            [0x30, 0x06, 0x03, 0x01, 1, 0x02, 0x01, 1],
            [0x30, 0x06, 0x02, 0x7F, 1, 0x02, 0x01, 1],
        ] as [[UInt8]]
    )
    func refusesSignature(signature: [UInt8]) {
        #expect(Self.push(ProviderTokenText(signature: signature)).answer() == "403 InvalidProviderToken")
    }

    @Test("accepts a DER signature and notes it")
    func acceptsDER() {
        let half = [UInt8](repeating: 0x11, count: 32)
        let signature = [0x30, 0x45, 0x02, 0x21, 0x00] + half + [0x02, 0x20] + half
        let outcome = Self.push(ProviderTokenText(signature: signature)).outcome()
        #expect(outcome.answer == "200")
        #expect(outcome.record.provider.notes == ["DER signature"])
    }

    @Test("takes 64 bytes that begin like DER as a raw signature")
    func acceptsRawLikeDER() {
        let signature = [UInt8](repeating: 0x30, count: 64)
        let outcome = Self.push(ProviderTokenText(signature: signature)).outcome()
        #expect(outcome.answer == "200")
        #expect(outcome.record.provider.notes == [])
    }

    @Test("accepts padded base64 with the plain alphabet and notes it")
    func acceptsPlainBase64() {
        let token = ProviderTokenText(signature: [UInt8](repeating: 0xFB, count: 64), isPlain: true)
        #expect(token.text.contains("+") && token.text.contains("="))
        let outcome = Self.push(token).outcome()
        #expect(outcome.answer == "200")
        #expect(outcome.record.provider.notes == ["standard base64"])
    }

    @Test(
        "accepts every form of iat that libraries send",
        arguments: [
            ("1790000000", []), ("1789999999.5", ["float iat"]), (#""1790000000""#, ["string iat"]),
            ("1790000000000", ["iat in milliseconds"]),
            (#""1790000000000""#, ["string iat", "iat in milliseconds"]),
        ] as [(String, [String])]
    )
    func acceptsIssuedAt(issuedAt: String, notes: [String]) {
        let outcome = Self.push(ProviderTokenText(claims: ProviderTokenText.claims(issuedAt: issuedAt)))
            .outcome()
        #expect(outcome.answer == "200")
        #expect(outcome.record.provider.notes == notes)
        let seconds = (outcome.record.provider.issuedAt?.unixMilliseconds ?? 0) / 1000
        #expect(seconds == 1_790_000_000 || seconds == 1_789_999_999)
    }

    @Test("accepts a missing alg with a note, more members, and any case of the scheme")
    func acceptsOthers() {
        let token = ProviderTokenText(
            header: #"{"kid":"ABCDE12345","typ":"JWT"}"#,
            claims: #"{"iss":"TEAM123456","kid":"ABCDE12345","iat":1790000000}"#
        )
        for scheme in ["bearer", "Bearer", "BEARER"] {
            let outcome = Push(authorization: "\(scheme) \(token.text)").outcome()
            #expect(outcome.answer == "200")
            #expect(outcome.record.provider.notes == ["no alg"])
        }
    }

    @Test(
        "judges the age to the second",
        arguments: [
            (1_789_996_400, "200"), (1_789_996_399, "403 ExpiredProviderToken"),
            (1_790_003_600, "200"), (1_790_003_601, "403 InvalidProviderToken"),
        ]
    )
    func judgesAge(issuedAt: Int, answer: String) {
        let push = Self.push(ProviderTokenText(claims: ProviderTokenText.claims(issuedAt: "\(issuedAt)")))
        #expect(push.answer() == answer)
        #expect(push.answer(APNsSettings(credentials: .syntax)) == "200")
    }

    @Test("lets a token that was accepted expire")
    func expiresLater() {
        var gateway = APNsGateway()
        #expect(Push().receive(by: &gateway).answer == "200")
        let later = Push.now.adding(milliseconds: 3_600_001)
        #expect(Push().receive(by: &gateway, at: later).answer == "403 ExpiredProviderToken")
    }

    @Test("holds a connection to its first team")
    func bindsTeam() {
        let other = ProviderTokenText(
            claims: ProviderTokenText.claims(issuedAt: "1790000000", team: "OTHER12345")
        )
        var gateway = APNsGateway()
        #expect(Push().receive(by: &gateway).answer == "200")
        var push = Self.push(other)
        let outcome = push.receive(by: &gateway)
        #expect(outcome.answer == "403 InvalidProviderToken")
        #expect(outcome.record.verdict.rule == .providerTeam)
        push.connection = 2
        #expect(push.receive(by: &gateway).answer == "200")
    }

    @Test("records who pushed")
    func records() {
        let provider = Push().outcome().record.provider
        #expect(provider.kind == .token)
        #expect(provider.keyId == "ABCDE12345")
        #expect(provider.teamId == "TEAM123456")
        #expect(provider.issuedAt == Push.now)
    }

    @Test("judges one token the same however many others were seen in between")
    func remembers() {
        var gateway = APNsGateway()
        for number in 0..<600 {
            let claims = ProviderTokenText.claims(issuedAt: "\(1_790_000_000 - number)")
            let push = Self.push(ProviderTokenText(claims: claims))
            #expect(push.receive(by: &gateway).answer == "200")
            #expect(
                Push(authorization: "bearer x").receive(by: &gateway).answer == "403 InvalidProviderToken"
            )
            #expect(Push(authorization: "basic x").receive(by: &gateway).answer == "403 MissingProviderToken")
        }
    }
}
