import AdamantModel
import HTTPClient
import JSONValue
import Testing
import WorldRuntime

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension TracedWorld {
    /// The findings of a rule, once there is one, at most ten seconds later.
    func findings(_ rule: String) throws -> [JSONValue] {
        try running.list("findings", "/v1/audit?rule=\(rule)&wait=10")
    }

    /// How often rules were broken so far, those that were not left out.
    func broken() throws -> [String] {
        let counts = try running.get("/v1/audit")["counts"]?.objectValue?.members ?? []
        return counts.filter { $0.value != 0 }.map(\.key)
    }

    func address(_ account: String) throws -> String {
        try running.get("/v1/accounts/\(account)").text("address")
    }

    func token(_ device: String = "phone") throws -> String {
        try running.get("/v1/devices/\(device)").text("token")
    }

    /// Pushes to alice's phone as a service would.
    func push(_ id: String, _ aps: JSONValue = TracedWorld.aps, token: String? = nil) throws {
        let answer = try running.push(
            token ?? self.token(),
            transaction: id,
            recipient: try address("alice"),
            aps: aps
        )
        #expect([200, 400, 410].contains(answer.status), "\(answer.text)")
    }

    static let aps: JSONValue = [
        "alert": ["loc-key": "NotificationsService.NewMessage.BodySingle"], "badge": 1, "mutable-content": 1,
    ]
}

@Suite("World: audit")
struct AuditTests {
    private static let secret = "Meet me at the old mill at nine"

    @Test(
        "a run of services and devices that keep the rules breaks none",
        arguments: ["as-deployed", "ordered"]
    )
    func clean(ans: String) throws {
        let world = try TracedWorld(ans: ans)
        for _ in 0..<2 {
            let id = try world.send(Self.secret)
            try world.running.post(
                "/v1/transactions",
                ["from": "bob", "to": "alice", "amount": "123456789"],
                status: 201
            )
            try world.forge()
            try world.poll()
            _ = try world.trace(id, until: nil)
        }
        try world.act("sign-out")
        try world.forge()
        try world.poll()
        _ = try world.send()
        try world.forge()
        try world.poll()
        #expect(try world.broken() == [])
        let answer = try world.running.get("/v1/audit")
        #expect(answer.members == ["findings", "next", "counts", "unseen", "tripwires"])
        #expect(answer["findings"] == [])
        #expect(answer["counts"]?.members.count == 9)
        #expect(try world.running.call("GET", "/v1/audit?rule=x").status == 400)
    }

    /// Ways of hiding the text in a push.
    private static let disguises: [(name: String, aps: @Sendable (String) -> JSONValue)] = [
        ("as it is", { ["alert": ["body": .string($0)]] }),
        ("as it is", { ["alert": ["loc-key": "K", "loc-args": [.string($0.uppercased())]]] }),
        ("as it is", { ["alert": ["loc-key": "K"], "thread-id": .string("re: " + $0.prefix(16))] }),
        ("base64", { ["alert": ["loc-key": "K"], "x": .string(Data($0.utf8).base64EncodedString())] }),
        (
            "base64",
            {
                let text = Data($0.utf8).base64EncodedString().replacing("=", with: "").replacing(
                    "+",
                    with: "-"
                )
                return ["alert": ["loc-key": "K"], "x": .string(text.replacing("/", with: "_"))]
            }
        ),
        (
            "hexadecimal",
            { ["alert": ["loc-key": "K"], "x": .string(Hex.encode(Array($0.utf8)).uppercased())] }
        ),
        (
            "JSON-escaped",
            { text in
                let units = text.utf16.map { unit in
                    let digits = String(unit, radix: 16)
                    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
                return ["alert": ["loc-key": "K"], "x": .string(units.joined())]
            }
        ),
        (
            "split over fields",
            { text in
                let parts = text.map(String.init)
                return ["alert": ["loc-key": "K"], "x": .array(parts.map(JSONValue.string))]
            }
        ),
        (
            "hexadecimal, base64",
            {
                let inner = Data($0.utf8).base64EncodedString()
                return ["alert": ["loc-key": "K"], "x": .string(Hex.encode(Array(inner.utf8)))]
            }
        ),
    ]

    @Test("finds the text of a message in a push, however it is written", arguments: disguises.indices)
    func content(index: Int) throws {
        let world = try TracedWorld(ans: nil)
        let id = try world.send(Self.secret)
        try world.forge()
        // The same form with another message, so that the form itself is no news.
        try world.push(id, ["alert": ["loc-key": "K"], "x": "0"])
        let disguise = Self.disguises[index]
        try world.push(id, disguise.aps(Self.secret))
        let finding = try #require(try world.findings("no-content").first)
        #expect(
            finding.members == [
                "seq", "rule", "at", "address", "token", "transactionId", "pushId", "evidence", "consequence",
                "certainty",
            ]
        )
        #expect(finding.text("evidence").contains(disguise.name), "\(finding.text)")
        #expect(finding.text("transactionId") == id)
        #expect(finding.text("consequence").contains("Apple"))
        let pushes = try world.running.list("pushes", "/v1/pushes")
        #expect(finding["pushId"] == pushes.last?["id"])
        let event = try #require(try world.running.events("audit.found").first)
        #expect(event["data"]?["rule"] == "no-content")
        #expect(event["seq"] == finding["seq"])
    }

