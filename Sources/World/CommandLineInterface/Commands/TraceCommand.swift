import HTTPClient
import JSONValue

/// `mocknet trace`: the way of one transaction.
enum TraceCommand {
    static let command = Command(
        "trace",
        "follows one transaction from its sender to the screen, and tells where it was lost",
        operands: [OperandSpec("ID", help: "the transaction's id")],
        options: ControlAPI.printingOptions,
        examples: [
            ("mocknet trace 7175005690801347553", "every station, and why it went no further"),
            ("mocknet trace 7175005690801347553 --json", "the same as JSON"),
        ]
    ) { context throws(CommandFailure) in
        let id = context.arguments.operand(0) ?? ""
        let trace = try ControlAPI(context).get("/v1/traces/\(PercentEncoding.encode(id))")
        return try FrontEnd.show(trace, context) { text(trace) }
    }

    /// The stations as a table, and how it ended.
    static func text(_ trace: JSONValue) -> String {
        let cell = TextTable.cell
        var lines = [
            "\(cell(trace, "kind")) \(cell(trace, "transactionId")) to \(cell(trace, "recipient"))", "",
        ]
        let stations = trace["stations"]?.arrayValue ?? []
        lines.append(
            TextTable.text(
                ["STATION", "AT", "WHERE", "NOTE"],
                stations.map { stop in
                    [cell(stop, "station"), cell(stop, "at"), place(stop), note(stop)]
                },
                indentation: "  "
            )
        )
        lines.append("")
        lines.append(conclusion(trace, of: nil))
        let deliveries = trace["deliveries"]?.arrayValue ?? []
        if deliveries.count > 1 {
            lines += deliveries.map { delivery in
                "  " + conclusion(delivery, of: TextTable.short(cell(delivery, "token")))
            }
        }
        for gap in trace["gaps"]?.arrayValue ?? [] { lines.append("gap: \(gap.stringValue ?? "")") }
        return lines.joined(separator: "\n")
    }

    private static func conclusion(_ way: JSONValue, of token: String?) -> String {
        let subject = token.map { "token \($0): " } ?? ""
        let outcome = way["outcome"]?.stringValue ?? ""
        guard let cause = way["cause"]?.stringValue else { return subject + outcome }
        let station = way["lostAt"]?.stringValue.map { ", not \($0)" } ?? ""
        return "\(subject)\(outcome)\(station) (\(way["causeCode"]?.stringValue ?? "")): \(cause)"
    }

    private static func place(_ stop: JSONValue) -> String {
        let parts = [
            stop["node"]?.stringValue, stop["height"]?.intValue.map { "height \($0)" },
            stop["device"]?.stringValue,
            stop["token"]?.stringValue.map { "token \(TextTable.short($0))" },
        ].compactMap(\.self)
        return parts.isEmpty ? "-" : parts.joined(separator: ", ")
    }

    private static func note(_ stop: JSONValue) -> String {
        let fault = stop["faultId"]?.stringValue.map { "[\($0)] " } ?? ""
        return fault + (stop["note"]?.stringValue ?? "")
    }
}
