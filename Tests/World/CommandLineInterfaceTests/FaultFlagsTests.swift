import FaultRules
import JSONValue
import Testing

@testable import CommandLineInterface

@Suite("Command line: fault rules")
struct FaultFlagsTests {
    private func rule(_ words: [String]) throws -> JSONValue {
        let command = try #require(FaultCommand.group.actions.first { $0.name == "fault add" })
        return try FaultFlags.rule(ParsedArguments(words, for: command))
    }

    @Test(
        "become rules that the engine takes",
        arguments: [
            (
                [
                    "--path", "/api/chats/process", "--chat-type", "3", "--limit", "1", "--effect",
                    "reset-before",
                ],
                #"{"limit":1,"match":{"path":"/api/chats/process","chatType":3},"effect":{"kind":"reset","when":"before"}}"#
            ),
            (
                ["--effect", "timeout-after", "--seconds", "5", "--probability", "0.25", "--per", "route"],
                #"{"probability":0.25,"per":"route","effect":{"kind":"timeout","when":"after","seconds":5}}"#
            ),
            (
                ["--effect", "delay", "--median", "2s", "--sigma", "0.5"],
                #"{"effect":{"kind":"delay","medianMilliseconds":2000,"sigma":0.5}}"#
            ),
            (
                [
                    "--target", "apns", "--effect", "reject", "--status", "410", "--reason", "Unregistered",
                    "--token", "00ff",
                ],
                #"{"target":"apns","match":{"token":"00ff"},"effect":{"kind":"reject","status":410,"reason":"Unregistered"}}"#
            ),
            (["--rule", #"{"effect":{"kind":"hold"}}"#], #"{"effect":{"kind":"hold"}}"#),
            (["--effect", "reset", "--when", "after"], #"{"effect":{"kind":"reset","when":"after"}}"#),
        ]
    )
    func rules(words: [String], expected: String) throws {
        let rule = try rule(words)
        #expect(rule.text == expected)
        var book = FaultBook(seed: 1, nodeNames: ["alpha"])
        let id = try book.add(rule, canReadSignals: true)
        #expect(id == "f1")
    }

    @Test(
        "are refused with the flag at fault",
        arguments: [
            ([], "--effect is missing; see mocknet fault add --help"),
            (
                ["--effect", "reset-after", "--when", "before"],
                "--when: the effect reset-after says it already"
            ),
            (["--effect", "status", "--status", "x"], "--status: must be a number, not 'x'"),
            (
                ["--effect", "delay", "--delay", "5"],
                "--delay: must be a duration such as 250ms, 5s or 2m, not '5'"
            ),
            (["--rule", "{}", "--limit", "1"], "--limit: cannot be combined with --rule"),
        ]
    )
    func refusals(words: [String], message: String) {
        let error = #expect(throws: CommandFailure.self) { try rule(words) }
        #expect(error?.message == message)
        #expect(error?.exitCode == 64)
    }
}
