import FaultRules
import Files
import HTTPClient
import JSONValue

/// `mocknet fault`: the fault rules of a world.
enum FaultCommand {
    static let group = CommandGroup(
        "fault",
        "lists, adds and removes fault rules; lists presets and what was decided",
        actions: [list, presets, add, remove, decisions]
    )

    private static let list = Command(
        "fault list",
        "lists the rules with how often each matched and fired",
        options: ControlAPI.printingOptions,
        examples: [("mocknet fault list", "all rules in the order they are tried")]
    ) { context throws(CommandFailure) in
        let answer = try ControlAPI(context).get("/v1/faults")
        return try FrontEnd.show(answer, context) { table(answer["faults"]?.arrayValue ?? []) }
    }

    private static let presets = Command(
        "fault presets",
        "lists the reported bugs that one line reproduces, without a world",
        options: [OptionSpec("--json", help: "prints what GET /v1/faults/presets answers")],
        examples: [
            ("mocknet fault presets", "all presets: name, what is seen, where it was reported"),
            ("mocknet fault presets --json", "with their rules"),
        ]
    ) { context throws(CommandFailure) in
        let presets: JSONValue = ["presets": .array(FaultPreset.all.map(\.json))]
        return try FrontEnd.show(presets, context) {
            TextTable.text(
                ["PRESET", "WHAT IS SEEN", "REPORTED"],
                FaultPreset.all.map { [$0.name, $0.symptom, $0.reports.joined(separator: ", ")] }
            )
        }
    }

    private static let add = Command(
        "fault add",
        "adds a rule behind the others, or those of a preset",
        options: FaultFlags.options + ControlAPI.printingOptions,
        examples: [
            (
                "mocknet fault add --path /api/chats/process --chat-type 3 --limit 1 --effect reset-before",
                "loses one registration before it reaches the node"
            ),
            ("mocknet fault add --method POST --effect timeout-after --seconds 5", "applied, never answered"),
            (
                "mocknet fault add --effect delay --median 200ms --sigma 0.5",
                "slow calls, as networks are slow"
            ),
            (
                "mocknet fault add --effect socket-withhold --recipient U123 --limit 1",
                "a message that its recipient does not hear of"
            ),
            ("mocknet fault add --effect socket-drop --seconds 10", "sockets break after 10 s"),
            (
                "mocknet fault add --target apns --effect reject --status 410 --reason Unregistered",
                "Apple knows no token any more"
            ),
            (
                "mocknet fault add --preset goaway-mid-flight",
                "a reported bug: GOAWAY while requests are queued"
            ),
            (
                "mocknet fault add --target apns --effect goaway --request 100 --reason Shutdown --linger 5s",
                "each connection goes away at its 100th push, and stays for 5 s"
            ),
            (
                "mocknet fault add --rule '{\"effect\": {\"kind\": \"hold\"}}'",
                "the rule as the control API takes it"
            ),
        ]
    ) { context throws(CommandFailure) in
        let rule = try FaultFlags.rule(context.arguments)
        let answer = try ControlAPI(context).post("/v1/faults", rule)
        return try FrontEnd.show(answer, context) { table(answer["faults"]?.arrayValue ?? [answer]) }
    }

    private static let remove = Command(
        "fault remove",
        "removes a rule, or all",
        operands: [OperandSpec("ID", help: "the rule, such as f1", isOptional: true)],
        options: [OptionSpec("--all", help: "removes all rules")] + ControlAPI.options,
        examples: [
            ("mocknet fault remove f1", "the rule f1"), ("mocknet fault remove --all", "every rule"),
        ]
    ) { context throws(CommandFailure) in
        let api = try ControlAPI(context)
        switch (context.arguments.operand(0), context.arguments.has("--all")) {
        case (let id?, false): try api.delete("/v1/faults/\(PercentEncoding.encode(id))")
        case (nil, true): try api.delete("/v1/faults")
        default: throw .usage("give the ID of a rule, or --all")
        }
        return ExitCode.success
    }

    private static let decisions = Command(
        "fault decisions",
        "lists the faults that struck, or writes them into a file for --replay",
        operands: [OperandSpec("FILE", help: "what is written", isOptional: true)],
        options: ControlAPI.printingOptions,
        examples: [
            ("mocknet fault decisions", "which rule struck at which of its matches"),
            ("mocknet fault decisions faults.json", "for mocknet up --replay faults.json"),
        ]
    ) { context throws(CommandFailure) in
        let document = try ControlAPI(context).list("/v1/faults/decisions", "decisions")
        guard let file = context.arguments.operand(0) else {
            return try FrontEnd.show(document, context) { decisionTable(document) }
        }
        do throws(FileError) {
            try Files.write(Array((document.text + "\n").utf8), to: file)
        } catch {
            throw CommandFailure(message: "\(error)", exitCode: ExitCode.world)
        }
        return ExitCode.success
    }

    private static func decisionTable(_ document: JSONValue) -> String {
        TextTable.text(
            ["EVENT", "AT", "ID", "MATCH", "EFFECT", "DELAY", "NODE", "TRANSACTION", "ATTEMPT", "ROUTE"],
            (document["decisions"]?.arrayValue ?? []).map { decision in
                [
                    "seq", "at", "faultId", "match", "kind", "delayMilliseconds", "node", "transactionId",
                    "attempt", "route",
                ].map { TextTable.cell(decision, $0) }
            }
        )
    }

    private static func table(_ rules: [JSONValue]) -> String {
        TextTable.text(
            ["ID", "MATCHED", "FIRED", "SPENT", "TARGET", "MATCH", "EFFECT", "NAME"],
            rules.map { rule in
                [
                    TextTable.cell(rule, "id"), TextTable.cell(rule, "matched"),
                    TextTable.cell(rule, "fired"),
                    TextTable.cell(rule, "spent"), rule["target"]?.stringValue ?? "node",
                    pairs(rule["match"]), pairs(rule["effect"]), TextTable.cell(rule, "name"),
                ]
            }
        )
    }

    private static func pairs(_ value: JSONValue?) -> String {
        let members = value?.objectValue?.members ?? []
        guard !members.isEmpty else { return "any" }
        return members.map { member in
            let text = member.value.stringValue ?? member.value.text
            return member.key == "kind" ? text : "\(member.key)=\(text)"
        }
        .joined(separator: " ")
    }
}
