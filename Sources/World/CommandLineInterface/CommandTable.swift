import ScenarioModel

/// All commands, and how a command line finds its own.
enum CommandTable {
    /// What a command line asks for.
    enum Found {
        /// A text to print, such as the overview.
        case text(String)
        /// A command with the words that are left for it.
        case command(Command, [String])
    }

    /// All commands in the order of the overview.
    static let groups: [CommandGroup] = [
        CommandGroup(UpCommand.command),
        CommandGroup(DemoCommand.command),
        CommandGroup(RunCommand.command),
        ReportCommand.group,
        CommandGroup(ExecCommand.command),
        CommandGroup(HealthCommand.command),
        CommandGroup(ConfigCommand.command),
        CommandGroup(AuthorityCommand.command),
        AccountCommand.group,
        CommandGroup(SendCommand.command),
        PushCommand.group,
        DeviceCommand.group,
        FaultCommand.group,
        ChainCommand.group,
        CommandGroup(TraceCommand.command),
        CommandGroup(AuditCommand.command),
        FixtureCommand.group,
    ]

    /// Finds the command of a command line.
    static func find(_ words: [String]) throws(CommandFailure) -> Found {
        guard let first = words.first else { throw .usage("a command is missing; see mocknet --help") }
        switch first {
        case "--help", "-h", "help":
            guard first == "help", let name = words.dropFirst().first else {
                return .text(HelpText.overview(groups))
            }
            return try find([name, "--help"])
        case "--version": return .text(Version.text + "\n")
        default: break
        }
        guard let group = groups.first(where: { $0.name == first }) else {
            let hint = Suggestion.text(for: first, among: groups.map(\.name))
            throw .usage(
                "\(first): unknown \(first.hasPrefix("-") ? "option" : "command")\(hint); see mocknet --help"
            )
        }
        return try action(of: group, Array(words.dropFirst()))
    }

    private static func action(of group: CommandGroup, _ words: [String]) throws(CommandFailure) -> Found {
        guard !group.isSingle else { return .command(group.actions[0], words) }
        guard let word = words.first, !word.hasPrefix("-") else {
            if words.first == "--help" || words.first == "-h" { return .text(HelpText.group(group)) }
            return .command(group.actions[0], words)
        }
        guard let action = group.actions.first(where: { $0.name == "\(group.name) \(word)" }) else {
            let known = group.actions.map { String($0.name.dropFirst(group.name.count + 1)) }
            let hint = Suggestion.text(for: word, among: known)
            throw .usage(
                "\(group.name) \(word): unknown action\(hint); known are \(known.joined(separator: ", "))"
            )
        }
        return .command(action, Array(words.dropFirst()))
    }
}
