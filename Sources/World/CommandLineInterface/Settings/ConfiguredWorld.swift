import FaultRules
import WorldRuntime
import YAMLEvents

/// A world's configuration with where each choice came from.
struct ConfiguredWorld: Sendable {
    /// A choice that is not the default.
    struct Origin: Sendable, Equatable {
        let key: String
        /// The value as given; nil for secrets.
        let value: String?
        /// For example `--nodes`, `MOCKNET_NODES` or `mocknet.yml:3`.
        let source: String
    }

    var configuration: WorldConfiguration
    private(set) var origins: [Origin] = []

    /// The options of a command that starts a world.
    static let options: [OptionSpec] =
        WorldSettingsTable.all.map(\.option) + [
            OptionSpec(
                "--config",
                "FILE",
                help: "configuration file",
                default: "mocknet.yml where there is one"
            )
        ]

    /// Reads the file, then variables, then flags: a later source wins over an earlier one.
    init(
        _ arguments: ParsedArguments,
        base: WorldConfiguration = WorldConfiguration(),
        environment: (String) -> String?,
        readFile: (String) throws(CommandFailure) -> [UInt8]?
    ) throws(CommandFailure) {
        configuration = base
        var draft = WorldDraft(world: base)
        let file = try Self.file(arguments, environment: environment, readFile: readFile)
        if let (name, content) = file { try take(content, named: name, into: &draft) }
        for setting in WorldSettingsTable.all {
            guard let text = environment(setting.variable), !text.isEmpty else { continue }
            let values = setting.isList ? text.split(separator: ",").map(String.init) : [text]
            try take(setting, values, from: setting.variable, into: &draft)
        }
        for setting in WorldSettingsTable.all {
            guard var given = arguments.options[setting.flag] else { continue }
            if setting.placeholder == nil { given = ["true"] }
            let values = setting.isList && !setting.isSecret ? given.flatMap(Self.splitAtCommas) : given
            try take(setting, values, from: setting.flag, into: &draft)
        }
        do throws(ValueError) {
            configuration = try draft.finished()
        } catch {
            let source = origins.last { $0.key == "nodeVersion" }?.source ?? "--node-version"
            throw .usage("\(source): \(error.message)")
        }
        if let (name, content) = file { try checkFaults(of: content, named: name) }
    }

    /// Reads the settings of a scenario's world, which stand in a file; `base` holds where they say nothing.
    init(section: YAMLNode?, named name: String, base: WorldConfiguration) throws(CommandFailure) {
        configuration = base
        guard let section else { return }
        let file = try ConfigurationFile(section: section, name: name)
        if let entry = file.entries.first(where: { Self.notForScenarios.contains($0.setting.key) }) {
            throw file.failure(
                entry.position,
                "\(entry.setting.key): a scenario's world is a fresh one on free ports, which is gone afterwards; "
                    + "seeds stands beside world"
            )
        }
        var draft = WorldDraft(world: base)
        try take(file, named: name, into: &draft)
        do throws(ValueError) {
            configuration = try draft.finished()
        } catch {
            throw .usage("\(origins.last { $0.key == "nodeVersion" }?.source ?? name): \(error.message)")
        }
        try checkFaults(of: file, named: name)
    }

    /// What a scenario cannot say of its world.
    private static let notForScenarios = [
        "seed", "portBase", "apnsPort", "listen", "controlToken", "data", "readyFile", "stateDir",
    ]

    private static func file(
        _ arguments: ParsedArguments,
        environment: (String) -> String?,
        readFile: (String) throws(CommandFailure) -> [UInt8]?
    ) throws(CommandFailure) -> (name: String, content: ConfigurationFile)? {
        let asked = arguments["--config"] ?? environment("MOCKNET_CONFIG").flatMap { $0.isEmpty ? nil : $0 }
        let name = asked ?? "mocknet.yml"
        guard let bytes = try readFile(name) else {
            guard asked == nil else {
                let source = arguments.has("--config") ? "--config" : "MOCKNET_CONFIG"
                throw .usage("\(source): there is no file \(name)")
            }
            return nil
        }
        return (name, try ConfigurationFile(bytes, name: name))
    }

    private mutating func take(_ file: ConfigurationFile, named name: String, into draft: inout WorldDraft)
        throws(CommandFailure)
    {
        for entry in file.entries {
            try take(
                entry.setting,
                entry.values,
                from: file.place(entry.position),
                label: entry.setting.key,
                into: &draft
            )
        }
        draft.world.extraAccounts += file.accounts
        draft.world.devices += file.devices
        draft.world.faultRules += file.faults.map(\.rule)
        draft.world.failureMix = file.failureMix ?? draft.world.failureMix
        let counts = [
            ("accounts", file.accounts.count), ("devices", file.devices.count), ("faults", file.faults.count),
        ]
        for (key, count) in counts where count > 0 {
            origins.append(Origin(key: key, value: String(count), source: name))
        }
        if file.failureMix != nil { origins.append(Origin(key: "failureMix", value: nil, source: name)) }
    }

    private mutating func take(
        _ setting: Setting,
        _ values: [String],
        from source: String,
        label: String? = nil,
        into draft: inout WorldDraft
    ) throws(CommandFailure) {
        do throws(ValueError) {
            try setting.apply(&draft, values)
        } catch {
            throw .usage("\(source): \(label.map { $0 + ": " } ?? "")\(error.message)")
        }
        let shown = setting.isSecret ? nil : values.joined(separator: ",")
        if !(setting.isList && setting.isSecret) { origins.removeAll { $0.key == setting.key } }
        origins.append(Origin(key: setting.key, value: shown, source: source))
    }

    /// Fault rules are checked when the nodes are known, so that an error names its line.
    private func checkFaults(of file: ConfigurationFile, named name: String) throws(CommandFailure) {
        let nodes = Array(WorldConfiguration.nodeNames.prefix(configuration.nodeCount))
        var book = FaultBook(seed: 0, nodeNames: nodes)
        for (rule, position) in file.faults {
            do throws(FaultRuleError) {
                _ = try book.post(rule, canReadSignals: true)
            } catch {
                throw file.failure(position, "faults: \(error)")
            }
        }
    }

    private static func splitAtCommas(_ text: String) -> [String] {
        text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    }
}
