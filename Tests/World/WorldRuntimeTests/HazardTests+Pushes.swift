import JSONValue
import Testing

/// What APNs and the device make of pushes.
extension HazardTests {
    @Test("a 410 without a body, of which the deployed service takes no note")
    func emptyBody() throws {
        let world = try TracedWorld()
        let reject: JSONValue = ["kind": "reject", "status": 410, "reason": "Unregistered", "body": ""]
        try world.fault(["target": "apns", "effect": reject])
        #expect(code(try world.fate(until: "token-refused")) == "token-refused")
        #expect(code(try world.fate(until: "token-refused")) == "token-refused")
        #expect(try world.findings("dead-tokens-dropped").count == 1)
    }

    @Test(
        "a 410 of before the registration, which the deployed service believes and the ordered one does not",
        arguments: [("as-deployed", "token-dropped"), ("ordered", "")]
    )
    func oldDeath(ans: String, cause: String) throws {
        let world = try TracedWorld(ans: ans)
        let reject: JSONValue = [
            "kind": "reject", "status": 410, "reason": "Unregistered", "timestampAgeSeconds": 86_400,
        ]
        try world.fault(["target": "apns", "limit": 1, "effect": reject])
        #expect(code(try world.fate(until: "token-refused")) == "token-refused")
        let next = try world.fate(until: cause.isEmpty ? nil : cause)
        #expect(code(next) == cause, "\(next.text)")
        #expect(next["outcome"]?.stringValue == (cause.isEmpty ? "shown" : "lost"))
    }

    @Test("a token of another topic, which the deployed service pushes to again and again")
    func otherTopic() throws {
        let world = try TracedWorld()
        let token = try world.token()
        let state: JSONValue = ["state": "wrong-topic", "topic": "com.example.app"]
        try world.running.ok("PUT", "/v1/apns/tokens/\(token)", state)
        for _ in 0..<2 {
            let trace = try world.fate(until: "token-refused")
            #expect(code(trace) == "token-refused", "\(trace.text)")
            #expect(trace.text("cause").contains("400 DeviceTokenNotForTopic"))
        }
        let push = try #require(try world.running.list("pushes", "/v1/pushes").last)
        #expect(push["status"] == 400)
    }

    @Test("a push that is refused for what it is, and not for its token")
    func malformed() throws {
        let world = try TracedWorld()
        let reject: JSONValue = ["kind": "reject", "status": 400, "reason": "BadTopic"]
        try world.fault(["target": "apns", "effect": reject])
        #expect(code(try world.fate(until: "push-refused")) == "push-refused")
    }

    @Test("an app of the sandbox, whose tokens the deployed service pushes to production")
    func sandbox() throws {
        let world = try TracedWorld(device: false)
        let device: JSONValue = ["name": "phone", "owner": "alice", "environment": "sandbox"]
        try world.running.post("/v1/devices", device, status: 201)
        try world.forge()
        try world.poll()
        let first = try world.fate(until: "token-refused")
        #expect(code(first) == "token-refused", "\(first.text)")
        #expect(first.text("cause").contains("400 BadDeviceToken"))
        #expect(code(try world.fate(until: "token-dropped")) == "token-dropped")
        #expect(try world.running.get("/v1/devices/phone")["believesRegistered"] == true)
    }

    @Test("a background push that the device holds back, and one that shows nothing")
    func background() throws {
        let world = try TracedWorld(ans: nil)
        try world.running.patch("/v1/apns", ["backgroundPerHour": 1])
        let (token, recipient) = (try world.token(), try world.address("alice"))
        func push() throws -> String {
            let id = try world.send()
            try world.forge()
            let answer = try world.running.push(
                token,
                transaction: id,
                recipient: recipient,
                type: "background",
                headers: [(name: "apns-priority", value: "5")],
                aps: ["content-available": 1]
            )
            #expect(answer.status == 200)
            return id
        }
        let shownNothing = try world.trace(try push(), until: "not-shown")
        #expect(code(shownNothing) == "not-shown", "\(shownNothing.text)")
        #expect(shownNothing["outcome"] == "lost")
        #expect(shownNothing.text("cause") == "nothing to show")
        let id = try push()
        let held = try world.trace(id)
        #expect(code(held) == "throttled", "\(held.text)")
        #expect(held["outcome"] == "pending")
        #expect(held["lostAt"] == "delivered")
        #expect(held.text("cause").contains("of which the device has let 1 through this hour"))
        try world.running.post("/v1/clock/advance", ["seconds": 3601])
        #expect(code(try world.trace(id, until: "not-shown")) == "not-shown")
    }

    @Test("an extension that waits for a node, for the text or for the names of partners")
    func waiting() throws {
        for (path, cause) in [("/api/transactions/get", "not-fetched"), ("/api/states/get", "not-shown")] {
            let world = try TracedWorld(device: false)
            let device: JSONValue = [
                "name": "phone", "owner": "alice", "extensionMilliseconds": 600_000,
            ]
            try world.running.post("/v1/devices", device, status: 201)
            try world.forge()
            try world.poll()
            try world.fault([
                "target": "node", "match": ["path": .string(path)],
                "effect": ["kind": "timeout", "when": "before", "seconds": 600],
            ])
            let trace = try world.fate(until: cause)
            #expect(code(trace) == cause, "\(trace.text)")
            #expect(trace["outcome"] == "delivered")
            #expect(trace["lostAt"]?.stringValue == (cause == "not-shown" ? "shown" : "fetched"))
            #expect(trace.text("cause").contains("the extension works on it"))
        }
    }

    @Test("a message that is not for the account's key, and an answer that the extension cannot read")
    func noText() throws {
        let world = try TracedWorld()
        let sealed = String(repeating: "f0", count: 40)
        let id = try world.chat(sealed, type: 1, from: "bob", to: try world.address("alice"))
        try world.forge()
        try world.poll()
        let trace = try world.trace(id, until: "not-shown")
        #expect(code(trace) == "not-shown", "\(trace.text)")
        #expect(trace.text("cause").contains("the transaction has no text for this account"))
        #expect(trace["outcome"] == "shown")

        try world.fault([
            "target": "node", "match": ["path": "/api/transactions/get"],
            "effect": ["kind": "status", "status": 200, "body": #"{"success":true}"#],
        ])
        let unread = try world.fate(until: "fetch-failed")
        #expect(code(unread) == "fetch-failed", "\(unread.text)")
        #expect(unread.text("cause").contains("parsing failed; it asked alpha (fault f1)"))
    }

    @Test("a service whose question the node refuses")
    func refusedQuestion() throws {
        let world = try TracedWorld(ans: nil)
        let id = try world.send()
        try world.forge()
        try world.ask("transactions?fromHeight=0&and:toHeight=1&returnAsset=1")
        let trace = try world.trace(id)
        #expect(code(trace) == "poll-failed", "\(trace.text)")
        #expect(trace.text("cause").contains("fromHeight=0"))
    }

    @Test("a service that reads messages at one node and registrations at another, which is late")
    func lateSignals() throws {
        let world = try TracedWorld(device: false)
        try world.signal("add", someToken())
        try world.forge()
        let id = try world.send()
        try world.forge()
        // The list of signals comes first, from a node that does not know the registration yet.
        try world.fault([
            "target": "node", "match": ["path": "/api/chats/get"], "limit": 1,
            "effect": ["kind": "stale", "blocks": 2],
        ])
        try world.poll()
        try world.clearFaults()
        try world.poll()
        let trace = try world.trace(id, until: "registration-unread")
        #expect(code(trace) == "registration-unread", "\(trace.text)")
        #expect(trace["outcome"] == "lost")
    }
}
