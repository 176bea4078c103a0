import JSONValue

/// `mocknet send`: a transaction between accounts.
enum SendCommand {
    static let command = Command(
        "send",
        "signs and sends a message, a signal or a transfer",
        operands: [
            OperandSpec("FROM", help: "name or address of an account whose passphrase the world knows"),
            OperandSpec("TO", help: "name or address"),
            OperandSpec("TEXT", help: "what the message says", isOptional: true),
        ],
        options: [
            OptionSpec("--signal", help: "sends the text as a signal message, for the notification service"),
            OptionSpec("--transfer", "ADM", help: "sends so much in place of a message"),
            OptionSpec("--node", "NAME", help: "the node to post to", default: "the first"),
        ] + ControlAPI.printingOptions,
        members: ["from": "FROM", "to": "TO", "message": "TEXT", "amount": "--transfer"],
        examples: [
            ("mocknet send alice bob 'Good morning'", "an encrypted chat message"),
            ("mocknet send alice bob --transfer 1.5", "a transfer of 1.5 ADM"),
            (
                "mocknet send alice ans '{\"token\":\"00ff\",\"provider\":\"apns\",\"action\":\"add\"}' --signal",
                "a registration by hand"
            ),
        ],
        run: run
    )

    private static func run(_ context: CommandContext) throws(CommandFailure) -> Int32 {
        let arguments = context.arguments
        let api = try ControlAPI(context)
        let text = arguments.operand(2)
        var body = JSONObject([
            ("from", .string(arguments.operand(0) ?? "")), ("to", .string(arguments.operand(1) ?? "")),
        ])
        if let amount = arguments["--transfer"] {
            guard !arguments.has("--signal") else {
                throw .usage("--transfer: cannot be combined with --signal")
            }
            guard text == nil else { throw .usage("--transfer: sends no text") }
            body["kind"] = "transfer"
            body["amount"] = .string(try FrontEnd.units(amount, of: "--transfer"))
        } else {
            guard let text else { throw .usage("TEXT is missing; see mocknet send --help") }
            body["kind"] = arguments.has("--signal") ? "signal" : "message"
            body["message"] = .string(text)
        }
        if let node = arguments["--node"] { body["node"] = .string(node) }
        let answer = try api.post("/v1/transactions", .object(body))
        return try FrontEnd.show(answer, context) { TextTable.cell(answer, "transactionId") }
    }
}
