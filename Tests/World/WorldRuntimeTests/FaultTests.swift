import HTTPClient
import FaultRules
import JSONValue
import TestSupport
import Testing
import WorldRuntime

@Suite("World: faults through the whole stack")
struct FaultTests {
    private func rule(_ effect: JSONValue, match: JSONValue = [:], target: JSONValue = "node") -> JSONValue {
        ["name": "the fault", "target": target, "match": match, "limit": 1, "effect": effect]
    }

    @Test("a node answers what a rule says, once, and an event tells of it")
    func nodeAnswers() throws {
        let running = try RunningWorld { $0.nodeCount = 2 }
        let url = running.node(1) + "/api/node/status"
        let match: JSONValue = ["node": "beta", "method": "GET", "path": "/api/node/*"]
        try running.post(
            "/v1/faults",
            rule(["kind": "status", "status": 418, "body": "short and stout"], match: match),
            status: 201
        )
        #expect(try running.call("GET", running.node(0) + "/api/node/status").status == 200)
        let struck = try running.call("GET", url)
        #expect(struck.status == 418)
        #expect(struck.text == "short and stout")
        #expect(try running.call("GET", url).status == 200)
        try running.post(
            "/v1/faults",
            rule(["kind": "error", "message": "broken"], match: match),
            status: 201
        )
        let refused = try running.ok("GET", url)
        #expect(refused["success"] == false)
        #expect(refused["error"] == "broken")
        let event = try #require(try running.events("fault.fired", atLeast: 2).first)
        #expect(event["faultId"] == "f1")
        #expect(event["node"] == "beta")
        #expect(event["data"]?["name"] == "the fault")
        #expect(event["data"]?["path"] == "/api/node/status")
        #expect(event["data"]?["effect"] == "answers HTTP 418, nothing is processed")
        #expect(try running.list("requests", "/v1/requests?faultId=f1&wait=5").count == 1)
    }

    @Test(
        "a reset after it was applied loses the answer, before it loses the request",
        arguments: ["before", "after"]
    )
    func nodeReset(moment: String) throws {
        let running = try RunningWorld()
        try running.post("/v1/faults", rule(["kind": "reset", "when": .string(moment)]), status: 201)
        let body = try running.transfer(from: "alice", to: "bob", amount: 5)
        let url = running.node() + "/api/transactions/process"
        #expect(throws: HTTPClientError.connectionReset) { _ = try running.call("POST", url, body) }
        try running.post("/v1/chain/forge")
        #expect(try running.balance("bob") == (moment == "after" ? "100000000005" : "100000000000"))
        let event = try #require(try running.events("fault.fired").first)
        #expect(event["transactionId"]?.stringValue != nil)
        #expect(event["data"]?.text("sender").hasPrefix("U") == true)
        #expect(try running.list("requests", "/v1/requests?faultId=f1&wait=5").first?["status"] == .null)
    }

    @Test("signals are told apart by what they say")
    func signals() throws {
        let running = try RunningWorld()
        try running.post("/v1/devices", ["name": "phone", "owner": "alice"], status: 201)
        try running.post(
            "/v1/faults",
            rule(["kind": "status", "status": 500], match: ["signalAction": "remove"]),
            status: 201
        )
        try running.post("/v1/devices", ["name": "other", "owner": "bob"], status: 201)
        #expect(try running.get("/v1/faults/f1")["matched"] == 0)
        try running.post("/v1/devices/phone/sign-out")
        #expect(try running.eventually { try running.get("/v1/faults/f1")["fired"] == 1 })
    }

