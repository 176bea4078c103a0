import JSONValue
import TestSupport
import Testing

@Suite("Clients of others", .timeLimit(.minutes(3)))
struct ClientsTests {
    @Test("curl reads a node as its clients do")
    func curlReadsNode() async throws {
        let world = try await RunningWorld()
        let node = try world.node()
        let status = try JSONValue(parsing: try await curl(node + "/api/node/status").body)
        #expect(status["success"]?.boolValue == true)
        #expect(status["version"]?["version"]?.stringValue == "0.9.0")
        let alice = try world.address("alice")
        let account = try JSONValue(parsing: try await curl(node + "/api/accounts?address=\(alice)").body)
        #expect(account["account"]?["address"]?.stringValue == alice)
        let unknown = try JSONValue(parsing: try await curl(node + "/api/accounts?address=U1").body)
        #expect(unknown["error"]?.stringValue == "Account not found")
        let preflight = try await run(
            "curl",
            [
                "-si", "-X", "OPTIONS", "-H", "Origin: http://localhost:8080",
                "-H", "Access-Control-Request-Method: POST", "-H",
                "Access-Control-Request-Headers: content-type",
                node + "/api/chats/process",
            ]
        )
        #expect(preflight.output.contains("204"))
        #expect(preflight.output.lowercased().contains("access-control-allow-headers: content-type"))
    }

    @Test("nghttp pushes without a provider token and reads why it was refused")
    func nghttpPushes() async throws {
        let world = try await RunningWorld()
        let folder = try Folder()
        let payload = try folder.write(#"{"aps":{"alert":"hello"}}"#, to: "push.json")
        for url in [world.apns, world.sandbox] {
            let ending = try await run(
                "nghttp",
                [
                    "-v", "-d", payload, "-H", ":method: POST", "-H", "apns-topic: some.app",
                    url + "/3/device/" + String(repeating: "ab", count: 32),
                ]
            )
            #expect(ending.status == 0, "\(ending.errors)")
            #expect(ending.output.contains(":status: 403"))
            #expect(ending.output.contains(#"{"reason":"MissingProviderToken"}"#))
        }
        let pushes = try await world.call("GET", "/v1/pushes?status=403")
        #expect(
            pushes["pushes"]?.arrayValue?.map { $0["environment"]?.stringValue } == ["production", "sandbox"]
        )
    }

    @Test("h2load pushes 2000 times over four connections and every one is answered 200", .withPythonClients)
    func h2loadPushes() async throws {
        let world = try await RunningWorld()
        let folder = try Folder()
        let payload = try folder.write(
            #"{"aps":{"alert":{"loc-key":"NewMessage"}},"txn-id":"1","push-recipient":"U1"}"#,
            to: "push.json"
        )
        let token = try await Mocknet.client("provider.py", []).output.split(separator: "\n").joined()
        let ending = try await run(
            "h2load",
            [
                "-n", "2000", "-c", "4", "-m", "50", "-d", payload,
                "-H", "authorization: bearer \(token)", "-H", "apns-topic: some.app", "-H",
                "apns-push-type: alert",
                world.apns + "/3/device/" + String(repeating: "cd", count: 32),
            ]
        )
        #expect(ending.output.contains("2000 succeeded, 0 failed, 0 errored, 0 timeout"), "\(ending.output)")
        #expect(ending.output.contains("2000 2xx"), "\(ending.output)")
        let last = try await world.call("GET", "/v1/pushes?limit=10000")
        #expect(last["pushes"]?.arrayValue?.count == 2000)
    }

    @Test("httpx pushes over HTTP/2 and gets every refusal in its form", .withPythonClients)
    func httpxPushes() async throws {
        let world = try await RunningWorld()
        let ids = try JSONValue(parsing: try await Mocknet.client("push_httpx.py", [world.worldFile]).output)
        let recorded = try await world.call("GET", "/v1/pushes?status=200")
        let first = try #require(recorded["pushes"]?.arrayValue?.first)
        #expect(first["apnsId"] == ids["ids"]?.arrayValue?.first)
        #expect(first["headers"]?["apns-topic"]?.stringValue == "im.adamant.adamant-messenger")
        #expect(first["provider"]?["teamId"]?.stringValue == "MOCKTEAM01")
        #expect(first["transactionId"]?.stringValue == "1")
        let gone = try await world.call("GET", "/v1/pushes?reason=Unregistered")
        #expect(gone["pushes"]?.arrayValue?.first?["verdict"]?["rule"]?.stringValue == "token.unregistered")
    }

    @Test("httpx meets every row of Apple's tables of requests, answers and reasons", .withPythonClients)
    func httpxMeetsTables() async throws {
        let world = try await RunningWorld()
        let ending = try await Mocknet.client("apns_tables.py", [world.worldFile])
        #expect(try JSONValue(parsing: ending.output)["rows"]?.intValue ?? 0 > 250)
    }

    @Test(
        "clients of others do 200, 400, 410, 429, 503, GOAWAY, and connect again",
        .withPythonClients,
        arguments: ["aioapns", "httpx", "curl", "nghttp", "node"],
        ["constant", "apple"]
    )
    func clientsTour(client: String, settings: String) async throws {
        let world = try await RunningWorld()
        _ = try await Mocknet.client("client_tour.py", [client, settings, world.worldFile])
    }

    @Test("aioapns pushes without ALPN, many at once", .withPythonClients)
    func aioapnsPushes() async throws {
        let world = try await RunningWorld()
        _ = try await Mocknet.client("push_aioapns.py", [world.worldFile])
        let recorded = try await world.call("GET", "/v1/pushes?status=200&limit=1000")
        #expect(recorded["pushes"]?.arrayValue?.count == 201)
    }

    @Test(
        "the compose file fits the Compose schema, needs no variable, publishes on loopback only, sets services up",
        .withPythonClients
    )
    func composeFile() async throws {
        let world = try await RunningWorld()
        let file = Fixture.packageRoot + "/docker-compose.yml"
        _ = try await Mocknet.client("compose_file.py", [file, world.worldFile, Mocknet.binary])
    }
}

@Suite("The world under attack", .timeLimit(.minutes(5)))
struct EnduranceTests {
    @Test("survives ten thousand hostile inputs on every port and still serves", .withPythonClients)
    func hostileInput() async throws {
        let world = try await RunningWorld(["--proxy", "0"])
        let count = Mocknet.isLong ? 100_000 : 10_000
        let ending = try await Mocknet.client(
            "hostile_input.py",
            [world.worldFile, String(count)],
            within: Mocknet.isLong ? 290 : 120
        )
        let result = try JSONValue(parsing: ending.output)
        #expect(result["inputs"]?.intValue == Int64(count))
        #expect(world.program.isRunning)
        world.program.signal(15)
        #expect(try await world.program.ending(within: Program.stopSeconds).status == 0)
    }

    @Test("loses nothing it acknowledged when killed under load", .withPythonClients)
    func killedUnderLoad() async throws {
        let folder = try Folder()
        let rounds = Mocknet.isLong ? 30 : 4
        let ending = try await Mocknet.client(
            "killed_under_load.py",
            [Mocknet.binary, folder.path, String(rounds)],
            within: Mocknet.isLong ? 290 : 120
        )
        let result = try JSONValue(parsing: ending.output)
        #expect(result["rounds"]?.intValue == Int64(rounds))
    }
}
