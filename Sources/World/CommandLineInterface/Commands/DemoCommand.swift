import ScenarioRunner
import WorldRuntime

/// `mocknet demo`: the self-contained tour.
enum DemoCommand {
    static let command = Command(
        "demo",
        "plays a tour on free ports: how a push arrives, and the ways in which it is lost",
        options: WorldSettingsTable.all.filter { $0.key == "replay" }.map(\.option),
        examples: [
            ("mocknet demo", "seven scenes as a timeline; exit status 0 only if each ended as stated")
        ],
        run: run
    )

    private static func run(_ context: CommandContext) throws(CommandFailure) -> Int32 {
        var draft = WorldDraft(world: Demo.configuration)
        for setting in WorldSettingsTable.all where setting.key == "replay" {
            guard let given = context.arguments.options[setting.flag] else { continue }
            do throws(ValueError) {
                try setting.apply(&draft, given)
            } catch {
                throw .usage("\(setting.flag): \(error.message)")
            }
        }
        let world = try WorldProcess.start(draft.world)
        defer { world.stop() }
        let isGood = Demo.play(base: WorldAddresses(world.description).control) { line in context.print(line)
        }
        return isGood ? ExitCode.success : ExitCode.failed
    }
}
