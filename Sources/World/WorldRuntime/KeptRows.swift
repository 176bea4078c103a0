import AdamantLedger
import AdamantModel
import APNsRules
import Determinism
import JSONValue

// The rows of a kept world's log that are JSON documents, written and read.

extension WorldClock {
    var kept: [UInt8] {
        JSONValue.object(
            JSONObject([
                ("offset", .int(offsetMilliseconds)),
                ("frozenAt", frozenAt.map { .int($0.milliseconds) } ?? .null),
            ])
        ).bytes
    }

    init?(kept json: JSONValue) {
        guard let offset = json["offset"]?.intValue else { return nil }
        self.init(
            offsetMilliseconds: offset,
            frozenAt: json["frozenAt"]?.intValue.map { Timestamp(milliseconds: $0) }
        )
    }
}

extension DeviceTokenState {
    /// The state of the control API's own form.
    init?(kept json: JSONValue) {
        guard let kind = json["state"]?.stringValue.flatMap(Kind.init(rawValue:)),
            let since = json["since"]?.stringValue.flatMap(Timestamp.init(rfc3339:))
        else { return nil }
        self.init(
            kind,
            since: since,
            topic: json["topic"]?.stringValue,
            environment: json["environment"]?.stringValue.flatMap(APNsEnvironment.init(rawValue:))
        )
    }
}

extension HeldTransaction {
    var kept: [UInt8] {
        let event = LedgerEvent.accepted(node: node, transaction, posted: posted, receivedAt: at)
        return JSONValue.object(
            JSONObject([
                ("id", .string(id)), ("seq", .int(seq)), ("rule", .string(ruleId)),
                ("event", .string(Hex.encode(event.encoded))),
            ])
        ).bytes
    }

    init?(kept json: JSONValue) {
        guard let id = json["id"]?.stringValue, let rule = json["rule"]?.stringValue,
            let seq = json["seq"]?.intValue.flatMap({ Int(exactly: $0) }),
            let bytes = json["event"]?.stringValue.flatMap(Hex.decode),
            case .accepted(let node, let transaction, let posted, let at)? = LedgerEvent(decoding: bytes)
        else { return nil }
        self.init(
            id: id,
            seq: seq,
            ruleId: rule,
            node: node,
            transaction: transaction,
            posted: posted,
            at: at
        )
    }
}

extension KnownAccount {
    var kept: [UInt8] {
        JSONValue.object(JSONObject([("name", .optional(name)), ("passphrase", .string(passphrase))])).bytes
    }
}

extension APNsSettings {
    var kept: [UInt8] {
        JSONValue.object(
            JSONObject([
                ("tokens", .string(tokens.rawValue)), ("credentials", .string(credentials.rawValue)),
            ])
        ).bytes
    }

    init?(kept json: JSONValue) {
        guard let tokens = json["tokens"]?.stringValue.flatMap(Tokens.init(rawValue:)),
            let credentials = json["credentials"]?.stringValue.flatMap(Credentials.init(rawValue:))
        else { return nil }
        self.init(tokens: tokens, credentials: credentials)
    }
}