    @Test("finds the sender's address, and free text without a message")
    func senderAndFreeText() throws {
        let world = try TracedWorld(ans: nil)
        let id = try world.send(Self.secret)
        try world.forge()
        try world.push(id, ["alert": ["loc-key": "K"], "from": .string(try world.address("bob"))])
        #expect(try world.findings("no-content").first?.text("evidence").contains("sender's address") == true)
        _ = try world.running.push(someToken("b"), aps: ["alert": ["title": "You have mail"]])
        let found = try world.running.list("findings", "/v1/audit?rule=no-content&wait=10&atLeast=2")
        #expect(found.last?.text("evidence").contains("free text in aps.alert.title") == true)
        #expect(found.last?["transactionId"] == .null)
        // Another app may say what it likes.
        _ = try world.running.push(someToken("b"), topic: "com.example.app", aps: ["alert": ["title": "Hi"]])
        #expect(try world.running.get("/v1/audit")["counts"]?["no-content"] == 2)
    }

    @Test("finds what connects to a tripwire")
    func callback() throws {
        let world = try TracedWorld(ans: nil, device: false) { $0.tripwirePorts = [0] }
        #expect(try world.running.list("tripwires", "/v1/audit").count == 1, "each once, IPv6 or not")
        #expect(try world.broken() == [])
        let port = try #require(try world.running.get("/v1/audit")["tripwires"]?.arrayValue?.first?.intValue)
        let client = HTTPClient(options: .init(timeoutMilliseconds: 5000))
        #expect(throws: (any Error).self) {
            try client.send(
                HTTPClientRequest(method: "GET", url: "http://127.0.0.1:\(port)/", headers: [], body: nil)
            )
        }
        let finding = try #require(try world.findings("no-callback").first)
        #expect(finding.text("evidence").contains("127.0.0.1 connected to the tripwire at port \(port)"))
    }

    @Test("finds pushes to a token that is not its recipient's")
    func rightOwner() throws {
        let world = try TracedWorld(ans: nil)
        let id = try world.send()
        try world.forge()
        try world.push(id)
        #expect(try world.broken() == [])
        try world.push(id, token: someToken("c"))
        let finding = try #require(try world.findings("right-owner").first)
        #expect(finding.text("evidence").contains("it never was"))
        try world.act("sign-out")
        try world.forge()
        let later = try world.send()
        try world.forge()
        try world.push(later)
        let found = try world.running.list("findings", "/v1/audit?rule=right-owner&wait=10&atLeast=2")
        #expect(found.last?.text("evidence").contains("it was removed at height") == true)
    }

    @Test("finds messages that led to no push in time")
    func forgotten() throws {
        let world = try TracedWorld()
        let seen = try world.send()
        try world.forge()
        try world.poll()
        _ = try world.trace(seen, until: nil)
        try world.running.post("/v1/clock/advance", ["seconds": 31])
        #expect(try world.broken() == [])
        let missed = try world.send()
        try world.forge()
        try world.running.post("/v1/clock/advance", ["seconds": 31])
        let finding = try #require(try world.findings("nobody-forgotten").first)
        #expect(finding.text("transactionId") == missed)
        #expect(finding.text("token") == (try world.token()))
        let registry = try world.running.get("/v1/registry")
        #expect(registry["difference"]?["missing"]?.arrayValue?.count == 1)
        #expect(registry["rows"]?.arrayValue?.first?["state"] == "missing")
        try world.poll()
        #expect(try world.running.get("/v1/registry")["difference"]?["missing"] == [])
    }

    @Test("finds the second push of a message to a token, but not the next try after a refusal")
    func duplicates() throws {
        let world = try TracedWorld(ans: nil)
        let id = try world.send()
        try world.forge()
        try world.fault([
            "target": "apns", "limit": 1,
            "effect": ["kind": "reject", "status": 429, "reason": "TooManyRequests"],
        ])
        let recipient = try world.address("alice")
        let token = try world.token()
        _ = try world.running.push(token, transaction: id, recipient: recipient, aps: TracedWorld.aps)
        try world.push(id)
        #expect(try world.broken() == [])
        try world.push(id)
        let finding = try #require(try world.findings("no-duplicates").first)
        #expect(finding.text("token") == token)
    }

    @Test("finds pushes to dead tokens, unless they were registered again")
    func deadTokens() throws {
        let world = try TracedWorld(ans: nil)
        let first = try world.send()
        try world.forge()
        let token = try world.token()
        try world.running.ok("PUT", "/v1/apns/tokens/\(token)", ["state": "unregistered"])
        try world.push(first)
        try world.push(first)
        #expect(try world.broken() == [], "a push that was under way")
        let second = try world.send()
        try world.forge()
        try world.push(second)
        let finding = try #require(try world.findings("dead-tokens-dropped").first)
        #expect(finding.text("evidence").contains("410 Unregistered"))
        try world.act("sign-out")
        try world.forge()
        try world.running.post(
            "/v1/transactions",
            [
                "from": "alice", "to": "ans", "kind": "signal",
                "message": .string(#"{"token":"\#(token)","provider":"apns","action":"add"}"#),
            ],
            status: 201
        )
        try world.forge()
        let third = try world.send()
        try world.forge()
        try world.push(third)
        #expect(try world.running.get("/v1/audit")["counts"]?["dead-tokens-dropped"] == 1)
    }

    @Test("a reset begins the audit anew")
    func reset() throws {
        let world = try TracedWorld(ans: nil)
        try world.push("1", token: someToken("c"))
        #expect(try world.findings("right-owner").count == 1)
        try world.running.post("/v1/reset")
        #expect(try world.broken() == [])
        #expect(try world.running.get("/v1/audit")["findings"] == [])
        #expect(try world.running.get("/v1/registry")["implied"] == [])
    }

    @Test("tells what each party could have learned")
    func parties() throws {
        let world = try TracedWorld()
        let id = try world.send()
        try world.forge()
        try world.poll()
        _ = try world.trace(id, until: nil)
        let parties = try world.running.list("parties", "/v1/audit/parties")
        #expect(parties.map { $0.text("party") } == ["apple", "node-operator", "ans", "network"])
        for party in parties {
            #expect(party.members == ["party", "learned", "promises"])
            #expect(party["learned"]?.arrayValue?.isEmpty == false, "\(party.text)")
            #expect(party["promises"]?.arrayValue?.allSatisfy { $0["kept"] == true } == true)
        }
        let apple = try #require(parties[0]["learned"]?.arrayValue?.first)
        #expect(apple.members == ["what", "count", "how", "examples"])
        #expect(
            apple["examples"]?.arrayValue?.first?.stringValue?.hasSuffix(try world.address("alice")) == true
        )
        try world.push(id, ["alert": ["body": "Is it you?"]])
        let after = try world.running.list("parties", "/v1/audit/parties")
        #expect(after[0]["promises"]?.arrayValue?.first?["kept"] == false)
    }
}
