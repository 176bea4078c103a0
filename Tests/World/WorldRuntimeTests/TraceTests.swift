import HTTPClient
import JSONValue
import Testing
import WorldRuntime

/// A world whose blocks and polls come when the test says so, with alice's phone registered and known to the service.
final class TracedWorld {
    let running: RunningWorld

    init(
        ans: String? = "as-deployed",
        nodes: Int = 1,
        device: Bool = true,
        _ change: (inout WorldConfiguration) -> Void = { _ in }
    ) throws {
        running = try RunningWorld {
            $0.nodeCount = nodes
            $0.ansPollMilliseconds = RunningWorld.longBlock
            $0.blockIntervalMilliseconds = RunningWorld.longBlock
            change(&$0)
        }
        if let ans {
            try running.patch("/v1/ans", ["behaviour": .string(ans)])
            try running.post("/v1/ans/start")
            try poll()
        }
        if device { try register() }
    }

    func poll() throws {
        let answered = try running.eventually {
            try running.call("POST", "/v1/ans/poll", [:]).status == 200
        }
        #expect(answered)
        #expect(try running.eventually { try running.get("/v1/ans")["pending"]?.intValue == 0 })
    }

    func forge(_ blocks: Int = 1) throws { try running.post("/v1/chain/forge", ["blocks": .int(blocks)]) }

    func register(_ name: String = "phone", owner: String = "alice") throws {
        let device: JSONValue = [
            "name": .string(name), "owner": .string(owner), "nodes": ["alpha"], "extensionMilliseconds": 300,
        ]
        try running.post("/v1/devices", device, status: 201)
        try forge()
        if try running.get("/v1/ans")["running"] == true { try poll() }
    }

    func act(_ action: String, _ body: JSONValue = [:], device: String = "phone") throws {
        try running.post("/v1/devices/\(device)/\(action)", body)
    }

    func fault(_ rule: JSONValue) throws { try running.post("/v1/faults", rule, status: 201) }

    /// Writes a message, from bob to alice unless told otherwise; answers the transaction.
    func send(
        _ message: String = "Is it you?",
        node: String = "alpha",
        from: String = "bob",
        to: String = "alice"
    ) throws -> String {
        try running.post(
            "/v1/transactions",
            ["from": .string(from), "to": .string(to), "message": .string(message), "node": .string(node)],
            status: 201
        ).text("transactionId")
    }

    func trace(_ id: String) throws -> JSONValue { try running.get("/v1/traces/\(id)") }

    /// The trace once it tells a cause, at most ten seconds later.
    func trace(_ id: String, until code: String?) throws -> JSONValue {
        _ = try running.eventually { try trace(id)["causeCode"]?.stringValue == code }
        return try trace(id)
    }
}

func stations(_ trace: JSONValue) -> [String] {
    (trace["stations"]?.arrayValue ?? []).map { $0.text("station") }
}

