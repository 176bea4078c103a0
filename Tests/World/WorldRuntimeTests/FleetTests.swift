import HTTPClient
import JSONValue
import Testing
import WorldRuntime

@Suite("World: nodes that stand apart")
struct FleetTests {
    private static let status = "/api/node/status"

    private func status(_ running: RunningWorld, _ node: Int) throws -> JSONValue {
        try running.ok("GET", running.node(node) + Self.status)
    }

    /// The state of a transaction on each node.
    private func places(_ running: RunningWorld, _ id: String) throws -> JSONValue {
        try #require(try running.get("/v1/transactions/\(id)")["nodes"])
    }

    @Test("a node that lags serves the chain of some blocks ago on every call, and is reset with the world")
    func lags() throws {
        let running = try RunningWorld { $0.nodeCount = 2 }
        let bob = try running.get("/v1/accounts/bob").text("address")
        let before = try running.balance("bob")
        try running.post("/v1/chain/forge", ["blocks": 3])
        let id = try running.post(
            "/v1/transactions",
            ["from": "alice", "to": "bob", "amount": "9"],
            status: 201
        ).text("transactionId")
        try running.post("/v1/chain/forge", ["blocks": 2])
        let lagging = try running.patch("/v1/nodes/beta", ["lagBlocks": 2])
        #expect(lagging["lagBlocks"] == 2 && lagging["height"] == 4)
        #expect(try running.get("/v1/nodes/alpha")["height"] == 6)
        let answers = try [0, 1].map { node in
            let url = running.node(node)
            return (
                try running.ok("GET", url + Self.status)["network"]?["height"],
                try running.ok("GET", url + "/api/blocks/getHeight")["height"],
                try running.ok("GET", url + "/api/transactions?and:type=0&and:recipientId=\(bob)")["count"],
                try running.ok("GET", url + "/api/accounts/getBalance?address=\(bob)")["balance"],
                try running.ok("GET", url + "/api/transactions/get?id=\(id)")["success"]
            )
        }
        #expect(answers[0] == (6, 6, "2", .string(before.dropLast() + "9"), true))
        #expect(answers[1] == (4, 4, "1", .string(before), false))
        try running.post("/v1/chain/forge")
        let found = try running.ok("GET", running.node(1) + "/api/transactions/get?id=\(id)")
        #expect(found["transaction"]?["confirmations"] == 1)
        try running.post("/v1/reset")
        #expect(try running.get("/v1/nodes/beta")["lagBlocks"] == 0)
    }

    @Test("a node that lags more than the chain is long serves its first block")
    func lagsBeyondGenesis() throws {
        let running = try RunningWorld()
        try running.post("/v1/chain/forge", ["blocks": 2])
        try running.patch("/v1/nodes/alpha", ["lagBlocks": 10_000])
        #expect(try status(running, 0)["network"]?["height"] == 1)
        try running.patch("/v1/nodes/alpha", ["lagBlocks": 0])
        #expect(try status(running, 0)["network"]?["height"] == 3)
    }

    @Test("a node in a black hole accepts connections and never answers, and comes back")
    func blackHole() throws {
        let running = try RunningWorld { $0.nodeCount = 2 }
        let patience = HTTPClient(options: .init(timeoutMilliseconds: 300))
        let request = HTTPClientRequest(url: running.node() + Self.status, usesFreshConnection: true)
        let offline = try running.patch("/v1/nodes/alpha", ["online": false, "offlineMode": "blackHole"])
        #expect(offline["online"] == false && offline["offlineMode"] == "blackHole")
        #expect(throws: HTTPClientError.timedOut) { _ = try patience.send(request) }
        try running.patch("/v1/nodes/alpha", ["offlineMode": "refuse"])
        #expect(throws: HTTPClientError.connectionRefused) { _ = try patience.send(request) }
        try running.patch("/v1/nodes/alpha", ["offlineMode": "blackHole"])
        #expect(throws: HTTPClientError.timedOut) { _ = try patience.send(request) }
        try running.patch("/v1/nodes/alpha", ["online": true])
        #expect(try status(running, 0)["success"] == true)
    }

    @Test("a node that is syncing tells how far it has to go and lets its queue wait")
    func syncing() throws {
        let running = try RunningWorld { $0.nodeCount = 2 }
        try running.post("/v1/chain/forge", ["blocks": 4])
        try running.patch("/v1/nodes/beta", ["syncing": true, "lagBlocks": 3])
        let told = try status(running, 1)
        #expect(told["loader"]?["syncing"] == true && told["loader"]?["blocks"] == 5)
        #expect(told["network"]?["height"] == 2)
        #expect(try status(running, 0)["loader"]?["syncing"] == false)
    }

