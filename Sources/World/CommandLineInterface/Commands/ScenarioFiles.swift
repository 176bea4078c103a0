import FaultRules
import Files
import JSONValue
import ScenarioModel
import ScenarioRunner
import WorldRuntime

/// From the words of a command line to stories that can be played.
enum ScenarioFiles {
    private static let endings = [".yml", ".yaml", ".json"]
    /// The pace of a scenario's world where it does not say another: waits are real time.
    private static let blockMilliseconds = 100
    private static let pollMilliseconds = 50

    /// The stories of files and folders, each with each of its seeds.
    ///
    /// All files are read before anything is played; every mistake is told, one in each file.
    static func entries(_ operands: [String], _ options: RunOptions, _ context: CommandContext)
        throws(CommandFailure) -> [ScenarioCampaign.Entry]
    {
        var mistakes: [String] = []
        var found: [(ScenarioSource, ConfiguredWorld)] = []
        for file in try files(operands) {
            do {
                let source = try ScenarioSource(
                    file: file,
                    nodeNames: WorldConfiguration.nodeNames,
                    external: options.external
                )
                let configured = try world(
                    of: source,
                    stateDirectory: options.stateDirectory,
                    replay: options.replay?.decisions
                )
                found.append((source, configured))
            } catch let error as CommandFailure {
                mistakes.append(error.message)
            } catch {
                mistakes.append("\(error)")
            }
        }
        for mistake in mistakes.dropLast() { context.tell("mocknet: \(mistake)") }
        if let last = mistakes.last { throw .usage(last) }
        let parties = found.flatMap { $0.0.scenario.parties.map(\.name) }
        if let name = options.external.first(where: { !parties.contains($0) }) {
            throw .usage("--external: there is no party \(name)\(Suggestion.text(for: name, among: parties))")
        }
        var all: [ScenarioCampaign.Entry] = []
        for (source, world) in found {
            for seed in seeds(of: source, options) {
                all.append(try entry(source, world, seed: seed, options))
            }
        }
        return all
    }

    private static func files(_ operands: [String]) throws(CommandFailure) -> [String] {
        var files: [String] = []
        for operand in operands {
            guard Files.isFolder(operand) else {
                files.append(operand)
                continue
            }
            var folder = operand
            while folder.hasSuffix("/"), folder.count > 1 { folder.removeLast() }
            let names: [String]
            do throws(FileError) {
                names = try Files.names(inFolder: folder)
            } catch {
                throw .usage("\(error)")
            }
            let own = names.filter { name in
                !name.hasPrefix("_") && endings.contains { name.hasSuffix($0) }
            }
            guard !own.isEmpty else { throw .usage("\(operand): there is no scenario in this folder") }
            files += own.map { folder + "/" + $0 }
        }
        return files
    }

    /// What a scenario says of its world.
    static func world(
        of source: ScenarioSource,
        stateDirectory: String?,
        replay: FaultReplay? = nil
    ) throws(CommandFailure) -> ConfiguredWorld {
        var base = WorldConfiguration()
        base.ports = .free
        base.blockIntervalMilliseconds = blockMilliseconds
        base.ansPollMilliseconds = pollMilliseconds
        base.stateDirectory = stateDirectory
        base.replay = replay
        return try ConfiguredWorld(section: source.world, named: source.scenario.file, base: base)
    }

    private static func seeds(of source: ScenarioSource, _ options: RunOptions) -> [UInt64] {
        let told = source.scenario.seeds.isEmpty ? [1] : source.scenario.seeds
        let first = options.seed.map { [$0] } ?? told
        guard options.repetitions > 1 else { return first }
        return (0..<UInt64(options.repetitions)).map { first[0] &+ $0 }
    }

    private static func entry(
        _ source: ScenarioSource,
        _ world: ConfiguredWorld,
        seed: UInt64,
        _ options: RunOptions
    ) throws(CommandFailure) -> ScenarioCampaign.Entry {
        let run = ScenarioRun(
            source,
            seed: seed,
            patience: options.patience,
            command: options.command(file: source.scenario.file, seed: seed)
        )
        guard let base = options.against else {
            return ScenarioCampaign.Entry(run, in: .fresh(world.configuration))
        }
        return ScenarioCampaign.Entry(run, in: .running(try world.running(base: base, token: options.token)))
    }
}

extension ConfiguredWorld {
    /// What can be changed in a world that runs, beside the number of nodes, which is compared.
    private static let changeable: Set = [
        "nodes", "forging", "blockInterval", "nodeVersion", "failureRate", "ans", "ansPoll",
    ]

    /// A world that runs already, to be made one of this configuration.
    func running(base: String, token: String?) throws(CommandFailure) -> ScenarioRun.RunningWorld {
        if let fixed = origins.first(where: { !Self.changeable.contains($0.key) }) {
            throw .usage(
                "\(fixed.source): \(fixed.key) cannot be changed in a world that runs; start that world with it, "
                    + "and take it out of the story, or leave out --against"
            )
        }
        return ScenarioRun.RunningWorld(
            base: base,
            token: token,
            nodeCount: configuration.nodeCount,
            changes: changes
        )
    }

    /// The calls that make a running world one of this configuration, as far as that can be.
    private var changes: [(method: String, path: String, body: JSONValue)] {
        let keys = origins.map(\.key)
        var changes: [(String, String, JSONValue)] = []
        if keys.contains("forging") || keys.contains("blockInterval") {
            let forging: JSONValue = [
                "forging": .string(configuration.forging.rawValue),
                "intervalMilliseconds": .int(configuration.blockIntervalMilliseconds),
            ]
            changes.append(("PATCH", "/v1/chain", forging))
        }
        if configuration.ans != .none {
            let seconds = JSONNumber(Double(configuration.ansPollMilliseconds) / 1000)
            let service: JSONValue = [
                "behaviour": .string(configuration.ans.rawValue),
                "pollSeconds": seconds.map { .number($0) } ?? 1,
            ]
            changes.append(("PATCH", "/v1/ans", service))
            changes.append(("POST", "/v1/ans/start", [:]))
        }
        for (index, name) in WorldConfiguration.nodeNames.prefix(configuration.nodeCount).enumerated() {
            var node = JSONObject()
            if keys.contains("nodeVersion") {
                node.append("version", .string(configuration.nodeVersion(index)))
            }
            if keys.contains("failureRate"), let rate = JSONNumber(configuration.failureRate) {
                node.append("failureRate", .number(rate))
            }
            if !node.members.isEmpty { changes.append(("PATCH", "/v1/nodes/\(name)", .object(node))) }
        }
        return changes
    }
}
