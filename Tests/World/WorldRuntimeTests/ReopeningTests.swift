import AdamantModel
import JSONValue
import SystemCryptography
import TestSupport
import Testing
import WorldRuntime

@Suite("World: kept and opened again")
struct ReopeningTests {
    /// A world in a folder that outlives it.
    private final class Kept {
        let folder: TemporaryFolder
        private let change: (inout WorldConfiguration) -> Void
        private(set) var running: RunningWorld

        init(_ change: @escaping (inout WorldConfiguration) -> Void = { _ in }) throws {
            let folder = try TemporaryFolder()
            self.folder = folder
            self.change = change
            running = try RunningWorld {
                change(&$0)
                $0.dataDirectory = folder.path
            }
        }

        /// Stops the world and opens it again, with the same flags or with others.
        func reopen(_ other: ((inout WorldConfiguration) -> Void)? = nil) throws {
            running.world.stop()
            running = try RunningWorld {
                (other ?? change)(&$0)
                $0.dataDirectory = folder.path
            }
        }
    }

    @Test("delegates, votes, rooms and lists of blocks come back")
    func delegates() throws {
        let kept = try Kept { $0.startHeight = 50 }
        let cryptography = SystemCryptography()
        let alice = try #require(TestAccounts.all.first { $0.name == "alice" })
        let forger = try #require(TestAccounts.delegates(cryptography: cryptography).first)
        let clock = try kept.running.get("/v1/clock")
        let vote = Transaction(
            signing: .votes(["+" + Hex.encode(forger.publicKey)]),
            type: Transaction.Kind.vote,
            timestamp: Int32(try #require(clock["epochSeconds"]?.intValue)),
            recipient: alice.address,
            amount: 0,
            by: alice.keyPair,
            cryptography: cryptography
        )
        let path = kept.running.node() + "/api/accounts/delegates"
        let answer = try kept.running.ok("POST", path, vote.postedJSON)
        #expect(answer["transaction"]?["id"] == .string(vote.id.description))
        try kept.running.post(
            "/v1/transactions",
            ["from": "alice", "to": "bob", "message": "kept"],
            status: 201
        )
        try kept.running.post("/v1/chain/forge", ["blocks": 60])
        let paths = [
            "/api/delegates", "/api/accounts/delegates?address=\(alice.address)", "/api/blocks",
            "/api/chatrooms/\(alice.address)", "/api/delegates/search?q=genesis_1&limit=1000",
            "/api/delegates/voters?publicKey=\(Hex.encode(forger.publicKey))", "/api/transactions?type=2",
            "/api/blocks/getStatus",
        ]
        func answers() throws -> [JSONValue] {
            try paths.map { path in
                var answer =
                    try kept.running.ok("GET", kept.running.node() + path).objectValue ?? JSONObject()
                answer["nodeTimestamp"] = nil
                return .object(answer)
            }
        }
        let before = try answers()
        #expect(before[0]["totalCount"] == 101)
        #expect(before[1]["delegates"]?.arrayValue?.map { $0["username"] } == ["genesis_1"])
        #expect(before[5]["accounts"]?.arrayValue?.count == 2 && before[6]["count"] == "101")
        try kept.reopen()
        #expect(try answers() == before)
    }

    @Test("blocks, balances, pool, held transactions and clock come back, twice")
    func chain() throws {
        let kept = try Kept { $0.nodeCount = 2 }
        try kept.running.post("/v1/accounts", ["name": "mallory", "balance": "77"], status: 201)
        try kept.running.post("/v1/transactions", ["from": "alice", "to": "bob", "amount": "9"], status: 201)
        try kept.running.post("/v1/chain/forge")
        let rule: JSONValue = ["target": "node", "limit": 1, "effect": ["kind": "hold"]]
        try kept.running.post("/v1/faults", rule, status: 201)
        let held = try kept.running.ok(
            "POST",
            kept.running.node(1) + "/api/transactions/process",
            try kept.running.transfer(from: "carol", to: "dave")
        ).text("transactionId")
        let pooled = try kept.running.post(
            "/v1/transactions",
            ["from": "bob", "to": "carol", "message": "kept"],
            status: 201
        ).text("transactionId")
        try kept.running.patch("/v1/clock", ["frozen": true, "now": "2026-06-01T00:00:00.000Z"])
        let height = try kept.running.height()
        let holding = try kept.running.list("held", "/v1/held")
        for _ in 1...2 {
            try kept.reopen()
            let running = kept.running
            #expect(try running.height() == height)
            #expect(try running.balance("bob") == "100000000009")
            #expect(try running.balance("mallory") == "77")
            #expect(try running.get("/v1/clock")["now"] == "2026-06-01T00:00:00.000Z")
            #expect(try running.list("faults", "/v1/faults").isEmpty)
            #expect(try running.list("held", "/v1/held") == holding)
            #expect(try running.get("/v1/transactions/\(pooled)")["state"] == "queued")
        }
        let id = try #require(holding.first).text("id")
        #expect(try kept.running.post("/v1/held/\(id)/release").text("transactionId") == held)
        try kept.running.post("/v1/chain/forge")
        for id in [pooled, held] {
            #expect(try kept.running.get("/v1/transactions/\(id)")["state"] == "forged")
        }
        try kept.reopen()
        #expect(try kept.running.list("held", "/v1/held").isEmpty)
        #expect(try kept.running.height() == height + 1)
    }

    @Test("pushes, tokens and devices come back; what waits for a device still reaches it")
    func pushes() throws {
        let kept = try Kept()
        let device = try kept.running.post("/v1/devices", ["name": "phone", "owner": "alice"], status: 201)
        try kept.running.post("/v1/devices/phone/offline")
        _ = try kept.running.push(device.text("token"), transaction: "1")
        _ = try kept.running.push(device.text("token"), transaction: "2")
        try kept.running.ok("PUT", "/v1/apns/tokens/\(someToken())", ["state": "bad"])
        let pushes = try kept.running.list("pushes", "/v1/pushes")
        let tokens = try kept.running.list("tokens", "/v1/apns/tokens")
        #expect(pushes.map { $0["delivery"]?["state"] } == ["replaced", "stored"])
        for _ in 1...2 {
            try kept.reopen()
            #expect(try kept.running.list("pushes", "/v1/pushes") == pushes)
            #expect(try kept.running.list("tokens", "/v1/apns/tokens") == tokens)
            let again = try kept.running.get("/v1/devices/phone")
            #expect(again["token"] == device["token"])
            #expect(again["owner"] == device["owner"])
            #expect(again["believesRegistered"] == true)
            #expect(again["lostSinceDelivery"] == 1)
        }
        try kept.running.post("/v1/devices/phone/online")
        let states = try kept.running.list("pushes", "/v1/pushes").map { $0["delivery"]?["state"] }
        #expect(states == ["replaced", "delivered"])
        try kept.reopen()
        #expect(try kept.running.list("pushes", "/v1/pushes").map { $0["delivery"]?["state"] } == states)
    }

    @Test("the settings of APNs come back, until a reset makes them those of a fresh world")
    func apnsSettings() throws {
        let kept = try Kept()
        let fresh = try kept.running.get("/v1/apns")
        try kept.running.patch("/v1/apns", ["tokens": "strict"])
        try kept.running.patch("/v1/apns", ["credentials": "off"])
        let changed = try kept.running.get("/v1/apns")
        for _ in 1...2 {
            try kept.reopen()
            #expect(try kept.running.get("/v1/apns") == changed)
        }
        #expect(try kept.running.push(someToken()).status == 400)
        try kept.running.post("/v1/reset")
        try kept.reopen()
        #expect(try kept.running.get("/v1/apns") == fresh)
    }

    @Test("removed pushes stay removed, and new ones get numbers above all earlier ones")
    func numbers() throws {
        let kept = try Kept()
        for digit in "abc" { _ = try kept.running.push(someToken(digit)) }
        try kept.running.ok("DELETE", "/v1/pushes", status: 204)
        _ = try kept.running.push(someToken("d"))
        let before = try #require(try kept.running.get("/v1/events")["last"]?.intValue)
        try kept.reopen()
        let pushes = try kept.running.list("pushes", "/v1/pushes")
        #expect(pushes.map { $0.text("token") } == [someToken("d")])
        #expect(try #require(try kept.running.get("/v1/events")["last"]?.intValue) >= before)
        _ = try kept.running.push(someToken("e"))
        let later = try kept.running.list("pushes", "/v1/pushes?after=\(before)")
        #expect(later.map { $0.text("token") } == [someToken("e")])
    }

    @Test("tokens, ids and phrases drawn after a restart are new ones")
    func draws() throws {
        let kept = try Kept()
        var tokens: Set<String> = []
        var addresses: Set<String> = []
        var pushes: Set<String> = []
        for round in 1...3 {
            let device = try kept.running.post("/v1/devices", status: 201)
            #expect(device["id"] == .string("d\(round)"))
            tokens.insert(device.text("token"))
            addresses.insert(try kept.running.post("/v1/accounts", status: 201).text("address"))
            _ = try kept.running.push(someToken())
            pushes = Set(try kept.running.list("pushes", "/v1/pushes").map { $0.text("id") })
            try kept.reopen()
        }
        #expect(tokens.count == 3)
        #expect(addresses.count == 3)
        #expect(pushes.count == 3)
    }

    @Test("a reset is kept as one")
    func reset() throws {
        let kept = try Kept()
        try kept.running.post("/v1/devices", ["name": "phone"], status: 201)
        try kept.running.post("/v1/accounts", ["name": "mallory"], status: 201)
        try kept.running.post("/v1/chain/forge", ["blocks": 3])
        _ = try kept.running.push(someToken())
        try kept.running.post("/v1/reset")
        try kept.running.post("/v1/chain/forge")
        try kept.reopen()
        #expect(try kept.running.height() == 2)
        #expect(try kept.running.list("devices", "/v1/devices").isEmpty)
        #expect(try kept.running.list("pushes", "/v1/pushes").isEmpty)
        #expect(try kept.running.call("GET", "/v1/accounts/mallory").status == 404)
    }

    @Test("the reference ANS comes back with its registry, and runs where a flag says so")
    func notificationService() throws {
        let kept = try Kept()
        try kept.running.post("/v1/devices", ["name": "phone", "owner": "alice"], status: 201)
        try kept.running.post("/v1/chain/forge")
        try kept.running.patch("/v1/ans", ["behaviour": "ordered", "pollSeconds": 600])
        try kept.running.post("/v1/ans/start")
        let rows = try kept.running.post("/v1/ans/poll")["rows"]
        #expect(rows?.arrayValue?.count == 1)
        try kept.reopen()
        let stopped = try kept.running.get("/v1/ans")
        #expect(stopped["running"] == false)
        #expect(stopped["behaviour"] == "ordered")
        #expect(stopped["rows"] == rows)
        #expect(try kept.running.get("/v1/registry")["addresses"] == 1)
        try kept.reopen { $0.ans = .asDeployed }
        let running = try kept.running.get("/v1/ans")
        #expect(running["running"] == true)
        #expect(running["behaviour"] == "as-deployed")
        #expect(running["rows"] == rows)
    }

    @Test("what was given when it was made need not be given again")
    func resumes() throws {
        let phrase = "legal winner thank year wave sausage worth useful legal winner thank yellow"
        let kept = try Kept {
            $0.nodeCount = 3
            $0.startHeight = 1000
            $0.seed = 99
            $0.extraAccounts = [.init(passphrase: phrase, name: "extra", amountUnits: 5)]
        }
        try kept.reopen { $0.seed = nil }
        let world = try kept.running.get("/v1/world")
        #expect(world["seed"] == 99)
        #expect(world["height"] == 1000)
        #expect(world["nodes"]?.arrayValue?.count == 3)
        #expect(try kept.running.balance("extra") == "5")
    }

    @Test(
        "what contradicts it is refused with the reason",
        arguments: ["seed", "start height", "nodes", "account", "ANS", "foreign ANS"]
    )
    func contradicts(what: String) throws {
        let kept = try Kept {
            $0.nodeCount = 2
            $0.startHeight = 10
        }
        kept.running.world.stop()
        var configuration = kept.running.world.configuration
        let phrase = "legal winner thank year wave sausage worth useful legal winner thank yellow"
        switch what {
        case "seed": configuration.seed = 8
        case "start height": configuration.startHeight = 11
        case "nodes": configuration.nodeCount = 3
        case "account": configuration.extraAccounts = [.init(passphrase: phrase, amountUnits: 1)]
        case "ANS": configuration.ansPassphrase = phrase
        default: configuration.foreignANSAddress = "U123"
        }
        let error = #expect(throws: WorldError.self) { _ = try World(configuration) }
        #expect(error?.exitCode == 2)
        #expect(error?.message.contains(kept.folder.path) == true, "\(error?.message ?? "")")
    }

    @Test("a directory that another world has open is refused")
    func inUse() throws {
        let kept = try Kept()
        let error = #expect(throws: WorldError.self) { _ = try World(kept.running.world.configuration) }
        #expect(error?.exitCode == 2)
        #expect(error?.message == "--data: \(kept.folder.path) is in use by another process")
    }

    @Test("what was not relayed when the world was stopped is relayed when it is opened again")
    func relays() throws {
        let kept = try Kept {
            $0.nodeCount = 2
            $0.relayMilliseconds = 3_600_000
        }
        let order: JSONValue = ["from": "alice", "to": "bob", "message": "x"]
        let id = try kept.running.post("/v1/transactions", order, status: 201).text("transactionId")
        let path = "/v1/transactions/\(id)"
        #expect(try kept.running.get(path)["nodes"]?["beta"] == "unknown")
        try kept.reopen()
        #expect(try kept.running.get(path)["nodes"]?["beta"] == "unknown")
        try kept.reopen { $0.nodeCount = 2 }
        #expect(try kept.running.get(path)["nodes"]?["beta"] != "unknown")
        try kept.reopen()
        #expect(try kept.running.get(path)["nodes"]?["beta"] != "unknown")
    }
}