    @Test("a node that is loading refuses what is not bound yet with the real text")
    func loading() throws {
        let running = try RunningWorld()
        try running.patch("/v1/nodes/alpha", ["loading": true])
        for path in ["/api/transactions", "/api/transactions/get?id=1", "/api/nothing", "/"] {
            let answer = try running.call("GET", running.node() + path)
            #expect(answer.status == 500)
            #expect(answer.text == #"{"success":false,"error":"Blockchain is loading"}"#, "\(path)")
        }
        for path in ["/api/blocks", "/api/blocks/get?id=1", "/api/blocks/getHeight", "/api/blocks/getFees"] {
            let answer = try running.ok("GET", running.node() + path)
            #expect(answer["success"] == false && answer["error"] == "Blockchain is loading", "\(path)")
            #expect(answer["nodeTimestamp"]?.intValue != nil)
        }
        #expect(try status(running, 0)["loader"]?["loaded"] == false)
        try running.patch("/v1/nodes/alpha", ["loading": false])
        #expect(try running.call("GET", running.node() + "/api/transactions").status == 200)
    }

    @Test("a node tells and checks time by its own clock")
    func clockSkew() throws {
        let running = try RunningWorld {
            $0.nodeCount = 2
            $0.nodeVersions = ["0.10"]
        }
        try running.patch("/v1/clock", ["frozen": true])
        let patched = try running.patch("/v1/nodes/beta", ["clockSkewMilliseconds": -60_000])
        #expect(patched["clockSkewMilliseconds"] == -60_000)
        let times = try [0, 1].map { try status(running, $0)["nodeTimestamp"]?.intValue }
        #expect(try #require(times[0]) - 60 == #require(times[1]))
        let sent = try running.transfer(from: "alice", to: "bob")
        let refused = try running.ok("POST", running.node(1) + "/api/transactions/process", sent)
        #expect(refused["error"] == "Transaction timestamp is in the future")
        let order: JSONValue = ["from": "alice", "to": "bob", "amount": "1", "node": "beta"]
        #expect(try running.call("POST", "/v1/transactions", order).status == 422)
        let taken = try running.ok("POST", running.node(0) + "/api/transactions/process", sent)
        let id = taken.text("transactionId")
        #expect(try places(running, id) == ["alpha": "queued", "beta": "dropped"])
    }

    @Test("a node's latency delays its answers, and is no fault")
    func latency() throws {
        let running = try RunningWorld { $0.nodeCount = 2 }
        let latency: JSONValue = ["medianMilliseconds": 400, "sigma": 0.1]
        #expect(try running.patch("/v1/nodes/beta", ["latency": latency])["latency"] == latency)
        let patience = HTTPClient(options: .init(timeoutMilliseconds: 100))
        let slow = HTTPClientRequest(url: running.node(1) + Self.status, usesFreshConnection: true)
        #expect(throws: HTTPClientError.timedOut) { _ = try patience.send(slow) }
        #expect(try status(running, 1)["success"] == true)
        #expect(try running.list("requests", "/v1/requests").allSatisfy { $0["faultId"] == .null })
        #expect(try running.list("events", "/v1/events?kind=fault.fired").isEmpty)
        #expect(try running.patch("/v1/nodes/beta", ["latency": .null])["latency"] == .null)
        #expect(try patience.send(slow).status == 200)
    }

