import JSONValue

/// `mocknet fixture`: large data from a seed.
enum FixtureCommand {
    static let group = CommandGroup(
        "fixture",
        "loads large data made from a seed, and puts load on the ledger",
        actions: [registry, LoadCommand.command]
    )

    private static let registry = Command(
        "fixture registry",
        "registers thousands of device tokens with the notification service, part of them dead",
        options: [
            OptionSpec("--seed", "N", help: "seed of the registry", default: "the world's"),
            OptionSpec("--rows", "N", help: "registrations", default: "2600"),
            OptionSpec("--addresses", "N", help: "addresses that have some", default: "1700"),
            OptionSpec("--largest", "N", help: "how many one address has", default: "251"),
            OptionSpec(
                "--dead-share",
                "SHARE",
                help: "which part of the tokens APNs answers 410, or BadDeviceToken, for",
                default: "0.25"
            ),
            OptionSpec(
                "--via",
                "WAY",
                help: "direct puts them into blocks, nodes posts them to the nodes as clients do",
                default: "direct"
            ),
        ] + ControlAPI.printingOptions,
        examples: [
            ("mocknet fixture registry", "as large as a real service's registry"),
            ("mocknet fixture registry --rows 100 --addresses 60 --dead-share 1", "a small one, all dead"),
            ("mocknet fixture registry --via nodes", "each registration posted to a node over HTTP"),
        ]
    ) { context throws(CommandFailure) in
        var body = JSONObject()
        for name in ["seed", "rows", "addresses", "largest"] {
            guard let text = context.arguments["--" + name] else { continue }
            body[name] = .int(try FrontEnd.integer(text, of: "--" + name, in: 0...Int64.max))
        }
        if let text = context.arguments["--dead-share"] {
            do throws(ValueError) {
                _ = try Value.fraction(text)
            } catch {
                throw .usage("--dead-share: \(error.message)")
            }
            body["deadShare"] = Double(text).flatMap { JSONNumber($0) }.map(JSONValue.number) ?? .null
        }
        if let way = context.arguments["--via"] { body["via"] = .string(way) }
        let answer = try ControlAPI(context).post(
            "/v1/fixtures/registry",
            .object(body),
            waitingSeconds: longestSeconds
        )
        return try FrontEnd.show(answer, context) { text(answer) }
    }

    /// How long a registry may take that is posted to nodes.
    private static let longestSeconds = 3600

    private static func text(_ answer: JSONValue) -> String {
        let cell = { TextTable.cell(answer, $0) }
        return """
            \(cell("rows")) registrations of \(cell("addresses")) addresses at heights \(cell("fromHeight")) to \
            \(cell("toHeight")), \(cell("dead")) tokens dead, in \(cell("milliseconds")) ms
            \(cell("largestAddress")) has \(cell("largest"))
            seed \(cell("seed")), digest \(cell("digest"))
            """
    }
}
