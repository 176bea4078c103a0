import Foundation
import HTTPClient
import JSONValue
import TestSupport
import Testing
import WorldRuntime

@testable import CommandLineInterface

@Suite("Command line: fixtures and decisions against a world", .serialized)
struct FixtureCommandTests {
    private func withWorld(
        _ change: (inout WorldConfiguration) -> Void = { _ in },
        _ body: (_ control: String, TemporaryFolder) throws -> Void
    ) throws {
        let folder = try TemporaryFolder()
        var configuration = WorldConfiguration()
        configuration.ports = .free
        configuration.seed = 7
        configuration.forging = .manual
        configuration.stateDirectory = folder.path
        change(&configuration)
        let world = try World(configuration)
        defer { world.stop() }
        try world.start()
        try body(world.description["control"]?.stringValue ?? "", folder)
    }

    @Test("fixture registry loads a registry and tells it in words or as JSON")
    func registry() throws {
        try withWorld { control, _ in
            let (words, json, wrong) = (Capture(), Capture(), Capture())
            let small = ["fixture", "registry", "--control", control, "--rows", "20", "--addresses", "10"]
            #expect(words.run(small) == 0)
            #expect(
                words.output.text.hasPrefix(
                    "20 registrations of 10 addresses at heights 2 to 3, 5 tokens dead"
                )
            )
            #expect(
                json.run(small + ["--seed", "8", "--dead-share", "0.5", "--via", "nodes", "--json"]) == 0
            )
            let document = try JSONValue(parsing: json.output.text)
            #expect(document["seed"] == 8 && document["dead"] == 10)
            #expect(wrong.run(small + ["--dead-share", "half"]) == 64)
            #expect(wrong.run(small + ["--via", "pigeon"]) == 64)
            #expect(wrong.error.text.contains("--dead-share: must be a number from 0 to 1"))
        }
    }

    @Test("fixture load posts what was asked for and stops, with lines where there is no terminal")
    func load() throws {
        try withWorld { control, _ in
            let capture = Capture()
            let words = [
                "fixture", "load", "--control", control, "--accounts", "5", "--messages", "60", "--rate",
                "5000",
                "--forge", "--json",
            ]
            #expect(capture.run(words) == 0)
            let document = try JSONValue(parsing: capture.output.text)
            #expect(document["sent"] == 60 && document["accepted"] == 60)
            #expect(capture.error.text.contains("60 of 60 messages"))
            #expect(!capture.error.text.contains("\r"))
            let api = ControlAPI(base: control, token: nil)
            let list = try api.get("/v1/transactions", [("kind", "message"), ("limit", "1000")])
            #expect(list["transactions"]?.arrayValue?.count == 60)
        }
    }

    @Test("fixture load counts what is refused by its reason, and fails when nothing was taken")
    func refusedLoad() throws {
        try withWorld { control, _ in
            let api = ControlAPI(base: control, token: nil)
            try api.post("/v1/faults", ["effect": ["kind": "error", "message": "Full 1"]])
            let capture = Capture()
            let words = ["fixture", "load", "--control", control, "--messages", "9", "--rate", "1000"]
            #expect(capture.run(words) == 1)
            #expect(capture.output.text.hasPrefix("0 of 9 messages accepted"))
            #expect(capture.output.text.contains("9 times: Full"))
            #expect(Capture().run(words + ["--accounts", "1"]) == 64)
            #expect(Capture().run(["fixture", "load", "--messages", "1000000", "--rate", "1"]) == 64)
        }
    }

    @Test("a bar shows a load on a terminal")
    func bar() throws {
        let lines = Lines()
        let context = CommandContext(
            arguments: try ParsedArguments([], for: LoadCommand.command),
            environment: { _ in nil },
            output: { _ in },
            error: { lines.append($0) }
        )
        let progress = LoadProgress(total: 4, context, isTerminal: true)
        var tally = LedgerLoad.Tally()
        tally.note(.failure(.timedOut))
        progress.show(tally, milliseconds: 1000)
        progress.end()
        #expect(
            lines.text.hasPrefix("\r[#######.......................] 1 of 4 messages, 1 a second, 1 refused")
        )
        #expect(lines.text.hasSuffix("\n"))
    }

    @Test("decisions go into a file, from which --replay makes them again under another seed")
    func decisions() throws {
        let rule = try JSONValue(parsing: #"{"probability": 0.5, "effect": {"kind": "error"}}"#)
        func answers(_ control: String) throws -> [String] {
            let api = ControlAPI(base: control, token: nil)
            try api.post("/v1/faults", rule)
            let node = try api.get("/v1/world")["nodes"]?.arrayValue?.first?["url"]?.stringValue ?? ""
            return try (0..<30).map { _ in
                try ControlAPI(base: node, token: nil).get("/api/node/status")["success"]?.text ?? ""
            }
        }
        try withWorld { control, folder in
            let struck = try answers(control)
            #expect(Set(struck) == ["true", "false"])
            let file = folder.path + "/faults.json"
            #expect(Capture().run(["fault", "decisions", file, "--control", control]) == 0)
            let table = Capture()
            #expect(table.run(["fault", "decisions", "--control", control]) == 0)
            #expect(table.output.text.split(separator: "\n").count == 1 + struck.count { $0 == "false" })
            let arguments = try ParsedArguments(["--replay", file, "--seed", "8"], for: UpCommand.command)
            let read = try ConfiguredWorld(arguments, environment: { _ in nil }) { _ throws(CommandFailure) in
                nil
            }
            try withWorld({
                $0.seed = 8
                $0.replay = read.configuration.replay
            }) { control, _ in
                let again = try answers(control)
                #expect(again == struck)
            }
        }
    }

    @Test("a file that holds no decisions is named with what is wrong", arguments: ["[]", "{}", "{"])
    func unusableReplay(text: String) throws {
        let folder = try TemporaryFolder()
        let file = folder.path + "/faults.json"
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        for words in [
            ["up", "--replay", file], ["demo", "--replay", file], ["run", "--replay", file, "x.yml"],
            ["exec", "--replay", file, "--", "true"], ["up", "--replay", "/none"],
        ] {
            let capture = Capture()
            #expect(capture.run(words) == 64)
            #expect(capture.error.text.hasPrefix("mocknet: --replay: "))
        }
    }
}
