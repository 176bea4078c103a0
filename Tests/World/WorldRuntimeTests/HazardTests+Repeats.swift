import JSONValue
import Testing

extension TracedWorld {
    /// The trace once so many pushes are in it, at most ten seconds later.
    func trace(_ id: String, pushes count: Int) throws -> JSONValue {
        _ = try running.eventually {
            try stations(trace(id)).count { $0 == "pushed" } >= count
        }
        return try trace(id)
    }
}

/// Why each way to a token repeats one before it; empty for those that do not.
private func repeats(_ trace: JSONValue) -> [String] {
    (trace["deliveries"]?.arrayValue ?? []).map { $0.text("repeatCode") }
}

/// Pushes that come twice.
extension HazardTests {
    @Test("a service that got no answer to its question for the newest height, and so reads the whole chain")
    func readFromStart() throws {
        let world = try TracedWorld(ans: nil, device: false)
        try world.fault([
            "target": "node", "match": ["path": "/api/transactions"],
            "effect": ["kind": "error", "message": "Database is busy"],
        ])
        try world.running.patch("/v1/ans", ["behaviour": "as-deployed"])
        try world.running.post("/v1/ans/start")
        try world.poll()
        try world.clearFaults()
        try world.register()
        let id = try world.send()
        try world.forge()
        // A service of before has pushed it already.
        try world.ask("chats/get?orderBy=timestamp:desc&fromHeight=1")
        try world.push(id)
        try world.poll()
        let trace = try world.trace(id, pushes: 2)
        #expect(repeats(trace) == ["", "read-from-start"], "\(trace.text)")
        let again = try #require(trace["deliveries"]?.arrayValue?.last).text("repeat")
        #expect(
            again.contains("alpha had answered its question for the newest height by fault f1 without one")
        )
        #expect(try world.findings("no-duplicates").count == 1)
    }

    @Test("pages that shift while the service reads them, since a block comes in between")
    func pageShifted() throws {
        let world = try TracedWorld()
        let id = try world.send()
        try world.running.post("/v1/clock/advance", ["seconds": 10])
        for _ in 0..<99 { _ = try world.send(to: "carol") }
        try world.forge(5)
        try world.running.post("/v1/clock/advance", ["seconds": 10])
        _ = try world.send(to: "carol")
        try world.forge()
        // The list of signals is asked for first; then the first page is as of before the last block.
        try world.fault([
            "target": "node", "match": ["path": "/api/chats/get"], "skip": 1, "limit": 1,
            "effect": ["kind": "stale", "blocks": 1],
        ])
        try world.poll()
        let trace = try world.trace(id, pushes: 2)
        #expect(repeats(trace) == ["", "page-shifted"], "\(trace.text)")
        #expect(
            trace["deliveries"]?.arrayValue?.last?.text("repeat").contains("at offsets 0 and 100") == true
        )
        #expect(trace["outcome"] == "shown")
    }

    @Test("a registration that was sent again, since the answer to the first was lost: two rows")
    func registeredTwice() throws {
        let world = try TracedWorld(device: false)
        try world.faultOnSignals(["kind": "reset", "when": "after"])
        try world.running.post("/v1/devices", ["name": "phone", "owner": "alice"], status: 201)
        try world.clearFaults()
        try world.act("kill")
        try world.act("launch")
        try world.forge()
        try world.poll()
        #expect(try world.running.get("/v1/ans")["rows"]?.arrayValue?.count == 2)
        let id = try world.send()
        try world.forge()
        try world.poll()
        let trace = try world.trace(id, pushes: 2)
        #expect(repeats(trace) == ["", "registered-twice"], "\(trace.text)")
        #expect(try world.findings("no-heartbeat").count == 1)
        #expect(try world.findings("no-duplicates").count == 1)
        let signal = try #require(try world.findings("no-heartbeat").first)
        #expect(try world.trace(signal.text("transactionId"))["outcome"] == "delivered")
    }

    @Test("a token of two providers, for which the deployed service has a row each")
    func twoProviders() throws {
        let world = try TracedWorld(device: false)
        for provider in ["apns", "apns-sandbox"] {
            try world.signal("add", someToken(), provider: provider)
            try world.forge()
            try world.poll()
        }
        let id = try world.send()
        try world.forge()
        try world.poll()
        let trace = try world.trace(id, pushes: 2)
        #expect(repeats(trace) == ["", "registered-twice"], "\(trace.text)")
        #expect(trace["deliveries"]?.arrayValue?.last?.text("repeat").contains("(apns-sandbox)") == true)
    }

    @Test("a service that dies before it notes the height, and pushes again when it is started")
    func readAgain() throws {
        let world = try TracedWorld()
        try world.poisonService()
        // The newest is the first of the list.
        let forgotten = try world.send()
        try world.running.post("/v1/clock/advance", ["seconds": 10])
        let poison = try world.send(to: "carol")
        try world.running.post("/v1/clock/advance", ["seconds": 10])
        _ = try world.send(to: "bob")
        try world.forge()
        try world.poll()
        let silent = try world.trace(forgotten, until: "service-died")
        #expect(code(silent) == "service-died", "\(silent.text)")
        #expect(silent.text("cause").contains("has no token"))
        #expect(code(try world.trace(poison)) == "signal-unreadable")
    }

    @Test("a service that dies after a push, each time that it is started")
    func diesAgain() throws {
        let world = try TracedWorld()
        try world.poisonService()
        _ = try world.send(to: "carol")
        try world.running.post("/v1/clock/advance", ["seconds": 10])
        let id = try world.send()
        try world.forge()
        try world.poll()
        _ = try world.trace(id, pushes: 1)
        try world.running.post("/v1/ans/start")
        try world.poll()
        let trace = try world.trace(id, pushes: 2)
        #expect(repeats(trace) == ["", "read-again"], "\(trace.text)")
        let again = try #require(trace["deliveries"]?.arrayValue?.last).text("repeat")
        #expect(again.contains("it had died before it noted the height: row"), "\(again)")
    }

    @Test("a fork that swaps two messages: one is pushed twice, the other never")
    func swapped() throws {
        let world = try TracedWorld()
        let read = try world.send("First")
        try world.forge()
        try world.poll()
        _ = try world.trace(read, pushes: 1)
        let late = try world.send("Second")
        try world.forge()
        try world.running.post(
            "/v1/chain/reorg",
            ["depth": 2, "order": [.string(late), .string(read)]]
        )
        try world.poll()
        let twice = try world.trace(read, pushes: 2)
        #expect(repeats(twice) == ["", "fork"], "\(twice.text)")
        let never = try world.trace(late)
        #expect(code(never) == "asked-above", "\(never.text)")
        #expect(never.text("cause").contains("a fork moved it to a height that the service had read already"))
    }

    @Test("a push that was refused for no fault of its own is tried again by the ordered service alone")
    func triedAgain() throws {
        let world = try TracedWorld(ans: "ordered")
        let reject: JSONValue = ["kind": "reject", "status": 503, "reason": "ServiceUnavailable"]
        try world.fault(["target": "apns", "limit": 1, "effect": reject])
        let id = try world.send()
        try world.forge()
        try world.poll()
        let trace = try world.trace(id, until: nil)
        #expect(trace["outcome"] == "shown", "\(trace.text)")
        #expect(repeats(trace) == ["", "tried-again"])
        #expect(trace["deliveries"]?.arrayValue?.first?.text("causeCode") == "push-refused")
    }

    @Test("two services that push the same, and one of which nobody knows why it does")
    func otherService() throws {
        let world = try TracedWorld(ans: nil)
        let id = try world.send()
        try world.forge()
        let list = world.running.node() + "/api/chats/get?orderBy=timestamp:desc&fromHeight=1"
        func ask(_ agent: String) throws {
            let answer = try world.running.call("GET", list, headers: [("User-Agent", agent)])
            #expect(answer.status == 200)
        }
        try ask("first/1")
        for _ in 0..<2 { try world.push(id) }
        #expect(repeats(try world.trace(id)) == ["", "unknown"])
        try ask("second/1")
        try world.push(id)
        let trace = try world.trace(id)
        #expect(repeats(trace) == ["", "unknown", "other-service"], "\(trace.text)")
        #expect(
            trace["deliveries"]?.arrayValue?.last?.text("repeat")
                == "two services were served it: “first/1” and “second/1”"
        )
    }
}
