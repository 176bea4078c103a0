import JSONValue
import TestSupport
import Testing
import WorldRuntime

@Suite("World: begun anew")
struct ResetTests {
    @Test("all is as just started, ports stay, event numbers go on")
    func resets() throws {
        let running = try RunningWorld {
            $0.nodeCount = 2
            $0.ans = .asDeployed
            $0.ansPollMilliseconds = 50
            $0.failureRate = 0.25
            $0.devices = [["name": "configured"]]
            $0.faultRules = [["target": "node", "match": ["path": "/never"], "effect": ["kind": "reset"]]]
        }
        let before = try running.get("/v1/world")
        let configured = try running.get("/v1/devices/configured")
        try running.patch("/v1/nodes/alpha", ["failureRate": 0])
        try running.patch("/v1/nodes/beta", ["version": "0.10", "online": false, "failureRate": 1])
        try running.patch("/v1/clock", ["frozen": true])
        try running.patch("/v1/chain", ["forging": "instant"])
        try running.patch("/v1/ans", ["behaviour": "ordered", "pollSeconds": 9])
        try running.patch("/v1/apns", ["tokens": "strict"])
        try running.post("/v1/accounts", ["name": "extra"], status: 201)
        try running.post("/v1/devices", ["name": "more"], status: 201)
        try running.post(
            "/v1/faults",
            ["target": "node", "effect": ["kind": "delay", "milliseconds": 1]],
            status: 201
        )
        try running.post("/v1/transactions", ["from": "alice", "to": "bob", "amount": "1"], status: 201)
        _ = try running.push(someToken())
        let last = try #require(try running.get("/v1/events")["last"]?.intValue)

        #expect(try running.post("/v1/reset") == before)
        #expect(try running.get("/v1/world") == before)
        #expect(try running.get("/v1/pushes")["pushes"] == [])
        #expect(try running.get("/v1/chain")["forging"] == "manual")
        #expect(try running.get("/v1/clock")["frozen"] == false)
        #expect(try running.get("/v1/apns")["tokens"] == "open")
        #expect(try running.list("devices", "/v1/devices") == [configured])
        #expect(try running.list("faults", "/v1/faults").map { $0.text("id") } == ["f1"])
        let beta = try running.get("/v1/nodes/beta")
        #expect(beta["online"] == true)
        #expect(beta["failureRate"]?.doubleValue == 0.25)
        let ans = try running.get("/v1/ans")
        #expect(ans["behaviour"] == "as-deployed")
        #expect(ans["running"] == true)
        #expect(ans["pollSeconds"]?.doubleValue == 0.05)
        let reset = try running.events("world.reset")
        #expect(try #require(reset.first?["seq"]?.intValue) > last)
        _ = try running.push(someToken())
        let push = try #require(try running.list("pushes", "/v1/pushes").first)
        #expect(try #require(push["seq"]?.intValue) > last)
    }

    @Test("the forger keeps its pace, and goes on in manual mode when told so")
    func forgerGoesOn() throws {
        let running = try RunningWorld {
            $0.forging = .interval
            $0.blockIntervalMilliseconds = 50
        }
        try running.patch("/v1/chain", ["forging": "manual"])
        try running.post("/v1/reset")
        let last = try #require(try running.get("/v1/events")["last"]?.intValue)
        #expect(try running.events("block.forged", atLeast: 3, after: last).count >= 3)
    }

    @Test("what devices were doing when it came changes nothing afterwards")
    func nothingResurrects() throws {
        let folder = try TemporaryFolder()
        var running: RunningWorld? = try RunningWorld { $0.dataDirectory = folder.path }
        let world = try #require(running)
        try world.post(
            "/v1/faults",
            [
                "target": "node", "match": ["path": "/api/**"],
                "effect": ["kind": "timeout", "when": "before", "seconds": 20],
            ],
            status: 201
        )
        // Makes a device whose sign-in hangs at the node.
        let making = try Later { try world.call("POST", "/v1/devices", ["owner": "alice"]) }
        #expect(try !world.events("fault.fired").isEmpty)
        try world.post("/v1/reset")
        let answer = try making.value()
        #expect(answer.status == 409)
        #expect(try world.list("devices", "/v1/devices").isEmpty)
        #expect(try world.list("tokens", "/v1/apns/tokens").isEmpty)
        let height = try world.height()
        world.world.stop()
        running = nil
        let again = try RunningWorld { $0.dataDirectory = folder.path }
        #expect(try again.list("devices", "/v1/devices").isEmpty)
        #expect(try again.height() == height)
    }

    @Test("several at once leave one world")
    func concurrent() throws {
        let running = try RunningWorld {
            $0.ans = .ordered
            $0.devices = [["name": "phone"]]
        }
        let resets = try (1...4).map { _ in try Later { try running.call("POST", "/v1/reset", [:]).status } }
        for reset in resets { #expect(try reset.value() == 200) }
        #expect(try running.list("devices", "/v1/devices").count == 1)
        #expect(try running.get("/v1/ans")["running"] == true)
    }
}