    @Test("a transaction shows up in another node's queue after the relay's delay")
    func relaysLater() throws {
        let running = try RunningWorld {
            $0.nodeCount = 3
            $0.relayMilliseconds = 200
        }
        #expect(try running.get("/v1/nodes/gamma")["relayMilliseconds"] == 200)
        let order: JSONValue = ["from": "alice", "to": "bob", "message": "x"]
        let id = try running.post("/v1/transactions", order, status: 201).text("transactionId")
        for node in ["beta", "gamma"] {
            #expect(
                try running.eventually { try ["queued", "unconfirmed"].contains(places(running, id)[node]) }
            )
        }
        try running.patch("/v1/nodes/alpha", ["relayMilliseconds": 3_600_000])
        let kept = try running.post("/v1/transactions", order, status: 201).text("transactionId")
        let told = try places(running, kept)
        #expect(told["alpha"] != "unknown" && told["beta"] == "unknown" && told["gamma"] == "unknown")
    }

    @Test("settings of a node that cannot be used are refused, and change nothing")
    func refusals() throws {
        let running = try RunningWorld()
        let before = try running.get("/v1/nodes/alpha")
        let refused: [(String, JSONValue)] = [
            ("lagBlocks", -1), ("lagBlocks", 10_001), ("offlineMode", "asleep"), ("syncing", "yes"),
            ("loading", 1), ("clockSkewMilliseconds", 1e15), ("relayMilliseconds", 3_600_001),
            ("latency", 5), ("latency", [:]), ("latency", ["seconds": 1]),
        ]
        for (member, value) in refused {
            let answer = try running.call(
                "PATCH",
                "/v1/nodes/alpha",
                .object(JSONObject([(member, value), ("online", false)]))
            )
            #expect(answer.status == 422, "\(member) \(value)")
            #expect(answer.json["error"]?.text("field").hasPrefix(member) == true, "\(answer.text)")
        }
        #expect(try running.get("/v1/nodes/alpha") == before)
        #expect(try status(running, 0)["success"] == true)
    }

    @Test("a read can answer as of some blocks ago")
    func stale() throws {
        let running = try RunningWorld()
        try running.post("/v1/chain/forge", ["blocks": 5])
        let effect: JSONValue = ["kind": "stale", "blocks": 4]
        try running.post("/v1/faults", ["target": "node", "limit": 1, "effect": effect], status: 201)
        #expect(try status(running, 0)["network"]?["height"] == 2)
        #expect(try status(running, 0)["network"]?["height"] == 6)
    }

    @Test("a device talks to the nodes that its health check allows: in step, new enough, reachable")
    func deviceChooses() throws {
        let running = try RunningWorld {
            $0.nodeCount = 5
            $0.nodeVersions = ["0.9", "0.9", "0.7.9", "0.10", "0.9"]
        }
        try running.post("/v1/chain/forge", ["blocks": 40])
        try running.patch("/v1/nodes/beta", ["lagBlocks": 12])
        try running.patch("/v1/nodes/delta", ["lagBlocks": 9])
        try running.patch("/v1/nodes/epsilon", ["online": false])
        var asked: Set<String> = []
        for number in 1...6 {
            let device = try running.post(
                "/v1/devices",
                ["name": .string("phone\(number)"), "owner": "alice", "nodes": .array(allNodes)],
                status: 201
            )
            #expect(device["believesRegistered"] == true)
        }
        for request in try running.list("requests", "/v1/requests?limit=1000")
        where request["path"]?.stringValue != Self.status {
            asked.insert(request.text("node"))
        }
        #expect(asked == ["alpha", "delta"])
    }

    @Test("where most nodes lag, a device talks to those, not to the one in front")
    func deviceFollowsMajority() throws {
        let running = try RunningWorld { $0.nodeCount = 3 }
        try running.post("/v1/chain/forge", ["blocks": 40])
        try running.patch("/v1/nodes/beta", ["lagBlocks": 20])
        try running.patch("/v1/nodes/gamma", ["lagBlocks": 21])
        try running.post(
            "/v1/devices",
            ["owner": "alice", "nodes": ["alpha", "beta", "gamma"]],
            status: 201
        )
        let asked = try running.list("requests", "/v1/requests?limit=1000").filter {
            $0["path"]?.stringValue != Self.status
        }
        #expect(!asked.isEmpty)
        #expect(asked.allSatisfy { $0.text("node") != "alpha" })
    }

    private let allNodes: [JSONValue] = ["alpha", "beta", "gamma", "delta", "epsilon"]
}

@Suite("World: nodes over TLS")
struct NodeTLSTests {
    @Test("every node answers by TLS as it does without, to clients that trust the authority")
    func answers() throws {
        let running = try RunningWorld {
            $0.nodeCount = 2
            $0.nodeTLS = true
        }
        let client = HTTPClient(options: .init(caFile: running.caFile, timeoutMilliseconds: 30_000))
        for (index, node) in try running.list("nodes", "/v1/world").enumerated() {
            let url = node.text("tlsUrl")
            #expect(url.hasPrefix("https://127.0.0.1:"))
            #expect(try running.get("/v1/nodes")["nodes"]?.arrayValue?[index].text("tlsUrl") == url)
            let height = try client.send(HTTPClientRequest(url: url + "/api/blocks/getHeight"))
            #expect(height.status == 200)
            let by = try running.ok("GET", running.node(index) + "/api/blocks/getHeight")
            #expect(try JSONValue(parsing: height.body)["height"] == by["height"])
        }
        let calls = try running.list("requests", "/v1/requests")
        #expect(calls.count == 4)
        #expect(calls.allSatisfy { $0["client"] == "127.0.0.1" })
    }

    @Test("who does not trust the authority gets no answer")
    func distrust() throws {
        let running = try RunningWorld { $0.nodeTLS = true }
        let url = try #require(try running.list("nodes", "/v1/world").first).text("tlsUrl")
        #expect(throws: HTTPClientError.self) { _ = try running.call("GET", url + "/api/node/status") }
    }

    @Test("faults and modes reach the clients that speak TLS too")
    func faults() throws {
        let running = try RunningWorld { $0.nodeTLS = true }
        let url = try #require(try running.list("nodes", "/v1/world").first).text("tlsUrl")
        let client = HTTPClient(options: .init(caFile: running.caFile, timeoutMilliseconds: 500))
        let request = HTTPClientRequest(url: url + "/api/node/status", usesFreshConnection: true)
        let reset: JSONValue = ["target": "node", "limit": 1, "effect": ["kind": "reset"]]
        try running.post("/v1/faults", reset, status: 201)
        #expect(throws: HTTPClientError.connectionReset) { _ = try client.send(request) }
        #expect(try client.send(request).status == 200)
        try running.patch("/v1/nodes/alpha", ["online": false])
        #expect(throws: HTTPClientError.connectionRefused) { _ = try client.send(request) }
        try running.patch("/v1/nodes/alpha", ["offlineMode": "blackHole"])
        #expect(throws: HTTPClientError.timedOut) { _ = try client.send(request) }
    }

    @Test("without being asked no node speaks TLS")
    func off() throws {
        let running = try RunningWorld()
        #expect(try running.list("nodes", "/v1/world").first?["tlsUrl"] == .null)
    }
}
