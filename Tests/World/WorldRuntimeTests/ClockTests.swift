import JSONValue
import Testing
import WorldRuntime

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("World: its clock")
struct ClockTests {
    @Test("stands still, moves by hand, and runs on from there")
    func moves() throws {
        let running = try RunningWorld()
        let set = try running.patch("/v1/clock", ["frozen": true, "now": "2026-01-01T00:00:00.000Z"])
        #expect(set["now"] == "2026-01-01T00:00:00.000Z")
        #expect(set["epochSeconds"] == 262_854_000)
        #expect(set["frozen"] == true)
        #expect(try running.get("/v1/clock")["now"] == set["now"])
        #expect(try running.post("/v1/clock/advance", ["seconds": 3600])["now"] == "2026-01-01T01:00:00.000Z")
        #expect(try running.post("/v1/clock/advance", ["seconds": -0.5])["now"] == "2026-01-01T00:59:59.500Z")
        let running2 = try running.patch("/v1/clock", ["frozen": false])
        #expect(running2["frozen"] == false)
        #expect(running2.text("now") >= "2026-01-01T00:59:59.500Z")
        #expect(running2.text("now") < "2026-01-01T01:05:00.000Z")
        #expect(try running.events("clock.changed", atLeast: 4).count == 4)
    }

    @Test("blocks and nodes go by it, and no slot that was skipped gets a block")
    func blocks() throws {
        let running = try RunningWorld()
        try running.patch("/v1/clock", ["frozen": true, "now": "2026-01-01T00:00:02.000Z"])
        try running.post("/v1/chain/forge")
        #expect(try running.get("/v1/chain")["lastBlock"]?["timestamp"] == 262_854_000)
        try running.post("/v1/clock/advance", ["seconds": 86_400])
        #expect(try running.height() == 2)
        try running.post("/v1/chain/forge")
        #expect(try running.get("/v1/chain")["lastBlock"]?["timestamp"] == 262_940_400)
        // Set back: never before its parent.
        try running.patch("/v1/clock", ["now": "2025-01-01T00:00:00.000Z"])
        try running.post("/v1/chain/forge")
        #expect(try running.get("/v1/chain")["lastBlock"]?["timestamp"] == 262_940_400)
        let status = try running.ok("GET", running.node() + "/api/node/status")
        #expect(status["nodeTimestamp"] == 231_318_000)
        let calls = try running.list("requests", "/v1/requests?wait=5")
        #expect(calls.last?["at"] == "2025-01-01T00:00:00.000Z")
    }

    @Test("several blocks of one slot share its time, and forks within it as well")
    func oneSlot() throws {
        let running = try RunningWorld()
        try running.patch("/v1/clock", ["frozen": true, "now": "2026-01-01T00:00:02.000Z"])
        try running.post("/v1/chain/forge", ["blocks": 5])
        let before = try running.get("/v1/chain")["lastBlock"]
        let fork = try running.post("/v1/chain/reorg", ["depth": 3, "blocks": 3])
        let after = try running.get("/v1/chain")["lastBlock"]
        #expect(fork["height"] == 6)
        #expect(after?["timestamp"] == 262_854_000)
        #expect(after?["id"] != before?["id"])
    }

    @Test(
        "set to the ends of time, blocks are forged and forked, and it can be set back",
        arguments: ["0001-01-01T00:00:00.000Z", "9999-12-31T23:59:59.999Z"]
    )
    func extremes(moment: String) throws {
        let running = try RunningWorld()
        try running.patch("/v1/clock", ["frozen": true, "now": .string(moment)])
        try running.post("/v1/chain/forge", ["blocks": 2])
        _ = try running.call("POST", "/v1/transactions", ["from": "alice", "to": "bob", "amount": "1"])
        try running.post("/v1/chain/forge", ["blocks": 2])
        try running.post("/v1/chain/reorg", ["depth": 2])
        try running.patch("/v1/clock", ["now": "2026-01-01T00:00:00.000Z"])
        try running.post("/v1/chain/forge")
        #expect(try running.height() == 7)
    }

    @Test("provider tokens and device tokens age by it")
    func tokens() throws {
        let running = try RunningWorld()
        let issued = Int64(Date().timeIntervalSince1970)
        #expect(try running.push(someToken(), issuedAt: issued).status == 200)
        try running.post("/v1/clock/advance", ["seconds": 3700])
        let expired = try running.push(someToken(), issuedAt: issued)
        #expect(expired.status == 403)
        #expect(expired.json["reason"] == "ExpiredProviderToken")
        #expect(try running.push(someToken(), issuedAt: issued + 3700).status == 200)
        try running.ok(
            "PUT",
            "/v1/apns/tokens/\(someToken())",
            [
                "state": "unregistered",
                "since": .string(running.get("/v1/clock").text("now").replacing("T", with: "T")),
            ]
        )
        #expect(try running.push(someToken(), issuedAt: issued + 3700).status == 410)
        try running.post("/v1/clock/advance", ["seconds": -600])
        #expect(try running.push(someToken(), issuedAt: issued + 3700).status == 200, "it ends only later")
    }

    @Test(
        "timestamps are checked by the world's clock, the machine's, or not at all",
        arguments: [
            (WorldConfiguration.TimestampChecks.world, "world"), (.machine, "machine"),
            (.off, "world, machine"),
        ]
    )
    func timestampChecks(checks: WorldConfiguration.TimestampChecks, taken: String) throws {
        let running = try RunningWorld {
            $0.timestampChecks = checks
            $0.nodeVersions = ["0.10"]
        }
        try running.patch("/v1/clock", ["now": "2020-01-01T00:00:00.000Z"])
        let machine = Int64(Date().timeIntervalSince1970) - 1_504_371_600
        let world = try #require(try running.get("/v1/clock")["epochSeconds"]?.intValue)
        for (name, second) in [("world", world), ("machine", machine)] {
            let answer = try running.ok(
                "POST",
                running.node() + "/api/transactions/process",
                try running.transfer(from: "alice", to: "bob", timestamp: second)
            )
            // A transfer of the past passes the checks of the present.
            let isTaken = taken.contains(name) || (checks == .machine && name == "world")
            #expect(answer["success"] == .bool(isTaken), "\(checks) \(name): \(answer.text)")
        }
        try running.post("/v1/transactions", ["from": "carol", "to": "bob", "message": "x"], status: 201)
    }
}