    @Test("what is held is released as if just accepted, and not again")
    func hold() throws {
        let running = try RunningWorld { $0.nodeCount = 2 }
        try running.post("/v1/faults", rule(["kind": "hold"], match: ["node": "beta"]), status: 201)
        let body = try running.transfer(from: "alice", to: "bob", amount: 5)
        let url = running.node(1) + "/api/transactions/process"
        let id = try running.ok("POST", url, body).text("transactionId")
        let held = try #require(try running.list("held", "/v1/held?wait=5").first)
        #expect(
            held.members == ["id", "seq", "faultId", "node", "transactionId", "sender", "recipient", "at"]
        )
        #expect(held["node"] == "beta")
        #expect(held["transactionId"] == .string(id))
        #expect(held["seq"] == (try running.events("transaction.held").first?["seq"]))
        let place = try running.get("/v1/transactions/\(id)")
        #expect(place["state"] == "held")
        try running.post("/v1/chain/forge")
        #expect(try running.balance("bob") == "100000000000")
        try running.post("/v1/clock/advance", ["seconds": 90_000])
        #expect(try running.post("/v1/held/h1/release") == ["transactionId": .string(id)])
        #expect(try running.events("transaction.released").first?["faultId"] == "f1")
        #expect(try running.list("held", "/v1/held").isEmpty)
        try running.post("/v1/chain/forge")
        #expect(try running.balance("bob") == "100000000005")
        #expect(try running.call("POST", "/v1/held/h1/release", [:]).status == 404)
    }

    @Test("what is held and came to a block by another node is forged, and its held copy stays where it is")
    func heldAndForged() throws {
        let running = try RunningWorld { $0.nodeCount = 2 }
        let held: JSONValue = ["match": ["node": "alpha"], "limit": 1, "effect": ["kind": "hold"]]
        try running.post("/v1/faults", held, status: 201)
        let body = try running.transfer(from: "alice", to: "bob", amount: 5)
        let id = try running.ok("POST", running.node() + "/api/transactions/process", body).text(
            "transactionId"
        )
        #expect(try running.get("/v1/transactions/\(id)")["state"] == "held")
        try running.ok("POST", running.node(1) + "/api/transactions/process", body)
        let waiting = try running.get("/v1/transactions/\(id)")
        #expect(waiting["state"] == "queued" && waiting["held"] == "h1", "\(waiting.text)")
        #expect(waiting["why"] == "it waits for the node's next turn")
        try running.post("/v1/chain/forge")
        let forged = try running.get("/v1/transactions/\(id)")
        #expect(forged["state"] == "forged" && forged["height"] == 2, "\(forged.text)")
        #expect(forged["held"] == "h1" && forged["why"] == nil)
        #expect(
            try running.list("transactions", "/v1/transactions?state=forged").map { $0.text("id") } == [id]
        )
        #expect(try running.list("transactions", "/v1/transactions?state=held").isEmpty)
        let trace = try running.get("/v1/traces/\(id)")
        #expect(trace["state"] == "forged" && trace["height"] == 2, "\(trace.text)")
        #expect(trace["causeCode"] != "held")
        #expect(try running.call("POST", "/v1/held/h1/release", [:]).status == 409)
        #expect(try running.list("held", "/v1/held").map { $0.text("transactionId") } == [id])
    }

    @Test("what is held is released in any order, and lands in that order")
    func releasesInAnyOrder() throws {
        let running = try RunningWorld()
        try running.post("/v1/faults", ["effect": ["kind": "hold"]], status: 201)
        for amount in 1...3 as ClosedRange<Int64> {
            _ = try running.call(
                "POST",
                running.node() + "/api/transactions/process",
                try running.transfer(from: "alice", to: "bob", amount: amount)
            )
        }
        let held = try running.list("held", "/v1/held?atLeast=3&wait=5")
        #expect(held.map { $0.text("id") } == ["h1", "h2", "h3"])
        for number in [2, 0, 1] {
            try running.post("/v1/held/\(held[number].text("id"))/release")
            try running.post("/v1/chain/forge")
        }
        let forged = try running.events("transaction.forged", atLeast: 3).suffix(3)
        #expect(forged.map { $0.text("transactionId") } == [2, 0, 1].map { held[$0].text("transactionId") })
    }

    @Test("a retry of the same signed bytes is numbered in requests, events and decisions, on any node")
    func retries() throws {
        let running = try RunningWorld { $0.nodeCount = 2 }
        try running.post(
            "/v1/faults",
            ["match": ["attempt": 1], "limit": 1, "effect": ["kind": "reset", "when": "after"]],
            status: 201
        )
        let body = try running.transfer(from: "alice", to: "bob")
        _ = try? running.call("POST", running.node() + "/api/transactions/process", body)
        for node in [1, 1] {
            _ = try running.call("POST", running.node(node) + "/api/transactions/process", body)
        }
        let calls = try running.list("requests", "/v1/requests?path=/api/transactions/process")
        #expect(calls.map { $0["attempt"] } == [1, 2, 3])
        let refused = try running.events("transaction.refused", atLeast: 2)
        #expect(refused.map { $0["data"]?["attempt"] } == [2, 3])
        #expect(try running.events("transaction.accepted").first?["data"]?["attempt"] == nil)
        #expect(try running.events("fault.fired").first?["data"]?["attempt"] == 1)
        let decisions = try running.list("decisions", "/v1/faults/decisions")
        #expect(decisions.count == 1 && decisions[0]["attempt"] == 1 && decisions[0]["match"] == 1)
        #expect(decisions[0].text("kind") == "reset" && decisions[0].text("node") == "alpha")
        try running.post("/v1/reset")
        #expect(try running.list("decisions", "/v1/faults/decisions").isEmpty)
    }

    @Test("decisions are paged, waited for, and made again by a world of another seed")
    func replay() throws {
        func answers(_ running: RunningWorld) throws -> [Bool] {
            try running.post(
                "/v1/faults",
                ["probability": 0.5, "effect": ["kind": "error", "message": "struck"]],
                status: 201
            )
            return try (0..<40).map { _ in
                try running.ok("GET", running.node() + "/api/node/status").text("error") == "struck"
            }
        }
        let original = try RunningWorld()
        let struck = try answers(original)
        let count = struck.count { $0 }
        #expect((1..<40).contains(count))
        let record = try original.get("/v1/faults/decisions?wait=5&atLeast=\(count)&limit=1000")
        #expect(record.members == ["seed", "decisions", "next", "evicted", "matches"])
        #expect(record["seed"] == 7 && record["decisions"]?.arrayValue?.count == count)
        let page = try original.get("/v1/faults/decisions?limit=1")
        let next = try #require(page["next"]?.intValue)
        let rest = try original.list("decisions", "/v1/faults/decisions?after=\(next)&limit=1000")
        #expect(rest.count == count - 1)
        let again = try RunningWorld {
            $0.seed = 8
            $0.replay = try? FaultReplay(record)
        }
        #expect(try answers(again) == struck)
        #expect(try answers(try RunningWorld { $0.seed = 8 }) != struck)
    }

    @Test("a rule is awake by the world's clock and by the height of its chain")
    func windows() throws {
        let running = try RunningWorld()
        try running.patch("/v1/clock", ["frozen": true])
        try running.post(
            "/v1/faults",
            [
                "window": ["fromSeconds": 60, "toSeconds": 120, "fromHeight": 2],
                "effect": ["kind": "error", "message": "struck"],
            ],
            status: 201
        )
        func isStruck() throws -> Bool {
            try running.ok("GET", running.node() + "/api/node/status").text("error") == "struck"
        }
        #expect(try !isStruck())
        try running.post("/v1/clock/advance", ["seconds": 90])
        #expect(try !isStruck())
        try running.post("/v1/chain/forge")
        #expect(try isStruck())
        try running.post("/v1/clock/advance", ["seconds": 30])
        #expect(try !isStruck())
        #expect(try running.get("/v1/faults/f1")["matched"] == 1)
    }

    @Test("what has landed meanwhile cannot be released")
    func holdLanded() throws {
        let running = try RunningWorld()
        try running.post("/v1/faults", rule(["kind": "hold", "answer": "reset"]), status: 201)
        let body = try running.transfer(from: "alice", to: "bob", amount: 5)
        let url = running.node() + "/api/transactions/process"
        #expect(throws: HTTPClientError.connectionReset) { _ = try running.call("POST", url, body) }
        // Its node does not know it: the same bytes are a new request.
        #expect(try running.ok("POST", url, body)["success"] == true)
        try running.post("/v1/chain/forge")
        let answer = try running.call("POST", "/v1/held/h1/release", [:])
        #expect(answer.status == 409)
        #expect(answer.json["error"]?["code"] == "conflict")
        #expect(try running.list("held", "/v1/held").count == 1)
        #expect(try running.balance("bob") == "100000000005")
    }

    @Test("APNs rejects the push that a rule is for, with the rule on the record")
    func apnsReject() throws {
        let running = try RunningWorld()
        try running.post(
            "/v1/faults",
            rule(
                ["kind": "reject", "status": 503, "reason": "Shutdown"],
                match: ["token": .string(someToken()), "recipient": "U1"],
                target: "apns"
            ),
            status: 201
        )
        #expect(try running.push(someToken("b"), recipient: "U1").status == 200)
        let struck = try running.push(someToken(), transaction: "9", recipient: "U1")
        #expect(struck.status == 503)
        #expect(struck.json == ["reason": "Shutdown"])
        #expect(try running.push(someToken(), recipient: "U1").status == 200)
        let push = try #require(try running.list("pushes", "/v1/pushes?status=503").first)
        #expect(push["verdict"]?["faultId"] == "f1")
        #expect(push["delivery"]?["state"] == "notDelivered")
        let event = try #require(try running.events("fault.fired").first)
        #expect(event["transactionId"] == "9")
        #expect(event["data"]?["token"] == .string(someToken()))
        #expect(event["data"]?["topic"] == "im.adamant.adamant-messenger")
        #expect(
            try running.events("push.received", atLeast: 3).map { $0["faultId"] } == [.null, "f1", .null]
        )
    }

    @Test(
        "a push whose answer was lost has no status, and whether it was processed",
        arguments: ["before", "after"],
        [false, true]
    )
    func apnsReset(moment: String, isKept: Bool) throws {
        // With a data directory answers come from another thread, once they are on the disk.
        let folder = try TemporaryFolder()
        let running = try RunningWorld { $0.dataDirectory = isKept ? folder.path : nil }
        let device = try running.post("/v1/devices", ["name": "phone", "owner": "alice"], status: 201)
        try running.post(
            "/v1/faults",
            rule(["kind": "reset", "when": .string(moment)], target: "apns"),
            status: 201
        )
        #expect(throws: HTTPClientError.self) { _ = try running.push(device.text("token")) }
        // libcurl sends a push again whose connection ended before the first answer on it.
        let push = try #require(try running.list("pushes", "/v1/pushes").first)
        #expect(push["status"] == .null)
        #expect(push["reason"] == .null)
        #expect(push["delivery"]?["state"] == (moment == "after" ? "delivered" : "notDelivered"))
    }

    @Test("the k-th match gets the k-th decision")
    func skips() throws {
        let running = try RunningWorld()
        var members = try #require(
            rule(["kind": "reject", "status": 500, "reason": "InternalServerError"], target: "apns")
                .objectValue
        )
        members["skip"] = 2
        members["limit"] = 2
        try running.post("/v1/faults", .object(members), status: 201)
        let statuses = try (0..<6).map { _ in try running.push(someToken()).status }
        #expect(statuses == [200, 200, 500, 500, 200, 200])
    }

    @Test("a preset is listed with its reports, and becomes its rules, all or none")
    func presets() throws {
        let running = try RunningWorld()
        let presets = try running.list("presets", "/v1/faults/presets")
        #expect(presets.count > 50)
        #expect(presets.allSatisfy { $0.members == ["name", "reports", "symptom", "rules"] })
        let body: JSONValue = ["preset": "bad-tokens", "match": ["token": .string(someToken())]]
        let added = try running.post("/v1/faults", body, status: 201)
        let rule = try #require(added["faults"]?.arrayValue?.first)
        #expect(rule["id"] == "f1")
        #expect(rule["name"] == "bad-tokens")
        #expect(try running.list("faults", "/v1/faults") == [rule])
        #expect(try running.push(someToken()).json == ["reason": "BadDeviceToken"])
        #expect(try running.push(someToken("b")).status == 200)
        let event = try #require(try running.events("fault.fired").first)
        #expect(event["data"]?["name"] == "bad-tokens")
        #expect(event["data"]?["connection"] == 1)
        for (body, field) in [
            (["preset": "unheard-of"], "preset"), (["preset": "bad-tokens", "limit": 1], "limit"),
            (["preset": "no-streams-then-close", "match": ["token": "ab"]], "match.token"),
        ] as [(JSONValue, JSONValue)] {
            let answer = try running.call("POST", "/v1/faults", body)
            #expect(answer.status == 422)
            #expect(answer.json["error"]?["field"] == field)
        }
        #expect(try running.list("faults", "/v1/faults").count == 1)
    }

    @Test("a fault of a connection is told before its first push, and a dropped push reaches no device")
    func connectionFault() throws {
        let running = try RunningWorld()
        let device = try running.post("/v1/devices", ["name": "phone", "owner": "alice"], status: 201)
        try running.post(
            "/v1/faults",
            rule(["kind": "settings", "at": "connection", "maxConcurrentStreams": 1], target: "apns"),
            status: 201
        )
        try running.post("/v1/faults", rule(["kind": "drop"], target: "apns"), status: 201)
        #expect(try running.push(device.text("token")).status == 200)
        let events = try running.events("fault.fired", atLeast: 2)
        #expect(events.map { $0["faultId"] } == ["f1", "f2"])
        #expect(events.first?["data"]?["effect"] == "SETTINGS of the new connection allow 1 stream")
        let push = try #require(try running.list("pushes", "/v1/pushes").first)
        #expect(push["status"] == 200)
        #expect(push["delivery"]?["state"] == "notDelivered")
        #expect(try running.get("/v1/devices/phone")["lastDeliveredAt"] == .null)
    }
}
