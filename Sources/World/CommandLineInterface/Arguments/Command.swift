/// One command, or one action of a command that has several.
struct Command: Sendable {
    /// As typed: `up`, or `fault add`.
    let name: String
    let summary: String
    let operands: [OperandSpec]
    let options: [OptionSpec]
    /// Whether everything after `--` belongs to another program.
    let takesProgram: Bool
    /// Whole command lines with what each does.
    let examples: [(line: String, does: String)]
    /// What members of calls are called here, where no option has their name.
    let members: [String: String]
    let run: @Sendable (CommandContext) throws(CommandFailure) -> Int32

    init(
        _ name: String,
        _ summary: String,
        operands: [OperandSpec] = [],
        options: [OptionSpec] = [],
        members: [String: String] = [:],
        takesProgram: Bool = false,
        examples: [(line: String, does: String)],
        run: @escaping @Sendable (CommandContext) throws(CommandFailure) -> Int32
    ) {
        self.name = name
        self.summary = summary
        self.operands = operands
        self.options = options
        self.takesProgram = takesProgram
        self.examples = examples
        self.members = members
        self.run = run
    }

    /// The option or operand that a member of a call is given by; nil when there is none.
    func name(ofMember member: String) -> String? {
        if let name = members[member] { return name }
        let words = member.map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }
        let option = "--" + words.joined()
        return options.contains { $0.name == option } ? option : nil
    }
}

/// A command with its actions; one without actions has a single one of its own name.
struct CommandGroup: Sendable {
    let name: String
    let summary: String
    /// The first is what the name alone does.
    let actions: [Command]
    /// Whether the name alone stands for the only action.
    let isSingle: Bool

    init(_ name: String, _ summary: String, actions: [Command]) {
        self.name = name
        self.summary = summary
        self.actions = actions
        isSingle = false
    }

    init(_ command: Command) {
        name = command.name
        summary = command.summary
        actions = [command]
        isSingle = true
    }
}

/// What a command is given.
struct CommandContext {
    let arguments: ParsedArguments
    /// The value of an environment variable.
    let environment: @Sendable (String) -> String?
    /// Where results go.
    let output: @Sendable (String) -> Void
    /// Where messages for people go.
    let error: @Sendable (String) -> Void

    /// Prints a line of the result.
    func print(_ line: String = "") { output(line + "\n") }

    /// Prints a line for people.
    func tell(_ line: String) { error(line + "\n") }
}
