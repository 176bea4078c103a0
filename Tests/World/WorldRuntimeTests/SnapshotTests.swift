import JSONValue
import TestSupport
import Testing
import WorldRuntime

@Suite("Control API: snapshots and forks")
struct SnapshotTests {
    private func send(_ running: RunningWorld, _ from: String, _ to: String, _ amount: String) throws
        -> String
    {
        try running.post(
            "/v1/transactions",
            ["from": .string(from), "to": .string(to), "amount": .string(amount)],
            status: 201
        )
        .text("transactionId")
    }

    @Test("blocks, pools and accounts come back, any number of times and over to another branch")
    func branches() throws {
        let running = try RunningWorld {
            $0.nodeCount = 2
            $0.blockIntervalMilliseconds = RunningWorld.longBlock
        }
        let first = try send(running, "alice", "bob", "1")
        try running.post("/v1/chain/forge")
        let waiting = try send(running, "carol", "bob", "5")
        let early = try running.post("/v1/chain/snapshots", ["name": "early"], status: 201)
        #expect(early.text("id") == "s1")
        #expect(early["name"] == "early")
        #expect(early["height"] == 2)
        try running.post("/v1/accounts", ["name": "mallory", "balance": "7"], status: 201)
        let second = try send(running, "alice", "bob", "2")
        try running.post("/v1/chain/forge", ["blocks": 3])
        let left = try running.post("/v1/chain/snapshots", status: 201)
        #expect(left["name"] == .null)
        #expect(left["height"] == 6)
        let tip = try running.get("/v1/chain")["lastBlock"]

        for _ in 1...2 {
            let answer = try running.post("/v1/chain/snapshots/early/revert")
            #expect(answer["height"] == 2)
            #expect(answer["commonHeight"] == 2)
            #expect(try running.balance("bob") == "100000000001")
            #expect(try running.call("GET", "/v1/accounts/mallory").status == 404)
            #expect(try running.get("/v1/transactions/\(waiting)")["state"] == "queued")
            let gone = try running.get("/v1/transactions/\(second)")
            #expect(gone["state"] == "reverted")
            #expect(gone.text("why").contains("the snapshot s1 'early', taken at height 2"))
            #expect(gone["amount"] == "2")
            let third = try send(running, "dave", "bob", "30")
            try running.post("/v1/chain/forge")
            #expect(try running.balance("bob") == "100000000036")

            try running.post("/v1/chain/snapshots/s2/revert")
            #expect(try running.get("/v1/chain")["lastBlock"] == tip)
            #expect(try running.balance("bob") == "100000000008")
            #expect(try running.balance("mallory") == "7")
            #expect(try running.get("/v1/transactions/\(second)")["state"] == "forged")
            #expect(try running.get("/v1/transactions/\(third)")["state"] == "reverted")
        }
        #expect(try running.get("/v1/transactions/\(first)")["height"] == 2)
        let names = try running.list("snapshots", "/v1/chain/snapshots").map { $0.text("id") }
        #expect(names == ["s1", "s2"])
        let reverted = try running.events("snapshot.reverted")
        #expect(reverted.map { $0["data"]?["id"] } == ["s1", "s2", "s1", "s2"])
        #expect(try running.list("transactions", "/v1/transactions?state=reverted").count == 2)
        try running.ok("DELETE", "/v1/chain/snapshots/early", status: 204)
        #expect(try running.call("POST", "/v1/chain/snapshots/early/revert").status == 404)
        let next = try running.post("/v1/chain/snapshots", ["name": "early"], status: 201)
        #expect(next.text("id") == "s3")
    }

    @Test("clock, pushes, devices and faults stay where they are; the registry is that of the chain")
    func whatStays() throws {
        let running = try RunningWorld()
        try running.post("/v1/chain/snapshots", ["name": "bare"], status: 201)
        try running.post("/v1/devices", ["name": "phone", "owner": "alice"], status: 201)
        try running.post("/v1/chain/forge")
        _ = try running.push(someToken())
        let rule: JSONValue = ["target": "node", "limit": 1, "effect": ["kind": "hold"]]
        try running.post("/v1/faults", rule, status: 201)
        try running.patch("/v1/clock", ["frozen": true, "now": "2026-06-01T00:00:00.000Z"])
        #expect(try running.get("/v1/registry")["addresses"] == 1)
        try running.post("/v1/chain/snapshots", ["name": "registered"], status: 201)
        try running.post("/v1/chain/snapshots/bare/revert")
        #expect(try running.get("/v1/registry")["addresses"] == 0)
        #expect(try running.list("pushes", "/v1/pushes").count == 1)
        #expect(try running.list("devices", "/v1/devices").count == 1)
        #expect(try running.list("faults", "/v1/faults").count == 1)
        #expect(try running.get("/v1/clock")["now"] == "2026-06-01T00:00:00.000Z")
        try running.post("/v1/chain/snapshots/registered/revert")
        #expect(try running.get("/v1/registry")["addresses"] == 1)
        try running.post(
            "/v1/chain/reorg",
            ["depth": 1, "drop": .array(try running.signals().map(JSONValue.string))]
        )
        #expect(try running.get("/v1/registry")["addresses"] == 0)
    }

