public import JSONValue

extension Transaction {
    /// Makes and signs a transaction, as a client does before it posts it; `timestamp` is in epoch seconds.
    public init(
        signing asset: Asset,
        type: Int,
        timestamp: Int32,
        recipient: Address?,
        amount: Int64,
        by pair: KeyPair,
        cryptography: some Cryptography
    ) {
        let bytes = TransactionBytes(
            type: UInt8(truncatingIfNeeded: type),
            timestamp: timestamp,
            senderPublicKey: pair.publicKey,
            recipient: recipient,
            amount: amount,
            asset: asset
        ).unsigned
        let signature = cryptography.sign(cryptography.sha256(bytes), privateKey: pair.privateKey)
        self.init(
            id: TransactionBytes.id(unsigned: bytes, signatures: signature, cryptography: cryptography),
            type: type,
            timestamp: timestamp,
            senderPublicKey: pair.publicKey,
            sender: pair.address(cryptography: cryptography),
            recipient: recipient,
            amount: amount,
            fee: Fees.fee(asset: asset, amount: amount),
            asset: asset,
            signature: signature
        )
    }

    /// The object a client posts under `transaction`: without `id` and `fee`.
    public var postedJSON: JSONValue {
        [
            "type": .int(type), "amount": .int(amount),
            "senderPublicKey": .string(Hex.encode(senderPublicKey)),
            "senderId": .string(sender.text), "recipientId": .optional(recipient?.text),
            "timestamp": .int(timestamp), "signature": .string(Hex.encode(signature)), "asset": postedAsset,
        ]
    }

    /// The asset as posted: a registration names the key as well.
    private var postedAsset: JSONValue {
        guard case .delegate(let username) = asset else { return asset.json }
        let key = JSONValue.string(Hex.encode(senderPublicKey))
        return ["delegate": ["username": .string(username), "publicKey": key]]
    }
}

extension Asset {
    /// The `asset` member of a transaction; absent parts are left out.
    public var json: JSONValue {
        switch self {
        case .none: return [:]
        case .delegate(let username): return ["delegate": ["username": .string(username)]]
        case .votes(let votes): return ["votes": .array(votes.map(JSONValue.string))]
        case .chat(let message, let ownMessage, let type):
            var chat = JSONObject([("message", .string(message))])
            if let ownMessage { chat.append("own_message", .string(ownMessage)) }
            chat.append("type", .int(type))
            return ["chat": .object(chat)]
        case .state(let value, let key, let type):
            var state = JSONObject([("value", .string(value))])
            if let key { state.append("key", .string(key)) }
            state.append("type", .int(type))
            return ["state": .object(state)]
        }
    }
}
