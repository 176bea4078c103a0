import JSONValue

/// What an event of the journal says: who did what.
struct EventSentence {
    let subject: String
    let text: String

    /// The sentence of an event; nil for events that only matter to programs.
    ///
    /// - Parameters:
    ///   - event: as the control API shows it.
    ///   - name: what an address, a token or a device's id is called.
    init?(_ event: JSONValue, name: (JSONValue?) -> String) {
        guard let kind = event["kind"]?.stringValue, let data = event["data"] else { return nil }
        let facts = Facts(kind: kind, event: event, data: data)
        let found: (String, String?)
        switch kind.prefix(while: { $0 != "." }) {
        case "device": found = (name(data["device"]), facts.ofDevice)
        case "ans": found = ("ans", facts.ofService(name: name))
        case "push", "connection", "stream": found = ("apns", facts.ofPush(name: name))
        case "transaction": found = (facts.node ?? "node", facts.ofTransaction(name: name))
        default: found = facts.ofWorld
        }
        guard let text = found.1 else { return nil }
        subject = found.0
        self.text = text
    }

    /// An event's members by their meaning.
    private struct Facts {
        let kind: String
        let event: JSONValue
        let data: JSONValue

        var node: String? { event["node"]?.stringValue }
        private var transaction: String { event["transactionId"]?.stringValue ?? "a transaction" }

        func text(_ member: String) -> String { data[member]?.stringValue ?? "" }

        private func count(_ member: String) -> Int64 { data[member]?.intValue ?? 0 }

        func ofTransaction(name: (JSONValue?) -> String) -> String? {
            let what = data["kind"]?.stringValue ?? "transaction"
            switch kind {
            case "transaction.accepted":
                let way = "from \(name(data["sender"])) to \(name(data["recipient"]))"
                return "takes a \(what) \(way): \(transaction)"
            case "transaction.refused":
                return "refuses a \(what) from \(name(data["sender"])): \(text("error"))"
            case "transaction.held": return "holds \(transaction) back"
            case "transaction.released": return "lets \(transaction) go"
            case "transaction.dropped": return "drops \(transaction): \(text("reason"))"
            case "transaction.returned": return "has \(transaction) in its queue again"
            default: return nil
            }
        }

        func ofPush(name: (JSONValue?) -> String) -> String? {
            let device = name(data["token"])
            switch kind {
            case "push.received":
                let reason = data["reason"]?.stringValue.map { " " + $0 } ?? ""
                let delivery = text("delivery")
                let fate =
                    ["stored", "discarded", "throttled"].contains(delivery) ? ", which is \(delivery)" : ""
                guard let status = data["status"]?.intValue else {
                    return "gets a push for \(device), and no answer is sent" + fate
                }
                return "answers \(status)\(reason) to a push for \(device)" + fate
            case "stream.refused": return "resets a stream of \(text("client")): \(text("why"))"
            case "connection.refused": return "turns \(text("client")) away: \(text("why"))"
            case "push.delivered": return "hands over the push that waited for \(device)"
            case "push.collapsed": return "has a later push in the place of one that \(device) had shown"
            case "push.expired", "push.replaced", "push.discarded":
                return "throws away the push that waited for \(device): \(text("why"))"
            default: return nil
            }
        }

        var ofWorld: (String, String?) {
            switch kind {
            case "block.forged":
                let number = count("transactions")
                guard number > 0 else { return ("ledger", nil) }
                return (
                    "ledger", "block \(count("height")) with \(number) transaction\(number == 1 ? "" : "s")"
                )
            case "block.reverted": return ("ledger", "rolls back block \(count("height"))")
            case "snapshot.reverted":
                return ("ledger", "goes back to snapshot \(text("id")) at height \(count("height"))")
            case "fault.fired":
                let rule = data["name"]?.stringValue ?? event["faultId"]?.stringValue ?? ""
                return (node ?? "apns", "FAULT \(rule): \(text("effect"))")
            case "clock.changed": return ("clock", text("text"))
            case "world.reset": return ("world", "begins anew")
            default: return ("world", nil)
            }
        }

        func ofService(name: (JSONValue?) -> String) -> String? {
            let list = ["SignalsPoller": "signal", "ChatPoller": "message", "TransferPoller": "transfer"]
            let what = list[text("poller")] ?? "transaction"
            let device = name(data["token"])
            switch kind {
            case "ans.started": return "is started"
            case "ans.stopped": return "is stopped"
            case "ans.polled":
                let number = count("count")
                return "finds \(number) \(what)\(number == 1 ? "" : "s") at \(node ?? "a node")"
            case "ans.poll-failed": return "cannot poll for \(what)s: \(text("reason"))"
            case "ans.died": return "polls for \(what)s no more: \(text("reason"))"
            case "ans.registered": return "registers \(device) for \(name(data["address"]))"
            case "ans.removed": return "removes \(device) of \(name(data["address"]))"
            case "ans.signal-ignored": return "ignores a signal: \(text("reason"))"
            case "ans.pushed":
                let retry = data["willRetry"]?.boolValue == true ? ", and will try again" : ""
                return "pushed \(transaction) to \(device): \(text("answer"))\(retry)"
            case "ans.token-dropped": return "drops the token of \(device): \(text("reason"))"
            default: return nil
            }
        }

        var ofDevice: String? {
            let reason = text("reason")
            let action = data["action"]?.stringValue ?? "signal"
            switch kind {
            case "device.launched": return "is launched"
            case "device.killed": return "is killed"
            case "device.signed-in": return "is signed in"
            case "device.sign-in-failed": return "cannot sign in: \(reason)"
            case "device.signed-out": return "is signed out"
            case "device.registration-skipped": return "does not register: \(reason)"
            case "device.signal-accepted": return "had its \(action) accepted"
            case "device.signal-failed":
                let isQueued = data["queued"]?.boolValue == true
                return "\(action) failed (\(reason)), " + (isQueued ? "kept for another try" : "forgotten")
            case "device.signal-dropped": return "drops its kept \(action): \(reason)"
            case "device.push-received": return "receives a push"
            case "device.push-discarded": return "discards a push: \(reason)"
            case "device.text-unavailable": return "has no text: \(reason)"
            case "device.transaction-fetched": return "fetches the transaction from a node"
            case "device.banner-replaced": return "takes away “\(text("body"))”, which a later push replaces"
            case "device.banner-listed": return "lists “\(text("body"))” silently: \(text("why"))"
            case "device.banner-shown":
                let title = data["title"]?.stringValue.map { $0 + ": " } ?? ""
                return "shows “\(title)\(text("body"))”"
            default: return nil
            }
        }
    }
}
