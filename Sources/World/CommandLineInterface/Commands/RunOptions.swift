import FaultRules

/// What `mocknet run` is told beside its files.
struct RunOptions: Sendable {
    static let options = [
        OptionSpec("--seed", "N", help: "seed of each story", default: "the story's seeds, or 1"),
        OptionSpec("--repeat", "N", help: "plays each story with N seeds, one after the other", default: "1"),
        OptionSpec("--jobs", "N", help: "how many worlds at once", default: "1"),
        OptionSpec("--shard", "I/N", help: "plays each N-th story and seed alone, from the I-th on"),
        OptionSpec("--junit", "FILE", help: "writes a report in JUnit XML"),
        OptionSpec("--json", "FILE", help: "writes a report in JSON; - for standard output"),
        OptionSpec(
            "--artifacts",
            "DIR",
            help: "keeps journal, world, timeline and result of each story that failed"
        ),
        OptionSpec("--verbose", help: "prints each step and what happens as it happens"),
        OptionSpec("--against", "URL", help: "plays in a world that runs, by its control API"),
        OptionSpec("--control-token", "TOKEN", help: "its bearer token; also MOCKNET_CONTROL_TOKEN"),
        OptionSpec(
            "--external",
            "NAME",
            help: "takes a party of the story for a real build that somebody else drives",
            repeats: true
        ),
        OptionSpec(
            "--patience",
            "N",
            help: "waits N times longer than stated for what is expected",
            default: "1"
        ),
        OptionSpec("--schema", help: "prints the JSON Schema of scenarios, for editors, and plays nothing"),
        OptionSpec(
            "--replay",
            "FILE",
            help: "repeats the decisions of fault rules that mocknet fault decisions wrote"
        ),
        OptionSpec("--state-dir", "DIR", help: "folder of the certificate authority", default: "the user's"),
    ]

    private static let maximumRepeat: Int64 = 1_000_000

    let seed: UInt64?
    let repetitions: Int
    let jobs: Int
    let shard: (number: Int, count: Int)
    let junit: String?
    let json: String?
    let artifacts: String?
    let isVerbose: Bool
    let against: String?
    let token: String?
    let external: [String]
    let patience: Int
    let stateDirectory: String?
    let replay: (file: String, decisions: FaultReplay)?

    init(_ context: CommandContext) throws(CommandFailure) {
        let arguments = context.arguments
        seed = try arguments["--seed"].map { text throws(CommandFailure) in
            guard let seed = UInt64(text) else {
                throw .usage("--seed: must be an integer from 0 to \(UInt64.max), not '\(text)'")
            }
            return seed
        }
        repetitions = try Self.count(arguments, "--repeat", upTo: Self.maximumRepeat)
        jobs = try Self.count(arguments, "--jobs", upTo: 64)
        patience = try Self.count(arguments, "--patience", upTo: 1000)
        shard = try Self.shard(arguments["--shard"])
        junit = arguments["--junit"]
        json = arguments["--json"]
        artifacts = arguments["--artifacts"]
        isVerbose = arguments.has("--verbose")
        external = arguments.options["--external"] ?? []
        let variable = context.environment("MOCKNET_CONTROL_TOKEN").flatMap { $0.isEmpty ? nil : $0 }
        token = arguments["--control-token"] ?? variable
        let folder = context.environment("MOCKNET_STATE_DIR").flatMap { $0.isEmpty ? nil : $0 }
        stateDirectory = arguments["--state-dir"] ?? folder
        replay = try arguments["--replay"].map { file throws(CommandFailure) in
            do throws(ValueError) {
                return (file, try WorldSettingsTable.replay(file))
            } catch {
                throw .usage("--replay: \(error.message)")
            }
        }
        var base = arguments["--against"]
        while base?.hasSuffix("/") == true { base?.removeLast() }
        against = base
        if let base, !base.hasPrefix("http://"), !base.hasPrefix("https://") {
            throw .usage("--against: must be a URL such as \(ControlAPI.defaultBase), not '\(base)'")
        }
        guard base == nil || jobs == 1 else {
            throw .usage(
                "--jobs: one world cannot play several stories at once; leave out --against or --jobs"
            )
        }
        guard base == nil || replay == nil else {
            throw .usage("--replay: a world that runs decides as it was started; leave out --against")
        }
        guard base != nil || arguments["--control-token"] == nil else {
            throw .usage("--control-token: goes with --against")
        }
    }

    /// The words that play a story again.
    func command(file: String, seed: UInt64) -> String {
        var words = ["mocknet", "run", "--seed", "\(seed)"]
        if let against { words += ["--against", against] }
        for party in external { words += ["--external", party] }
        if let replay { words += ["--replay", replay.file] }
        if patience > 1 { words += ["--patience", "\(patience)"] }
        return (words + [file]).map(ShellWord.plain).joined(separator: " ")
    }

    private static func count(_ arguments: ParsedArguments, _ name: String, upTo limit: Int64)
        throws(CommandFailure) -> Int
    {
        guard let text = arguments[name] else { return 1 }
        return Int(try FrontEnd.integer(text, of: name, in: 1...limit))
    }

    private static func shard(_ text: String?) throws(CommandFailure) -> (Int, Int) {
        guard let text else { return (1, 1) }
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 2, let number = parts[0], let count = parts[1], count >= 1,
            (1...count).contains(number)
        else { throw .usage("--shard: must be I/N with I from 1 to N, such as 1/4, not '\(text)'") }
        return (number, count)
    }
}