    @Test("held transactions are held again as they were")
    func held() throws {
        let running = try RunningWorld()
        let rule: JSONValue = ["target": "node", "limit": 2, "effect": ["kind": "hold"]]
        try running.post("/v1/faults", rule, status: 201)
        func hold(_ amount: Int64) throws -> String {
            let body = try running.transfer(from: "alice", to: "bob", amount: amount)
            return try running.ok("POST", running.node() + "/api/transactions/process", body).text(
                "transactionId"
            )
        }
        let first = try hold(1)
        try running.post("/v1/chain/snapshots", ["name": "holding"], status: 201)
        let second = try hold(2)
        try running.post("/v1/held/h1/release")
        try running.post("/v1/chain/forge")
        try running.post("/v1/chain/snapshots/holding/revert")
        #expect(try running.list("held", "/v1/held").map { $0.text("transactionId") } == [first])
        #expect(try running.get("/v1/transactions/\(first)")["state"] == "held")
        #expect(try running.get("/v1/transactions/\(second)")["state"] == "reverted")
        try running.post("/v1/held/h1/release")
        try running.post("/v1/chain/forge")
        #expect(try running.get("/v1/transactions/\(first)")["state"] == "forged")
    }

    @Test("a fork tells what gave way and what came, and the journal tells the same")
    func fork() throws {
        let running = try RunningWorld {
            $0.nodeCount = 2
            $0.blockIntervalMilliseconds = RunningWorld.longBlock
        }
        var ids: [String] = []
        for amount in ["1", "2"] {
            ids.append(try send(running, "alice", "bob", amount))
            try running.post("/v1/chain/forge")
        }
        let old = try running.ok("GET", running.node() + "/api/transactions?orderBy=height:asc&and:type=0")
        let answer = try running.post(
            "/v1/chain/reorg",
            ["depth": 2, "delay": .array([.string(ids[0])]), "keep": .array([.string(ids[1])])]
        )
        #expect(answer["height"] == 4)
        #expect(answer["reverted"]?.arrayValue?.map { $0["height"] } == [3, 2])
        #expect(answer["forged"]?.arrayValue?.map { $0["height"] } == [2, 3, 4])
        #expect(answer["waiting"] == .array([.string(ids[0])]))
        #expect(try running.events("block.reverted").map { $0["data"] } == answer["reverted"]?.arrayValue)
        #expect(
            try running.events("transaction.reverted").map { $0.text("transactionId") } == [ids[1], ids[0]]
        )
        #expect(try running.events("transaction.returned").map { $0.text("node") } == ["alpha", "beta"])
        #expect(try running.get("/v1/transactions/\(ids[1])")["height"] == 2)
        #expect(try running.get("/v1/transactions/\(ids[0])")["state"] == "queued")
        #expect(try running.balance("bob") == "100000000002")
        let new = try running.ok("GET", running.node() + "/api/transactions?orderBy=height:asc&and:type=0")
        #expect(new["count"] != old["count"])
        #expect(try running.ok("GET", running.node() + "/api/blocks/getHeight")["height"] == 4)
        let dropped = try running.post("/v1/chain/reorg", ["depth": 3, "drop": .array([.string(ids[1])])])
        #expect(dropped["height"] == 5)
        let gone = try running.get("/v1/transactions/\(ids[1])")
        #expect(gone["state"] == "reverted")
        #expect(gone.text("why").contains("at height 2 was rolled back"))
        #expect(try running.balance("bob") == "100000000000")
    }

    @Test(
        "what cannot be done is refused with the member at fault",
        arguments: [
            (["depth": 0], "depth"), (["depth": 3], "depth"), ([:], "depth"), (["depth": "x"], "depth"),
            (["depth": 1, "keep": ["1"]], "keep"), (["depth": 1, "drop": ["x"]], "drop"),
            (["depth": 1, "order": [1]], "order"), (["depth": 2, "blocks": 1], "blocks"),
            (["depth": 1, "foo": 1], "foo"),
        ] as [(JSONValue, String)]
    )
    func refusals(body: JSONValue, field: String) throws {
        let running = try RunningWorld()
        try running.post("/v1/chain/forge", ["blocks": 2])
        let answer = try running.call("POST", "/v1/chain/reorg", body)
        #expect(answer.status == 422)
        #expect(answer.json["error"]?["field"] == .string(field))
        #expect(try running.height() == 3)
    }

    @Test("names are taken once, and snapshots that are not there are not found")
    func names() throws {
        let running = try RunningWorld()
        try running.post("/v1/chain/snapshots", ["name": "a"], status: 201)
        #expect(try running.call("POST", "/v1/chain/snapshots", ["name": "a"]).status == 409)
        for name in ["", "s12", String(repeating: "x", count: 101)] {
            let answer = try running.call("POST", "/v1/chain/snapshots", ["name": .string(name)])
            #expect(answer.status == 422)
        }
        #expect(try running.call("POST", "/v1/chain/snapshots/s9/revert").status == 404)
        #expect(try running.call("DELETE", "/v1/chain/snapshots/b").status == 404)
        try running.post("/v1/reset")
        #expect(try running.list("snapshots", "/v1/chain/snapshots").isEmpty)
    }

    @Test("no answer of before a move is given after it, not even within the same second")
    func caches() throws {
        let running = try RunningWorld()
        try running.patch("/v1/clock", ["frozen": true])
        try running.post("/v1/chain/snapshots", ["name": "bare"], status: 201)
        let list = running.node() + "/api/transactions?and:type=0&and:minAmount=1"
        for _ in 1...3 {
            let empty = try running.ok("GET", list)["count"]
            _ = try send(running, "alice", "bob", "1")
            try running.post("/v1/chain/forge")
            #expect(try running.ok("GET", list)["count"] != empty)
            #expect(try running.ok("GET", running.node() + "/api/node/status")["network"]?["height"] == 2)
            try running.post("/v1/chain/snapshots/bare/revert")
            #expect(try running.ok("GET", list)["count"] == empty)
            #expect(try running.ok("GET", running.node() + "/api/node/status")["network"]?["height"] == 1)
        }
        for _ in 1...3 {
            _ = try send(running, "alice", "bob", "1")
            try running.post("/v1/chain/forge")
            let answer = try running.ok("GET", list)["count"]
            try running.post("/v1/reset")
            try running.patch("/v1/clock", ["frozen": true])
            #expect(try running.ok("GET", list)["count"] != answer)
        }
    }

    @Test("a kept world has its snapshots and forks when it is opened again")
    func kept() throws {
        let folder = try TemporaryFolder()
        func open() throws -> RunningWorld {
            try RunningWorld {
                $0.dataDirectory = folder.path
                $0.blockIntervalMilliseconds = RunningWorld.longBlock
            }
        }
        var running = try open()
        let first = try send(running, "alice", "bob", "1")
        try running.post("/v1/chain/forge")
        try running.post("/v1/chain/snapshots", ["name": "one"], status: 201)
        let second = try send(running, "alice", "bob", "2")
        try running.post("/v1/chain/forge", ["blocks": 2])
        try running.post("/v1/chain/snapshots", ["name": "two"], status: 201)
        let fork = try running.post(
            "/v1/chain/reorg",
            ["depth": 3, "drop": .array([.string(second)]), "delay": .array([.string(first)])]
        )
        #expect(fork["height"] == 5)
        let tip = try running.get("/v1/chain")["lastBlock"]
        let snapshots = try running.list("snapshots", "/v1/chain/snapshots")
        for _ in 1...2 {
            running.world.stop()
            running = try open()
            #expect(try running.get("/v1/chain")["lastBlock"] == tip)
            #expect(try running.list("snapshots", "/v1/chain/snapshots") == snapshots)
            #expect(try running.get("/v1/transactions/\(first)")["state"] == "queued")
            #expect(try running.get("/v1/transactions/\(second)")["state"] == "reverted")
            #expect(try running.balance("bob") == "100000000000")
        }
        try running.post("/v1/chain/snapshots/two/revert")
        #expect(try running.balance("bob") == "100000000003")
        try running.ok("DELETE", "/v1/chain/snapshots/one", status: 204)
        running.world.stop()
        running = try open()
        #expect(try running.balance("bob") == "100000000003")
        #expect(try running.list("snapshots", "/v1/chain/snapshots").map { $0.text("name") } == ["two"])
    }
}

extension RunningWorld {
    /// Ids of all signal messages.
    fileprivate func signals() throws -> [String] {
        try list("transactions", "/v1/transactions?kind=signal").map { $0.text("id") }
    }
}
