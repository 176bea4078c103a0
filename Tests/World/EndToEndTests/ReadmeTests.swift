import Foundation
import JSONValue
import TestSupport
import Testing

@Suite("README", .timeLimit(.minutes(3)))
struct ReadmeTests {
    @Test("shows commands that print what it says, times, ports and keys aside")
    func commandsAndOutputs() async throws {
        let text = try String(contentsOfFile: Fixture.packageRoot + "/README.md", encoding: .utf8)
        let examples = ConsoleExample.all(in: text)
        #expect(examples.contains { $0.command == "scripts/run" })
        #expect(examples.contains { $0.command == "scripts/run demo" })
        #expect(examples.contains { $0.command == "scripts/test" })
        let tour = try await RunningWorld(["--tour"], seed: nil)
        for example in examples {
            switch example.command {
            case "scripts/test":
                continue  // this is it
            case "scripts/run":
                try await waitUntil("'scripts/run' prints what README shows", within: 30) {
                    try example.matches(tour.program.output) || !tour.program.isRunning
                }
                #expect(try example.matches(tour.program.output), "\(tour.program.output)")
            default:
                let output = try await output(of: example.command, in: tour)
                #expect(try example.matches(output), "\(example.command) printed:\n\(output)")
            }
        }
    }

    /// Runs a command of README against a world that has other ports than the usual ones.
    private func output(of command: String, in world: RunningWorld) async throws -> String {
        var command = command
        if command.hasPrefix("scripts/run ") { command = "mocknet" + command.dropFirst("scripts/run".count) }
        let usual = [
            "http://127.0.0.1:36666": try world.node(), "http://127.0.0.1:36600": world.control,
            "https://127.0.0.1:2197": world.apns, "https://127.0.0.1:2198": world.sandbox,
        ]
        for (address, actual) in usual { command = command.replacingOccurrences(of: address, with: actual) }
        let folder = (Mocknet.binary as NSString).deletingLastPathComponent
        let environment = [
            "MOCKNET_CONTROL_URL": world.control, "COMMAND": command, "TOOLS": folder,
        ]
        let ending = try await run(
            "sh",
            ["-c", "PATH=$TOOLS:$PATH; eval \"$COMMAND\""],
            environment: environment
        )
        return ending.output + ending.errors
    }
}

/// A command that README shows, with what it prints: `$ command`, then lines; `…` stands for any text, alone for any lines.
struct ConsoleExample {
    let command: String
    let output: [String]

    /// The examples in the `console` blocks of a Markdown text.
    static func all(in text: String) -> [ConsoleExample] {
        var found: [ConsoleExample] = []
        var isInside = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("```") {
                isInside = line == "```console"
            } else if isInside, line.hasPrefix("$ ") {
                found.append(ConsoleExample(command: String(line.dropFirst(2)), output: []))
            } else if isInside, let last = found.popLast() {
                found.append(ConsoleExample(command: last.command, output: last.output + [line]))
            }
        }
        return found
    }

    /// Whether an output is the one shown, with every number and long hexadecimal text as good as another.
    func matches(_ actual: String) throws -> Bool {
        let lines = output.map { line in
            line == "…"
                ? "(?:.*\n)*"
                : Self.plain(line).split(separator: "…", omittingEmptySubsequences: false)
                    .map { NSRegularExpression.escapedPattern(for: String($0)) }.joined(separator: ".*")
                    + "\n"
        }
        let plain = actual.split(separator: "\n", omittingEmptySubsequences: false).map {
            Self.plain(String($0))
        }
        let pattern = try Regex("^" + lines.joined())
        return try pattern.prefixMatch(in: plain.joined(separator: "\n") + "\n") != nil
    }

    private static func plain(_ line: String) -> String {
        line.replacing(/[0-9a-fA-F]{8,}/, with: "0").replacing(/[0-9]+([.,][0-9]+)*/, with: "0")
            .replacing(/[ ]+/, with: " ").replacing(/[ ]$/, with: "")
    }
}
