import AdamantModel
import JSONValue
import Simulators

/// Reads a node's JSON as strictly as the party does that asked for it.
struct AnswerReader: Sendable {
    let json: JSONValue
    /// Whether a transaction without a height makes the whole answer unreadable.
    let needsHeights: Bool

    /// Whether the members are there without which iOS reads nothing.
    var isEnvelope: Bool { json["success"]?.boolValue != nil && json["nodeTimestamp"]?.doubleValue != nil }

    var status: NodeAnswer {
        // A member of a wrong type makes the node unusable, a missing one does not.
        let network = json["network"]
        let height = network?["height"]
        if let height, height.intValue == nil, !height.isNull { return .unparsable("parsing failed") }
        let version = json["version"]?["version"]?.stringValue
        // Heights are compared, and no chain is longer.
        return .status(height: Int(Int32(clamping: max(0, height?.intValue ?? 0))), version: version)
    }

    var account: NodeAnswer {
        guard let text = json["account"]?["balance"]?.stringValue, let balance = Int64(text) else {
            return refusal
        }
        return .account(balance: balance)
    }

    var publicKey: NodeAnswer {
        guard let key = json["publicKey"]?.stringValue.flatMap({ Hex.decode($0) }) else { return refusal }
        return .publicKey(key)
    }

    var submission: SubmitAnswer {
        SubmitAnswer(
            transactionId: json["transactionId"]?.stringValue.flatMap { Identifier($0) },
            error: json["error"]?.stringValue,
            isEnvelope: isEnvelope
        )
    }

    var transaction: NodeAnswer {
        guard let transaction = json["transaction"].flatMap(seen) else { return refusal }
        return .transaction(transaction)
    }

    var state: NodeAnswer {
        guard let elements = json["transactions"]?.arrayValue else { return refusal }
        return .state(elements.first?["asset"]?["state"]?["value"]?.stringValue)
    }

    var page: NodeAnswer {
        guard let elements = json["transactions"]?.arrayValue else { return refusal }
        let transactions = elements.compactMap(seen)
        guard transactions.count == elements.count else { return .unparsable("an element cannot be read") }
        return .page(transactions)
    }

    private var refusal: NodeAnswer {
        json["error"]?.stringValue.map(NodeAnswer.refused) ?? .unparsable("parsing failed")
    }

    private func seen(_ json: JSONValue) -> SeenTransaction? {
        guard let id = json["id"]?.stringValue.flatMap({ Identifier($0) }),
            let type = integer(json["type"]).flatMap({ Int(exactly: $0) }),
            let timestamp = integer(json["timestamp"]),
            let sender = json["senderId"]?.stringValue.flatMap({ Address($0) }),
            let key = json["senderPublicKey"]?.stringValue.flatMap({ Hex.decode($0) })
        else { return nil }
        let height = integer(json["height"]).flatMap { Int32(exactly: $0) }
        guard height != nil || !needsHeights else { return nil }
        return SeenTransaction(
            id: id,
            height: Int(height ?? 0),
            timestamp: timestamp,
            type: type,
            sender: sender,
            senderPublicKey: key,
            recipient: json["recipientId"]?.stringValue.flatMap { Address($0) },
            recipientPublicKey: json["recipientPublicKey"]?.stringValue.flatMap { Hex.decode($0) },
            amount: integer(json["amount"]) ?? 0,
            chat: json["asset"]?["chat"].flatMap(chat)
        )
    }

    private func chat(_ json: JSONValue) -> SeenTransaction.Chat? {
        guard let message = json["message"]?.stringValue,
            let type = integer(json["type"]).flatMap({ Int(exactly: $0) })
        else { return nil }
        let box = MessageBox(message: message, nonce: json["own_message"]?.stringValue ?? "")
        return SeenTransaction.Chat(box: box, type: type)
    }

    /// A number, or numeric text.
    private func integer(_ json: JSONValue?) -> Int64? {
        json?.intValue ?? json?.stringValue.flatMap { Int64($0) }
    }
}
