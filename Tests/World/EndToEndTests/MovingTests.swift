import Foundation
import JSONValue
import Testing

@Suite("Binary: moving the chain", .timeLimit(.minutes(3)))
struct MovingTests {
    @Test("snapshots and forks by command survive a kill, and a world goes over into a file and back")
    func moves() async throws {
        let folder = try Folder()
        let data = folder.path("data")
        var world = try await RunningWorld(["--data", data, "--forging", "manual"])
        func chain(_ arguments: [String]) async throws -> Program.Ending {
            try await Mocknet.run(["chain"] + arguments + ["--control", world.control])
        }
        func ok(_ arguments: [String]) async throws -> String {
            let ending = try await chain(arguments)
            #expect(ending.status == 0, "\(arguments): \(ending.errors)")
            return ending.output.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        #expect(try await ok(["forge", "3"]) == "height 4, forging manual")
        #expect(try await ok(["snapshot", "clean"]) == "snapshot s1 at height 4")
        let sent = try await Mocknet.run(["send", "alice", "bob", "Hello", "--control", world.control])
        #expect(sent.status == 0, "\(sent.errors)")
        _ = try await ok(["forge"])
        #expect(
            try await ok(["reorg", "1", "--blocks", "2"]).hasPrefix(
                "height 6: 1 blocks rolled back, 2 forged"
            )
        )
        let tip = try await world.call("GET", "/v1/chain")
        world.program.signal(SIGKILL)
        _ = try await world.program.ending(within: Program.stopSeconds)

        world = try await RunningWorld(["--data", data, "--forging", "manual"])
        #expect(try await world.call("GET", "/v1/chain") == tip)
        let file = folder.path("world.mocknet")
        _ = try await ok(["export", file])
        #expect(try await ok(["revert", "clean"]) == "height 4, from 6")
        #expect(try await chain(["revert", "other"]).status == 1)
        #expect(try await chain(["reorg", "9"]).status == 64)
        _ = try await ok(["forget", "clean"])

        let other = try await RunningWorld(["--import", file, "--forging", "manual"])
        #expect(try await other.call("GET", "/v1/chain") == tip)
        #expect(try await other.call("GET", "/v1/chain/snapshots")["snapshots"]?.arrayValue?.count == 1)
    }

    @Test("a file that is cut short is refused with one line and exit 2, and nothing is served or kept")
    func truncated() async throws {
        let world = try await RunningWorld(["--forging", "manual"])
        let file = world.folder.path("world.mocknet")
        let export = try await Mocknet.run(["chain", "export", file, "--control", world.control])
        #expect(export.status == 0, "\(export.errors)")
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        try bytes.dropLast(100).write(to: URL(fileURLWithPath: file))
        let data = world.folder.path("data")
        let ready = world.folder.path("second.json")
        let ending = try await Mocknet.run([
            "up", "--port-base", "0", "--import", file, "--data", data, "--ready-file", ready,
        ])
        #expect(ending.status == 2)
        #expect(ending.errors.contains("--import: \(file) is truncated"), "\(ending.errors)")
        #expect(ending.errors.split(separator: "\n").count == 1, "\(ending.errors)")
        #expect(ending.output.isEmpty)
        #expect(!FileManager.default.fileExists(atPath: data))
        #expect(!FileManager.default.fileExists(atPath: ready))
    }
}
