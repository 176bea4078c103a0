import AdamantModel
import JSONValue
import Simulators
import SystemCryptography
import TestSupport
import Testing
import WorldRuntime

@Suite("Fixtures")
struct FixtureTests {
    private static let small: JSONValue = [
        "seed": 5, "rows": 60, "addresses": 40, "largest": 12, "deadShare": 0.5,
    ]

    private func registrations(_ running: RunningWorld) throws -> Set<String> {
        Set(try running.list("rows", "/v1/registry").map { $0.text("address") + " " + $0.text("token") })
    }

    @Test("what Fixtures/registry says is what is made", arguments: ["field.json", "small.json"])
    func recorded(name: String) throws {
        let recorded = try Fixture.json("registry/" + name)
        let call = try #require(recorded["call"])
        let answer = try #require(recorded["answer"])
        var size = RegistryFixture.Size()
        size.rows = try Int(#require(call["rows"]?.intValue))
        size.addresses = try Int(#require(call["addresses"]?.intValue))
        size.largest = try Int(#require(call["largest"]?.intValue))
        size.deadShare = try #require(call["deadShare"]?.doubleValue)
        let seed = try UInt64(#require(call["seed"]?.intValue))
        let fixture = try RegistryFixture(seed: seed, size: size)
        let cryptography = SystemCryptography()
        let addresses = try (0..<size.addresses).map { number in
            try #require(
                FixtureAccounts.pair(number, purpose: "registry", seed: seed, cryptography: cryptography)
            ).address(cryptography: cryptography)
        }
        let text = fixture.text(addresses: addresses)
        #expect(answer["digest"] == .string(Hex.encode(cryptography.sha256(Array(text.utf8)))))
        #expect(answer["largestAddress"] == .string(addresses[0].text))
        #expect(answer["dead"] == .int(fixture.rows.count { $0.fate != .active }))
        guard size.rows <= 100 else { return }
        let running = try RunningWorld()
        let loaded = try running.post("/v1/fixtures/registry", call, status: 201)
        for member in answer.members { #expect(loaded[member] == answer[member]) }
        #expect(try running.list("rows", "/v1/registry").count == size.rows)
    }

    @Test("the registry, the reference service and APNs know what was loaded, and it can be loaded again")
    func registry() throws {
        let running = try RunningWorld()
        let loaded = try running.post("/v1/fixtures/registry", Self.small, status: 201)
        #expect(loaded["rows"] == 60 && loaded["addresses"] == 40 && loaded["dead"] == 30)
        let registry = try running.get("/v1/registry")
        #expect(registry["rows"]?.arrayValue?.count == 60 && registry["addresses"] == 40)
        let largest = loaded.text("largestAddress")
        #expect(registry["rows"]?.arrayValue?.count { $0.text("address") == largest } == 12)
        let service = try running.get("/v1/ans")
        #expect(service["running"] == false && service["rows"]?.arrayValue?.count == 60)

        let tokens = try running.list("tokens", "/v1/apns/tokens")
        let states = Dictionary(grouping: tokens) { $0.text("state") }.mapValues(\.count)
        #expect(states["active"] == 30 && states["bad"] ?? 0 > 0)
        #expect(states["unregistered"] ?? 0 == 30 - (states["bad"] ?? 0))
        for (state, status, reason) in [
            ("active", 200, ""), ("unregistered", 410, "Unregistered"), ("bad", 400, "BadDeviceToken"),
        ] {
            let token = try #require(tokens.first { $0.text("state") == state }).text("token")
            let answer = try running.push(token)
            #expect(answer.status == status && answer.json.text("reason") == reason)
        }
        try running.post("/v1/fixtures/registry", Self.small, status: 201)
        #expect(try registrations(running).count == 60)
    }

    @Test(
        "posted to nodes it is the same registry, whatever answers are lost, and a running service hears of it"
    )
    func viaNodes() throws {
        let direct = try RunningWorld()
        try direct.post("/v1/fixtures/registry", Self.small, status: 201)
        let running = try RunningWorld { $0.nodeCount = 2 }
        try running.post("/v1/ans/start")
        try running.post(
            "/v1/faults",
            [
                "match": ["attempt": 1], "window": ["everyMatch": 7],
                "effect": ["kind": "reset", "when": "after"],
            ],
            status: 201
        )
        var body = try #require(Self.small.objectValue)
        body["via"] = "nodes"
        try running.post("/v1/fixtures/registry", .object(body), status: 201)
        let (posted, settled) = (try registrations(running), try registrations(direct))
        #expect(posted == settled)
        #expect(try running.list("requests", "/v1/requests?path=/api/transactions/process").count > 60)
        try running.post("/v1/ans/poll")
        #expect(try running.get("/v1/ans")["rows"]?.arrayValue?.count == 60)
    }

    @Test("accounts in numbers have their balance, and keys that follow from the seed")
    func accounts() throws {
        let running = try RunningWorld()
        let made = try running.post(
            "/v1/fixtures/accounts",
            ["count": 30, "seed": 9, "balance": "250000000"],
            status: 201
        )
        for number in [0, 29] {
            let pair = try #require(
                FixtureAccounts.pair(
                    number,
                    purpose: "account",
                    seed: 9,
                    cryptography: SystemCryptography()
                )
            )
            let address = pair.address(cryptography: SystemCryptography())
            if number == 0 { #expect(made.text("firstAddress") == address.text) }
            let account = try running.get("/v1/accounts/\(address)")
            #expect(account.text("balance") == "250000000")
            #expect(account.text("publicKey") == Hex.encode(pair.publicKey))
        }
    }

    @Test("a fixture of a kept world is there when it is opened again")
    func kept() throws {
        let folder = try TemporaryFolder()
        do {
            let running = try RunningWorld { $0.dataDirectory = folder.path }
            try running.post("/v1/fixtures/registry", Self.small, status: 201)
        }
        let running = try RunningWorld { $0.dataDirectory = folder.path }
        #expect(try registrations(running).count == 60)
        #expect(try running.get("/v1/ans")["rows"]?.arrayValue?.count == 60)
        #expect(try running.list("tokens", "/v1/apns/tokens").count == 60)
    }

    @Test(
        "what cannot be loaded is named",
        arguments: [
            ("registry", ["rows": 0], "rows"), ("registry", ["rows": 100_001], "rows"),
            ("registry", ["deadShare": 2], "deadShare"), ("registry", ["via": "post"], "via"),
            ("registry", ["size": 1], "size"), ("registry", ["rows": 5, "addresses": 6], "addresses"),
            ("registry", ["rows": 9, "addresses": 2, "largest": 9], "largest"),
            ("accounts", [:], "count"), ("accounts", ["count": 100_001], "count"),
            ("accounts", ["count": 1, "balance": "0"], "balance"),
        ] as [(String, JSONValue, String)]
    )
    func refusals(name: String, body: JSONValue, field: String) throws {
        let answer = try Self.shared.get().call("POST", "/v1/fixtures/" + name, body)
        #expect(answer.status == 422 && answer.json["error"]?.text("field") == field)
    }

    private static let shared = Result { try RunningWorld() }

    @Test("without the key of the notification service nobody can register")
    func foreign() throws {
        let running = try RunningWorld { $0.foreignANSAddress = "U123456" }
        #expect(try running.call("POST", "/v1/fixtures/registry", [:]).status == 409)
        #expect(try running.call("POST", "/v1/fixtures/people", [:]).status == 404)
    }

    @Test("what the treasury cannot pay is refused")
    func tooMuch() throws {
        let running = try RunningWorld()
        let body: JSONValue = ["count": 2, "balance": "9000000000000000"]
        #expect(try running.call("POST", "/v1/fixtures/accounts", body).status == 409)
    }
}
