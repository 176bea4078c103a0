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
                let last = try #require(example.output.last)
                try await waitUntil("the tour's last line", within: 60) {
                    tour.program.output.contains(last) || !tour.program.isRunning
                }
                #expect(example.matches(tour.program.output), "\(tour.program.output)")
            default:
                let output = try await output(of: example.command, in: tour)
                #expect(example.matches(output), "\(example.command) printed:\n\(output)")
            }
        }
    }

    /// Runs a command of README against a world that has other ports than the usual ones.
    private func output(of command: String, in world: RunningWorld) async throws -> String {
        var command = command
        if command.hasPrefix("scripts/run ") { command = "mocknet" + command.dropFirst("scripts/run".count) }
        let usual = [
            " Fixtures/": " " + Fixture.packageRoot + "/Fixtures/",
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

    /// Whether an output begins as shown, with every number and long hexadecimal text as good as another.
    func matches(_ actual: String) -> Bool {
        let lines = actual.split(separator: "\n", omittingEmptySubsequences: false)
        return Self.matches(output.map(Self.plain)[...], lines.map { Self.plain(String($0)) }[...])
    }

    private static func matches(_ shown: ArraySlice<String>, _ actual: ArraySlice<String>) -> Bool {
        guard let line = shown.first else { return true }
        let rest = shown.dropFirst()
        if line == "…" {
            return actual.indices.contains { matches(rest, actual[$0...]) } || rest.isEmpty
        }
        guard let first = actual.first, isLine(first, like: line) else { return false }
        return matches(rest, actual.dropFirst())
    }

    /// Whether a line has the parts of another around its `…` in their order.
    private static func isLine(_ line: String, like shown: String) -> Bool {
        let parts = shown.split(separator: "…", omittingEmptySubsequences: false)
        guard parts.count > 1, let first = parts.first, let last = parts.last else { return line == shown }
        var left = line[...]
        guard left.hasPrefix(first) else { return false }
        left = left.dropFirst(first.count)
        for part in parts.dropFirst().dropLast() where !part.isEmpty {
            guard let range = left.range(of: part) else { return false }
            left = left[range.upperBound...]
        }
        return left.hasSuffix(last)
    }

    private static func plain(_ line: String) -> String {
        line.replacing(/[0-9a-fA-F]{8,}/, with: "0").replacing(/[0-9]+([.,][0-9]+)*/, with: "0")
            .replacing(/[ ]+/, with: " ").replacing(/[ ]$/, with: "")
    }
}
