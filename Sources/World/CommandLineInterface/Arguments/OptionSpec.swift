/// One option that a command takes.
struct OptionSpec: Sendable {
    /// With its dashes: `--nodes`.
    let name: String
    /// What stands for its value; nil for a switch.
    let placeholder: String?
    let help: String
    /// What holds without it; nil where the help says so, or nothing does.
    let defaultText: String?
    /// Whether it may be given more than once.
    let repeats: Bool

    init(
        _ name: String,
        _ placeholder: String? = nil,
        help: String,
        default defaultText: String? = nil,
        repeats: Bool = false
    ) {
        self.name = name
        self.placeholder = placeholder
        self.help = help
        self.defaultText = defaultText
        self.repeats = repeats
    }
}

/// One word that a command takes beside its options.
struct OperandSpec: Sendable {
    let name: String
    let help: String
    let isOptional: Bool
    /// Whether more of them may follow; of the last one only.
    let repeats: Bool

    init(_ name: String, help: String, isOptional: Bool = false, repeats: Bool = false) {
        self.name = name
        self.help = help
        self.isOptional = isOptional
        self.repeats = repeats
    }
}
