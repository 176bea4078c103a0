import JSONValue
import ScenarioModel

/// `mocknet chain`: height, forging and moves of the chain.
enum ChainCommand {
    static let group = CommandGroup(
        "chain",
        "tells the height, forges, sets when blocks come, takes snapshots, plays forks",
        actions: [status, forge, mode] + ChainMoves.actions
    )

    private static let status = Command(
        "chain status",
        "tells height and forging mode",
        options: ControlAPI.printingOptions,
        examples: [("mocknet chain status", "the height and when blocks come")]
    ) { context throws(CommandFailure) in
        let answer = try ControlAPI(context).get("/v1/chain")
        return try FrontEnd.show(answer, context) { text(answer) }
    }

    private static let forge = Command(
        "chain forge",
        "forges blocks now, with everything accepted so far",
        operands: [OperandSpec("BLOCKS", help: "how many, 1 by default", isOptional: true)],
        options: ControlAPI.printingOptions,
        members: ["blocks": "BLOCKS"],
        examples: [("mocknet chain forge", "one block"), ("mocknet chain forge 10", "ten blocks")]
    ) { context throws(CommandFailure) in
        var body = JSONObject()
        if let count = context.arguments.operand(0) {
            body["blocks"] = .int(try FrontEnd.integer(count, of: "BLOCKS", in: 1...1_000_000))
        }
        let answer = try ControlAPI(context).post("/v1/chain/forge", .object(body))
        return try FrontEnd.show(answer, context) { text(answer) }
    }

    private static let mode = Command(
        "chain mode",
        "sets when blocks are forged",
        operands: [OperandSpec("MODE", help: "interval, instant or manual")],
        options: [OptionSpec("--interval", "TIME", help: "time between blocks")] + ControlAPI.printingOptions,
        members: ["forging": "MODE", "intervalMilliseconds": "--interval"],
        examples: [
            ("mocknet chain mode manual", "only mocknet chain forge makes blocks"),
            ("mocknet chain mode interval --interval 500ms", "two blocks a second"),
        ]
    ) { context throws(CommandFailure) in
        var body = JSONObject([("forging", .string(context.arguments.operand(0) ?? ""))])
        if let interval = context.arguments["--interval"] {
            body["intervalMilliseconds"] = .int(try FrontEnd.milliseconds(interval, of: "--interval"))
        }
        let answer = try ControlAPI(context).patch("/v1/chain", .object(body))
        return try FrontEnd.show(answer, context) { text(answer) }
    }

    private static func text(_ chain: JSONValue) -> String {
        let interval = chain["intervalMilliseconds"]?.intValue.map { Quantity.duration(Int($0)) } ?? "-"
        let mode = TextTable.cell(chain, "forging")
        return "height \(TextTable.cell(chain, "height")), forging \(mode)"
            + (mode == "interval" ? " every \(interval)" : "")
    }
}
