import POSIX
import Threads

/// `mocknet health`: whether a world answers on every port.
enum HealthCommand {
    static let command = Command(
        "health",
        "tells by its exit status whether the world answers on every port",
        options: ControlAPI.options + [
            OptionSpec(
                "--wait",
                "TIME",
                help: "waits so long for a world that is not ready yet",
                default: "0s"
            )
        ],
        examples: [
            ("mocknet health", "exit status 0 when every port answers, 1 when not"),
            ("mocknet health --wait 30s", "gives a starting world half a minute"),
        ],
        run: run
    )

    private static let pauseMilliseconds = 100

    private static func run(_ context: CommandContext) throws(CommandFailure) -> Int32 {
        let api = try ControlAPI(context)
        var limit = 0
        if let text = context.arguments["--wait"] {
            do throws(ValueError) {
                limit = try Value.milliseconds(text, in: 0...86_400_000)
            } catch {
                throw .usage("--wait: \(error.message)")
            }
        }
        let deadline = MachineClock.monotonicMilliseconds() + Int64(limit)
        while true {
            if api.isHealthy() {
                context.print("healthy")
                return ExitCode.success
            }
            guard MachineClock.monotonicMilliseconds() < deadline else { break }
            CurrentThread.pause(milliseconds: pauseMilliseconds)
        }
        context.tell("mocknet: the world at \(api.base) does not answer on every port")
        return ExitCode.failed
    }
}
