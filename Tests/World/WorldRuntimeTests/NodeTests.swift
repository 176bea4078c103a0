import HTTPClient
import JSONValue
import Synchronization
import Testing
import WorldRuntime

@Suite("World: its nodes")
struct NodeTests {
    @Test("several nodes share one chain, each with its own version")
    func mixed() throws {
        let running = try RunningWorld {
            $0.nodeCount = 3
            $0.nodeVersions = ["0.9", "0.10", "0.10.2"]
        }
        try running.post("/v1/chain/forge", ["blocks": 2])
        var versions: [String] = []
        for node in 0..<3 {
            let status = try running.ok("GET", running.node(node) + "/api/node/status")
            #expect(status["network"]?["height"] == 3)
            versions.append(status["version"]?.text("version") ?? "")
        }
        #expect(versions == ["0.9.0", "0.10.3", "0.10.2"])
        let count = try running.ok("GET", running.node(0) + "/api/transactions?limit=1")["count"]
        #expect(count?.stringValue != nil, "0.9 counts in strings")
        #expect(
            try running.ok("GET", running.node(1) + "/api/transactions?limit=1")["count"]?.intValue != nil
        )
        try running.patch("/v1/nodes/alpha", ["countAsString": false])
        #expect(
            try running.ok("GET", running.node(0) + "/api/transactions?limit=1")["count"]?.intValue != nil
        )
    }

    @Test("a node refuses by its own version what another relays")
    func relaying() throws {
        let running = try RunningWorld {
            $0.nodeCount = 2
            $0.nodeVersions = ["0.9", "0.10"]
            $0.timestampChecks = .world
        }
        try running.patch("/v1/clock", ["frozen": true])
        let sent = try running.post(
            "/v1/transactions",
            ["from": "alice", "to": "bob", "message": "x"],
            status: 201
        )
        let now = try #require(try running.get("/v1/transactions/\(sent.text("transactionId"))")["nodes"])
        #expect(now == ["alpha": "queued", "beta": "queued"])
        try running.patch("/v1/nodes/beta", ["maxTransactionAgeSeconds": 0])
        #expect(try running.get("/v1/nodes/beta")["maxTransactionAgeSeconds"] == 0)
    }

    @Test("a node that is switched off refuses connections at every address, and serves again")
    func online() throws {
        let running = try RunningWorld { $0.nodeCount = 2 }
        let port = try #require(running.node().split(separator: ":").last)
        let status = "/api/node/status"
        let addresses = ["http://127.0.0.1:\(port)", "http://[::1]:\(port)"]
        let reachable = addresses.filter { (try? running.call("GET", $0 + status))?.status == 200 }
        #expect(!reachable.isEmpty)
        #expect(try running.patch("/v1/nodes/alpha", ["online": false])["online"] == false)
        for address in reachable {
            #expect(throws: HTTPClientError.connectionRefused) {
                _ = try running.call("GET", address + status)
            }
        }
        #expect(try running.call("GET", running.node(1) + status).status == 200)
        #expect(try running.patch("/v1/nodes/alpha", ["online": true])["online"] == true)
        for address in reachable { #expect(try running.call("GET", address + status).status == 200) }
    }

    @Test("two worlds of one seed fail alike under 64 clients, one of another seed does not")
    func failureRate() throws {
        let seeds: [UInt64] = [7, 7, 8]
        let outcomes = try seeds.map { seed in
            let running = try RunningWorld {
                $0.seed = seed
                $0.failureRate = 0.3
                $0.failureMix = nil
            }
            // Timeouts would only take time.
            try running.patch(
                "/v1/nodes/alpha",
                ["failureMix": ["status503": 0.5, "resetBefore": 0.25, "timeout": 0, "resetAfter": 0.25]]
            )
            return try Self.storm(running)
        }
        for (path, first) in outcomes[0] {
            let second = try #require(outcomes[1][path])
            #expect(first.sorted() == second.sorted())
            #expect(first.contains("200"))
            #expect(first.contains("503"))
            #expect(first.contains("reset"))
        }
        #expect(outcomes[0] != outcomes[2])
    }

    /// What 64 clients at once were told, by path and in the order of the decisions as far as that can be seen.
    private static func storm(_ running: RunningWorld) throws -> [String: [String]] {
        var outcomes: [String: [String]] = [:]
        for path in ["/api/node/status", "/api/blocks/getHeight"] {
            let client = HTTPClient(options: .init(timeoutMilliseconds: 30_000, maximumParallel: 64))
            let requests = (0..<320).map { _ in
                HTTPClientRequest(url: running.node() + path, usesFreshConnection: true)
            }
            outcomes[path] = client.sendAll(requests).map { result in
                switch result {
                case .success(let response): String(response.status)
                case .failure(.connectionReset): "reset"
                case .failure(let error): "\(error)"
                }
            }.sorted()
            let fired = try running.list("events", "/v1/events?kind=fault.fired&limit=1000").filter {
                $0["data"]?["path"]?.stringValue == path
            }
            // The k-th call got the k-th decision: the sequence of effects is the seed's.
            outcomes[path + " effects"] =
                fired.compactMap { $0["data"]?["effect"]?.stringValue } + ["200", "503", "reset"]
            #expect(fired.allSatisfy { $0["faultId"] == "failureRate" })
        }
        return outcomes
    }
}
