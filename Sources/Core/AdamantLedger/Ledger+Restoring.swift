import AdamantModel

extension Ledger {
    /// Repeats what an event of an earlier run says, without checking signatures, time or balances.
    ///
    /// The ledger must have been made from the same genesis, start height and number of nodes, and be given the
    /// events in their order; it then equals the one that told them.
    /// - Returns: false for an event that does not fit what was restored before; nothing is changed then.
    @discardableResult
    public mutating func restore(_ event: LedgerEvent) -> Bool {
        let known = events.count
        defer { events.removeLast(events.count - known) }
        switch event {
        case .accepted(let node, let transaction, let posted, let receivedAt):
            return enqueue(
                PooledTransaction(
                    transaction: transaction,
                    posted: posted,
                    receivedAt: receivedAt,
                    relays: 1
                ),
                node: node
            )
        case .relayed(let node, let id, let receivedAt):
            guard let origin = pools.lazy.compactMap({ $0.entry(id) }).first else { return false }
            return enqueue(
                PooledTransaction(
                    transaction: origin.transaction,
                    posted: origin.posted,
                    receivedAt: receivedAt,
                    relays: 2
                ),
                node: node
            )
        case .unconfirmed(let node, let id):
            guard pools.indices.contains(node), pools[node].location(of: id) == .queued,
                let entry = pools[node].remove(id)
            else { return false }
            pools[node].addUnconfirmed(entry, sender: chain.accounts.intern(entry.transaction.sender))
        case .dropped(let node, let id, let reason):
            guard pools.indices.contains(node) else { return false }
            let transaction = seen(id)
            discard(id, node: node)
            if let transaction { pools[node].noteDrop(transaction, reason: reason) }
        case .forged(let block, let transactions):
            return restore(block, transactions)
        case .reverted(let block, _):
            guard block.id == lastBlock.id else { return false }
            return undoLastBlock()
        case .pooled(let node, let entry): return enqueue(entry, node: node)
        case .accountStored(let address, let publicKey):
            store(address, publicKey: publicKey)
        }
        return true
    }

    private mutating func enqueue(_ entry: PooledTransaction, node: Int) -> Bool {
        guard pools.indices.contains(node), !pools[node].contains(entry.transaction.id) else { return false }
        pools[node].enqueue(entry)
        return true
    }

    private mutating func restore(_ block: Block, _ transactions: [Transaction]) -> Bool {
        guard block.height == height + 1, block.previousBlock == lastBlock.id,
            Int(block.numberOfTransactions) == transactions.count
        else { return false }
        var ids: Set<Identifier> = []
        for transaction in transactions {
            guard chain.row(transaction.id) == nil, ids.insert(transaction.id).inserted else { return false }
        }
        addToChain(block, transactions)
        for node in pools.indices {
            for transaction in transactions { discard(transaction.id, node: node) }
        }
        return true
    }
}
