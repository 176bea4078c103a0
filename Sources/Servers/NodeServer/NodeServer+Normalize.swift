import AdamantLedger
import AdamantModel
import Determinism
import JSONValue

extension NodeServer {
    /// Calls of 0.9 that make an unsigned transaction for a client to sign, and what else only 0.9 has.
    ///
    /// - Source: adamant v0.9.0, modules/chats.js, modules/states.js, modules/transactions.js (`normalize`)
    static let oldRoutes = [
        Route(.post, "/api/chats/normalize", only: [.v0_9]) { server, call throws(NodeRefusal) in
            try server.check(call, by: .chatForm)
            return try server.normalized(call, chat: true)
        },
        Route(.post, "/api/states/normalize", only: [.v0_9]) { server, call throws(NodeRefusal) in
            try server.check(call, by: .stateForm)
            return try server.normalized(call, chat: true)
        },
        Route(.post, "/api/transactions/normalize", only: [.v0_9]) { server, call throws(NodeRefusal) in
            try server.check(call, by: .transferForm)
            return try server.normalized(call, chat: false)
        },
        Route(.get, "/api/chats/messages", only: [.v0_9]) { _, _ throws(NodeRefusal) in throw .noHandler },
        Route(.get, "/api/chats/senders", only: [.v0_9]) { _, _ throws(NodeRefusal) in throw .noHandler },
    ]

    /// A transaction of the body's members; the sender's account is written as with a posted one.
    private func normalized(_ call: Call, chat: Bool) throws(NodeRefusal) -> Reply {
        let body = call.parameters
        guard let key = Hex.decode(body["publicKey"]?.stringValue ?? ""), !key.isEmpty else {
            throw NodeRefusal("Missing address or public key")
        }
        let sent = body["recipientId"]?.stringValue
        let (recipient, now) = backend.withLedger { ledger, now in
            _ = ledger.createAccount(publicKey: key, node: node)
            guard let sent else {
                return (ledger.richest(isDelegate: nil, offset: 0, limit: 1).holders.first?.address.text, now)
            }
            return (ledger.account(sent)?.address.text ?? sent, now)
        }
        guard let recipient else { throw NodeRefusal("Invalid recipient") }
        var transaction = JSONObject([
            ("type", chat ? 8 : 0), ("amount", chat ? 0 : body["amount"] ?? 0),
            ("senderPublicKey", .string(Hex.encode(key))), ("requesterPublicKey", .null),
            ("timestamp", .int(now.epochSeconds)),
        ])
        transaction.append("asset", chat ? ["chat": .object(Self.chatAsset(body))] : [:])
        transaction.append("recipientId", .string(recipient))
        return .members([("transaction", .object(transaction))], second: now.epochSeconds)
    }

    private static func chatAsset(_ body: JSONObject) -> JSONObject {
        var chat = JSONObject()
        for name in ["message", "own_message"] {
            if let value = body[name] { chat.append(name, value) }
        }
        let type = body["message_type"]
        chat.append("type", type.isTruthy ? type ?? 0 : 0)
        return chat
    }
}

extension NodeRefusal {
    /// What a path leads to whose handler is not there.
    fileprivate static let noHandler = NodeRefusal.exception("root[config[params]] is not a function")
}

extension ObjectSchema {
    private static let recipient = SchemaRule(
        types: ["string"],
        format: .address,
        minimumLength: 1,
        maximumLength: 40
    )
    private static let someText = SchemaRule(types: ["string"], minimumLength: 1)

    /// What POST `/api/chats/normalize` asks for.
    fileprivate static let chatForm = ObjectSchema(
        required: ["message", "recipientId", "publicKey"],
        members: ["message": someText, "recipientId": recipient, "publicKey": .publicKey]
    )

    /// What POST `/api/states/normalize` asks for.
    fileprivate static let stateForm = ObjectSchema(
        required: ["value", "publicKey"],
        members: ["value": someText, "recipientId": recipient, "publicKey": .publicKey]
    )

    /// What POST `/api/transactions/normalize` asks for.
    fileprivate static let transferForm = ObjectSchema(
        required: ["amount", "recipientId", "publicKey"],
        members: [
            "amount": .integer(1, Rewards.genesisSupply), "recipientId": recipient, "publicKey": .publicKey,
        ]
    )
}
