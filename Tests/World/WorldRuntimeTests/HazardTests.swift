import JSONValue
import Testing
import WorldRuntime

extension TracedWorld {
    /// A signal of an account, as its app would send it.
    func signal(_ action: String, _ token: String, from: String = "alice", provider: String = "apns") throws {
        try signal(#"{"token":"\#(token)","provider":"\#(provider)","action":"\#(action)"}"#, from: from)
    }

    /// A signal of carol that names no token, which the service as deployed dies of at her next message.
    func poisonService() throws {
        try signal(#"{"provider":"apns","action":"add"}"#, from: "carol")
        try forge()
        try poll()
    }

    private func signal(_ text: String, from: String) throws {
        try running.post(
            "/v1/transactions",
            ["from": .string(from), "to": "ans", "kind": "signal", "message": .string(text)],
            status: 201
        )
    }

    /// A fault on the signals that clients post.
    func faultOnSignals(_ effect: JSONValue) throws {
        try fault([
            "target": "node", "match": ["method": "POST", "path": "/api/chats/process", "chatType": 3],
            "effect": effect,
        ])
    }

    func clearFaults() throws { _ = try running.ok("DELETE", "/v1/faults", status: 204) }

    /// Asks a node for a list, as a service of others does.
    func ask(_ target: String) throws { _ = try running.ok("GET", running.node() + "/api/" + target) }

    /// A message that is forged and polled, and why it went no further, once that is told.
    func fate(to: String = "alice", until code: String?) throws -> JSONValue {
        let id = try send(to: to)
        try forge()
        try poll()
        return try trace(id, until: code)
    }
}

func code(_ trace: JSONValue) -> String { trace.text("causeCode") }

/// The ways of losing a push that simulated parties can be driven into.
@Suite("World: hazards, and what traces tell of them")
struct HazardTests {
    @Test("a registration that a node refused, a fault swallowed or held, or the app did not send")
    func noRegistration() throws {
        let skipped = try TracedWorld(device: false)
        try skipped.register(owner: "zero")
        let zero = try skipped.fate(to: "zero", until: "registration-skipped")
        #expect(["registration-skipped", "registration-refused"].contains(code(zero)), "\(zero.text)")
        #expect(zero.text("cause").contains("ADM"))

        let lost = try TracedWorld(device: false)
        try lost.faultOnSignals(["kind": "reset", "when": "before"])
        try lost.register()
        try lost.clearFaults()
        let failed = try lost.fate(until: "registration-refused")
        #expect(code(failed) == "registration-refused", "\(failed.text)")
        #expect(failed.text("cause").contains("does not try again by itself"))

        let held = try TracedWorld(device: false)
        try held.faultOnSignals(["kind": "hold"])
        try held.register()
        let waiting = try held.fate(until: "registration-held")
        #expect(code(waiting) == "registration-held", "\(waiting.text)")
        #expect(waiting.text("cause").contains("held back as h1 by fault f1"))

        let none = try TracedWorld(device: false)
        #expect(code(try none.fate(until: "not-registered")) == "not-registered")
    }

    @Test("a registration that came later, or of a token that another has")
    func otherRegistration() throws {
        let world = try TracedWorld(device: false)
        let id = try world.send()
        try world.forge()
        try world.poll()
        try world.register()
        #expect(code(try world.trace(id)) == "registered-later")

        try world.faultOnSignals(["kind": "reset", "when": "before"])
        try world.register("other", owner: "bob")
        try world.clearFaults()
        try world.signal("add", try world.token("other"))
        try world.forge()
        try world.poll()
        let trace = try world.fate(to: "bob", until: "registered-elsewhere")
        #expect(code(trace) == "registered-elsewhere", "\(trace.text)")
        #expect(trace.text("cause").contains("of d2 is registered for"))
    }

    @Test("a service of others that read the message before the registration")
    func unread() throws {
        let world = try TracedWorld(ans: nil, device: false)
        let service = try world.running.get("/v1/ans").text("address")
        try world.ask("chats/get?orderBy=timestamp:desc&isIn=\(service)&type=3&fromHeight=1")
        try world.register()
        let id = try world.send()
        try world.forge()
        try world.ask("chats/get?orderBy=timestamp:desc&fromHeight=1")
        let trace = try world.trace(id)
        #expect(code(trace) == "registration-unread", "\(trace.text)")
        #expect(trace["outcome"] == "lost")
        #expect(stations(trace).last == "polled")
    }

    @Test("what a service of others asks for: windows, other lists, other pages")
    func otherQuestions() throws {
        let world = try TracedWorld(ans: nil)
        let id = try world.send()
        try world.forge()
        try world.ask("transactions?orderBy=timestamp:desc&type=0&and:fromHeight=1")
        #expect(code(try world.trace(id)) == "other-list")
        try world.ask("chats/get?orderBy=timestamp:desc&fromHeight=1&offset=100")
        #expect(code(try world.trace(id)) == "other-page")
        let later = try world.send()
        try world.forge()
        try world.ask("transactions?fromHeight=2&returnAsset=1&and:toHeight=3")
        let window = try world.trace(later)
        #expect(code(window) == "asked-below", "\(window.text)")
        #expect(window.text("cause").contains("up to height 3 so far"))
        #expect(stations(try world.trace(id)).last == "polled", "the window holds it")
        // An app's own list is no service's.
        let alice = try world.address("alice")
        try world.ask("chats/get?isIn=\(alice)&orderBy=timestamp:desc&fromHeight=1")
        #expect(!stations(try world.trace(later)).contains("polled"))
        try world.ask("transactions?fromHeight=3&returnAsset=1&and:toHeight=4")
        #expect(code(try world.trace(later)) == "not-pushed")
    }

    @Test("a poller that an answer killed, and one that a message killed")
    func deadPollers() throws {
        let killed = try TracedWorld()
        try killed.fault([
            "target": "node", "match": ["path": "/api/chats/get"],
            "effect": ["kind": "status", "status": 500],
        ])
        try killed.poll()
        try killed.clearFaults()
        let id = try killed.send()
        try killed.forge()
        try killed.poll()
        let trace = try killed.trace(id)
        #expect(code(trace) == "poll-failed", "\(trace.text)")
        #expect(trace.text("cause").contains("answered 500 without a list by fault f1"))

        let poisoned = try TracedWorld()
        try poisoned.poisonService()
        _ = try poisoned.send(to: "carol")
        try poisoned.forge()
        try poisoned.poll()
        let silent = try poisoned.send()
        try poisoned.forge()
        try poisoned.poll()
        #expect(code(try poisoned.trace(silent)) == "service-silent")
    }

    @Test("a message that no node took, that is held back, or that a fork took away")
    func noBlock() throws {
        let world = try TracedWorld(ans: nil, device: false)
        let refused = try world.running.call(
            "POST",
            "/v1/transactions",
            ["from": "zero", "to": "alice", "message": "Hi"]
        )
        #expect(refused.status == 422)
        let id = try #require(try world.running.events("transaction.refused").first).text("transactionId")
        let trace = try world.trace(id)
        #expect(code(trace) == "refused")
        #expect(trace["lostAt"] == "accepted")
        #expect(trace.text("cause").contains("does not have enough ADM"))

        let body = try world.running.transfer(from: "bob", to: "alice")
        try world.fault([
            "target": "node", "match": ["path": "/api/transactions/process"],
            "effect": ["kind": "status", "status": 503],
        ])
        let path = world.running.node() + "/api/transactions/process"
        #expect(try world.running.call("POST", path, body).status == 503)
        let posted = try #require(
            try world.running.list("requests", "/v1/requests?path=/api/transactions/process").last
        ).text("transactionId")
        let lost = try world.trace(posted)
        #expect(code(lost) == "post-lost", "\(lost.text)")
        #expect(lost["kind"] == "transaction")
        #expect(lost.text("cause").contains("fault f1 kept the POST from alpha: answers HTTP 503"))
        #expect(stations(lost) == ["posted"])

        try world.clearFaults()
        try world.fault(["target": "node", "effect": ["kind": "hold"]])
        try world.running.ok("POST", path, body)
        let held = try world.trace(posted)
        #expect(code(held) == "held", "\(held.text)")
        #expect(held["outcome"] == "pending")
        try world.clearFaults()
        try world.running.post("/v1/held/h1/release")
        try world.forge()
        #expect(code(try world.trace(posted)) == "not-polled")
        try world.running.post("/v1/chain/reorg", ["depth": 1, "drop": [.string(posted)]])
        let gone = try world.trace(posted)
        #expect(code(gone) == "reverted", "\(gone.text)")
        let forged = try #require(gone["stations"]?.arrayValue?.first { $0["station"] == "forged" })
        #expect(forged.text("note") == "the block was rolled back later")
        #expect(stations(gone).filter { $0 == "posted" }.count == 2)
    }

    @Test("a fork shows both blocks and both pushes, and the audit the second")
    func fork() throws {
        let world = try TracedWorld()
        let id = try world.send()
        try world.forge()
        try world.poll()
        _ = try world.trace(id, until: nil)
        try world.running.post("/v1/chain/reorg", ["depth": 1, "delay": [.string(id)]])
        try world.forge()
        try world.poll()
        #expect(try world.findings("no-duplicates").count == 1)
        let trace = try world.trace(id)
        #expect(stations(trace).filter { $0 == "forged" }.count == 2)
        #expect(stations(trace).filter { $0 == "pushed" }.count == 2)
        #expect(trace["deliveries"]?.arrayValue?.map { $0.text("repeatCode") } == ["", "fork"])
        let pushed = (trace["stations"]?.arrayValue ?? []).filter { $0["station"] == "pushed" }
        #expect(
            pushed.last?.text("note").contains("once more: a fork had rolled its block of height") == true
        )
    }

