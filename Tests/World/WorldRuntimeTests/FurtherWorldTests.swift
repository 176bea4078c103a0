import ControlServer
import HTTPClient
import HTTPDaemon
import JSONValue
import Testing

@testable import WorldRuntime

/// One of the further worlds of a running one.
private struct Further {
    let first: RunningWorld
    let document: JSONValue

    init(of first: RunningWorld) throws {
        self.first = first
        document = try first.post("/v1/worlds", status: 201)
    }

    var id: String { document.text("id") }
    var control: String { document.text("control") }
    var node: String { document["nodes"]?.arrayValue?.first?.text("url") ?? "" }

    func get(_ path: String) throws -> JSONValue { try first.ok("GET", control + path) }

    @discardableResult
    func post(_ path: String, _ body: JSONValue = [:], status: Int = 200) throws -> JSONValue {
        try first.ok("POST", control + path, body, status: status)
    }

    func events() throws -> [String] {
        try #require(get("/v1/events?limit=1000")["events"]?.arrayValue).map { $0.text("kind") }
    }
}

@Suite("Further worlds of a process")
struct FurtherWorldTests {
    @Test("a further world has an id, ports of its own, and its API below the control port")
    func addresses() throws {
        let running = try RunningWorld()
        let worlds = try (0..<3).map { _ in try Further(of: running) }
        #expect(worlds.map(\.id) == ["w1", "w2", "w3"])
        for world in worlds {
            #expect(world.control == running.control + "/worlds/" + world.id)
            #expect(try world.get("/v1/health")["ready"] == true)
            #expect(try world.get("/v1/world").text("id") == world.id)
            let status = try running.ok("GET", world.node + "/api/node/status")
            #expect(status["success"] == true)
        }
        #expect(Set(worlds.map(\.node) + [running.node()]).count == 4)
        #expect(try running.get("/v1/world").text("id") == "default")
        #expect(try running.list("worlds", "/v1/worlds").map { $0.text("id") } == ["w1", "w2", "w3"])
        #expect(worlds[0].document["caFile"] == running.world.description["caFile"])
        let page = try running.call("GET", worlds[0].control + "/")
        #expect(page.status == 200 && page.text.hasPrefix("<!doctype html>"))
        let moved = try HTTPClient().send(HTTPClientRequest(url: worlds[0].control))
        #expect(moved.status == 308)
        #expect(moved.headers.first { $0.name.lowercased() == "location" }?.value == "/worlds/w1/")
    }

    @Test("nothing that happens in one world is seen in another")
    func isolation() throws {
        let running = try RunningWorld()
        let world = try Further(of: running)
        try world.first.ok("PATCH", world.control + "/v1/chain", ["forging": "manual"])
        let before = (try running.events("block.forged", atLeast: 0), try running.height())
        let id = try world.post(
            "/v1/transactions",
            ["from": "alice", "to": "bob", "amount": "5"],
            status: 201
        ).text("transactionId")
        try world.post("/v1/chain/forge")
        try world.post("/v1/faults", ["effect": ["kind": "error", "message": "w1 alone"]], status: 201)
        let device = try world.post("/v1/devices", ["topic": "com.example.alerts"], status: 201)
        let push = try running.push(
            device.text("token"),
            base: world.document["apns"]?.text("production"),
            topic: "com.example.alerts"
        )
        #expect(push.status == 200)
        try world.post("/v1/clock/advance", ["seconds": 3600])

        #expect(try running.call("GET", "/v1/transactions/\(id)").status == 404)
        #expect(try running.events("block.forged", atLeast: 0).count == before.0.count)
        #expect(try running.height() == before.1)
        #expect(try running.list("faults", "/v1/faults").isEmpty)
        #expect(try running.list("pushes", "/v1/pushes").isEmpty)
        #expect(try running.list("devices", "/v1/devices").isEmpty)
        #expect(try running.list("tokens", "/v1/apns/tokens").isEmpty)
        #expect(try running.get("/v1/clock")["offsetSeconds"] == 0)
        let healthy = try running.ok("GET", running.node() + "/api/node/status")
        #expect(healthy["success"] == true)
        let struck = try running.ok("GET", world.node + "/api/node/status")
        #expect(struck.text("error") == "w1 alone")
        #expect(try running.list("requests", "/v1/requests").allSatisfy { $0["faultId"]?.isNull == true })
        let kinds = try world.events()
        #expect(kinds.contains("fault.fired") && kinds.contains("push.received"))
        // A reset of one leaves the others as they are.
        try running.post("/v1/reset")
        #expect(try world.get("/v1/transactions/\(id)").text("state") == "forged")
    }

