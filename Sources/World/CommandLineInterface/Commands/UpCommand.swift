import JSONValue
import POSIX
import Threads
import WorldRuntime

/// `mocknet up`: a world in the foreground.
enum UpCommand {
    static let command = Command(
        "up",
        "starts a world and stays in the foreground",
        options: ConfiguredWorld.options + [
            OptionSpec(
                "--tour",
                help: "runs the reference notification service and plays the first push through"
            ),
            OptionSpec(
                "--log",
                "FORM",
                help: "prints what happens on standard error, a line for each event: json or none",
                default: "none"
            ),
            OptionSpec("--json", help: "prints the world's addresses as JSON in place of the banner"),
        ],
        examples: [
            ("mocknet up", "one node, APNs and the control API on the standard ports"),
            (
                "mocknet up --nodes 3 --failure-rate 0.3 --seed 7",
                "three nodes that fail the same way on every run"
            ),
            (
                "mocknet up --port-base 0 --ready-file world.json",
                "free ports, told in world.json once all answer"
            ),
            (
                "mocknet up --data ./world --ans ordered",
                "a world that is kept, with a notification service in it"
            ),
            ("mocknet up --json --log json", "addresses and events for programs that collect logs"),
            ("mocknet up --import world.mocknet", "the world that was exported into a file"),
        ],
        run: run
    )

    /// How long stopping may take, a little below what is promised.
    private static let stopLimitMilliseconds = 1900
    /// How often the world is asked whether it can go on.
    private static let checkMilliseconds = 250
    private static let endings: [Signal] = [.interrupt, .terminate, .hangup]

    private static func run(_ context: CommandContext) throws(CommandFailure) -> Int32 {
        let base = context.arguments.has("--tour") ? Tour.configuration : WorldConfiguration()
        let configured = try ConfiguredWorld(
            context.arguments,
            base: base,
            environment: context.environment,
            readFile: WorldProcess.readFile
        )
        let log = try EventLog.Form(context.arguments["--log"])
        Signal.block(endings)
        if let file = configured.configuration.readyFile { try WorldProcess.removeReadyFile(file) }
        let world = try WorldProcess.start(configured.configuration)
        let addresses = WorldAddresses(world.description)
        if let file = configured.configuration.readyFile { try WorldProcess.writeReadyFile(world, file) }
        if context.arguments.has("--json") {
            context.print(addresses.document.text)
        } else {
            let banner = Banner(
                world: addresses,
                origins: configured.origins,
                version: Version.text,
                controlToken: world.controlToken
            )
            context.print(banner.text)
            context.print("ready")
        }
        if log == .json {
            try EventLog(ControlAPI(base: addresses.control, token: world.controlToken), context.error)
                .begin()
        }
        if context.arguments.has("--tour") { try playTour(addresses, token: world.controlToken, context) }
        return stay(world, context, log)
    }

    private static func playTour(_ addresses: WorldAddresses, token: String?, _ context: CommandContext)
        throws(CommandFailure)
    {
        let tour = Tour(api: ControlAPI(base: addresses.control, token: token), output: context.output)
        do throws(ThreadError) {
            // Never joined: it ends by itself, or with the process.
            _ = try WorkerThread(name: "tour") { tour.play() }
        } catch {
            throw CommandFailure(message: "the tour cannot be played: \(error)", exitCode: ExitCode.world)
        }
    }

    /// Waits for the end, one way or another, and stops the world.
    private static func stay(_ world: World, _ context: CommandContext, _ log: EventLog.Form) -> Int32 {
        var failure: WorldError?
        while failure == nil {
            if Signal.wait(for: endings, timeoutMilliseconds: checkMilliseconds) != nil { break }
            failure = world.failure
        }
        // From here on a second signal ends the process at once.
        Signal.release(endings)
        let status = failure?.exitCode ?? ExitCode.success
        if let failure { context.tell(log.line(failure: failure.message)) }
        let watchdog = try? TimerThread(name: "stop limit")
        _ = watchdog?.after(milliseconds: stopLimitMilliseconds) { CurrentProcess.exit(status) }
        world.stop()
        return status
    }
}
