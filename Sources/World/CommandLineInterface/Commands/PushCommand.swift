import HTTPClient
import JSONValue

/// `mocknet push`: the pushes that APNs received.
enum PushCommand {
    static let group = CommandGroup("push", "lists, shows and follows pushes", actions: [list, show, apns])

    /// Options and the query parameters they stand for.
    private static let filters = [
        ("--apns-id", "apnsId", "ID", "whose answer has this apns-id"),
        ("--token", "token", "TOKEN", "to this device token"),
        ("--recipient", "recipient", "ADDRESS", "for this recipient"),
        ("--transaction-id", "transactionId", "ID", "about this transaction"),
        ("--topic", "topic", "TOPIC", "with this topic"),
        ("--status", "status", "CODE", "answered with this status"),
        ("--reason", "reason", "REASON", "refused for this reason"),
        ("--delivery", "delivery", "STATE", "of which this became: delivered, stored, discarded, …"),
        ("--after", "after", "SEQ", "those that came after this number"),
    ]

    private static let list = Command(
        "push list",
        "lists what APNs received",
        options: filters.map { OptionSpec($0.0, $0.2, help: $0.3) } + [
            OptionSpec("--limit", "N", help: "at most so many, from the oldest on", default: "all"),
            OptionSpec("--wait", "TIME", help: "waits so long until as many are there as --at-least says"),
            OptionSpec("--at-least", "N", help: "how many to wait for", default: "1"),
            OptionSpec("--follow", help: "goes on printing what comes, until Ctrl-C"),
        ] + ControlAPI.printingOptions,
        examples: [
            ("mocknet push", "all of them"),
            ("mocknet push --limit 20", "the oldest twenty"),
            ("mocknet push --follow", "all, and then each as it comes"),
            ("mocknet push list --recipient U123 --wait 10s", "waits until one for U123 has come"),
        ],
        run: runList
    )

    private static let show = Command(
        "push show",
        "shows one push with headers, payload, verdict and what became of it",
        operands: [OperandSpec("ID", help: "its id or number")],
        options: ControlAPI.printingOptions,
        examples: [("mocknet push show 42", "the push with the number 42")]
    ) { context throws(CommandFailure) in
        let api = try ControlAPI(context)
        let id = try id(of: context.arguments.operand(0) ?? "", api)
        let answer = try api.get("/v1/pushes/\(PercentEncoding.encode(id))")
        return try FrontEnd.show(answer, context) { answer.prettyText }
    }

    private static let apns = Command(
        "push apns",
        "prints one push as an .apns file for the iOS Simulator",
        operands: [OperandSpec("ID", help: "its id or number")],
        options: ControlAPI.options,
        examples: [
            ("mocknet push apns 42 > 42.apns", "for xcrun simctl push booted 42.apns")
        ]
    ) { context throws(CommandFailure) in
        let api = try ControlAPI(context)
        let id = try id(of: context.arguments.operand(0) ?? "", api)
        context.print(try api.get("/v1/pushes/\(PercentEncoding.encode(id))/apns").prettyText)
        return ExitCode.success
    }

    /// The id of a push that is named by it or by its number.
    private static func id(of name: String, _ api: ControlAPI) throws(CommandFailure) -> String {
        guard let number = Int64(name), number > 0 else { return name }
        let query = [("after", String(number - 1)), ("limit", "1")]
        let found = try api.get("/v1/pushes", query)["pushes"]?.arrayValue?.first
        guard let found, found["seq"]?.intValue == number, let id = found["id"]?.stringValue else {
            throw CommandFailure(
                message: "there is no push with the number \(number)",
                exitCode: ExitCode.failed
            )
        }
        return id
    }

    private static func runList(_ context: CommandContext) throws(CommandFailure) -> Int32 {
        let api = try ControlAPI(context)
        var query: [(String, String)] = []
        for (option, name, _, _) in filters {
            if let value = context.arguments[option] { query.append((name, value)) }
        }
        let limit = try number("--limit", in: 1...1_000_000_000, context) ?? .max
        guard !context.arguments.has("--follow") else { return try follow(api, query, limit, context) }
        var needed = 0
        if let text = context.arguments["--wait"] {
            let milliseconds = try FrontEnd.milliseconds(text, of: "--wait")
            query.append(("wait", String((milliseconds + 999) / 1000)))
            needed = try number("--at-least", in: 0...10_000, context) ?? 1
            query.append(("atLeast", String(needed)))
        }
        let answer = try api.list("/v1/pushes", "pushes", query, limit: max(limit, needed))
        let pushes = answer["pushes"]?.arrayValue ?? []
        _ = try FrontEnd.show(pushes.count > limit ? cut(answer, to: limit) : answer, context) {
            TextTable.text(heading, pushes.prefix(limit).map(row))
        }
        return pushes.count >= needed ? ExitCode.success : ExitCode.failed
    }

    private static func number(_ option: String, in range: ClosedRange<Int64>, _ context: CommandContext)
        throws(CommandFailure) -> Int?
    {
        guard let text = context.arguments[option] else { return nil }
        return Int(exactly: try FrontEnd.integer(text, of: option, in: range))
    }

    /// The answer as it is of the first so many pushes.
    private static func cut(_ answer: JSONValue, to limit: Int) -> JSONValue {
        let pushes = (answer["pushes"]?.arrayValue ?? []).prefix(limit)
        var members = answer.objectValue ?? JSONObject()
        members["pushes"] = .array(Array(pushes))
        members["next"] = pushes.last?["seq"] ?? .null
        return .object(members)
    }

    /// Asks again and again for what came after the last one, until so many have come.
    private static func follow(
        _ api: ControlAPI,
        _ query: [(String, String)],
        _ limit: Int,
        _ context: CommandContext
    ) throws(CommandFailure) -> Int32 {
        var left = limit
        var after = query.first { $0.0 == "after" }?.1 ?? "0"
        let filters = query.filter { $0.0 != "after" }
        while left > 0 {
            let answer = try api.get(
                "/v1/pushes",
                filters + [("after", after), ("wait", "25"), ("atLeast", "1")]
            )
            for push in (answer["pushes"]?.arrayValue ?? []).prefix(left) {
                context.print(
                    context.arguments.has("--json") ? push.text : row(push).joined(separator: "  ")
                )
                left -= 1
            }
            after = answer["next"]?.text ?? after
        }
        return ExitCode.success
    }

    private static let heading = ["SEQ", "RECEIVED", "STATUS", "REASON", "TOKEN", "TRANSACTION", "DELIVERY"]

    private static func row(_ push: JSONValue) -> [String] {
        [
            TextTable.cell(push, "seq"), TextTable.cell(push, "receivedAt"), TextTable.cell(push, "status"),
            TextTable.cell(push, "reason"), TextTable.short(TextTable.cell(push, "token")),
            TextTable.cell(push, "transactionId"), TextTable.cell(push["delivery"] ?? .null, "state"),
        ]
    }
}
