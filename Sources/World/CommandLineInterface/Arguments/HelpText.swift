/// What `--help` prints.
enum HelpText {
    private static let width = 100

    /// The overview of all commands.
    static func overview(_ groups: [CommandGroup]) -> String {
        let rows = groups.map { ("  " + $0.name, $0.summary) }
        return """
            mocknet: ADAMANT nodes, a chain, Apple's push service and the devices behind it, on this machine.

            Usage: mocknet COMMAND [OPTION…]

            Commands:
            \(table(rows))

            mocknet COMMAND --help tells more, with examples. mocknet --version tells version and commit.
            Exit status: 0 good, 1 a check failed, 2 the world could not start or go on, 64 wrong usage.

            """
    }

    /// The actions of a command.
    static func group(_ group: CommandGroup) -> String {
        let rows = group.actions.map { ("  mocknet " + usageWords($0), $0.summary) }
        let first = group.actions.first?.name ?? group.name
        return """
            mocknet \(group.name): \(group.summary).

            \(table(rows))

            mocknet \(group.name) alone does what mocknet \(first) does. Each takes --help.

            """
    }

    /// Everything about one command.
    static func command(_ command: Command) -> String {
        var text = "mocknet \(command.name): \(command.summary).\n\nUsage: mocknet \(usageWords(command))\n"
        if !command.operands.isEmpty {
            text += "\n" + table(command.operands.map { ("  " + $0.name, $0.help) }) + "\n"
        }
        if !command.options.isEmpty {
            text += "\nOptions:\n"
            text += table(command.options.map { ("  " + label($0), help($0)) }) + "\n"
        }
        text += "\nExamples:\n"
        for example in command.examples { text += "  \(example.line)\n      \(example.does)\n" }
        return text
    }

    private static func usageWords(_ command: Command) -> String {
        var words = [command.name]
        words += command.operands.map { operand in
            (operand.isOptional ? "[\(operand.name)]" : operand.name) + (operand.repeats ? "…" : "")
        }
        if !command.options.isEmpty { words.append("[OPTION…]") }
        if command.takesProgram { words.append("-- PROGRAM [ARGUMENT…]") }
        return words.joined(separator: " ")
    }

    private static func label(_ option: OptionSpec) -> String {
        option.placeholder.map { "\(option.name) \($0)" } ?? option.name
    }

    private static func help(_ option: OptionSpec) -> String {
        var notes: [String] = []
        if let text = option.defaultText { notes.append("default \(text)") }
        if option.repeats { notes.append("may be repeated") }
        return option.help + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
    }

    /// Two columns, the second broken at words.
    private static func table(_ rows: [(String, String)]) -> String {
        let left = min(44, rows.map(\.0.count).max() ?? 0) + 2
        let indentation = String(repeating: " ", count: left)
        return rows.map { label, help in
            var lines: [String] = []
            var line = ""
            for word in help.split(separator: " ") {
                if !line.isEmpty, left + line.count + 1 + word.count > width {
                    lines.append(line)
                    line = ""
                }
                line += (line.isEmpty ? "" : " ") + word
            }
            lines.append(line)
            let body = lines.joined(separator: "\n" + indentation)
            return label.count + 2 > left ? "\(label)\n\(indentation)\(body)" : padded(label, to: left) + body
        }
        .joined(separator: "\n")
    }
}

/// A text filled with spaces to a width.
func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
}
