import JSONValue
import Testing
import WorldRuntime

/// What steps and expectations are given by variables, which the reader of a file cannot check.
@Suite("Scenarios: variables", .timeLimit(.minutes(2)))
struct VariableTests {
    /// A story of these steps, after a push to a pager.
    private static func story(_ steps: String) throws -> Story {
        let lines = steps.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
        return try Story(
            """
            name: n
            parties:
              pager: {device: simulated, topic: "com.example.${seed}"}
              alerts: {service: simulated, topic: "com.example.${seed}"}
            steps:
              - {push: pager, from: alerts, body: first}

            """ + lines
        )
    }

    /// A text of a thousand bytes.
    private static let text = String(repeating: "x", count: 1000)

    /// A sequence that refers to a variable so often.
    private static func references(_ name: String, _ count: Int) -> String {
        "[" + Array(repeating: "'${\(name)}'", count: count).joined(separator: ", ") + "]"
    }

    private static let tooLarge = "what the step is told, with its variables, is larger than 1048576 bytes"

    static let failures: [(String, String)] = [
        (
            "- set: {n: 9223372036854775807}\n- {test-push: pager, seconds: '${n}'}",
            "seconds: a whole number from 1 to 600 is expected, not '9223372036854775807'"
        ),
        (
            "- set: {n: 0}\n- {forge: '${n}'}",
            "forge: a whole number from 1 to 100000 is expected, not '0'"
        ),
        (
            "- set: {n: two}\n- {reorg: 1, blocks: '${n}'}",
            "blocks: a whole number from 1 to 100000 is expected, not the text 'two'"
        ),
        (
            "- set: {e: elsewhere}\n- {push: pager, from: alerts, body: b, environment: '${e}'}",
            "environment: one of production, sandbox is expected, not the text 'elsewhere'"
        ),
        (
            "- set: {t: noon}\n- {clock: '${t}'}",
            "clock: frozen, or running, or a moment such as 2026-01-01T00:00:00Z is expected, not the text 'noon'"
        ),
        (
            "- set: {n: 2}\n- expect: {push: pager}\n  exactly: '${n}'\n  within: 1ms",
            "not so within 1ms; there were 1"
        ),
        (
            "- set: {n: 2}\n- expect: {push: pager}\n  at least: '${n}'\n  within: 1ms",
            "not so within 1ms; there were 1"
        ),
        (
            "- set: {n: many}\n- expect: {push: pager}\n  at least: '${n}'",
            "at least: a whole number from 0 to 10000 is expected, not the text 'many'"
        ),
        (
            "- set: {n: []}\n- expect: {push: pager}\n  exactly: '${n}'",
            "exactly: a whole number from 0 to 10000 is expected, not a sequence"
        ),
        (
            "- set: {n: many}\n- never: {height: {at least: '${n}'}}\n  for: 1ms",
            "height: at least: a number is expected, not the text 'many'"
        ),
        (
            "- set: {s: '200'}\n- never: {push: pager, status: {any of: ['${s}']}}\n  for: 1ms",
            "status: any of: a whole number from 0 to 999 is expected, not the text '200'"
        ),
        (
            "- set: {x: \(text)}\n- {call: {path: /v1/chain/forge, body: \(references("x", 1100))}}",
            tooLarge
        ),
        (
            "- set: {x: \(text)}\n- never: {push: pager, reason: {any of: \(references("x", 1100))}}\n  for: 1ms",
            tooLarge
        ),
        (
            "- set: {x: \(text)}\n- set: {y: \(references("x", 1000))}\n"
                + "- set: {\((0..<70).map { "y\($0): '${y}'" }.joined(separator: ", "))}",
            "all variables hold more than 67108864 bytes"
        ),
    ]

    @Test("a value that a file could not give either is told with what is expected", arguments: failures)
    func mistakes(steps: String, reason: String) throws {
        let (result, _) = try Self.story(steps).play { $0.forging = .manual }
        #expect(result["outcome"] == "failed")
        #expect(result["failure"]?["reason"]?.stringValue == reason)
    }

    static let successes = [
        "- set: {n: 1}\n- expect: {push: pager}\n  exactly: '${n}'\n  for: 1ms\n"
            + "- expect: {push: pager}\n  at least: '${n}'\n  for: 1ms",
        "- set: {n: 2, state: running}\n- {forge: '${n}'}\n- expect: {height: 3}\n- {clock: '${state}'}",
        "- set: {s: 200, none: null}\n- expect: {push: pager, status: '${s}', reason: '${none}'}",
        "- expect: {device: pager, topic: com.example.1}",
        "- {snapshot: before the fork?}\n- {forge: 1}\n- {revert: before the fork?}\n- expect: {height: 1}",
    ]

    @Test("a variable stands for what it holds, and a name may have any letters", arguments: successes)
    func values(steps: String) throws {
        let (result, told) = try Self.story(steps).play { $0.forging = .manual }
        #expect(result["outcome"] == "passed", "\(result.prettyText)\n\(told.joined(separator: "\n"))")
    }
}
