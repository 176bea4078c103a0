import AdamantModel
import HTTPClient
import JSONValue
import POSIX
import SystemCryptography
import Threads

/// `mocknet fixture load`: messages between many accounts, posted to the nodes at a rate.
enum LoadCommand {
    static let command = Command(
        "fixture load",
        "posts messages between many accounts to the nodes, at a rate, and stops by itself",
        options: [
            OptionSpec(
                "--accounts",
                "N",
                help: "accounts that write to each other, 2 to 10000",
                default: "10"
            ),
            OptionSpec("--messages", "N", help: "messages, 1 to 1000000", default: "100"),
            OptionSpec("--rate", "R", help: "messages a second, 1 to 10000", default: "10"),
            OptionSpec("--seed", "N", help: "seed of accounts and messages", default: "the world's"),
            OptionSpec("--forge", help: "forges blocks as they fill, whatever the forging mode"),
        ] + ControlAPI.printingOptions,
        examples: [
            ("mocknet fixture load", "a hundred messages between ten accounts, in ten seconds"),
            (
                "mocknet fixture load --accounts 500 --messages 20000 --rate 200 --forge",
                "more than a block each five seconds takes"
            ),
        ],
        run: run
    )

    /// Most messages that are under way at once.
    private static let parallel = 64
    /// How long it is waited at least before more are sent.
    private static let tickMilliseconds: Int64 = 50
    /// Longest load: a day.
    private static let longestSeconds: Int64 = 86_400
    private static let minimumUnits: Int64 = 100_000_000
    /// Twice what a message costs, should the lots fall unevenly.
    private static let unitsPerMessage: Int64 = 200_000

    private static func run(_ context: CommandContext) throws(CommandFailure) -> Int32 {
        let accounts = try number("--accounts", in: 2...10_000, context) ?? 10
        let messages = try number("--messages", in: 1...1_000_000, context) ?? 100
        let rate = try number("--rate", in: 1...10_000, context) ?? 10
        guard messages / rate <= longestSeconds else {
            throw .usage("--rate: so many messages would take more than a day at \(rate) a second")
        }
        let api = try ControlAPI(context)
        let world = WorldAddresses(try api.get("/v1/world"))
        guard !world.nodes.isEmpty else {
            throw CommandFailure(message: "the world at \(api.base) has no nodes", exitCode: ExitCode.world)
        }
        let given = try number("--seed", in: 0...Int64.max, context)
        let seed = given.map(UInt64.init) ?? UInt64(world.document["seed"]?.text ?? "") ?? 0
        try api.post(
            "/v1/fixtures/accounts",
            [
                "count": .int(accounts), "seed": .int(seed),
                "balance": .string(String(minimumUnits + (messages / accounts + 1) * unitsPerMessage)),
            ],
            waitingSeconds: 600
        )
        let load = LedgerLoad(accounts: Int(accounts), seed: seed, nodes: world.nodes.map(\.url))
        return try send(Int(messages), of: load, rate: rate, by: api, context)
    }

    /// Posts what is due, again and again, until all was.
    private static func send(
        _ messages: Int,
        of load: LedgerLoad,
        rate: Int64,
        by api: ControlAPI,
        _ context: CommandContext
    ) throws(CommandFailure) -> Int32 {
        let client = HTTPClient(options: HTTPClient.Options(maximumParallel: parallel))
        let progress = LoadProgress(total: messages, context)
        let began = MachineClock.monotonicMilliseconds()
        var tally = LedgerLoad.Tally()
        while tally.sent < messages {
            let elapsed = MachineClock.monotonicMilliseconds() - began
            let due = min(messages, Int(elapsed * rate / 1000) + 1, tally.sent + parallel)
            guard due > tally.sent else {
                CurrentThread.pause(milliseconds: Int(tickMilliseconds))
                continue
            }
            let clock = try api.get("/v1/clock")["epochSeconds"]?.intValue ?? 0
            let requests = (tally.sent..<due).map { load.request($0, second: Int32(clamping: clock)) }
            let blocks = due / Block.maximumTransactions - tally.sent / Block.maximumTransactions
            for answer in client.sendAll(requests) { tally.note(answer) }
            guard tally.hasReached else {
                throw CommandFailure(
                    message: "no node answers: \(tally.lastFailure)",
                    exitCode: ExitCode.world
                )
            }
            if context.arguments.has("--forge"), blocks > 0 {
                try api.post("/v1/chain/forge", ["blocks": .int(blocks)])
            }
            progress.show(tally, milliseconds: MachineClock.monotonicMilliseconds() - began)
        }
        progress.end()
        let document = tally.json(milliseconds: max(1, MachineClock.monotonicMilliseconds() - began))
        _ = try FrontEnd.show(document, context) { text(document) }
        return tally.accepted > 0 ? ExitCode.success : ExitCode.failed
    }

    private static func text(_ document: JSONValue) -> String {
        let cell = { TextTable.cell(document, $0) }
        let reasons = (document["refusals"]?.arrayValue ?? []).map {
            "\n  \(TextTable.cell($0, "count")) times: \(TextTable.cell($0, "why"))"
        }
        return "\(cell("accepted")) of \(cell("sent")) messages accepted in \(cell("milliseconds")) ms, "
            + "\(cell("perSecond")) a second" + reasons.joined()
    }

    private static func number(_ name: String, in range: ClosedRange<Int64>, _ context: CommandContext)
        throws(CommandFailure) -> Int64?
    {
        guard let text = context.arguments[name] else { return nil }
        return try FrontEnd.integer(text, of: name, in: range)
    }
}
