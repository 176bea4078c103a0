import JSONValue
import ScenarioModel
public import WorldRuntime

/// The tour that `mocknet demo` plays on a world of its own.
public enum Demo {
    /// The world that the tour is played on: free ports, short blocks, nothing kept.
    public static var configuration: WorldConfiguration {
        var configuration = WorldConfiguration()
        configuration.ports = .free
        configuration.nodeCount = 2
        configuration.nodeVersions = ["0.9"]
        configuration.blockIntervalMilliseconds = 250
        configuration.ans = .asDeployed
        configuration.ansPollMilliseconds = 100
        return configuration
    }

    /// Plays the tour against the control API at `base`; true when each scene ended as stated.
    public static func play(base: String, output: @escaping (String) -> Void) -> Bool {
        do {
            let source = try ScenarioSource(
                text: Array(story.utf8),
                name: "demo",
                nodeNames: WorldConfiguration.nodeNames
            )
            let player = try ScenarioPlayer(
                control: ControlClient(base: base),
                options: ScenarioPlayer.Options(),
                output: output
            )
            let scenes = player.play(source.scenario)
            let failures = scenes.count { $0.failure != nil }
            output("")
            output(
                failures == 0
                    ? "All \(scenes.count) scenes ended as stated."
                    : "\(failures) of \(scenes.count) scenes did not end as stated."
            )
            return failures == 0
        } catch let error as ControlFailure {
            output("demo: \(error.message)")
        } catch {
            output("\(error)")
        }
        return false
    }
}
