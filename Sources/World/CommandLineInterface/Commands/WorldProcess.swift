import Files
import JSONValue
import WorldRuntime

/// What the commands that run a world in this process share.
enum WorldProcess {
    /// Makes and starts a world.
    static func start(_ configuration: WorldConfiguration) throws(CommandFailure) -> World {
        do throws(WorldError) {
            let world = try World(
                configuration,
                furtherWorlds: .settings,
                scenarioService: { order throws(ScenarioOrderError) in
                    try ScenarioOrders.play(order, stateDirectory: configuration.stateDirectory)
                }
            )
            try world.start()
            return world
        } catch {
            throw CommandFailure(message: error.message, exitCode: error.exitCode)
        }
    }

    /// The bytes of a configuration file; nil where there is none.
    static func readFile(_ path: String) throws(CommandFailure) -> [UInt8]? {
        do throws(FileError) {
            return try Files.read(path)
        } catch {
            guard !error.isMissing else { return nil }
            throw .usage("\(error)")
        }
    }

    /// Removes what an earlier world left, so that nobody takes it for this one's.
    static func removeReadyFile(_ path: String) throws(CommandFailure) {
        do throws(FileError) {
            try Files.remove(path)
        } catch {
            throw .usage("--ready-file: \(error)")
        }
    }

    /// Writes the world's addresses, whole or not at all.
    static func writeReadyFile(_ world: World, _ path: String) throws(CommandFailure) {
        do throws(FileError) {
            try Files.write(Array((world.description.prettyText + "\n").utf8), to: path)
        } catch {
            world.stop()
            throw .usage("--ready-file: \(error)")
        }
    }
}
