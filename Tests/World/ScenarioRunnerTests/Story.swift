import JSONValue
import ScenarioModel
import ScenarioRunner
import TestSupport
import WorldRuntime

/// A story in a test, played in a world of its own.
struct Story {
    let source: ScenarioSource

    /// Reads a text.
    init(_ text: String) throws {
        source = try ScenarioSource(
            text: Array(text.utf8),
            name: "s.yml",
            nodeNames: WorldConfiguration.nodeNames
        )
    }

    /// The result of playing it, with the lines that were told.
    func play(
        seed: UInt64 = 1,
        limitMilliseconds: Int? = nil,
        _ change: (inout WorldConfiguration) -> Void = { _ in }
    ) throws -> (result: JSONValue, lines: [String]) {
        let folder = try TemporaryFolder()
        var configuration = WorldConfiguration()
        configuration.ports = .free
        configuration.stateDirectory = folder.path
        configuration.blockIntervalMilliseconds = 50
        configuration.ansPollMilliseconds = 20
        change(&configuration)
        var lines: [String] = []
        let run = ScenarioRun(source, seed: seed, limitMilliseconds: limitMilliseconds, command: "again")
        let result = run.play(in: .fresh(configuration), output: { lines.append($0) })
        return (result, lines)
    }

    /// The outcome of each step, the parties' first.
    static func outcomes(_ result: JSONValue) -> [String] {
        (result["scenes"]?.arrayValue ?? []).flatMap { scene in
            (scene["steps"]?.arrayValue ?? []).compactMap { $0["outcome"]?.stringValue }
        }
    }
}
