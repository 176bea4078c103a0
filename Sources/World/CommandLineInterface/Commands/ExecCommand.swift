import Files
import JSONValue
import POSIX
import ScenarioRunner
import WorldRuntime

/// `mocknet exec`: a program with a fresh world around it.
enum ExecCommand {
    static let command = Command(
        "exec",
        "runs a program with a fresh world on free ports and passes its exit code on",
        options: ConfiguredWorld.options + [
            OptionSpec(
                "--artifacts",
                "DIR",
                help: "keeps journal, world and timeline when the program fails"
            )
        ],
        takesProgram: true,
        examples: [
            (
                "mocknet exec -- ./run-my-tests",
                "the addresses are in MOCKNET_NODE_URL, MOCKNET_APNS_URL and others"
            ),
            ("mocknet exec --nodes 3 --seed 7 -- npm test", "three nodes, the same draws on every run"),
        ],
        run: run
    )

    private static let forwarded: [Signal] = [.hangup, .interrupt, .quit, .terminate, .user1, .user2]
    /// What shells answer for a program that cannot be started.
    private static let cannotStart: Int32 = 127
    /// Most events of the timeline after a failure.
    private static let maximumEvents = 1000

    private static func run(_ context: CommandContext) throws(CommandFailure) -> Int32 {
        var base = WorldConfiguration()
        base.ports = .free
        let configured = try ConfiguredWorld(
            context.arguments,
            base: base,
            environment: context.environment,
            readFile: WorldProcess.readFile
        )
        Signal.block(forwarded + [.child])
        if let file = configured.configuration.readyFile { try WorldProcess.removeReadyFile(file) }
        let world = try WorldProcess.start(configured.configuration)
        defer { world.stop() }
        if let file = configured.configuration.readyFile { try WorldProcess.writeReadyFile(world, file) }
        let addresses = WorldAddresses(world.description)
        let bundle: TrustBundle
        do throws(FileError) {
            bundle = try TrustBundle(caFile: addresses.caFile, environment: context.environment)
        } catch {
            throw CommandFailure(message: "\(error)", exitCode: ExitCode.world)
        }
        defer { bundle.remove() }
        let status = start(context, addresses, bundle, token: world.controlToken)
        if status != 0, status != cannotStart {
            tellTimeline(addresses, token: world.controlToken, seed: world.seed, context)
            keepRecord(addresses, token: world.controlToken, context)
        }
        return status
    }

    private static func start(
        _ context: CommandContext,
        _ addresses: WorldAddresses,
        _ bundle: TrustBundle,
        token: String?
    ) -> Int32 {
        var added = addresses.variables + bundle.variables
        if let token { added.append((name: "MOCKNET_CONTROL_TOKEN", value: token)) }
        let names = Set(added.map(\.name))
        let inherited = ProcessEnvironment.all.filter { entry in
            !names.contains(entry.prefix { $0 != "=" }.description)
        }
        let child: ChildProcess
        do throws(POSIXError) {
            child = try ChildProcess(
                arguments: context.arguments.program,
                environment: inherited + added.map { "\($0.name)=\($0.value)" }
            )
        } catch {
            context.tell("mocknet: \(error)")
            return cannotStart
        }
        switch attend(child) {
        case .exited(let code): return code
        case .signalled(let signal): return 128 + signal.rawValue
        }
    }

    /// Waits for the child's end and passes on what signals come meanwhile.
    private static func attend(_ child: ChildProcess) -> ChildProcess.Ending {
        while true {
            if let ending = child.poll() { return ending }
            guard let delivery = Signal.wait(for: forwarded + [.child]) else { continue }
            // A terminal's own signals reach the child without us.
            if delivery.signal != .child, !delivery.isFromKernel { child.send(delivery.signal) }
        }
    }

    private static func keepRecord(_ addresses: WorldAddresses, token: String?, _ context: CommandContext) {
        guard let folder = context.arguments["--artifacts"] else { return }
        do throws(FileError) {
            try WorldRecord(base: addresses.control, token: token).write(to: folder)
            context.tell("mocknet: kept in \(folder)")
        } catch {
            context.tell("mocknet: --artifacts: \(error)")
        }
    }

    private static func tellTimeline(
        _ addresses: WorldAddresses,
        token: String?,
        seed: UInt64,
        _ context: CommandContext
    ) {
        let api = ControlAPI(base: addresses.control, token: token)
        guard let last = try? api.get("/v1/events", [("limit", "1")])["last"]?.intValue,
            let page = try? api.get(
                "/v1/events",
                [("after", String(max(0, last - Int64(maximumEvents)))), ("limit", String(maximumEvents))]
            ),
            let events = page["events"]?.arrayValue
        else { return }
        context.tell("\nmocknet: what happened in the world (seed \(seed)):")
        let devices = (try? api.get("/v1/devices"))?["devices"]?.arrayValue ?? []
        var timeline = Timeline(world: addresses.document, devices: devices)
        for line in timeline.lines(events) { context.tell(line) }
        if events.isEmpty { context.tell("  nothing") }
    }
}
