import JSONValue
import TestSupport
import Testing
import WorldRuntime

@Suite("Control API: the list of transactions")
struct TransactionListTests {
    /// Sends through the control API; the transaction's id.
    private func send(_ running: RunningWorld, _ order: JSONValue) throws -> String {
        try running.post("/v1/transactions", order, status: 201).text("transactionId")
    }

    @Test("shows each transaction once, in the order of arrival, and where it is now")
    func order() throws {
        let running = try RunningWorld { $0.nodeCount = 2 }
        #expect(try running.get("/v1/transactions") == ["transactions": [], "next": 0])
        let transfer = try send(running, ["from": "alice", "to": "bob", "amount": "9"])
        try running.post("/v1/chain/forge")
        let message = try send(running, ["from": "bob", "to": "alice", "message": "Hello"])
        let signal = try send(running, ["from": "carol", "to": "ans", "kind": "signal", "message": "{}"])
        let list = try running.list("transactions", "/v1/transactions")
        #expect(list.map { $0.text("id") } == [transfer, message, signal])
        #expect(list.map { $0.text("kind") } == ["transfer", "message", "signal"])
        #expect(list.map { $0.text("state") } == ["forged", "queued", "queued"])
        #expect(
            list[0].members
                == [
                    "seq", "id", "at", "kind", "sender", "recipient", "amount", "fee", "state", "height",
                    "nodes",
                ]
        )
        #expect(list[0]["amount"] == "9")
        #expect(list[0]["fee"] == "50000000")
        #expect(list[0]["height"] == 2)
        #expect(list[1]["why"] == "it waits for the node's next turn")
        #expect(list[1]["nodes"] == ["alpha": "queued", "beta": "queued"])
        let accepted = try running.events("transaction.accepted")
        #expect(list.map { $0["seq"] } == accepted.map { $0["seq"] })
        #expect(try running.get("/v1/transactions/\(message)") == list[1])
    }

    @Test("what pays for a new account is in the list, and the genesis block is not")
    func funding() throws {
        let running = try RunningWorld()
        try running.post("/v1/accounts", ["name": "mallory", "balance": "77"], status: 201)
        let list = try running.list("transactions", "/v1/transactions")
        #expect(list.map { $0.text("amount") } == ["77"])
        #expect(list[0]["seq"] == (try running.events("transaction.forged").first?["seq"]))
        let genesis = try running.ok("GET", running.node() + "/api/transactions?limit=1&and:toHeight=1")
        let id = try #require(genesis["transactions"]?.arrayValue?.first).text("id")
        let alone = try running.get("/v1/transactions/\(id)")
        #expect(alone["seq"] == .null)
        #expect(alone["height"] == 1)
    }

    @Test("refuses a kind that there is none of, and names those that there are")
    func unknownKind() throws {
        let running = try RunningWorld()
        let answer = try running.call("GET", "/v1/transactions?kind=zz")
        #expect(answer.status == 400)
        #expect(answer.json["error"]?["field"] == "kind")
        #expect(answer.json["error"]?.text("message").contains("message, signal, transfer, state") == true)
        #expect(try running.get("/v1/transactions?kind=delegate%20registration")["transactions"] == [])
    }

    @Test("is filtered by state, kind, sender and recipient, and paged by number")
    func filters() throws {
        let running = try RunningWorld()
        let first = try send(running, ["from": "alice", "to": "bob", "amount": "1"])
        try running.post("/v1/chain/forge")
        let second = try send(running, ["from": "alice", "to": "carol", "amount": "2"])
        let third = try send(running, ["from": "bob", "to": "carol", "message": "Hi"])
        func ids(_ query: String) throws -> [String] {
            try running.list("transactions", "/v1/transactions?" + query).map { $0.text("id") }
        }
        let carol = try running.get("/v1/accounts/carol").text("address")
        #expect(try ids("state=forged") == [first])
        #expect(try ids("kind=message") == [third])
        #expect(try ids("sender=alice") == [first, second])
        #expect(try ids("recipient=\(carol)&sender=bob") == [third])
        #expect(try ids("limit=2") == [first, second])
        let page = try running.get("/v1/transactions?limit=2")
        #expect(try ids("after=\(page["next"]?.text ?? "")") == [third])
        #expect(try ids("state=held").isEmpty)
    }

    @Test("a filter that cannot be is refused")
    func refusals() throws {
        let running = try RunningWorld()
        for (query, field) in [
            ("state=lost", "state"), ("sender=nobody", "sender"), ("recipient=U", "recipient"),
            ("colour=red", "colour"), ("limit=0", "limit"),
        ] {
            let answer = try running.call("GET", "/v1/transactions?" + query)
            #expect([400, 422].contains(answer.status), "\(query): \(answer.text)")
            #expect(answer.json["error"]?["field"] == .string(field))
        }
    }

    @Test("one that is held, and then released, is one transaction")
    func held() throws {
        let running = try RunningWorld()
        let rule: JSONValue = ["target": "node", "limit": 1, "effect": ["kind": "hold"]]
        try running.post("/v1/faults", rule, status: 201)
        let body = try running.transfer(from: "alice", to: "bob")
        let id = try running.ok("POST", running.node() + "/api/transactions/process", body)
            .text("transactionId")
        let waiting = try running.list("transactions", "/v1/transactions?wait=5")
        #expect(waiting.map { $0.text("state") } == ["held"])
        #expect(waiting[0]["held"] == "h1")
        try running.post("/v1/held/h1/release")
        try running.post("/v1/chain/forge")
        let landed = try running.list("transactions", "/v1/transactions")
        #expect(landed.map { $0.text("id") } == [id])
        #expect(landed[0]["state"] == "forged")
        #expect(landed[0]["seq"] == waiting[0]["seq"])
    }

    @Test("a lost one stays, with its parties and the reason")
    func dropped() throws {
        let running = try RunningWorld()
        let older = try send(running, ["from": "alice", "to": "bob", "amount": "60000000000"])
        let newer = try send(running, ["from": "alice", "to": "carol", "amount": "60000000000"])
        try running.post("/v1/chain/forge")
        let lost = try running.list("transactions", "/v1/transactions?state=dropped")
        #expect(lost.map { $0.text("id") } == [older])
        #expect(lost[0]["sender"] == (try running.get("/v1/accounts/alice")["address"]))
        #expect(lost[0].text("why").hasPrefix("Account does not have enough ADM"))
        #expect(try running.get("/v1/transactions/\(newer)")["state"] == "forged")
    }

    @Test("a reopened world has the same list, numbered by place")
    func reopened() throws {
        let folder = try TemporaryFolder()
        func open() throws -> RunningWorld { try RunningWorld { $0.dataDirectory = folder.path } }
        var running = try open()
        try running.post("/v1/accounts", ["name": "mallory", "balance": "77"], status: 201)
        for amount in ["60000000000", "60000000001"] {
            _ = try send(running, ["from": "alice", "to": "bob", "amount": .string(amount)])
        }
        try running.post("/v1/chain/forge")
        _ = try send(running, ["from": "bob", "to": "alice", "message": "Hi"])
        let before = try running.list("transactions", "/v1/transactions")
        running.world.stop()
        running = try open()
        let after = try running.list("transactions", "/v1/transactions")
        #expect(after.map { $0["id"] } == before.map { $0["id"] })
        #expect(after.map { $0["state"] } == ["forged", "dropped", "forged", "queued"])
        #expect(after.map { $0["sender"] } == before.map { $0["sender"] })
        #expect(after.map { $0["seq"] } == [1, 2, 3, 4])
        let later = try send(running, ["from": "bob", "to": "alice", "message": "Again"])
        let next = try running.list("transactions", "/v1/transactions?after=4")
        #expect(next.map { $0.text("id") } == [later])
    }
}
