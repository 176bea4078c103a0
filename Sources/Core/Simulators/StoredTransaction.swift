import AdamantModel
import JSONValue

/// How a party keeps a signed chat transaction between two runs.
enum StoredTransaction {
    static func json(_ transaction: Transaction) -> JSONValue {
        guard case .object(var object) = transaction.postedJSON else { return .null }
        object["id"] = .string(transaction.id.description)
        return .object(object)
    }

    /// Nil unless it is what ``json(_:)`` makes.
    static func transaction(_ json: JSONValue) -> Transaction? {
        guard let id = json["id"]?.stringValue.flatMap({ Identifier($0) }),
            let timestamp = json["timestamp"]?.intValue.flatMap({ Int32(exactly: $0) }),
            let key = json["senderPublicKey"]?.stringValue.flatMap({ Hex.decode($0) }),
            let sender = json["senderId"]?.stringValue.flatMap({ Address($0) }),
            let recipient = json["recipientId"]?.stringValue.flatMap({ Address($0) }),
            let signature = json["signature"]?.stringValue.flatMap({ Hex.decode($0) }),
            let chat = json["asset"]?["chat"], let message = chat["message"]?.stringValue,
            let type = chat["type"]?.intValue.flatMap({ Int32(exactly: $0) })
        else { return nil }
        let asset = Asset.chat(message: message, ownMessage: chat["own_message"]?.stringValue, type: type)
        return Transaction(
            id: id,
            type: Transaction.Kind.chat,
            timestamp: timestamp,
            senderPublicKey: key,
            sender: sender,
            recipient: recipient,
            amount: 0,
            fee: Fees.fee(asset: asset, amount: 0),
            asset: asset,
            signature: signature
        )
    }
}