    @Test("fifty worlds live at once, each made by itself, and all are gone when they are deleted")
    func fifty() throws {
        let running = try RunningWorld()
        let calls = try (0..<50).map { _ in try Later { try Further(of: running) } }
        let worlds = try calls.map { try $0.value() }
        #expect(Set(worlds.map(\.id)).count == 50 && Set(worlds.map(\.node)).count == 50)
        let listed = try running.list("worlds", "/v1/worlds").map { $0.text("id") }
        #expect(listed == (1...50).map { "w\($0)" })
        let heights = try worlds.map { try running.ok("GET", $0.node + "/api/blocks/getHeight")["height"] }
        #expect(heights.allSatisfy { $0?.intValue ?? 0 >= 1 })
        for world in worlds { try running.ok("DELETE", "/v1/worlds/\(world.id)", status: 204) }
        #expect(try running.list("worlds", "/v1/worlds").isEmpty)
        #expect(throws: HTTPClientError.self) {
            _ = try running.call("GET", worlds[0].node + "/api/node/status")
        }
        // Ids are never given again.
        #expect(try Further(of: running).id == "w51")
    }

    @Test("deleting a world ends the calls that wait for something in it")
    func deletionEndsWaits() throws {
        let running = try RunningWorld()
        let world = try Further(of: running)
        let wait = try Later {
            try running.call("GET", world.control + "/v1/pushes?wait=60").status
        }
        let stream = try Later {
            try running.call("GET", world.control + "/v1/events/stream?after=0").text
        }
        try world.post("/v1/faults", ["effect": ["kind": "delay", "milliseconds": 60_000]], status: 201)
        let slow = try Later { try running.call("GET", world.node + "/api/node/status").status }
        #expect(
            try running.eventually {
                try world.get("/v1/events?kind=fault.fired")["events"]?.arrayValue?.count == 1
            }
        )
        try running.ok("DELETE", "/v1/worlds/\(world.id)", status: 204)
        #expect(try wait.value() == 404)
        #expect(try stream.value().contains("fault.fired"))
        #expect(throws: HTTPClientError.self) { _ = try slow.value() }
        #expect(try running.call("GET", world.control + "/v1/world").status == 404)
    }

    @Test("a world may be deleted through its own API")
    func deletesItself() throws {
        let running = try RunningWorld()
        let world = try Further(of: running)
        try running.ok("DELETE", world.control + "/v1/worlds/\(world.id)", status: 204)
        #expect(try running.list("worlds", "/v1/worlds").isEmpty)
    }

    @Test("a further world asks for the token of the process")
    func token() throws {
        let running = try RunningWorld { $0.controlToken = "correct horse" }
        let bearer = [(name: "Authorization", value: "Bearer correct horse")]
        let made = try running.call("POST", "/v1/worlds", [:], headers: bearer)
        let control = made.json.text("control")
        #expect(made.status == 201)
        #expect(try running.call("GET", control + "/v1/world").status == 401)
        #expect(try running.call("GET", control + "/v1/world", headers: bearer).status == 200)
        #expect(try running.call("GET", running.control + "/worlds/w9/v1/world").status == 401)
    }

    @Test("there is a limit, which is told")
    func limit() throws {
        let worlds = FurtherWorlds(daemon: try HTTPDaemon(threads: 1), form: .standard)
        defer { worlds.daemon.stop() }
        #expect(throws: ControlError.self) { _ = try worlds.begin() }
        worlds.open(FurtherWorlds.Common(control: "", base: WorldConfiguration()))
        for number in 1...FurtherWorlds.maximum { #expect(try worlds.begin().id == "w\(number)") }
        let error = #expect(throws: ControlError.self) { _ = try worlds.begin() }
        #expect(error?.status == 409)
        worlds.abandon()
        #expect(try worlds.begin().id == "w\(FurtherWorlds.maximum + 1)")
    }

    @Test("nothing of a deleted world stays in memory, whatever was under way")
    func memory() throws {
        let running = try RunningWorld()
        let world = try Further(of: running)
        let wait = try Later { try running.call("GET", world.control + "/v1/pushes?wait=600").status }
        try world.post("/v1/devices", ["owner": "alice"], status: 201)
        try world.post("/v1/ans/start")
        weak let object = running.world.worlds.worlds.first
        #expect(object != nil)
        try running.ok("DELETE", "/v1/worlds/w1", status: 204)
        #expect(try wait.value() == 404)
        #expect(try running.eventually { object == nil })
    }
}
