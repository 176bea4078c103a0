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
        do throws(ControlFailure) {
            let player = try PlanPlayer(control: ControlClient(base: base), output: output)
            let failures = player.play(.demo)
            output("")
            output(
                failures == 0
                    ? "All \(Plan.demo.scenes.count) scenes ended as stated."
                    : "\(failures) of \(Plan.demo.scenes.count) scenes did not end as stated."
            )
            return failures == 0
        } catch {
            output("demo: \(error.message)")
            return false
        }
    }
}
