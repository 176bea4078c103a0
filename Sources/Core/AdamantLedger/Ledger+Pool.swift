import AdamantModel
public import Determinism

extension Ledger {
    /// How long a transaction waits in a pool, in milliseconds.
    ///
    /// - Source: adamant:logic/transactionPool.js (`unconfirmedTransactionTimeOut`)
    public static let poolLifetimeMilliseconds: Int64 = 10_800_000
    /// How often pools are searched for expired transactions, in milliseconds.
    private static let expiryIntervalMilliseconds: Int64 = 30_000

    /// What every node does once a second: its newest queued transactions become unconfirmed, up to 25.
    public mutating func fillPools(now: Timestamp) {
        expire(now: now)
        for node in pools.indices { fillPool(node: node) }
    }

    /// Lets one node move its newest queued transactions to its unconfirmed part.
    ///
    /// Each is checked again in that order, so when several exceed the balance together, the older ones are lost.
    /// - Source: adamant:logic/transactionPool.js (`fillPool`)
    public mutating func fillPool(node: Int) {
        guard pools.indices.contains(node), !profiles[node].situation.isSyncing else { return }
        let room = Block.maximumTransactions - pools[node].unconfirmed.count
        guard room > 0 else { return }
        var taken: [PooledTransaction] = []
        while taken.count < room, let entry = pools[node].takeNewestQueued() { taken.append(entry) }
        for entry in taken {
            let before = figures(of: [entry.transaction.sender], node: node)
            guard apply(entry, node: node) else { continue }
            events.append(.unconfirmed(node: node, entry.transaction.id))
            announceChanges(since: before, node: node)
        }
    }

    /// Enters a transaction into the unconfirmed part, or drops it and tells so.
    @discardableResult
    mutating func apply(_ entry: PooledTransaction, node: Int) -> Bool {
        let transaction = entry.transaction
        let sender = store(transaction.sender, publicKey: transaction.senderPublicKey)
        do throws(SubmissionRejection) {
            try verifyAgainstChain(transaction)
            try checkFunds(transaction, balance: unconfirmedBalance(sender, node: node))
            try checkCompatible(transaction, with: pools[node].unconfirmed.map(\.transaction))
        } catch {
            drop(transaction, node: node, reason: error.message)
            return false
        }
        pools[node].addUnconfirmed(entry, sender: sender)
        announce(transaction, entry: entry, node: node)
        return true
    }

    private mutating func expire(now: Timestamp) {
        let interval = now.milliseconds.flooredDivision(by: Self.expiryIntervalMilliseconds)
        guard interval != lastExpiryCheck else { return }
        lastExpiryCheck = interval
        let oldest = now.adding(milliseconds: -Self.poolLifetimeMilliseconds)
        for node in pools.indices {
            let expired = (pools[node].queued + pools[node].unconfirmed).filter { $0.receivedAt < oldest }
            let before = figures(of: expired.map(\.transaction.sender), node: node)
            for entry in expired {
                discard(entry.transaction.id, node: node)
                drop(entry.transaction, node: node, reason: "Transaction expired in the pool")
            }
            announceChanges(since: before, node: node)
        }
    }

    /// Takes a transaction out of a node's pool, with what it had reserved.
    mutating func discard(_ id: Identifier, node: Int) {
        let wasUnconfirmed = pools[node].location(of: id) == .unconfirmed
        guard let entry = pools[node].remove(id), wasUnconfirmed else { return }
        guard let sender = chain.accounts.number(entry.transaction.sender) else { return }
        pools[node].release(entry.transaction, sender: sender)
    }
}
