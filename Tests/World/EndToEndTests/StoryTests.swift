import JSONValue
import Testing

@Suite("From the message to the banner", .timeLimit(.minutes(3)))
struct StoryTests {
    @Test(
        "a device registers, a message is sent, the push arrives and the banner shows its text",
        arguments: ["as-deployed", "ordered"]
    )
    func messageToBanner(behaviour: String) async throws {
        let world = try await RunningWorld([
            "--ans", behaviour, "--ans-poll", "100ms", "--block-interval", "100ms",
        ])
        let device = try await world.call(
            "POST",
            "/v1/devices",
            ["name": "phone", "behaviour": .string(behaviour), "owner": "bob"],
            expecting: 201
        )
        let id = try #require(device["id"]?.stringValue)
        let token = try #require(device["token"]?.stringValue)
        #expect(device["believesRegistered"]?.boolValue == true)
        try await waitUntil("the service has read the registration") {
            let rows = try await world.call("GET", "/v1/registry")["rows"]?.arrayValue ?? []
            return rows.contains { $0["token"]?.stringValue == token }
        }
        _ = try await world.call("POST", "/v1/ans/poll")

        let sent = try await world.call(
            "POST",
            "/v1/transactions",
            ["from": "alice", "to": "bob", "message": "See you at six", "kind": "message"],
            expecting: 201
        )
        let transaction = try #require(sent["transactionId"]?.stringValue)
        let pushes = try await world.call("GET", "/v1/pushes?transactionId=\(transaction)&wait=15&atLeast=1")
        let push = try #require(pushes["pushes"]?.arrayValue?.first)
        #expect(push["token"]?.stringValue == token)
        #expect(push["status"]?.intValue == 200)
        #expect(push["recipient"]?.stringValue == (try world.address("bob")))
        #expect(!(push["payload"]?.text.contains("See you") ?? true))
        try await waitUntil("the banner is shown") {
            let banners = try await world.call("GET", "/v1/devices/\(id)")["banners"]?.arrayValue ?? []
            return banners.contains {
                $0["transactionId"]?.stringValue == transaction && $0["body"]?.stringValue == "See you at six"
            }
        }
        let kinds =
            try await world.call("GET", "/v1/events?limit=10000")["events"]?.arrayValue?
            .compactMap { $0["kind"]?.stringValue } ?? []
        for kind in ["transaction.accepted", "transaction.forged", "block.forged", "push.received"] {
            #expect(kinds.contains(kind), "\(kind)")
        }
    }

    @Test("a fault loses the answer to one call and the event tells which")
    func faultFires() async throws {
        let world = try await RunningWorld(["--forging", "manual"])
        let made = try await world.call(
            "POST",
            "/v1/faults",
            [
                "target": "node", "match": ["method": "GET", "path": "/api/blocks/getHeight"], "limit": 1,
                "effect": ["kind": "reset", "when": "before"],
            ],
            expecting: 201
        )
        let id = try #require(made["id"]?.stringValue)
        let url = try world.node() + "/api/blocks/getHeight"
        let reset = try await run("curl", ["-sS", url])
        #expect(reset.status == 56, "\(reset.errors)")
        #expect(try await curl(url).status == 200)
        let rule = try await world.call("GET", "/v1/faults/\(id)")
        #expect(rule["matched"]?.intValue == 2)
        #expect(rule["fired"]?.intValue == 1)
        #expect(rule["spent"]?.boolValue == true)
        let events = try await world.call("GET", "/v1/events")["events"]?.arrayValue ?? []
        #expect(
            events.contains { $0["kind"]?.stringValue == "fault.fired" && $0["faultId"]?.stringValue == id }
        )
    }

    @Test("the command line does what the control API does")
    func commandLine() async throws {
        let world = try await RunningWorld(["--forging", "instant"])
        let at = ["--control", world.control]
        let sent = try await Mocknet.run(["send", "--json"] + at + ["alice", "bob", "hello"])
        #expect(sent.status == 0, "\(sent.errors)")
        let id = try #require(try JSONValue(parsing: sent.output)["transactionId"]?.stringValue)
        let found = try await curl(try world.node() + "/api/transactions/get?id=\(id)")
        #expect(found.body.contains(#""success":true"#), "\(found.body)")
        for arguments in [["account"], ["push"], ["device"], ["fault"], ["chain"]] {
            let shown = try await Mocknet.run(arguments + at + ["--json"])
            #expect(shown.status == 0, "\(arguments): \(shown.errors)")
            #expect(throws: Never.self) { try JSONValue(parsing: shown.output) }
        }
        try await traceAndAudit(id, at)
    }

    /// The trace of a message that nobody was registered for, and audits before and after a breach.
    private func traceAndAudit(_ id: String, _ at: [String]) async throws {
        let trace = try await Mocknet.run(["trace", id] + at)
        #expect(trace.status == 0, "\(trace.errors)")
        #expect(trace.output.contains("pending, not polled (not-polled): no service has asked a node"))
        #expect(try await Mocknet.run(["trace", "1"] + at).status == 1)
        let clean = try await Mocknet.run(["audit"] + at)
        #expect(clean.status == 0)
        #expect(clean.output == "nothing broke a rule\n")
        let signal = #"{"token":"\#(String(repeating: "a", count: 64))","provider":"apns","action":"add"}"#
        for _ in 0..<2 {
            let sent = try await Mocknet.run(["send", "--signal"] + at + ["alice", "ans", signal])
            #expect(sent.status == 0, "\(sent.errors)")
        }
        let broken = try await Mocknet.run(["audit"] + at)
        #expect(broken.status == 1)
        #expect(broken.output.contains("no-heartbeat"))
        #expect(broken.output.hasSuffix("no-heartbeat: 1\n"))
        let wrong = try await Mocknet.run(["audit", "--fail-on", "no-contents"] + at)
        #expect(wrong.status == 64)
        #expect(wrong.errors.contains("did you mean no-content?"), "\(wrong.errors)")
        #expect(try await Mocknet.run(["audit", "--fail-on", "no-content"] + at).status == 0)
        let parties = try await Mocknet.run(["audit", "--parties"] + at)
        #expect(parties.output.contains("kept: it sees no text of a message, and no sender"))
    }
}
