public import AdamantModel
public import JSONValue

/// Something that a node tells the clients on its sockets.
public struct LedgerNotice: Hashable, Sendable {
    /// What there is to tell.
    public enum Content: Hashable, Sendable {
        /// A transaction has entered the unconfirmed part, or came in a block.
        case transaction(AnnouncedTransaction)
        /// A block has been put on the chain.
        case block(Block)
        /// Accounts have other balances than before.
        case balances([BalanceChange])
    }

    /// The node that tells it.
    public let node: Int
    /// What there is to tell.
    public let content: Content
}

/// The new balances of an account; nil for what has not changed.
public struct BalanceChange: Hashable, Sendable {
    /// With an upper-case `U`.
    public let address: Address
    /// Units of 1e-8 ADM, confirmed.
    public let balance: Int64?
    /// Units of 1e-8 ADM, less what waits in the node's unconfirmed part.
    public let unconfirmedBalance: Int64?

    /// A change of its parts.
    public init(address: Address, balance: Int64?, unconfirmedBalance: Int64?) {
        self.address = address
        self.balance = balance
        self.unconfirmedBalance = unconfirmedBalance
    }
}

/// A transaction as `newTrans` tells of it.
public struct AnnouncedTransaction: Hashable, Sendable {
    /// What is known of the recipient's account.
    enum RecipientKey: Hashable, Sendable {
        case noAccount
        case noKey
        case key(String)
    }

    /// The transaction.
    public let transaction: Transaction
    let entry: PooledTransaction?
    let recipientKey: RecipientKey
    let keepsMilliseconds: Bool

    /// The object: what a pool shows without height, block and confirmations, and what is known of the recipient.
    ///
    /// - Source: adamant:logic/transaction.js (`applyUnconfirmed`), modules/clientWs.js
    public func json(profile: NodeProfile) -> JSONObject {
        var object =
            entry?.announcedJSON(profile: profile, keepsMilliseconds: keepsMilliseconds)
            ?? transaction.announcedJSON
        object["block_timestamp"] = .null
        switch recipientKey {
        case .noAccount: break
        case .noKey: object["recipientPublicKey"] = .null
        case .key(let key): object["recipientPublicKey"] = .string(key)
        }
        return object
    }
}

extension Transaction {
    /// The members that a block carries of it, less what is null.
    fileprivate var announcedJSON: JSONObject {
        var asset: [UInt8] = []
        asset.append(confirmedAsset: self)
        var object = JSONObject([
            ("type", .int(type)), ("amount", .int(amount)),
            ("senderPublicKey", .string(Hex.encode(senderPublicKey))), ("timestamp", .int(timestamp)),
            ("asset", (try? JSONValue(parsing: asset)) ?? [:]),
        ])
        if let recipient { object["recipientId"] = .string(recipient.text) }
        object["signature"] = .string(Hex.encode(signature))
        object["id"] = .string(id.description)
        object["fee"] = .int(fee)
        object["senderId"] = .string(sender.text)
        return object
    }
}
