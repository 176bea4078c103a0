import HTTPClient
import JSONValue

/// `mocknet account`: the accounts of a world.
enum AccountCommand {
    static let group = CommandGroup(
        "account",
        "lists, makes and funds accounts",
        actions: [list, new, fund]
    )

    private static let list = Command(
        "account list",
        "lists the accounts whose passphrases the world knows",
        options: ControlAPI.printingOptions,
        examples: [("mocknet account list", "names, addresses, balances and passphrases")]
    ) { context throws(CommandFailure) in
        let answer = try ControlAPI(context).get("/v1/accounts")
        return try FrontEnd.show(answer, context) { show(answer["accounts"]?.arrayValue ?? []) }
    }

    private static let new = Command(
        "account new",
        "makes an account",
        operands: [OperandSpec("NAME", help: "how the world calls it", isOptional: true)],
        options: [
            OptionSpec("--passphrase", "WORDS", help: "its passphrase", default: "a made one"),
            OptionSpec("--balance", "ADM", help: "what it starts with", default: "0"),
        ] + ControlAPI.printingOptions,
        members: ["name": "NAME"],
        examples: [
            ("mocknet account new mallory --balance 10", "an account with 10 ADM"),
            ("mocknet account new --json", "an empty one, as JSON"),
        ]
    ) { context throws(CommandFailure) in
        var body = JSONObject()
        if let name = context.arguments.operand(0) { body["name"] = .string(name) }
        if let phrase = context.arguments["--passphrase"] { body["passphrase"] = .string(phrase) }
        if let text = context.arguments["--balance"] {
            body["balance"] = .string(try FrontEnd.units(text, of: "--balance"))
        }
        let answer = try ControlAPI(context).post("/v1/accounts", .object(body))
        return try FrontEnd.show(answer, context) { show([answer]) }
    }

    private static let fund = Command(
        "account fund",
        "adds to an account's balance",
        operands: [
            OperandSpec("ACCOUNT", help: "its name or address"), OperandSpec("ADM", help: "how much, in ADM"),
        ],
        options: ControlAPI.printingOptions,
        members: ["amount": "ADM"],
        examples: [("mocknet account fund zero 5", "gives the account without balance 5 ADM")]
    ) { context throws(CommandFailure) in
        let api = try ControlAPI(context)
        let amount = try FrontEnd.units(context.arguments.operand(1) ?? "", of: "ADM")
        let address = try api.address(of: context.arguments.operand(0) ?? "")
        let answer = try api.post(
            "/v1/accounts/\(PercentEncoding.encode(address))/fund",
            ["amount": .string(amount)]
        )
        return try FrontEnd.show(answer, context) { show([answer]) }
    }

    private static func show(_ accounts: [JSONValue]) -> String {
        TextTable.text(
            ["NAME", "ADDRESS", "BALANCE", "PASSPHRASE"],
            accounts.map { account in
                [
                    TextTable.cell(account, "name"), TextTable.cell(account, "address"),
                    TextTable.adm(account, "balance"), TextTable.cell(account, "passphrase"),
                ]
            }
        )
    }
}
