import ScenarioModel

/// The words of a command line, sorted into options and operands.
struct ParsedArguments: Sendable, Equatable {
    /// Values of the options given, in order; a switch has an empty text.
    private(set) var options: [String: [String]] = [:]
    /// Operands in order.
    private(set) var operands: [String] = []
    /// Everything after `--`.
    private(set) var program: [String] = []
    /// Whether help is asked for.
    private(set) var wantsHelp = false

    /// The last value of an option.
    subscript(_ option: String) -> String? { options[option]?.last }

    /// Whether an option was given.
    func has(_ option: String) -> Bool { options[option] != nil }

    /// An operand; nil when there are fewer.
    func operand(_ index: Int) -> String? { index < operands.count ? operands[index] : nil }

    /// Sorts words by what a command takes; help wins over everything else that is wrong.
    init(_ words: [String], for command: Command) throws(CommandFailure) {
        if words.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
            wantsHelp = true
            return
        }
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                try takeRest(Array(rest), for: command)
                break
            }
            if word.hasPrefix("-"), word != "-" {
                try takeOption(word, &rest, for: command)
            } else {
                operands.append(word)
            }
        }
        try checkOperands(of: command)
    }

    private mutating func takeRest(_ words: [String], for command: Command) throws(CommandFailure) {
        if command.takesProgram {
            program = words
        } else {
            operands.append(contentsOf: words)
        }
    }

    private mutating func takeOption(_ word: String, _ rest: inout ArraySlice<String>, for command: Command)
        throws(CommandFailure)
    {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init
        )
        let name = parts[0]
        guard let option = command.options.first(where: { $0.name == name }) else {
            let hint = Suggestion.text(for: name, among: command.options.map(\.name))
            throw .usage("\(name): unknown option\(hint); see mocknet \(command.name) --help")
        }
        guard option.repeats || options[name] == nil else { throw .usage("\(name): given twice") }
        guard let placeholder = option.placeholder else {
            guard parts.count == 1 else { throw .usage("\(name): takes no value") }
            options[name, default: []].append("")
            return
        }
        if parts.count == 2 {
            options[name, default: []].append(parts[1])
        } else if let value = rest.popFirst(), !value.hasPrefix("--") {
            options[name, default: []].append(value)
        } else {
            throw .usage("\(name): needs a value, \(placeholder)")
        }
    }

    private func checkOperands(of command: Command) throws(CommandFailure) {
        let needed = command.operands.count(where: { !$0.isOptional })
        if operands.count < needed {
            throw .usage(
                "\(command.operands[operands.count].name) is missing; see mocknet \(command.name) --help"
            )
        }
        if operands.count > command.operands.count, command.operands.last?.repeats != true {
            throw .usage(
                "\(operands[command.operands.count]): not expected here; see mocknet \(command.name) --help"
            )
        }
        if command.takesProgram, program.isEmpty {
            throw .usage("the program to run is missing: mocknet \(command.name) -- PROGRAM …")
        }
    }
}