    @Test("a reinstalled app has two registrations: one dies, the other shows the message")
    func reinstalled() throws {
        let world = try TracedWorld()
        try world.act("reinstall")
        try world.act("sign-in", ["account": "alice"])
        try world.forge()
        try world.poll()
        let first = try world.fate(until: nil)
        #expect(first["outcome"] == "shown", "\(first.text)")
        #expect(first["deliveries"]?.arrayValue?.map(code).sorted() == ["", "token-refused"])
        let second = try world.fate(until: nil)
        #expect(second["deliveries"]?.arrayValue?.map(code).sorted() == ["", "token-dropped"])
        let dropped = try #require(second["deliveries"]?.arrayValue?.first { code($0) == "token-dropped" })
        #expect(dropped.text("cause").contains("410 Unregistered"))
        #expect(try world.broken() == [])
    }

    @Test("an offline device: stored, replaced, expired, or shown when it is back")
    func stored() throws {
        let world = try TracedWorld(ans: "ordered")
        try world.act("offline")
        let first = try world.fate(until: "stored")
        #expect(code(first) == "stored", "\(first.text)")
        #expect(first["outcome"] == "pending")
        let second = try world.fate(until: "stored")
        #expect(code(try world.trace(first.text("transactionId"))) == "replaced")
        try world.act("online")
        #expect(try world.trace(second.text("transactionId"), until: nil)["outcome"] == "shown")
        try world.act("offline")
        let third = try world.fate(until: "stored")
        try world.running.post("/v1/clock/advance", ["seconds": 90_000])
        _ = try world.running.get("/v1/pushes")
        #expect(code(try world.trace(third.text("transactionId"))) == "expired")
    }

