import Testing

@testable import CommandLineInterface

@Suite("Command line: arguments")
struct ArgumentTests {
    private let command = Command(
        "thing do",
        "does a thing",
        operands: [OperandSpec("WHAT", help: "what"), OperandSpec("MORE", help: "more", isOptional: true)],
        options: [
            OptionSpec("--count", "N", help: "how many"), OptionSpec("--fast", help: "quickly"),
            OptionSpec("--tag", "T", help: "tags", repeats: true),
        ],
        examples: [("mocknet thing do x", "does x")]
    ) { _ in 0 }

    private func parse(_ words: String...) throws -> ParsedArguments {
        try ParsedArguments(words, for: command)
    }

    @Test("sorts options and operands in any order")
    func sorts() throws {
        let arguments = try parse("--count", "3", "x", "--fast", "--tag=a", "y", "--tag", "b=c")
        #expect(arguments.operands == ["x", "y"])
        #expect(arguments["--count"] == "3")
        #expect(arguments.has("--fast"))
        #expect(arguments.options["--tag"] == ["a", "b=c"])
        #expect(arguments.operand(2) == nil)
    }

    @Test("takes what follows two dashes as operands")
    func dashes() throws {
        #expect(try parse("--", "--fast").operands == ["--fast"])
        #expect(try parse("-").operands == ["-"])
    }

    @Test("takes a negative value, and an empty one after an equals sign")
    func values() throws {
        #expect(try parse("x", "--count", "-3")["--count"] == "-3")
        #expect(try parse("x", "--count=")["--count"] == "")
    }

    @Test(
        "names what is wrong in one line",
        arguments: [
            (
                ["x", "--cuont", "3"],
                "--cuont: unknown option, did you mean --count?; see mocknet thing do --help"
            ),
            (["x", "-v"], "-v: unknown option; see mocknet thing do --help"),
            (["x", "--count"], "--count: needs a value, N"),
            (["x", "--count", "--fast"], "--count: needs a value, N"),
            (["x", "--fast=1"], "--fast: takes no value"),
            (["x", "--count=1", "--count=2"], "--count: given twice"),
            ([], "WHAT is missing; see mocknet thing do --help"),
            (["x", "y", "z"], "z: not expected here; see mocknet thing do --help"),
        ]
    )
    func errors(words: [String], message: String) {
        let error = #expect(throws: CommandFailure.self) { try ParsedArguments(words, for: command) }
        #expect(error == CommandFailure(message: message, exitCode: 64))
    }

    @Test("lets help win over everything that is wrong, but not over another program's")
    func help() throws {
        #expect(try parse("--nonsense", "--help").wantsHelp)
        #expect(try parse("-h").wantsHelp)
        let other = Command("run", "runs", takesProgram: true, examples: []) { _ in 0 }
        let arguments = try ParsedArguments(["--", "ls", "--help"], for: other)
        #expect(!arguments.wantsHelp)
        #expect(arguments.program == ["ls", "--help"])
        #expect(throws: CommandFailure.self) { try ParsedArguments(["--"], for: other) }
    }
}

/// Collects what a command line prints.
final class Capture: Sendable {
    let output = Lines()
    let error = Lines()

    func run(_ words: [String], environment: [String: String] = [:]) -> Int32 {
        Program.run(
            words,
            environment: { environment[$0] },
            output: { self.output.append($0) },
            error: { self.error.append($0) }
        )
    }
}
