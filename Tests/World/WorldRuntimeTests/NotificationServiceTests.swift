import JSONValue
import Testing
import WorldRuntime

@Suite("World: the reference ANS")
struct NotificationServiceTests {
    private func polled(_ running: RunningWorld) throws -> JSONValue { try running.post("/v1/ans/poll") }

    @Test("is not there until it is started, and keeps its registry when it is stopped")
    func lifecycle() throws {
        let running = try RunningWorld()
        #expect(try running.get("/v1/ans")["running"] == false)
        #expect(try running.get("/v1/ans")["behaviour"] == .null)
        let started = try running.post("/v1/ans/start")
        #expect(started["running"] == true)
        #expect(started["behaviour"] == "as-deployed")
        for member in ["address", "pollSeconds", "pollers", "rows", "accepted", "failed", "pending"] {
            #expect(started[member] != nil, "\(member)")
        }
        // It begins at the height at which it was started.
        _ = try polled(running)
        try running.post("/v1/devices", ["name": "phone", "owner": "alice"], status: 201)
        try running.post("/v1/chain/forge")
        #expect(try polled(running)["rows"]?.arrayValue?.count == 1)
        let stopped = try running.post("/v1/ans/stop")
        #expect(stopped["running"] == false)
        #expect(stopped["rows"]?.arrayValue?.count == 1)
        #expect(try running.call("POST", "/v1/ans/poll", [:]).status == 409)
        let again = try running.post("/v1/ans/start")
        #expect(again["rows"] == stopped["rows"])
        #expect(try running.events("ans.started", atLeast: 2).count == 2)
        #expect(
            try running.events("ans.registered").first?["data"]?["token"]
                == .string(running.get("/v1/devices/phone").text("token"))
        )
    }

    @Test("started by several at once it is one service")
    func startedTwice() throws {
        let running = try RunningWorld()
        let starts = try (1...4).map { _ in
            try Later { try running.call("POST", "/v1/ans/start", [:]).status }
        }
        for start in starts { #expect(try start.value() == 200) }
        #expect(try running.events("ans.started").count == 1)
    }

    @Test("carries a message from the chain to the screen", arguments: ["as-deployed", "ordered"])
    func pushes(behaviour: String) throws {
        let running = try RunningWorld { $0.nodeCount = 2 }
        try running.patch("/v1/ans", ["behaviour": .string(behaviour), "pollSeconds": 600])
        try running.post("/v1/ans/start")
        _ = try polled(running)
        let device = try running.post("/v1/devices", ["name": "phone", "owner": "alice"], status: 201)
        try running.post("/v1/chain/forge")
        #expect(try running.eventually { try polled(running)["rows"]?.arrayValue?.count == 1 })
        let id = try running.post(
            "/v1/transactions",
            ["from": "bob", "to": "alice", "message": "Lunch?"],
            status: 201
        ).text("transactionId")
        try running.post("/v1/chain/forge")
        #expect(try polled(running)["accepted"] == 1)
        let push = try #require(try running.list("pushes", "/v1/pushes?wait=5").first)
        #expect(push["token"] == device["token"])
        #expect(push["transactionId"] == .string(id))
        #expect(push["delivery"]?["state"] == "delivered")
        #expect(try running.events("device.banner-shown").first?["data"]?["body"] == "Lunch?")
        let banner = try #require(try running.get("/v1/devices/phone")["banners"]?.arrayValue?.first)
        #expect(
            banner.members == [
                "at", "transactionId", "title", "body", "fallback", "silent", "listed", "why", "lines",
                "threadId", "collapseId", "replacedAt", "pushId", "pushSeq",
            ]
        )
        #expect(banner["pushId"] == push["id"])
    }

    @Test("the chain's order decides the registry, whatever the service made of it")
    func registry() throws {
        let running = try RunningWorld()
        try running.patch("/v1/ans", ["behaviour": "as-deployed", "pollSeconds": 600])
        try running.post("/v1/ans/start")
        // Begins at the height of now, however late its own first poll comes.
        _ = try polled(running)
        // In one poll the deployed service takes adds before removes; by the chain the add came last.
        for action in ["add", "remove", "add"] {
            let signal = #"{"token":"\#(someToken())","provider":"apns","action":"\#(action)"}"#
            try running.post(
                "/v1/transactions",
                ["from": "alice", "to": "ans", "kind": "signal", "message": .string(signal)],
                status: 201
            )
            try running.post("/v1/chain/forge")
        }
        #expect(try running.get("/v1/registry")["rows"]?.arrayValue?.count == 1)
        _ = try polled(running)
        #expect(try running.get("/v1/ans")["rows"] == [])
    }

    @Test("changes its pace and rules while it runs")
    func reconfigured() throws {
        let running = try RunningWorld { $0.ans = .asDeployed }
        let changed = try running.patch("/v1/ans", ["behaviour": "ordered", "pollSeconds": 0.5])
        #expect(changed["behaviour"] == "ordered")
        #expect(changed["pollSeconds"]?.doubleValue == 0.5)
        #expect(changed["running"] == true)
    }
}
