import JSONValue
import Testing

@testable import APNsRules

@Suite("APNs: settings")
struct SettingsTests {
    private static func settings(_ change: (inout APNsSettings) -> Void) -> APNsSettings {
        var settings = APNsSettings()
        change(&settings)
        return settings
    }

    @Test("has the usual ones until told otherwise")
    func hasDefaults() {
        let json = APNsSettings().json
        #expect(json["tokens"] == "open" && json["credentials"] == "any-key" && json["profile"] == "apple")
        #expect(json["settings"] == "constant" && json["alpn"] == "optional")
        #expect(json["tokenUpdateMinutes"] == 0 && json["strict"] == [] && json["service"] == "up")
        #expect(APNsSettings(json: [:]) == APNsSettings())
    }

    @Test("reads what it shows")
    func reads() {
        let settings = Self.settings { settings in
            settings = APNsSettings(tokens: .strict, credentials: .registeredKeys)
            settings.profile = .pushy
            settings.streams = .apple
            settings.dropsStreams = true
            settings.overLimit = .goAway
            settings.alpn = .required
            settings.idleSeconds = 5
            settings.errorLimit = 6
            settings.certificates = .any
            settings.tokenUpdateMinutes = 20
            settings.tokenUpdateScope = .address
            settings.wedgesOnExpired = true
            settings.environmentReason = .page
            settings.malformedPayload = .accept
            settings.strict = APNsStrictness(APNsStrictness.Check.allCases)
            settings.service = .shutdown
        }
        #expect(APNsSettings(json: settings.json) == settings)
    }

    @Test(
        "answers everything with the service's state while it is not up",
        arguments: [
            (APNsSettings.Service.failing, "500 InternalServerError"),
            (.unavailable, "503 ServiceUnavailable"), (.shutdown, "503 Shutdown"),
        ]
    )
    func isDown(service: APNsSettings.Service, answer: String) {
        let settings = Self.settings { $0.service = service }
        #expect(Push().answer(settings) == answer)
        let outcome = Push(method: "GET").outcome(settings)
        #expect(outcome.answer == answer)
        #expect(outcome.record.verdict.alsoWouldHave.rules == [.method])
    }

    @Test("passes on a body that is no JSON object where it is told to")
    func passesOn() {
        let push = Push(body: Array("hello".utf8))
        #expect(push.answer() == "400 PayloadEmpty")
        #expect(push.answer(Self.settings { $0.malformedPayload = .accept }) == "200")
    }

    @Test(
        "refuses the odd forms of provider tokens where it is strict",
        arguments: [
            (ProviderTokenText(), nil),
            (ProviderTokenText(header: #"{"kid":"ABCDE12345"}"#), "no alg"),
            (ProviderTokenText(claims: ProviderTokenText.claims(issuedAt: "1790000000.5")), "float iat"),
            (ProviderTokenText(claims: ProviderTokenText.claims(issuedAt: #""1790000000""#)), "string iat"),
            (
                ProviderTokenText(claims: ProviderTokenText.claims(issuedAt: "1790000000000")),
                "iat in milliseconds"
            ),
            (ProviderTokenText(isPlain: true), "standard base64"),
            (ProviderTokenText(signature: [0x30, 0x06, 2, 1, 1, 2, 1, 1]), "DER signature"),
        ]
    )
    func refusesOddTokens(token: ProviderTokenText, note: String?) {
        let push = Push(authorization: "bearer \(token.text)")
        #expect(push.answer() == "200")
        let outcome = push.outcome(Self.settings { $0.strict = APNsStrictness([.providerToken]) })
        #expect(outcome.answer == (note == nil ? "200" : "403 InvalidProviderToken"))
        #expect(outcome.record.problems == (note.map { ["strict: \($0)"] } ?? []))
    }

    @Test("refuses a topic that does not go with the push type where it is strict", arguments: PushType.all)
    func refusesSuffixes(type: PushType) {
        let strict = Self.settings { $0.strict = APNsStrictness([.topicSuffix]) }
        var push = Push(topic: "im.example" + (type.topicSuffix ?? ""))
        push.headers = [("apns-push-type", type.name), ("apns-priority", "5")]
        #expect(push.answer(strict) == "200")
        push.topic = "im.example" + (type.name == "voip" ? "" : ".voip")
        #expect(push.answer() == "200")
        #expect(push.answer(strict) == (type.topicSuffix == nil ? "200" : "400 DeviceTokenNotForTopic"))
    }

    @Test(
        "refuses a background push of another priority than 5 where it is strict",
        arguments: [
            ("5", "200"), ("10", "400 BadPriority"), ("1", "400 BadPriority"), (nil, "400 BadPriority"),
        ]
    )
    func refusesPriority(priority: String?, answer: String) {
        var push = Push(headers: [("apns-push-type", "background")])
        if let priority { push.headers.append(("apns-priority", priority)) }
        #expect(push.answer() == "200")
        #expect(push.answer(Self.settings { $0.strict = APNsStrictness([.backgroundPriority]) }) == answer)
    }

    @Test(
        "refuses tokens of other lengths where it is strict",
        arguments: [(64, "200"), (160, "400 BadDeviceToken")]
    )
    func refusesLength(digits: Int, answer: String) {
        let push = Push(path: "/3/device/" + String(repeating: "a", count: digits))
        #expect(push.answer() == "200")
        #expect(push.answer(Self.settings { $0.strict = APNsStrictness([.tokenLength]) }) == answer)
    }

    @Test(
        "knows the broadcast paths as none of its own, whatever the method, and answers with their kind of id",
        arguments: [
            ("POST", "/4/broadcasts/apps/im.example"), ("POST", "/1/apps/im.example/channels"),
            ("GET", "/1/apps/im.example/channels"), ("DELETE", "/1/apps/im.example/channels"),
            ("GET", "/1/apps/im.example/all-channels"),
        ]
    )
    func knowsBroadcasts(method: String, path: String) {
        var push = Push(method: method, path: path)
        let made = push.outcome()
        #expect(made.answer == "404 BadPath")
        #expect(made.reply.isBroadcast && made.reply.apnsId.count == 36)
        push.headers = [("apns-request-id", Push.id)]
        let repeated = push.outcome()
        #expect(String(decoding: repeated.reply.apnsId, as: UTF8.self) == Push.id)
        #expect(repeated.record.json["apnsId"]?.stringValue == Push.id)
        #expect(Push(method: method, path: "/4/x").outcome().reply.isBroadcast == false)
    }

    @Test(
        "a number that is kept is at most that of a year in seconds",
        arguments: [(Int64.max, 31_536_000), (31_536_001, 31_536_000), (7, 7), (-1, 0), (Int64.min, 0)]
    )
    func boundsNumbers(kept: Int64, read: Int) {
        let number = JSONValue.int(kept)
        let settings = APNsSettings(
            json: ["idleSeconds": number, "errorLimit": number, "tokenUpdateMinutes": number]
        )
        #expect(settings.idleSeconds == read && settings.errorLimit == read)
        #expect(settings.tokenUpdateMinutes == read)
    }
}
