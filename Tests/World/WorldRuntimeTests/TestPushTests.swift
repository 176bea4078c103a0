import JSONValue
import Testing
import WorldRuntime

@Suite("World: test pushes")
struct TestPushTests {
    /// A world with the reference ANS and alice's phone, whose blocks come at once.
    private static func world(
        _ behaviour: String = "as-deployed",
        _ change: (inout WorldConfiguration) -> Void = { _ in }
    ) throws -> RunningWorld {
        let running = try RunningWorld {
            $0.forging = .instant
            $0.ans = .asDeployed
            $0.ansPollMilliseconds = 50
            change(&$0)
        }
        // It begins at the height of its first poll: the registration must come later.
        #expect(try running.eventually { try running.call("POST", "/v1/ans/poll", [:]).status == 200 })
        let device: JSONValue = ["name": "phone", "owner": "alice", "behaviour": .string(behaviour)]
        try running.post("/v1/devices", device, status: 201)
        #expect(try running.eventually { try running.get("/v1/ans")["rows"]?.arrayValue?.count == 1 })
        return running
    }

    private static func stations(_ report: JSONValue) -> [String] {
        (report["stations"]?.arrayValue ?? []).map { $0.text("station") }
    }

    @Test(
        "tells after how long the banner was shown, and all stations",
        arguments: ["as-deployed", "ordered"]
    )
    func shown(behaviour: String) throws {
        let running = try Self.world(behaviour)
        let report = try running.post(
            "/v1/devices/phone/test-push",
            ["from": "bob", "message": "Is it on?", "seconds": 20]
        )
        #expect(
            report.members == [
                "outcome", "device", "transactionId", "afterMilliseconds", "lostAt", "causeCode", "cause",
                "pushId", "banner", "stations",
            ]
        )
        #expect(report["outcome"] == "shown")
        #expect(report["lostAt"] == .null)
        #expect(report["afterMilliseconds"]?.intValue ?? -1 >= 0)
        #expect(report["banner"]?["body"] == "Is it on?")
        #expect(report["banner"]?["fallback"] == false)
        #expect(
            Self.stations(report) == [
                "posted", "accepted", "forged", "polled", "pushed", "delivered", "fetched", "shown",
            ]
        )
        let push = try #require(try running.list("pushes", "/v1/pushes").first)
        #expect(report["pushId"] == push["id"])
        #expect(report["transactionId"] == push["transactionId"])
        let transaction = try running.get("/v1/transactions/\(report.text("transactionId"))")
        #expect(transaction["sender"] == (try running.get("/v1/accounts/bob")["address"]))
    }

    @Test("tells when only the generic text was shown, or it was listed silently")
    func shownOtherwise() throws {
        let running = try Self.world()
        let rule: JSONValue = [
            "target": "node", "match": ["path": "/api/transactions/get"],
            "effect": ["kind": "error", "message": "Transaction not found"],
        ]
        try running.post("/v1/faults", rule, status: 201)
        // Set to another time the clock would make the service's provider token one of another hour.
        let now = try running.patch("/v1/clock", ["frozen": true]).text("now")
        let isMorning = now.contains("T0") || now.contains("T10") || now.contains("T11")
        let (from, to) = isMorning ? ("00:00", "12:00") : ("12:00", "00:00")
        try running.post("/v1/devices/phone/quiet", ["from": .string(from), "to": .string(to)])
        let report = try running.post("/v1/devices/phone/test-push", ["seconds": 20])
        #expect(report["outcome"] == "shown")
        #expect(report["banner"]?["fallback"] == true)
        #expect(report["banner"]?["listed"] == true)
        let why = "Transaction not found; quiet hours from \(from) to \(to)"
        #expect(report["banner"]?["why"]?.stringValue == why)
        #expect(!Self.stations(report).contains("fetched"))
        let trace = try running.get("/v1/traces/\(report.text("transactionId"))")
        for member in ["lostAt", "causeCode", "cause"] { #expect(report[member] == trace[member]) }
        #expect(report["causeCode"] == "fetch-failed")
    }

    @Test("tells that no block took it")
    func notForged() throws {
        let running = try RunningWorld()
        try running.post("/v1/devices", ["name": "phone", "owner": "alice"], status: 201)
        let report = try running.post("/v1/devices/phone/test-push", ["seconds": 1])
        #expect(report["outcome"] == "lost")
        #expect(report["lostAt"] == "forged")
        #expect(report["causeCode"] == "not-forged")
        #expect(report.text("cause").contains("/v1/chain/forge"))
        #expect(Self.stations(report) == ["posted", "accepted"])
        #expect(report["afterMilliseconds"] == .null)
    }

    @Test("tells that the node refused it")
    func refused() throws {
        let running = try RunningWorld()
        try running.post("/v1/devices", ["name": "phone", "owner": "alice"], status: 201)
        let report = try running.post("/v1/devices/phone/test-push", ["from": "zero", "seconds": 20])
        #expect(report["lostAt"] == "accepted")
        #expect(report["causeCode"] == "refused")
        #expect(report.text("cause").contains("does not have enough ADM"))
    }

    @Test("tells that no service polled, that none pushed, and that the device is not registered")
    func notPushed() throws {
        let running = try RunningWorld { $0.forging = .instant }
        try running.post("/v1/devices", ["name": "phone", "owner": "alice"], status: 201)
        let report = try running.post("/v1/devices/phone/test-push", ["seconds": 1])
        #expect(report["lostAt"] == "polled")
        #expect(report["causeCode"] == "not-polled")
        try running.patch("/v1/ans", ["pollSeconds": 1])
        try running.post("/v1/ans/start")
        let deaf = try running.post("/v1/devices/phone/test-push", ["seconds": 3])
        #expect(deaf["lostAt"] == "pushed")
        #expect(deaf["causeCode"] == "registration-unread", "it began after the registration")
        try running.post("/v1/devices/phone/rotate-token")
        try running.post("/v1/devices", ["name": "other", "owner": "bob"], status: 201)
        try running.post("/v1/devices/other/kill")
        try running.post("/v1/devices/other/rotate-token")
        let lost = try running.post("/v1/devices/other/test-push", ["seconds": 3])
        #expect(lost["causeCode"] == "other-token" || lost["causeCode"] == "not-registered")
    }

    @Test(
        "tells what APNs or the device did with it",
        arguments: [
            ("deny", "delivered", "discarded"), ("offline", "delivered", "discarded"),
            ("unregistered", "delivered", "token-refused"), ("bad", "delivered", "token-refused"),
        ]
    )
    func notDelivered(trouble: String, station: String, code: String) throws {
        let running = try Self.world()
        switch trouble {
        case "unregistered", "bad":
            let token = try running.get("/v1/devices/phone").text("token")
            _ = try running.ok("PUT", "/v1/apns/tokens/\(token)", ["state": .string(trouble)])
        default: try running.post("/v1/devices/phone/\(trouble)")
        }
        let report = try running.post("/v1/devices/phone/test-push", ["seconds": 20])
        #expect(report["outcome"] == "lost")
        #expect(report["lostAt"]?.stringValue == station)
        #expect(report["causeCode"]?.stringValue == code)
        #expect(!report.text("cause").isEmpty)
        #expect(report["pushId"] != .null)
        #expect(Self.stations(report).last == "pushed")
    }

    @Test("nobody's device without a token says so, and ends with nothing missing")
    func uninstalled() throws {
        let running = try RunningWorld()
        try running.post("/v1/devices", ["name": "phone", "owner": "alice"], status: 201)
        try running.post("/v1/devices/phone/uninstall")
        let answer = try running.call("POST", "/v1/devices/phone/test-push", [:])
        #expect(answer.status == 409)
        let message = answer.json["error"]?.text("message") ?? ""
        #expect(message.hasSuffix("nobody can be written to; it has no token either"), "\(message)")
    }
}