    @Test("a blocked partner, of whom the user sees the push's own text")
    func blocked() throws {
        let world = try TracedWorld()
        try world.act("block", ["account": "bob"])
        let id = try world.send()
        try world.forge()
        try world.poll()
        _ = try world.running.eventually { try stations(world.trace(id)).contains("shown") }
        let trace = try world.trace(id)
        #expect(code(trace) == "not-shown", "\(trace.text)")
        #expect(trace["outcome"] == "shown")
        #expect(trace.text("cause") == "only the push's own text was shown: the partner is on the block list")
    }

    @Test("a provider token that is too old for APNs, which the service takes no note of")
    func oldProviderToken() throws {
        let world = try TracedWorld()
        let reject: JSONValue = ["kind": "reject", "status": 403, "reason": "ExpiredProviderToken"]
        try world.fault(["target": "apns", "match": [:], "effect": reject])
        let trace = try world.fate(until: "push-refused")
        #expect(code(trace) == "push-refused", "\(trace.text)")
        #expect(trace.text("cause").contains("403 ExpiredProviderToken"))
    }

    @Test("a token that stayed registered for the former owner of a device")
    func formerOwner() throws {
        let world = try TracedWorld()
        try world.faultOnSignals(["kind": "reset", "when": "before"])
        try world.act("sign-out")
        try world.clearFaults()
        try world.act("sign-in", ["account": "bob"])
        try world.forge()
        try world.poll()
        let id = try world.send("For Alice alone", from: "carol")
        try world.forge()
        try world.poll()
        let trace = try world.trace(id, until: "other-account")
        #expect(code(trace) == "other-account", "\(trace.text)")
        #expect(trace["outcome"] == "shown", "with the push's own text")
        let registry = try world.running.get("/v1/registry")
        #expect(registry["sharedTokens"]?.arrayValue?.first?["addresses"]?.arrayValue?.count == 2)
        #expect(registry["ownerChanges"]?.arrayValue?.count == 1)
    }

