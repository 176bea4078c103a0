public import JSONValue

/// Events of a world's journal as lines that a person can follow.
public struct Timeline: Sendable {
    private let start: Int64
    private let names: [String: String]

    /// A timeline that counts from a moment.
    ///
    /// - Parameters:
    ///   - start: milliseconds by the journal's own times (see ``milliseconds(of:)``).
    ///   - names: what addresses, tokens and devices are called.
    public init(start: Int64, names: [String: String]) {
        self.start = start
        self.names = names
    }

    /// The line of an event; nil for those that tell nothing, such as an empty block.
    public func line(_ event: JSONValue) -> String? {
        guard let kind = event["kind"]?.stringValue, let data = event["data"],
            let (lane, text) = sentence(kind, event, data)
        else { return nil }
        let elapsed = max(0, Self.milliseconds(of: event) - start)
        let seconds = "\(elapsed / 1000).\(padded(elapsed % 1000))"
        return "+\(seconds)s  " + lane + String(repeating: " ", count: max(1, 16 - lane.count)) + text
    }

    /// Milliseconds of an event's time within its day; enough to tell how far two events are apart.
    public static func milliseconds(of event: JSONValue) -> Int64 {
        let digits = (event["at"]?.stringValue ?? "").utf8.drop { $0 != UInt8(ascii: "T") }
            .filter { (48...57).contains($0) }.prefix(9).map { Int64($0) - 48 }
        guard digits.count == 9 else { return 0 }
        let hours = digits[0] * 10 + digits[1]
        let minutes = digits[2] * 10 + digits[3]
        let seconds = digits[4] * 10 + digits[5]
        return ((hours * 60 + minutes) * 60 + seconds) * 1000 + digits[6] * 100 + digits[7] * 10 + digits[8]
    }

    private func sentence(_ kind: String, _ event: JSONValue, _ data: JSONValue) -> (String, String)? {
        let node = event["node"]?.stringValue ?? "node"
        let transaction = event["transactionId"]?.stringValue ?? ""
        let what = data["kind"]?.stringValue ?? "transaction"
        switch kind {
        case "transaction.accepted":
            let way = "from \(name(data["sender"])) to \(name(data["recipient"]))"
            return (node, "takes a \(what) \(way): \(transaction)")
        case "transaction.refused":
            return (
                node, "refuses a \(what) from \(name(data["sender"])): \(data["error"]?.stringValue ?? "")"
            )
        case "transaction.held": return (node, "holds \(transaction) back")
        case "transaction.released": return (node, "lets \(transaction) go")
        case "transaction.dropped":
            return (node, "drops \(transaction): \(data["reason"]?.stringValue ?? "")")
        case "block.forged": return blockSentence(data)
        case "fault.fired":
            return (
                node == "node" ? "apns" : node,
                "FAULT \(data["name"]?.stringValue ?? event["faultId"]?.stringValue ?? ""):"
                    + " \(data["effect"]?.stringValue ?? "")"
            )
        case "push.received":
            let answer = data["status"]?.intValue.map(String.init) ?? "nothing"
            let reason = data["reason"]?.stringValue.map { " " + $0 } ?? ""
            return ("apns", "answers \(answer)\(reason) to a push for \(name(data["token"]))")
        case "clock.changed": return ("clock", data["text"]?.stringValue ?? "")
        default: return partySentence(kind, event, data)
        }
    }

    private func partySentence(_ kind: String, _ event: JSONValue, _ data: JSONValue) -> (String, String)? {
        if kind.hasPrefix("device.") {
            return DeviceSentence(kind: kind, event: event, data: data).text.map {
                (name(data["device"]), $0)
            }
        }
        if kind.hasPrefix("ans.") { return data["text"]?.stringValue.map { ("ans", $0) } }
        return nil
    }

    private func blockSentence(_ data: JSONValue) -> (String, String)? {
        guard let count = data["transactions"]?.intValue, count > 0, let height = data["height"]?.intValue
        else { return nil }
        return ("ledger", "block \(height) with \(count) transaction\(count == 1 ? "" : "s")")
    }

    private func name(_ value: JSONValue?) -> String {
        guard let text = value?.stringValue else { return "nobody" }
        return names[text] ?? (text.utf8.count > 24 ? String(text.prefix(8)) + "…" : text)
    }

    private func padded(_ milliseconds: Int64) -> String {
        let text = String(milliseconds)
        return String(repeating: "0", count: 3 - min(3, text.count)) + text
    }
}
