import JSONValue
import Testing

/// Registrations and removals that do not do what their users meant.
extension HazardTests {
    @Test("a removal that nodes refuse for ever, since it was signed too long ago")
    func refusedForEver() throws {
        let world = try TracedWorld()
        try world.running.patch("/v1/nodes/alpha", ["version": "0.10"])
        try world.faultOnSignals(["kind": "reset", "when": "before"])
        try world.act("sign-out")
        try world.clearFaults()
        try world.running.post("/v1/clock/advance", ["seconds": 10])
        for _ in 0..<2 {
            try world.act("kill")
            try world.act("launch")
        }
        #expect(try world.running.get("/v1/devices/phone")["queuedRemovals"] == 1)
        let refused = try world.running.events("transaction.refused", atLeast: 2)
        #expect(Set(refused.map { $0.text("transactionId") }).count == 1)
        let removal = try world.trace(try #require(refused.first).text("transactionId"))
        #expect(code(removal) == "refused", "\(removal.text)")
        #expect(removal.text("cause").contains("more than 5 seconds in the past"))
        #expect(code(try world.fate(until: "discarded")) == "discarded")
    }

    @Test("a removal whose answer was lost: it is on the chain, and the app sends it again for ever")
    func sentForEver() throws {
        let world = try TracedWorld()
        try world.faultOnSignals(["kind": "reset", "when": "after"])
        try world.act("sign-out")
        try world.clearFaults()
        try world.act("kill")
        try world.act("launch")
        try world.forge()
        try world.poll()
        try world.act("kill")
        try world.act("launch")
        #expect(try world.running.get("/v1/devices/phone")["queuedRemovals"] == 1)
        let refused = try world.running.events("transaction.refused", atLeast: 2)
        let removal = try world.trace(try #require(refused.first).text("transactionId"))
        #expect(removal["outcome"] == "delivered", "\(removal.text)")
        #expect(stations(removal).count { $0 == "posted" } == 3)
        #expect(code(try world.fate(until: "removed")) == "removed")
    }

    @Test("a registration whose answer was lost, so that signing out removes nothing")
    func neverRemoved() throws {
        let world = try TracedWorld(device: false)
        try world.faultOnSignals(["kind": "reset", "when": "after"])
        try world.register()
        try world.clearFaults()
        try world.act("sign-out")
        try world.forge()
        try world.poll()
        #expect(try world.running.get("/v1/registry")["rows"]?.arrayValue?.count == 1)
        #expect(code(try world.fate(until: "discarded")) == "discarded")
    }

    @Test("another account on the login screen, whose key signs the removal of the first")
    func wrongSigner() throws {
        let world = try TracedWorld()
        try world.act("sign-in", ["account": "bob"])
        try world.forge()
        try world.poll()
        let bob = try world.address("bob")
        let accepted = try world.running.events("transaction.accepted", atLeast: 3)
        let signal = try #require(accepted.first { $0["data"]?["sender"]?.stringValue == bob })
        let removal = try world.trace(signal.text("transactionId"))
        #expect(removal["outcome"] == "delivered", "\(removal.text)")
        #expect(removal["signal"]?["action"] == "remove")
        #expect(removal.text("sender") == bob, "and not alice, whose registration it was to remove")
        let id = try world.send("For Alice alone", from: "carol")
        try world.forge()
        try world.poll()
        #expect(code(try world.trace(id, until: "other-account")) == "other-account")
    }

    @Test("a balance too small for the registration of another token, and for a removal")
    func poor() throws {
        let world = try TracedWorld(device: false)
        let account: JSONValue = ["name": "dora", "balance": "150000"]
        try world.running.post("/v1/accounts", account, status: 201)
        try world.register(owner: "dora")
        try world.act("rotate-token")
        try world.act("kill")
        try world.act("launch")
        try world.forge()
        try world.poll()
        let problem = try world.running.get("/v1/devices/phone").text("problem")
        #expect(problem.contains("a registration costs a fee"), "\(problem)")
        #expect(code(try world.fate(to: "dora", until: "token-refused")) == "token-refused")
        #expect(code(try world.fate(to: "dora", until: "token-dropped")) == "token-dropped")
        try world.act("sign-out")
        let refused = try #require(try world.running.events("transaction.refused").first)
        let removal = try world.trace(refused.text("transactionId"))
        #expect(code(removal) == "refused", "\(removal.text)")
        #expect(removal.text("cause").contains("does not have enough ADM"))
    }

    @Test("off and on again, which does not repair a registration that a late removal took")
    func offAndOn() throws {
        let world = try TracedWorld()
        try world.signal("remove", try world.token())
        try world.forge()
        try world.poll()
        try world.act("notifications-off")
        try world.act("notifications-push")
        try world.forge()
        try world.poll()
        #expect(try world.running.get("/v1/devices/phone")["believesRegistered"] == true)
        #expect(code(try world.fate(until: "removed")) == "removed")
    }

    @Test("a node that answers 503, in whose place the app asks no other")
    func unavailable() throws {
        let world = try TracedWorld(nodes: 2, device: false)
        try world.faultOnSignals(["kind": "status", "status": 503])
        let device: JSONValue = ["name": "phone", "owner": "alice", "nodes": ["alpha", "beta"]]
        try world.running.post("/v1/devices", device, status: 201)
        try world.clearFaults()
        let posts = try world.running.list("requests", "/v1/requests?method=POST&path=/api/chats/process")
        #expect(posts.count == 1)
        let trace = try world.fate(until: "registration-refused")
        #expect(code(trace) == "registration-refused", "\(trace.text)")
    }

    @Test("a device whose clock is ahead of the nodes'")
    func clockAhead() throws {
        let world = try TracedWorld(device: false)
        try world.running.patch("/v1/nodes/alpha", ["clockSkewMilliseconds": -20_000])
        try world.register()
        try world.running.patch("/v1/nodes/alpha", ["clockSkewMilliseconds": 0])
        let trace = try world.fate(until: "registration-refused")
        #expect(code(trace) == "registration-refused", "\(trace.text)")
        #expect(trace.text("cause").contains("in the future"))
    }

    @Test("a removal whose token is written in capitals, which finds no row")
    func capitals() throws {
        let world = try TracedWorld(device: false)
        try world.signal("add", someToken())
        try world.signal("remove", someToken().uppercased())
        try world.forge()
        try world.poll()
        let ignored = try #require(try world.running.events("ans.signal-ignored").first)
        let removal = try world.trace(ignored.text("transactionId"))
        #expect(code(removal) == "signal-ignored", "\(removal.text)")
        #expect(code(try world.fate(until: "no-device")) == "no-device")
    }

    @Test("a dead token of two accounts, of which the deployed service forgets the first alone")
    func firstRowAlone() throws {
        let world = try TracedWorld(device: false)
        for account in ["alice", "carol"] {
            try world.signal("add", someToken(), from: account)
            try world.forge()
            try world.poll()
        }
        let path = "/v1/apns/tokens/\(someToken())"
        try world.running.ok("PUT", path, ["state": "unregistered"])
        #expect(code(try world.fate(to: "carol", until: "token-refused")) == "token-refused")
        try world.running.ok("PUT", path, ["state": "active"])
        let dropped = try world.fate(until: "token-dropped")
        #expect(code(dropped) == "token-dropped", "\(dropped.text)")
        #expect(code(try world.fate(to: "carol", until: "no-device")) == "no-device")
    }

    @Test("a token that stands for another path, and one that fits into none")
    func pastedTokens() throws {
        let world = try TracedWorld()
        let phone = try world.token()
        try world.signal("add", "x/../\(phone)", from: "carol")
        try world.signal("add", "a token", from: "dave")
        try world.forge()
        try world.poll()
        let elsewhere = try world.fate(to: "carol", until: "other-account")
        let ways = try #require(elsewhere["deliveries"]?.arrayValue)
        #expect(ways.map(code).sorted() == ["other-account", "other-token"], "\(elsewhere.text)")
        #expect(try world.findings("right-owner").first?.text("token") == phone)
        let nowhere = try world.fate(to: "dave", until: "not-pushed")
        #expect(code(nowhere) == "not-pushed", "\(nowhere.text)")
        #expect(nowhere.text("cause").contains("nothing came to APNs"))
    }
}
