import Files
import JSONValue
import POSIX
import ScenarioModel
import ScenarioRunner

/// `mocknet run`: plays scenarios.
enum RunCommand {
    static let command = Command(
        "run",
        "plays scenarios, each in a fresh world, and tells which ended as stated",
        operands: [
            OperandSpec(
                "FILE",
                help: "a scenario, or a folder of them (.yml, .yaml, .json; not those that begin with _)",
                isOptional: true,
                repeats: true
            )
        ],
        options: RunOptions.options,
        examples: [
            ("mocknet run race.yml", "one story in a world of its own on free ports"),
            (
                "mocknet run scenarios --jobs 4 --junit results.xml",
                "a folder, four worlds at once, with a report for CI"
            ),
            (
                "mocknet run scenarios --seed 100 --repeat 50 --shard 1/4 --json part1.json",
                "a quarter of each story with the seeds 100 to 149"
            ),
            (
                "mocknet run race.yml --against http://127.0.0.1:36600 --external phone --patience 10",
                "the same story with a real phone in a world that runs already"
            ),
        ],
        run: run
    )

    private static func run(_ context: CommandContext) throws(CommandFailure) -> Int32 {
        guard !context.arguments.has("--schema") else {
            context.print(ScenarioSchema.json.prettyText)
            return ExitCode.success
        }
        guard !context.arguments.operands.isEmpty else {
            throw .usage("FILE is missing; see mocknet run --help")
        }
        let options = try RunOptions(context)
        let entries = try ScenarioFiles.entries(context.arguments.operands, options, context)
        // The folders of all, so that those of several shards can be put together.
        let folders = ArtifactFolders.names(of: entries.map { ($0.run.source.scenario.file, $0.run.seed) })
        let own = ScenarioCampaign.shard(
            Array(zip(entries, folders)),
            number: options.shard.number,
            of: options.shard.count
        )
        let reporter = RunReporter(options, folders: own.map { $0.1 }, context)
        let report = ScenarioCampaign(own.map { $0.0 }).play(jobs: options.jobs, observer: reporter)
        reporter.finish(report)
        try write(report, options, context)
        return exitCode(of: report)
    }

    /// The exit status that a report stands for.
    static func exitCode(of report: ScenarioReport) -> Int32 {
        if report.count(.error) > 0 { return ExitCode.world }
        return report.count(.failed) > 0 ? ExitCode.failed : ExitCode.success
    }

    private static func write(_ report: ScenarioReport, _ options: RunOptions, _ context: CommandContext)
        throws(CommandFailure)
    {
        try ReportFile.write(report.junit, to: options.junit, option: "--junit")
        guard options.json != "-" else { return context.print(report.json.prettyText) }
        try ReportFile.write(report.json.prettyText + "\n", to: options.json, option: "--json")
    }
}

/// Files that reports are written to.
enum ReportFile {
    /// Writes a text whole or not at all; nothing happens without a path.
    static func write(_ text: String, to path: String?, option: String) throws(CommandFailure) {
        guard let path else { return }
        do throws(FileError) {
            try Files.write(Array(text.utf8), to: path)
        } catch {
            throw CommandFailure(message: "\(option): \(error)", exitCode: ExitCode.world)
        }
    }
}