@Suite("World: traces")
struct TraceTests {
    @Test("follows a message to the screen", arguments: ["as-deployed", "ordered"])
    func shown(ans: String) throws {
        let world = try TracedWorld(ans: ans)
        let id = try world.send()
        #expect(try world.trace(id)["outcome"] == "pending")
        #expect(try world.trace(id)["causeCode"] == "not-forged")
        try world.forge()
        #expect(try world.trace(id)["lostAt"] == "polled")
        try world.poll()
        let trace = try world.trace(id, until: nil)
        #expect(
            trace.members == [
                "transactionId", "kind", "sender", "recipient", "state", "height", "signal", "outcome",
                "lostAt",
                "causeCode", "cause", "stations", "deliveries", "gaps",
            ]
        )
        #expect(trace["outcome"] == "shown", "\(trace.text)")
        #expect(trace["lostAt"] == .null)
        #expect(
            stations(trace) == [
                "posted", "accepted", "forged", "polled", "pushed", "delivered", "fetched", "shown",
            ]
        )
        let polled = try #require(trace["stations"]?.arrayValue?[3])
        #expect(
            polled.members == [
                "station", "at", "node", "height", "faultId", "pushId", "device", "token", "request", "note",
            ]
        )
        #expect(polled["height"] == trace["height"])
        #expect(polled.text("note").contains("/api/chats/get"))
        #expect(trace["deliveries"]?.arrayValue?.first?["outcome"] == "shown")
        #expect(try world.running.call("GET", "/v1/traces/123").status == 404)
        #expect(try world.running.call("GET", "/v1/traces/x").status == 404)
    }

    @Test("a service that began too late asked from above the block")
    func askedAbove() throws {
        let world = try TracedWorld(ans: nil, device: false)
        let id = try world.send()
        try world.forge()
        #expect(try world.trace(id)["causeCode"] == "not-polled")
        try world.running.patch("/v1/ans", ["behaviour": "as-deployed"])
        try world.running.post("/v1/ans/start")
        try world.poll()
        let trace = try world.trace(id)
        #expect(trace["causeCode"] == "asked-above", "\(trace.text)")
        #expect(trace["outcome"] == "lost")
        #expect(trace.text("cause").contains("forged at 2; the service asked from height 2 exclusive"))
        #expect(trace.text("cause").contains("it began there"))
    }

    @Test("a service that began after the registration was forged never saw it")
    func startedAfterRegistration() throws {
        let world = try TracedWorld(ans: nil)
        try world.forge(3)
        try world.running.patch("/v1/ans", ["behaviour": "as-deployed"])
        try world.running.post("/v1/ans/start")
        try world.poll()
        let id = try world.send()
        try world.forge()
        try world.poll()
        let trace = try world.trace(id)
        #expect(code(trace) == "registration-unread", "\(trace.text)")
        #expect(trace["outcome"] == "lost" && trace["lostAt"] == "pushed")
        #expect(trace.text("cause").contains("the registration was forged at 2"), "\(trace.text)")
        #expect(trace.text("cause").contains("asked for signals above"))
        #expect(trace.text("cause").contains("so it never saw it"))
    }

    @Test("a transfer that nobody asks for is called one")
    func unaskedTransfer() throws {
        let world = try TracedWorld(ans: nil, device: false)
        let order: JSONValue = ["from": "bob", "to": "alice", "amount": "5"]
        let id = try world.running.post("/v1/transactions", order, status: 201).text("transactionId")
        try world.forge()
        #expect(
            try world.trace(id).text("cause") == "no service has asked a node for transfers: is one running?"
        )
    }

    @Test("a lagging node keeps it from the service")
    func lagging() throws {
        let world = try TracedWorld()
        try world.running.patch("/v1/nodes/alpha", ["lagBlocks": 3])
        let id = try world.send()
        try world.forge()
        try world.poll()
        let trace = try world.trace(id)
        #expect(trace["causeCode"] == "lagging-node", "\(trace.text)")
        #expect(trace["outcome"] == "pending")
        #expect(trace.text("cause").contains("alpha, which lagged"))
    }

    @Test(
        "what becomes of the push is told",
        arguments: [
            ("offline", "discarded", "delivered"), ("deny", "discarded", "delivered"),
            ("unregistered", "token-refused", "delivered"), ("bad", "token-refused", "delivered"),
            ("reject", "push-refused", "delivered"), ("drop", "push-lost", "delivered"),
            ("reset", "push-lost", "delivered"), ("not-found", "fetch-failed", "fetched"),
        ]
    )
    func pushed(trouble: String, code: String, station: String) throws {
        let world = try TracedWorld()
        let id = try world.send()
        try world.forge()
        switch trouble {
        case "unregistered", "bad":
            let token = try world.running.get("/v1/devices/phone").text("token")
            try world.running.ok("PUT", "/v1/apns/tokens/\(token)", ["state": .string(trouble)])
        case "reject":
            try world.fault([
                "target": "apns", "effect": ["kind": "reject", "status": 429, "reason": "TooManyRequests"],
            ])
        case "drop", "reset": try world.fault(["target": "apns", "effect": ["kind": .string(trouble)]])
        case "not-found":
            try world.fault([
                "target": "node", "match": ["path": "/api/transactions/get"],
                "effect": ["kind": "error", "message": "Transaction not found"],
            ])
        default: try world.act(trouble)
        }
        try world.poll()
        let trace = try world.trace(id, until: code)
        #expect(trace["causeCode"]?.stringValue == code, "\(trace.text)")
        #expect(trace["lostAt"]?.stringValue == station)
        #expect(!trace.text("cause").isEmpty)
    }

    @Test("a service that hears of a signal by its socket has been served it")
    func socket() throws {
        let world = try TracedWorld(ans: nil, device: false)
        let service = try world.running.get("/v1/ans").text("address")
        try world.listen([#"["address","\#(service)"]"#])
        try world.signal("add", someToken())
        try world.forge()
        let told = try #require(try world.running.events("transaction.announced").first)
        #expect(told["data"]?["sockets"] == 1)
        let trace = try world.trace(told.text("transactionId"))
        #expect(trace["outcome"] == "delivered", "\(trace.text)")
        let polled = try #require(trace["stations"]?.arrayValue?.first { $0["station"] == "polled" })
        #expect(polled.text("note") == "newTrans to 1 socket of services")
        // A message to somebody else is none of its business.
        let message = try world.send()
        try world.forge()
        #expect(!stations(try world.trace(message)).contains("polled"))
    }

    @Test(
        "a service that hears of everybody's transactions by kind has been served them, and knows who registered"
    )
    func socketOfKinds() throws {
        let world = try TracedWorld(ans: nil)
        try world.ask(
            "chats/get?orderBy=timestamp:desc&isIn=\(world.running.get("/v1/ans").text("address"))&type=3"
        )
        try world.listen([#"["types",[0]]"#, #"["assetChatTypes",[1,3]]"#])
        let token = someToken("c")
        try world.signal("add", token)
        let id = try world.send()
        try world.forge()
        let told = try world.running.events("transaction.announced", atLeast: 2)
        #expect(told.contains { $0.text("transactionId") == id })
        try world.push(id, token: token)
        #expect(try world.broken() == [], "it knew of the registration without having polled for it")
        let trace = try world.trace(id)
        #expect(stations(trace).contains("polled"), "\(trace.text)")
        #expect(trace["deliveries"]?.arrayValue?.map(code).sorted() == ["no-device", "other-token"])
    }
}

extension TracedWorld {
    /// Connects a client to alpha's sockets, which emits these events; returns once they have been taken.
    fileprivate func listen(_ emitted: [String]) throws {
        let base = try #require(
            running.world.description["nodes"]?.arrayValue?.first?["socketUrl"]?.stringValue
        )
        let client = HTTPClient(options: .init(timeoutMilliseconds: 10_000))
        func engine(_ session: String = "", _ packet: String? = nil) throws -> String {
            let response = try client.send(
                HTTPClientRequest(
                    method: packet == nil ? "GET" : "POST",
                    url: "\(base)/socket.io/?EIO=4&transport=polling\(session)",
                    headers: packet == nil ? [] : [("Content-Type", "text/plain;charset=UTF-8")],
                    body: packet.map { Array($0.utf8) }
                )
            )
            return String(decoding: response.body, as: UTF8.self)
        }
        let opened = try JSONValue(parsing: String(try engine().dropFirst()))
        let session = "&sid=\(opened.text("sid"))"
        #expect(try engine(session, "40") == "ok")
        for event in emitted { #expect(try engine(session, "42" + event) == "ok") }
        #expect(
            try running.eventually {
                try running.get("/v1/nodes/alpha")["socketEvents"]?.intValue == Int64(emitted.count)
            }
        )
    }
}
