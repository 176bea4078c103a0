public import AdamantModel

extension Ledger {
    /// What is in the way of a transaction that waits in a node's pool, beside its turn; nil when nothing is.
    public func obstacle(to id: Identifier, node: Int) -> String? {
        switch pools.indices.contains(node) ? pools[node].location(of: id) : nil {
        case .queued?: queueObstacle(to: id, in: pools[node], node: node)
        case .unconfirmed?:
            chooseTransactions().contains { $0.id == id }
                ? nil : "the next block is full, or other nodes' transactions leave too little of the balance"
        case .forged?, .dropped?, nil: nil
        }
    }

    private func queueObstacle(to id: Identifier, in pool: NodePool, node: Int) -> String? {
        guard let place = pool.queued.lastIndex(where: { $0.transaction.id == id }) else { return nil }
        let room = Block.maximumTransactions - pool.unconfirmed.count
        let newer = pool.queued.count - 1 - place
        if room <= 0 {
            return "the node has \(Block.maximumTransactions) transactions for the next block already"
        }
        if newer >= room { return "\(newer) newer ones go first, \(room) at a time" }
        let transaction = pool.queued[place].transaction
        let balance =
            chain.accounts.stored(transaction.sender).map { unconfirmedBalance($0, node: node) } ?? 0
        do throws(SubmissionRejection) {
            try checkFunds(transaction, balance: balance)
            return nil
        } catch {
            return "it will be dropped then: \(error.message)"
        }
    }
}
