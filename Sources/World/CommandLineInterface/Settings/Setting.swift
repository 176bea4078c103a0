import WorldRuntime

/// One choice about a world that a flag, a variable or the configuration file can make.
struct Setting: Sendable {
    /// Its name in the configuration file.
    let key: String
    /// Its flag, with dashes.
    let flag: String
    /// What stands for its value; nil for one that is on when its flag is there.
    let placeholder: String?
    let help: String
    let defaultText: String?
    /// Whether it takes several values: repeated flags, commas in a variable, a sequence in the file.
    let isList: Bool
    /// Whether its value is kept out of what is printed.
    let isSecret: Bool
    let apply: @Sendable (inout WorldDraft, [String]) throws(ValueError) -> Void

    /// The variable of the environment that sets it.
    var variable: String {
        "MOCKNET_" + flag.dropFirst(2).uppercased().map { $0 == "-" ? "_" : String($0) }.joined()
    }

    /// The flag as an option.
    var option: OptionSpec {
        OptionSpec(flag, placeholder, help: help, default: defaultText, repeats: isList)
    }

    init(
        _ key: String,
        _ flag: String,
        _ placeholder: String,
        _ help: String,
        default defaultText: String? = nil,
        isSecret: Bool = false,
        apply: @escaping @Sendable (inout WorldDraft, String) throws(ValueError) -> Void
    ) {
        self.key = key
        self.flag = flag
        self.placeholder = placeholder
        self.help = help
        self.defaultText = defaultText
        self.isSecret = isSecret
        isList = false
        self.apply = { draft, values throws(ValueError) in
            guard values.count == 1 else { throw ValueError("takes one value") }
            try apply(&draft, values[0])
        }
    }

    init(
        switch key: String,
        _ flag: String,
        _ help: String,
        apply: @escaping @Sendable (inout WorldDraft, Bool) -> Void
    ) {
        self.key = key
        self.flag = flag
        placeholder = nil
        self.help = help
        defaultText = nil
        isSecret = false
        isList = false
        self.apply = { draft, values throws(ValueError) in
            guard values.count == 1 else { throw ValueError("takes one value") }
            apply(&draft, try Value.truth(values[0]))
        }
    }

    init(
        list key: String,
        _ flag: String,
        _ placeholder: String,
        _ help: String,
        default defaultText: String? = nil,
        isSecret: Bool = false,
        apply: @escaping @Sendable (inout WorldDraft, [String]) throws(ValueError) -> Void
    ) {
        self.key = key
        self.flag = flag
        self.placeholder = placeholder
        self.help = help
        self.defaultText = defaultText
        self.isSecret = isSecret
        isList = true
        self.apply = apply
    }
}

/// A configuration while its sources are being read.
struct WorldDraft: Sendable {
    var world = WorldConfiguration()
    /// Versions as given: one for all, one for each in turn, or `NAME=VERSION`.
    var nodeVersions: [String] = []

    /// The configuration when all sources were read.
    func finished() throws(ValueError) -> WorldConfiguration {
        var world = world
        guard !nodeVersions.isEmpty else { return world }
        let names = WorldConfiguration.nodeNames.prefix(world.nodeCount)
        let plain = nodeVersions.filter { !$0.contains("=") }
        guard plain.count <= world.nodeCount else {
            throw ValueError("gives \(plain.count) versions for \(world.nodeCount) nodes")
        }
        world.nodeVersions = (0..<world.nodeCount).map { index in
            index < plain.count ? plain[index] : plain.last ?? "0.9"
        }
        for entry in nodeVersions where entry.contains("=") {
            let parts = entry.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2, let index = names.firstIndex(of: parts[0]) else {
                let known = names.joined(separator: ", ")
                throw ValueError("'\(entry)' names no node; there are \(known)")
            }
            world.nodeVersions[index] = parts[1]
        }
        return world
    }
}
