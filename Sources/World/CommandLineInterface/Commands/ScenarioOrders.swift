import JSONValue
import ScenarioModel
import ScenarioRunner
import Synchronization
import WorldRuntime

/// Scenarios that come in calls of the control API.
enum ScenarioOrders {
    private static let name = "scenario"
    /// Most that are played at once.
    private static let maximum = 8
    /// The longest that one may take: nobody may be waiting for it any more.
    private static let limitMilliseconds = 3_600_000
    private static let playing = Mutex(0)

    /// Plays one, in a fresh world or in the one that was called, and gives its result.
    static func play(_ order: ScenarioOrder, stateDirectory: String?) throws(ScenarioOrderError) -> JSONValue
    {
        let isFree = playing.withLock { count in
            guard count < maximum else { return false }
            count += 1
            return true
        }
        guard isFree else { throw ScenarioOrderError("\(maximum) scenarios are being played already") }
        defer { playing.withLock { $0 -= 1 } }
        do {
            let source = try ScenarioSource(
                text: order.text,
                name: name,
                nodeNames: WorldConfiguration.nodeNames
            )
            let configured = try ScenarioFiles.world(of: source, stateDirectory: stateDirectory)
            let seed = order.seed ?? source.scenario.seeds.first ?? 1
            let run = ScenarioRun(
                source,
                seed: seed,
                limitMilliseconds: limitMilliseconds,
                command: "mocknet run --seed \(seed) FILE"
            )
            guard let running = order.running else { return run.play(in: .fresh(configured.configuration)) }
            let world = try configured.running(base: running.base, token: running.token)
            return run.play(in: .running(world))
        } catch let error as CommandFailure {
            throw ScenarioOrderError(error.message)
        } catch {
            throw ScenarioOrderError("\(error)")
        }
    }
}
