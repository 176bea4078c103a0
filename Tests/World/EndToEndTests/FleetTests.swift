import JSONValue
import TestSupport
import Testing

@Suite("A fleet of nodes", .timeLimit(.minutes(3)))
struct FleetTests {
    private func height(_ node: String, _ more: [String] = []) async throws -> Int64? {
        let ending = try await run(
            "curl",
            ["-sS", "--max-time", "30"] + more + [node + "/api/node/status"]
        )
        #expect(ending.status == 0, "\(ending.errors)")
        return try JSONValue(parsing: ending.output)["network"]?["height"]?.intValue
    }

    @Test("curl reads every node over https too, by any name that the certificate was asked to carry")
    func secure() async throws {
        let folder = try Folder()
        let world = try await RunningWorld([
            "--nodes", "2", "--node-tls", "--tls-name", "node.example.org", "--tls-name", "*.nodes.example",
            "--state-dir", folder.path,
        ])
        let authority = ["--cacert", world.certificateAuthority]
        let nodes = try #require(world.addresses["nodes"]?.arrayValue)
        for node in nodes {
            let url = try #require(node["tlsUrl"]?.stringValue)
            #expect(try await height(url, authority) != nil)
            let port = try #require(url.split(separator: ":").last)
            for name in ["localhost", "node.example.org", "alpha.nodes.example"] {
                let resolve = ["--resolve", "\(name):\(port):127.0.0.1"]
                #expect(try await height("https://\(name):\(port)", authority + resolve) != nil)
            }
            let stranger = ["--resolve", "other.example:\(port):127.0.0.1"]
            let refused = try await run(
                "curl",
                ["-s"] + authority + stranger + ["https://other.example:\(port)/api/node/status"]
            )
            #expect(refused.status == 60, "no such name in the certificate")
        }
        #expect(world.program.output.contains(try #require(nodes[0]["tlsUrl"]?.stringValue)))
    }

    @Test("a certificate is made anew for names that it does not carry")
    func reissues() async throws {
        let folder = try Folder()
        for names in [[], ["--tls-name", "late.example"]] as [[String]] {
            let world = try await RunningWorld(["--node-tls", "--state-dir", folder.path] + names)
            let url = try #require(world.addresses["nodes"]?.arrayValue?.first?["tlsUrl"]?.stringValue)
            let port = try #require(url.split(separator: ":").last)
            let ending = try await run(
                "curl",
                [
                    "-s", "--cacert", world.certificateAuthority, "--resolve",
                    "late.example:\(port):127.0.0.1", "https://late.example:\(port)/api/node/status",
                ]
            )
            #expect(ending.status == (names.isEmpty ? 60 : 0))
        }
    }

    @Test("a program is told the https addresses, where there are some")
    func variables() async throws {
        let print = ["--", "sh", "-c", "echo $MOCKNET_NODE_TLS_URL $MOCKNET_NODE_TLS_URLS"]
        let plain = try await Mocknet.run(["exec"] + print)
        #expect(plain.output == "\n")
        let secure = try await Mocknet.run(["exec", "--node-tls", "--nodes", "2"] + print)
        let words = secure.output.split { " ,\n".contains($0) }
        #expect(words.count == 3 && words.allSatisfy { $0.hasPrefix("https://127.0.0.1:") })
        #expect(words.first == words.dropFirst().first)
    }

    @Test("nodes lag, go silent and come back while the world runs")
    func standsApart() async throws {
        let world = try await RunningWorld(["--nodes", "2", "--forging", "manual"])
        _ = try await world.call("POST", "/v1/chain/forge", ["blocks": 20])
        _ = try await world.call("PATCH", "/v1/nodes/beta", ["lagBlocks": 15])
        #expect(try await height(world.node(0)) == 21)
        #expect(try await height(world.node(1)) == 6)
        _ = try await world.call("PATCH", "/v1/nodes/beta", ["online": false, "offlineMode": "blackHole"])
        let silent = try await run("curl", ["-s", "-m", "0.5", world.node(1) + "/api/node/status"])
        #expect(silent.status == 28, "timed out")
        _ = try await world.call("PATCH", "/v1/nodes/beta", ["offlineMode": "refuse"])
        let refused = try await run("curl", ["-s", world.node(1) + "/api/node/status"])
        #expect(refused.status == 7, "refused")
        _ = try await world.call("PATCH", "/v1/nodes/beta", ["online": true, "lagBlocks": 0])
        #expect(try await height(world.node(1)) == 21)
    }

    @Test("a transaction that is posted to one node comes to the other after the relay's delay")
    func relays() async throws {
        let world = try await RunningWorld(["--nodes", "2", "--forging", "manual", "--relay-delay", "300ms"])
        let order: JSONValue = ["from": "alice", "to": "bob", "amount": "1"]
        let sent = try await world.call("POST", "/v1/transactions", order, expecting: 201)
        let id = try #require(sent["transactionId"]?.stringValue)
        var seen: [String] = []
        try await waitUntil("it is in beta's pool") {
            let nodes = try await world.call("GET", "/v1/transactions/\(id)")["nodes"]
            seen.append(nodes?["beta"]?.stringValue ?? "")
            return seen.last != "unknown"
        }
        // It moves on within a second.
        #expect(seen.last == "queued" || seen.last == "unconfirmed")
    }
}
