import Files
import JSONValue
import ScenarioModel

/// `mocknet report`: what is done with the reports of `mocknet run`.
enum ReportCommand {
    static let group = CommandGroup(
        "report",
        "joins the reports of scenarios that were played on several machines",
        actions: [
            Command(
                "report merge",
                "joins reports in JSON into one, in the order of files and seeds",
                operands: [
                    OperandSpec("FILE", help: "a report that mocknet run --json wrote", repeats: true)
                ],
                options: [
                    OptionSpec("--junit", "FILE", help: "writes the whole in JUnit XML"),
                    OptionSpec("--json", "FILE", help: "writes the whole in JSON; - for standard output"),
                ],
                examples: [
                    (
                        "mocknet report merge part*.json --junit results.xml",
                        "one report of all shards; exit status 1 if a story failed in any"
                    )
                ],
                run: merge
            )
        ]
    )

    private static func merge(_ context: CommandContext) throws(CommandFailure) -> Int32 {
        var reports: [ScenarioReport] = []
        for file in context.arguments.operands {
            guard let bytes = try WorldProcess.readFile(file) else {
                throw .usage("there is no file \(file)")
            }
            guard let json = try? JSONValue(parsing: bytes), let report = ScenarioReport(json: json) else {
                throw .usage("\(file): is no report of mocknet run --json")
            }
            reports.append(report)
        }
        let whole = ScenarioReport(merging: reports)
        let json = context.arguments["--json"]
        try ReportFile.write(whole.junit, to: context.arguments["--junit"], option: "--junit")
        if json == "-" {
            context.print(whole.json.prettyText)
        } else {
            try ReportFile.write(whole.json.prettyText + "\n", to: json, option: "--json")
            context.print(
                "\(whole.count(.passed)) passed, \(whole.count(.failed)) failed, "
                    + "\(whole.count(.error)) without a world"
            )
        }
        return RunCommand.exitCode(of: whole)
    }
}
