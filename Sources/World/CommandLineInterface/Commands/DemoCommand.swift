import ScenarioRunner
import WorldRuntime

/// `mocknet demo`: the self-contained tour.
enum DemoCommand {
    static let command = Command(
        "demo",
        "plays a tour on free ports: how a push arrives, and the ways in which it is lost",
        examples: [
            ("mocknet demo", "seven scenes as a timeline; exit status 0 only if each ended as stated")
        ],
        run: run
    )

    private static func run(_ context: CommandContext) throws(CommandFailure) -> Int32 {
        let world = try WorldProcess.start(Demo.configuration)
        defer { world.stop() }
        let isGood = Demo.play(base: WorldAddresses(world.description).control) { line in context.print(line)
        }
        return isGood ? ExitCode.success : ExitCode.failed
    }
}
