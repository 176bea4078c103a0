import Foundation
import JSONValue
import Testing

@Suite("Binary: starting and stopping", .timeLimit(.minutes(3)))
struct StartingTests {
    @Test("tells its addresses once every port answers")
    func readyFile() async throws {
        let world = try await RunningWorld(["--nodes", "3"])
        #expect(world.addresses["ready"]?.boolValue == true)
        #expect(world.addresses["seed"]?.intValue == 7)
        #expect(
            world.addresses["nodes"]?.arrayValue?.map { $0["name"]?.stringValue } == [
                "alpha", "beta", "gamma",
            ]
        )
        for index in 0..<3 {
            #expect(try await curl(world.node(index) + "/api/node/status").status == 200)
        }
        let same = try await world.call("GET", "/v1/world")
        #expect(same["nodes"] == world.addresses["nodes"])
        #expect(same["accounts"]?.arrayValue?.count == 11)
        let health = try await Mocknet.run(["health", "--control", world.control])
        #expect(health.status == 0, "\(health.errors)")
        #expect(world.program.output.contains("ready"))
        #expect(world.program.output.contains(world.control))
    }

    @Test("stops at a signal, also while a call waits", arguments: [SIGTERM, SIGINT])
    func stops(signal: Int32) async throws {
        let world = try await RunningWorld(["--ans", "ordered"])
        // A waiting call must not hold it up.
        let waiting = try Program(
            "curl",
            ["-s", world.control + "/v1/pushes?wait=60&atLeast=1"],
            in: world.folder
        )
        try await waitUntil("curl runs") { waiting.isRunning }
        world.program.signal(signal)
        let ending = try await world.program.ending(within: Program.stopSeconds)
        #expect(ending.status == 0, "\(ending.errors)")
        _ = try await waiting.ending(within: Program.stopSeconds)
    }

    @Test(
        "names a port in use and the way out, with exit 2",
        arguments: [("control", 0), ("node", 66), ("apns", 20)]
    )
    func portInUse(taken: String, offset: Int) async throws {
        var attempts = 0
        while true {
            attempts += 1
            let world = try await RunningWorld()
            let url = try ["control": world.control, "node": world.node(), "apns": world.apns][taken]
            let port = try #require(url?.split(separator: ":").last.flatMap { Int($0) })
            let second = try await Mocknet.run(["up", "--port-base", String(port - offset)])
            // Another port of the same plan may be a stranger's; then a world elsewhere is asked.
            if attempts < 50, second.status == 2, !second.errors.contains("port \(port) ") { continue }
            #expect(second.status == 2)
            #expect(second.errors.contains("port \(port) "), "\(second.errors)")
            #expect(second.errors.contains("--port-base 0"), "\(second.errors)")
            #expect(lines(second.errors) == 1, "\(second.errors)")
            return
        }
    }

    @Test(
        "refuses wrong usage with one line and exit 64",
        arguments: [
            (["up", "--nonsense"], "--nonsense"), (["nonsense"], "nonsense"),
            (["up", "--nodes", "0"], "--nodes"),
            (["up", "--nodes", "25"], "--nodes"), (["up", "--failure-rate", "1.5"], "--failure-rate"),
            (["up", "--block-interval", "5"], "--block-interval"),
            (["up", "--config", "/none.yml"], "/none.yml"),
            (["up", "--node-version", "7"], "--node-version"), (["exec"], "exec"),
        ]
    )
    func wrongUsage(arguments: [String], named: String) async throws {
        let ending = try await Mocknet.run(arguments)
        #expect(ending.status == 64)
        #expect(ending.errors.contains(named))
        #expect(lines(ending.errors) == 1, "\(ending.errors)")
        #expect(ending.output.isEmpty)
    }

    @Test("names file and line of an unknown key, with exit 64")
    func unknownKey() async throws {
        let folder = try Folder()
        let file = try folder.write("nodes: 2\nnonsense: 1\n", to: "mocknet.yml")
        let ending = try await Mocknet.run(["up", "--config", file])
        #expect(ending.status == 64)
        #expect(ending.errors.contains("mocknet.yml:2"))
        #expect(ending.errors.contains("nonsense"))
        #expect(lines(ending.errors) == 1, "\(ending.errors)")
    }

    @Test("takes flags before variables before the file, and says where each came from")
    func precedence() async throws {
        let folder = try Folder()
        let file = try folder.write("nodes: 4\nblockInterval: 70ms\n", to: "mocknet.yml")
        let world = try await RunningWorld(
            ["--config", file, "--nodes", "2"],
            environment: ["MOCKNET_NODES": "3", "MOCKNET_FORGING": "manual"]
        )
        #expect(world.addresses["nodes"]?.arrayValue?.count == 2)
        let chain = try await world.call("GET", "/v1/chain")
        #expect(chain["forging"]?.stringValue == "manual")
        #expect(chain["intervalMilliseconds"]?.intValue == 70)
        #expect(world.program.output.contains("MOCKNET_FORGING"))
        #expect(world.program.output.contains("mocknet.yml"))
    }

    @Test("tells version and commit, and helps every command")
    func versionAndHelp() async throws {
        let version = try await Mocknet.run(["--version"])
        #expect(version.status == 0)
        #expect(version.output.hasPrefix("mocknet "))
        for command in [
            "up", "demo", "exec", "ca", "config", "health", "account", "send", "push", "device", "fault",
            "chain", "trace", "audit",
        ] {
            let help = try await Mocknet.run([command, "--help"])
            #expect(help.status == 0, "\(command): \(help.errors)")
            #expect(help.output.contains("mocknet \(command)"), "\(command)")
        }
    }

    @Test("opens a kept world again at the same height and refuses a second process on it")
    func keptWorld() async throws {
        let folder = try Folder()
        let options = ["--data", folder.path("data"), "--forging", "manual"]
        let first = try await RunningWorld(options)
        _ = try await first.call("POST", "/v1/chain/forge", ["blocks": 3])
        let before = try await first.call("GET", "/v1/world")
        let second = try await Mocknet.run(["up", "--port-base", "0"] + options)
        #expect(second.status == 2)
        #expect(second.errors.contains("data"))
        first.program.signal(SIGTERM)
        #expect(try await first.program.ending(within: Program.stopSeconds).status == 0)
        let again = try await RunningWorld(options)
        let after = try await again.call("GET", "/v1/world")
        #expect(after["height"] == before["height"])
        #expect(after["accounts"] == before["accounts"])
    }

    private func lines(_ text: String) -> Int {
        text.split(separator: "\n").count
    }
}
