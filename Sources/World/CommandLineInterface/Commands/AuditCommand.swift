import AuditRules
import JSONValue
import ScenarioModel

/// `mocknet audit`: what broke a rule, and what each party could have learned.
enum AuditCommand {
    static let command = Command(
        "audit",
        "tells what broke a rule of private pushes; exit 1 when something did",
        options: [
            OptionSpec("--fail-on", "RULE,…", help: "exits with 1 only for these rules", repeats: true),
            OptionSpec("--parties", help: "tells what each party could have learned instead"),
        ] + ControlAPI.printingOptions,
        examples: [
            ("mocknet audit", "all findings, with what they mean for real users"),
            ("mocknet audit --fail-on no-content,right-owner", "a check for CI that looks at two rules"),
            ("mocknet audit --parties", "what Apple, a node's operator, the service and the network learned"),
        ],
        run: run
    )

    private static func run(_ context: CommandContext) throws(CommandFailure) -> Int32 {
        let api = try ControlAPI(context)
        if context.arguments.has("--parties") {
            let report = try api.get("/v1/audit/parties")
            return try FrontEnd.show(report, context) { text(parties: report) }
        }
        let rules = try rules(context.arguments.options["--fail-on"] ?? [])
        let answer = try api.list("/v1/audit", "findings")
        _ = try FrontEnd.show(answer, context) { text(findings: answer) }
        let isBroken = AuditRule.allCases.contains { rule in
            (rules.isEmpty || rules.contains(rule)) && (answer["counts"]?[rule.rawValue]?.intValue ?? 0) > 0
        }
        return isBroken ? ExitCode.failed : ExitCode.success
    }

    private static func rules(_ texts: [String]) throws(CommandFailure) -> [AuditRule] {
        var rules: [AuditRule] = []
        for name in texts.flatMap({ $0.split(separator: ",") }) {
            guard let rule = AuditRule(rawValue: String(name)) else {
                let known = AuditRule.allCases.map(\.rawValue)
                let hint = Suggestion.text(for: String(name), among: known)
                throw .usage(
                    "--fail-on: unknown rule '\(name)'\(hint); known are \(known.joined(separator: ", "))"
                )
            }
            rules.append(rule)
        }
        return rules
    }

    private static func text(findings answer: JSONValue) -> String {
        let findings = answer["findings"]?.arrayValue ?? []
        guard !findings.isEmpty else { return "nothing broke a rule" }
        var lines = findings.flatMap { finding in
            let subject = [
                finding["address"]?.stringValue,
                finding["token"]?.stringValue.map { "token \(TextTable.short($0))" },
                finding["transactionId"]?.stringValue.map { "transaction \($0)" },
                finding["pushId"]?.stringValue.map { "push \($0)" },
            ].compactMap(\.self).joined(separator: ", ")
            let length = finding["certainty"]?.stringValue == "length" ? " (by its length)" : ""
            return [
                "\(TextTable.cell(finding, "at"))  \(TextTable.cell(finding, "rule"))\(length)  \(subject)",
                "    \(TextTable.cell(finding, "evidence"))",
                "    so \(TextTable.cell(finding, "consequence"))",
            ]
        }
        let counts = (answer["counts"]?.objectValue?.members ?? []).filter { $0.value.intValue ?? 0 > 0 }
        lines.append("")
        lines.append(counts.map { "\($0.key): \($0.value.text)" }.joined(separator: ", "))
        return lines.joined(separator: "\n")
    }

    private static func text(parties report: JSONValue) -> String {
        (report["parties"]?.arrayValue ?? []).map { party in
            var lines = [TextTable.cell(party, "party")]
            for lesson in party["learned"]?.arrayValue ?? [] {
                lines.append("  \(TextTable.cell(lesson, "what")): \(TextTable.cell(lesson, "count"))")
                lines.append("      \(TextTable.cell(lesson, "how"))")
            }
            for promise in party["promises"]?.arrayValue ?? [] {
                let isKept = promise["kept"]?.boolValue == true
                lines.append("  \(isKept ? "kept" : "BROKEN"): it \(TextTable.cell(promise, "promise"))")
            }
            return lines.joined(separator: "\n")
        }.joined(separator: "\n\n")
    }
}
