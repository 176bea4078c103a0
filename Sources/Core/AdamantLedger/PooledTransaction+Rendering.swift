import AdamantModel
import Determinism
public import JSONValue

extension PooledTransaction {
    /// The object of a transaction that waits in a pool: what was posted, less what is null, and what the node adds.
    ///
    /// - Source: adamant:logic/transactionPool.js, modules/transactions.js
    public func json(profile: NodeProfile, keepsMilliseconds: Bool = false) -> JSONObject {
        var object = announcedJSON(profile: profile, keepsMilliseconds: keepsMilliseconds)
        if profile.poolObjectsHaveHeight {
            object["blockId"] = .null
            object["height"] = .null
            object["confirmations"] = 0
        }
        return object
    }

    /// The same without what only a pool's list has.
    func announcedJSON(profile: NodeProfile, keepsMilliseconds: Bool) -> JSONObject {
        var object = JSONObject(merging: posted.members.filter { !$0.value.isNull })
        if profile.storesTimestampMilliseconds, !keepsMilliseconds { object["timestampMs"] = nil }
        object["id"] = .string(transaction.id.description)
        object["fee"] = .int(transaction.fee)
        object["senderId"] = .string(transaction.sender.text)
        object["relays"] = .int(relays)
        object["receivedAt"] = .string(receivedAt.rfc3339)
        return object
    }
}
