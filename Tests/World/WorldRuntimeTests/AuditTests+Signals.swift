import AdamantModel
import JSONValue
import Testing
import WorldRuntime

extension TracedWorld {
    /// Signs a signal message by hand.
    func signal(from: String, message: String) throws {
        try chat(message, type: 3, from: from, to: running.get("/v1/ans").text("address"))
    }

    /// Signs a chat message by hand, sealed or not; answers the transaction.
    @discardableResult
    func chat(_ message: String, type: Int32, from: String, to: String) throws -> String {
        let sender = try #require(TestAccounts.all.first { $0.name == from })
        let second = try #require(try running.get("/v1/clock")["epochSeconds"]?.intValue)
        let transaction = Transaction(
            signing: .chat(message: message, ownMessage: "00", type: type),
            type: Transaction.Kind.chat,
            timestamp: Int32(clamping: second),
            recipient: Address(to),
            amount: 0,
            by: sender.keyPair,
            cryptography: running.world.cryptography
        )
        let answer = try running.ok(
            "POST",
            running.node() + "/api/chats/process",
            ["transaction": transaction.postedJSON]
        )
        #expect(answer["success"] == true, "\(answer.text)")
        return answer.text("transactionId")
    }
}

/// What signals and registrations break.
extension AuditTests {
    @Test("finds signals that nobody sealed, or not for the service")
    func sealed() throws {
        let world = try TracedWorld(ans: nil)
        #expect(try world.broken() == [])
        let text = #"{"token":"aa","provider":"apns","action":"add"}"#
        try world.signal(from: "bob", message: Hex.encode(Array(text.utf8)))
        try world.signal(from: "carol", message: String(repeating: "f0", count: 125))
        try world.forge()
        let found = try world.running.list("findings", "/v1/audit?rule=sealed-signals&wait=10&atLeast=2")
        let evidence = found.map { $0.text("evidence") }
        #expect(evidence.contains { $0.contains("plain text") })
        #expect(evidence.contains { $0.contains("does not open") })
    }

    @Test("finds registrations that are sent again without a removal between")
    func heartbeat() throws {
        let world = try TracedWorld(ans: nil, device: false)
        func send(_ action: String) throws {
            try world.running.post(
                "/v1/transactions",
                [
                    "from": "alice", "to": "ans", "kind": "signal",
                    "message": .string(
                        #"{"token":"\#(someToken())","provider":"apns","action":"\#(action)"}"#
                    ),
                ],
                status: 201
            )
            try world.forge()
        }
        for action in ["add", "remove", "add"] { try send(action) }
        #expect(try world.broken() == [])
        try send("add")
        let finding = try #require(try world.findings("no-heartbeat").first)
        #expect(finding["certainty"] == "known")
        #expect(finding.text("token") == someToken())
    }

    @Test("finds by their length what signals for an unknown key are")
    func byLength() throws {
        let world = try TracedWorld(ans: nil, device: false) {
            $0.foreignANSAddress = "U14449473063418336855"
        }
        for (pair, digits) in [("f0", 250), ("f0", 256), ("f2", 250)] {
            try world.signal(from: "bob", message: String(repeating: pair, count: digits / 2))
            try world.forge()
        }
        #expect(try world.broken() == [])
        try world.signal(from: "bob", message: String(repeating: "f1", count: 125))
        try world.forge()
        let finding = try #require(try world.findings("no-heartbeat").first)
        #expect(finding["certainty"] == "length")
        let trace = try world.trace(finding.text("transactionId"))
        #expect(trace["signal"]?["action"] == "add")
        #expect(trace["signal"]?["readBy"] == "length")
        #expect(try world.running.call("GET", "/v1/registry").status == 409)
    }

    @Test("finds tokens of addresses that no push has reached for long")
    func orphans() throws {
        let world = try TracedWorld(ans: nil) { $0.orphanMilliseconds = 86_400_000 }
        let id = try world.send()
        try world.forge()
        try world.push(id)
        try world.running.post("/v1/clock/advance", ["seconds": 43_200])
        #expect(try world.broken() == [])
        try world.running.post("/v1/clock/advance", ["seconds": 86_400])
        let finding = try #require(try world.findings("no-orphans").first)
        #expect(finding.text("evidence").contains("1 token of 1 address had no push for 1 days"))
        #expect(try world.running.get("/v1/registry")["orphans"]?.arrayValue?.count == 1)
    }
}
