import JSONValue
import Testing
import WorldRuntime

@Suite("World: forging")
struct ForgingTests {
    @Test("manual: nothing moves but by call, 25 to a block")
    func manual() throws {
        let running = try RunningWorld()
        for _ in 1...30 {
            try running.post("/v1/transactions", ["from": "alice", "to": "bob", "amount": "1"], status: 201)
        }
        #expect(try running.height() == 1)
        #expect(try running.post("/v1/chain/forge")["height"] == 2)
        #expect(try running.balance("bob") == "100000000025")
        #expect(try running.post("/v1/chain/forge", ["blocks": 3])["height"] == 5)
        #expect(try running.balance("bob") == "100000000030")
    }

    @Test("instant: a block for each accepted transaction")
    func instant() throws {
        let running = try RunningWorld { $0.forging = .instant }
        for height in 2...4 {
            let id = try running.post(
                "/v1/transactions",
                ["from": "alice", "to": "bob", "amount": "1"],
                status: 201
            ).text("transactionId")
            #expect(try running.get("/v1/transactions/\(id)")["height"] == .int(height))
        }
        let posted = try running.ok(
            "POST",
            running.node() + "/api/transactions/process",
            try running.transfer(from: "carol", to: "bob")
        )
        let id = posted.text("transactionId")
        #expect(try running.get("/v1/transactions/\(id)")["height"] == 5)
    }

    @Test("interval: blocks come by themselves, at the pace that is set")
    func interval() throws {
        let running = try RunningWorld {
            $0.forging = .interval
            $0.blockIntervalMilliseconds = 60_000
        }
        #expect(try running.height() == 1)
        let id = try running.post(
            "/v1/transactions",
            ["from": "alice", "to": "bob", "amount": "1"],
            status: 201
        ).text("transactionId")
        let chain = try running.patch("/v1/chain", ["intervalMilliseconds": 50])
        #expect(chain["intervalMilliseconds"] == 50)
        #expect(try running.events("block.forged", atLeast: 3).count >= 3)
        #expect(try running.eventually { try running.get("/v1/transactions/\(id)")["state"] == "forged" })
    }

    @Test("switched to other modes and back, blocks come at the pace of before")
    func switchedBack() throws {
        let running = try RunningWorld {
            $0.forging = .interval
            $0.blockIntervalMilliseconds = 50
        }
        for mode in ["manual", "instant", "manual"] {
            let chain = try running.patch("/v1/chain", ["forging": .string(mode)])
            #expect(chain["intervalMilliseconds"] == 50)
            // A turn that was under way may still end.
            let height = try running.height()
            #expect(try running.height() <= height + 1)
        }
        let height = try running.height()
        #expect(try running.height() == height)
        let chain = try running.patch("/v1/chain", ["forging": "interval"])
        #expect(chain["intervalMilliseconds"] == 50)
        #expect(try running.eventually { try running.height() >= height + 3 })
    }

    @Test("switched to instant, what waited is forged at once")
    func switched() throws {
        let running = try RunningWorld()
        for _ in 1...30 {
            try running.post("/v1/transactions", ["from": "alice", "to": "bob", "amount": "1"], status: 201)
        }
        #expect(try running.patch("/v1/chain", ["forging": "instant"])["height"] == 3)
        #expect(try running.balance("bob") == "100000000030")
    }

    @Test("funding is there at once, in a block of its own, and moves nothing else")
    func funding() throws {
        let running = try RunningWorld()
        let waiting = try running.post(
            "/v1/transactions",
            ["from": "alice", "to": "bob", "amount": "1"],
            status: 201
        ).text("transactionId")
        let made = try running.post("/v1/accounts", ["balance": "500"], status: 201)
        #expect(made["balance"] == "500")
        #expect(try running.height() == 2)
        try running.post("/v1/accounts/zero/fund", ["amount": "40"])
        try running.post("/v1/accounts/zero/fund", ["amount": "40"])
        #expect(try running.balance("zero") == "80")
        #expect(try running.height() == 4)
        #expect(try running.get("/v1/transactions/\(waiting)")["state"] == "queued")
        #expect(
            try running.events("block.forged", atLeast: 3).map { $0["data"]?["transactions"] } == [1, 1, 1]
        )
        try running.post("/v1/accounts", ["name": "poor"], status: 201)
        #expect(try running.height() == 4, "an account without money needs no block")
    }

    @Test("a chain can begin high up")
    func startHeight() throws {
        let running = try RunningWorld { $0.startHeight = 50_000_000 }
        #expect(try running.height() == 50_000_000)
        #expect(try running.post("/v1/chain/forge")["height"] == 50_000_001)
    }
}