    @Test("an extension that is answered from an earlier chain, and a token of another provider")
    func earlyExtension() throws {
        let world = try TracedWorld(ans: "ordered")
        try world.fault([
            "target": "node", "match": ["path": "/api/transactions/get"],
            "effect": ["kind": "stale", "blocks": 3],
        ])
        let trace = try world.fate(until: "fetch-failed")
        #expect(code(trace) == "fetch-failed", "\(trace.text)")
        #expect(trace.text("cause").contains("Transaction not found; it asked alpha (fault f1)"))
        try world.signal("add", someToken(), from: "carol", provider: "fcm")
        try world.forge()
        try world.poll()
        #expect(code(try world.fate(to: "carol", until: "other-provider")) == "other-provider")
    }

    @Test("a device that nobody here simulates, and what its app fetches")
    func foreignDevice() throws {
        let world = try TracedWorld(device: false)
        try world.signal("add", someToken())
        try world.forge()
        try world.poll()
        let trace = try world.fate(until: "no-device")
        #expect(code(trace) == "no-device", "\(trace.text)")
        #expect(trace["outcome"] == "pending")
        let id = trace.text("transactionId")
        try world.ask("transactions/get?id=\(id)&returnAsset=1")
        let fetched = try world.trace(id, until: nil)
        #expect(fetched["outcome"] == "delivered")
        #expect(stations(fetched).last == "fetched")
    }

    @Test("a signal has arrived when the service has read it, and is lost when it ignored it")
    func signals() throws {
        let world = try TracedWorld()
        let token = try world.token()
        let first = try #require(try world.running.get("/v1/registry")["rows"]?.arrayValue?.first)
        let arrived = try world.trace(first.text("transactionId"))
        #expect(arrived["outcome"] == "delivered", "\(arrived.text)")
        #expect(
            arrived["signal"] == [
                "action": "add", "token": .string(token), "provider": "apns", "readBy": "key",
            ]
        )
        // An addition that is there already makes the deployed service lose the removal of the same answer.
        try world.signal("remove", token)
        try world.signal("add", token)
        try world.forge()
        try world.poll()
        let ignored = try #require(try world.running.events("ans.signal-ignored").first)
        let trace = try world.trace(ignored.text("transactionId"))
        #expect(code(trace) == "signal-ignored", "\(trace.text)")
        #expect(trace["outcome"] == "lost")
    }

    @Test("what takes too long counts as lost, by the world's clock")
    func tooLong() throws {
        let world = try TracedWorld(ans: nil) { $0.pushLimitMilliseconds = 5000 }
        let id = try world.send()
        try world.forge()
        #expect(try world.trace(id)["outcome"] == "pending")
        try world.running.post("/v1/clock/advance", ["seconds": 6])
        let trace = try world.trace(id)
        #expect(trace["outcome"] == "lost")
        #expect(code(trace) == "not-polled")
    }
}
