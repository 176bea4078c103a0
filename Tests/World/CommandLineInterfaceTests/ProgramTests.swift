import Testing

@testable import CommandLineInterface

@Suite("Command line: commands")
struct ProgramTests {
    private static let commands = CommandTable.groups.flatMap(\.actions)

    @Test("lists every command of this release")
    func overview() {
        let capture = Capture()
        #expect(capture.run(["--help"]) == 0)
        for name in [
            "up", "demo", "run", "report", "exec", "health", "config", "ca", "account", "send", "push",
            "device", "fault", "chain", "fixture", "trace", "audit",
        ] {
            #expect(capture.output.text.contains("\n  \(name) "))
        }
        #expect(capture.error.text.isEmpty)
    }

    @Test("tells version and commit")
    func version() {
        let capture = Capture()
        #expect(capture.run(["--version"]) == 0)
        #expect(capture.output.text.hasPrefix("mocknet \(Version.number) ("))
    }

    @Test("explains each command with options and examples", arguments: commands.map(\.name))
    func help(name: String) throws {
        let capture = Capture()
        #expect(capture.run(name.split(separator: " ").map(String.init) + ["--help"]) == 0)
        let text = capture.output.text
        #expect(text.contains("Usage: mocknet \(name)"))
        #expect(text.contains("\nExamples:\n  "))
        let command = try #require(Self.commands.first { $0.name == name })
        for option in command.options { #expect(text.contains(option.name)) }
        for line in text.split(separator: "\n") { #expect(line.count <= 125, "\(line)") }
    }

    @Test("has no example that its own parser refuses", arguments: commands.map(\.name))
    func examples(name: String) throws {
        let command = try #require(Self.commands.first { $0.name == name })
        for example in command.examples
        where example.line.hasPrefix("mocknet ") && !example.line.contains(" > ") {
            let words = Self.shellWords(example.line).dropFirst()
            guard case .command(let found, let rest) = try CommandTable.find(Array(words)) else {
                Issue.record("\(example.line)")
                continue
            }
            #expect(found.name == name)
            _ = try ParsedArguments(rest, for: found)
        }
    }

    @Test(
        "answers wrong usage with one line and 64",
        arguments: [
            ([], "a command is missing"), (["upp"], "upp: unknown command, did you mean up?"),
            (["--versoin"], "--versoin: unknown option"),
            (["push", "lst"], "push lst: unknown action, did you mean list?"),
            (["up", "--nodes"], "--nodes: needs a value, N"), (["up", "x"], "x: not expected here"),
            (["up", "--nodes", "0"], "--nodes: must be an integer from 1 to 24, not '0'"),
            (["exec"], "the program to run is missing"),
            (["config", "ioss"], "ioss: unknown build, did you mean ios?"),
            (["config", "env", "--world", "/no/such.json"], "--world: there is no file /no/such.json"),
            (["config", "env", "--world", "/dev/null"], "--world: /dev/null is no ready file of mocknet up"),
            (["up", "--config", "/no/such.yml"], "--config: there is no file /no/such.yml"),
            (["health", "--wait", "30"], "--wait: must be a duration such as 250ms, 5s or 2m, not '30'"),
            (["health", "--control", "localhost:1"], "--control: must be a URL"),
            (["send", "alice", "bob"], "TEXT is missing"), (["fault", "add"], "--effect is missing"),
            (["fault", "remove"], "give the ID of a rule, or --all"),
            (["account", "fund", "zero", "x"], "ADM: must be"),
        ]
    )
    func wrongUsage(words: [String], message: String) {
        let capture = Capture()
        #expect(capture.run(words) == 64)
        #expect(capture.output.text.isEmpty)
        let lines = capture.error.text.split(separator: "\n")
        #expect(lines.count == 1)
        #expect(lines.first?.hasPrefix("mocknet: \(message)") == true, "\(lines)")
    }

    @Test("says so when no world answers")
    func noWorld() {
        let capture = Capture()
        #expect(capture.run(["chain", "--control", "http://127.0.0.1:1"]) == 2)
        #expect(capture.error.text.hasPrefix("mocknet: no world answers at http://127.0.0.1:1;"))
        #expect(capture.run(["health"], environment: ["MOCKNET_CONTROL_URL": "http://127.0.0.1:1"]) == 1)
    }

    /// Words of a shell line with single quotes.
    private static func shellWords(_ line: String) -> [String] {
        var words = [""]
        var isQuoted = false
        for character in line {
            if character == "'" {
                isQuoted.toggle()
            } else if character == " ", !isQuoted {
                words.append("")
            } else {
                words[words.count - 1].append(character)
            }
        }
        return words
    }
}
