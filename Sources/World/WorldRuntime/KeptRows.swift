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

extension Transaction {
    /// The transaction as text, with what was posted, and when it came to a node.
    fileprivate func kept(node: Int, posted: JSONObject, at: Timestamp) -> JSONValue {
        let event = LedgerEvent.accepted(node: node, self, posted: posted, receivedAt: at)
        return .string(Hex.encode(event.encoded))
    }
}

extension JSONValue {
    /// The event of a member that holds one as text.
    fileprivate var keptEvent: LedgerEvent? {
        self["event"]?.stringValue.flatMap(Hex.decode).flatMap(LedgerEvent.init(decoding:))
    }
}

extension HeldTransaction {
    var kept: [UInt8] {
        JSONValue.object(
            JSONObject([
                ("id", .string(id)), ("seq", .int(seq)), ("rule", .string(ruleId)),
                ("event", transaction.kept(node: node, posted: posted, at: at)),
            ])
        ).bytes
    }

    init?(kept json: JSONValue) {
        guard let id = json["id"]?.stringValue, let rule = json["rule"]?.stringValue,
            let seq = json["seq"]?.countValue,
            case .accepted(let node, let transaction, let posted, let at)? = json.keptEvent
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

extension TransactionReversals.Reversal {
    var kept: [UInt8] {
        JSONValue.object(
            JSONObject([
                ("why", .string(why)),
                ("event", transaction.kept(node: 0, posted: JSONObject(), at: .epoch)),
            ])
        ).bytes
    }

    init?(kept json: JSONValue) {
        guard let why = json["why"]?.stringValue, case .accepted(_, let transaction, _, _)? = json.keptEvent
        else { return nil }
        self.init(transaction: transaction, why: why)
    }
}

extension TransactionArrivals {
    /// Arrivals as bytes: of each the id and the time in milliseconds, eight bytes each, most significant first.
    static func kept(_ arrivals: some Sequence<Arrival>) -> [UInt8] {
        var bytes: [UInt8] = []
        for arrival in arrivals {
            for number in [arrival.id.number, UInt64(bitPattern: arrival.at.milliseconds)] {
                for shift in stride(from: 56, through: 0, by: -8) {
                    bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
                }
            }
        }
        return bytes
    }

    /// Notes arrivals of bytes; false for other bytes.
    mutating func restore(_ bytes: [UInt8]) -> Bool {
        guard bytes.count.isMultiple(of: 16) else { return false }
        func number(_ place: Int) -> UInt64 {
            bytes[place..<place + 8].reduce(0) { $0 << 8 | UInt64($1) }
        }
        for place in stride(from: 0, to: bytes.count, by: 16) {
            let at = Timestamp(milliseconds: Int64(bitPattern: number(place + 8)))
            note(Identifier(number(place)), seq: last + 1, at: at)
        }
        return true
    }
}

extension KnownAccount {
    var kept: [UInt8] {
        JSONValue.object(JSONObject([("name", .optional(name)), ("passphrase", .string(passphrase))])).bytes
    }

    init?(kept json: JSONValue, cryptography: any Cryptography) {
        guard let phrase = json["passphrase"]?.stringValue,
            let keys = KeyPair(phrase: phrase, cryptography: cryptography)
        else { return nil }
        self.init(
            name: json["name"]?.stringValue,
            passphrase: phrase,
            keys: keys,
            address: keys.address(cryptography: cryptography)
        )
    }
}

extension APNsGateway {
    /// What is set of the gateway, and the keys that were registered.
    var kept: [UInt8] {
        JSONValue.object(
            JSONObject([("settings", settings.json), ("keys", .array(knownKeys.map(\.json)))])
        ).bytes
    }

    /// Sets what was kept; false for other values.
    mutating func restore(kept json: JSONValue) -> Bool {
        guard let settings = json["settings"], settings.objectValue != nil else { return false }
        self.settings = APNsSettings(json: settings)
        for key in json["keys"]?.arrayValue ?? [] {
            guard let key = ProviderKey(json: key)?.readyToVerify else { return false }
            setKey(key)
        }
        return true
    }
}
