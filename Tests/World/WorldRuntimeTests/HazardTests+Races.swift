import JSONValue
import Testing

/// Ways of losing a push that depend on what comes first.
extension HazardTests {
    @Test("a removal that was sent again and landed late")
    func race() throws {
        let world = try TracedWorld()
        try world.faultOnSignals(["kind": "reset", "when": "before"])
        try world.act("sign-out")
        try world.clearFaults()
        try world.act("sign-in", ["account": "alice"])
        try world.forge()
        try world.poll()
        try world.act("kill")
        // A removal of an earlier second, as it is in the field.
        try world.act("launch")
        try world.forge()
        try world.poll()
        let trace = try world.fate(until: "removed")
        #expect(code(trace) == "removed", "\(trace.text)")
        #expect(trace["outcome"] == "lost")
        #expect(trace["lostAt"] == "pushed")
        #expect(trace.text("cause").contains("was removed at height 4 by"))
    }

    @Test(
        "a removal and a later registration in one answer, which the deployed service takes the other way round"
    )
    func batchOrder() throws {
        let world = try TracedWorld(device: false)
        for action in ["remove", "add"] {
            try world.signal(action, someToken())
            try world.forge()
        }
        try world.poll()
        let trace = try world.fate(until: "batch-order")
        #expect(code(trace) == "batch-order", "\(trace.text)")
        #expect(trace["deliveries"]?.arrayValue?.first?["token"]?.stringValue == someToken())
    }

    @Test("an app that ended while its removal was on its way")
    func endedWhileRemoving() throws {
        let world = try TracedWorld()
        try world.faultOnSignals(["kind": "timeout", "when": "before", "seconds": 60])
        let running = world.running
        let leaving = try Later { try running.call("POST", "/v1/devices/phone/sign-out", [:]).status }
        #expect(try running.list("events", "/v1/events?kind=fault.fired&wait=10").count == 1)
        try world.act("kill")
        _ = try leaving.value()
        try world.clearFaults()
        let trace = try world.fate(until: "discarded")
        #expect(code(trace) == "discarded", "\(trace.text)")
        #expect(trace.text("cause").contains("notifications"), "\(trace.text)")
        #expect(try world.running.get("/v1/devices/phone")["queuedRemovals"] == 0)
    }

    @Test("a sign-out while the registration was on its way, and whoever signs in next")
    func leftWhileRegistering() throws {
        let world = try TracedWorld(device: false)
        try world.faultOnSignals(["kind": "delay", "milliseconds": 1000])
        let running = world.running
        let arriving = try Later {
            try running.call(
                "POST",
                "/v1/devices",
                ["name": "phone", "owner": "alice", "extensionMilliseconds": 300]
            )
            .status
        }
        #expect(try running.list("events", "/v1/events?kind=fault.fired&wait=10").count == 1)
        try world.act("sign-out")
        #expect(try arriving.value() == 201)
        try world.clearFaults()
        try world.forge()
        try world.poll()
        let first = try world.fate(until: "discarded")
        #expect(code(first) == "discarded", "\(first.text)")
        try world.act("sign-in", ["account": "carol"])
        try world.forge()
        try world.poll()
        let second = try world.fate(to: "carol", until: "registered-elsewhere")
        #expect(code(second) == "registered-elsewhere", "\(second.text)")
    }

    @Test("a registration behind a page of signals that one of the service's own cut short")
    func shortPage() throws {
        let world = try TracedWorld(device: false)
        try world.running.post("/v1/accounts/ans/fund", ["amount": "100000000"])
        try world.signal("add", someToken("a"))
        try world.forge()
        // The order of one second's signals is not that of the chain.
        try world.running.post("/v1/clock/advance", ["seconds": 10])
        for number in 0..<99 { try world.signal("add", someToken("b") + String(number % 10), from: "bob") }
        let own: JSONValue = ["from": "ans", "to": "carol", "kind": "signal", "message": "{}"]
        try world.running.post("/v1/transactions", own, status: 201)
        try world.forge(5)
        try world.poll()
        let trace = try world.fate(until: "registration-unread")
        #expect(code(trace) == "registration-unread", "\(trace.text)")
        #expect(trace.text("cause").contains("it was not on the page of signals that the service asked for"))
    }
}
