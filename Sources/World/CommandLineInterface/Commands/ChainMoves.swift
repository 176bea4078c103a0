import HTTPClient
import JSONValue

/// The actions of `mocknet chain` that move the chain: snapshots and forks.
enum ChainMoves {
    static let actions = [snapshots, snapshot, revert, forget, reorg, export]

    private static let snapshotOperand = OperandSpec("SNAPSHOT", help: "its id or name")

    private static let snapshots = Command(
        "chain snapshots",
        "lists the snapshots",
        options: ControlAPI.printingOptions,
        examples: [("mocknet chain snapshots", "id, name and height of each")]
    ) { context throws(CommandFailure) in
        let answer = try ControlAPI(context).get("/v1/chain/snapshots")
        return try FrontEnd.show(answer, context) {
            TextTable.text(
                ["ID", "NAME", "HEIGHT", "TAKEN AT"],
                (answer["snapshots"]?.arrayValue ?? []).map { snapshot in
                    ["id", "name", "height", "at"].map { TextTable.cell(snapshot, $0) }
                }
            )
        }
    }

    private static let snapshot = Command(
        "chain snapshot",
        "takes a snapshot of blocks, pools and accounts",
        operands: [OperandSpec("NAME", help: "what to call it", isOptional: true)],
        options: ControlAPI.printingOptions,
        examples: [("mocknet chain snapshot clean", "a snapshot to go back to as 'clean'")]
    ) { context throws(CommandFailure) in
        var body = JSONObject()
        if let name = context.arguments.operand(0) { body["name"] = .string(name) }
        let answer = try ControlAPI(context).post("/v1/chain/snapshots", .object(body))
        return try FrontEnd.show(answer, context) {
            "snapshot \(TextTable.cell(answer, "id")) at height \(TextTable.cell(answer, "height"))"
        }
    }

    private static let revert = Command(
        "chain revert",
        "goes back to a snapshot, or over to its branch",
        operands: [snapshotOperand],
        options: ControlAPI.printingOptions,
        examples: [("mocknet chain revert clean", "the chain as it was when 'clean' was taken")]
    ) { context throws(CommandFailure) in
        let path = "/v1/chain/snapshots/\(operand(context))/revert"
        let answer = try ControlAPI(context).post(path)
        return try FrontEnd.show(answer, context) {
            "height \(TextTable.cell(answer, "height")), from \(TextTable.cell(answer, "from"))"
        }
    }

    private static let forget = Command(
        "chain forget",
        "forgets a snapshot",
        operands: [snapshotOperand],
        options: ControlAPI.options,
        examples: [("mocknet chain forget clean", "'clean' can be taken anew")]
    ) { context throws(CommandFailure) in
        try ControlAPI(context).delete("/v1/chain/snapshots/\(operand(context))")
        return ExitCode.success
    }

    private static let lists = ["keep", "order", "delay", "drop"]

    private static let reorg = Command(
        "chain reorg",
        "rolls blocks back and forges others, as a fork does",
        operands: [OperandSpec("DEPTH", help: "how many blocks are rolled back")],
        options: [
            OptionSpec("--blocks", "N", help: "how many new blocks", default: "one more than DEPTH"),
            OptionSpec("--keep", "ID", help: "returns in the first new block", repeats: true),
            OptionSpec(
                "--order",
                "ID",
                help: "returns in the block after that of the one before it",
                repeats: true
            ),
            OptionSpec("--delay", "ID", help: "waits in the pools for a later block", repeats: true),
            OptionSpec("--drop", "ID", help: "does not return", repeats: true),
        ] + ControlAPI.printingOptions,
        examples: [
            ("mocknet chain reorg 2", "a fork whose transactions return by lot"),
            ("mocknet chain reorg 1 --drop 7175005690801347553", "a fork that loses a transaction"),
        ]
    ) { context throws(CommandFailure) in
        let range: ClosedRange<Int64> = 1...Int64(Int32.max)
        let depth = context.arguments.operand(0) ?? ""
        var body = JSONObject([("depth", .int(try FrontEnd.integer(depth, of: "DEPTH", in: range)))])
        if let blocks = context.arguments["--blocks"] {
            body["blocks"] = .int(try FrontEnd.integer(blocks, of: "--blocks", in: range))
        }
        for list in lists {
            guard let ids = context.arguments.options["--\(list)"] else { continue }
            body[list] = .array(ids.map(JSONValue.string))
        }
        let answer = try ControlAPI(context).post("/v1/chain/reorg", .object(body))
        return try FrontEnd.show(answer, context) { text(answer) }
    }

    private static let export = Command(
        "chain export",
        "writes the whole world into a file, for mocknet up --import",
        operands: [OperandSpec("FILE", help: "the file, with all passphrases in it")],
        options: ControlAPI.options,
        examples: [("mocknet chain export world.mocknet", "chain, snapshots, accounts, pushes and devices")]
    ) { context throws(CommandFailure) in
        try ControlAPI(context).download("/v1/export", to: context.arguments.operand(0) ?? "")
        return ExitCode.success
    }

    private static func operand(_ context: CommandContext) -> String {
        PercentEncoding.encode(context.arguments.operand(0) ?? "")
    }

    private static func text(_ answer: JSONValue) -> String {
        func count(_ member: String) -> Int { answer[member]?.arrayValue?.count ?? 0 }
        return "height \(TextTable.cell(answer, "height")): \(count("reverted")) blocks rolled back, "
            + "\(count("forged")) forged, \(count("waiting")) transactions wait"
    }
}
