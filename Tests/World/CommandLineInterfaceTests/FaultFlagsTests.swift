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
            (
                [
                    "--target", "apns", "--effect", "goaway-before", "--request", "100", "--last", "max",
                    "--text",
                    "bye", "--linger", "5s", "--then", "reset", "--double", "true", "--new-streams", "refuse",
                ],
                #"{"target":"apns","match":{"request":100},"effect":{"kind":"goaway","when":"before","text":"bye","#
                    + #""last":"max","lingerMilliseconds":5000,"then":"reset","double":true,"newStreams":"refuse"}}"#
            ),
            (
                [
                    "--target", "apns", "--effect", "settings", "--at", "connection", "--max-streams", "1",
                    "--over-limit", "goaway", "--client-certificate", "false",
                ],
                #"{"target":"apns","match":{"clientCertificate":false},"effect":{"kind":"settings","at":"connection","#
                    + #""maxConcurrentStreams":1,"overLimit":"goaway"}}"#
            ),
            (
                [
                    "--target", "apns", "--effect", "black-hole", "--at", "connection", "--idle-before", "1m",
                    "--seconds", "9",
                ],
                #"{"target":"apns","effect":{"kind":"black-hole","at":"connection","seconds":9,"idleMilliseconds":60000}}"#
            ),
            (
                [
                    "--target", "apns", "--effect", "reject", "--status", "410", "--reason", "Unregistered",
                    "--timestamp-age", "60", "--timestamp-form", "text", "--idle", "2s",
                ],
                #"{"target":"apns","match":{"idleMilliseconds":2000},"effect":{"kind":"reject","status":410,"#
                    + #""reason":"Unregistered","timestampAgeSeconds":60,"timestampForm":"text"}}"#
            ),
            (["--preset", "goaway-mid-flight"], #"{"preset":"goaway-mid-flight"}"#),
            (
                ["--preset", "goaway-mid-flight", "--environment", "sandbox"],
                #"{"preset":"goaway-mid-flight","match":{"environment":"sandbox"}}"#
            ),
        ]
    )
    func rules(words: [String], expected: String) throws {
        let rule = try rule(words)
        #expect(rule.text == expected)
        var book = FaultBook(seed: 1, nodeNames: ["alpha"])
        let ids = try book.post(rule, canReadSignals: true)
        #expect(ids == ["f1"])
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
            (["--preset", "one-stream", "--limit", "1"], "--limit: cannot be combined with --preset"),
            (
                ["--effect", "goaway", "--double", "twice"], "--double: must be true or false, not 'twice'"
            ),
            (["--rule", "{}", "--limit", "1"], "--limit: cannot be combined with --rule"),
        ]
    )
    func refusals(words: [String], message: String) {
        let error = #expect(throws: CommandFailure.self) { try rule(words) }
        #expect(error?.message == message)
        #expect(error?.exitCode == 64)
    }

    @Test("presets are listed without a world, with what each reproduces")
    func presets() throws {
        let table = Capture()
        #expect(table.run(["fault", "presets"]) == 0)
        #expect(table.output.text.contains("goaway-mid-flight"))
        #expect(table.output.text.contains("jchambers/pushy#1025"))
        let json = Capture()
        #expect(json.run(["fault", "presets", "--json"]) == 0)
        #expect(
            try JSONValue(parsing: json.output.text)["presets"]?.arrayValue?.count == FaultPreset.all.count
        )
    }
}
