import AdamantModel
import Determinism

extension Ledger {
    /// The events that make a ledger of the same blocks, whose pools are empty, equal to this one.
    ///
    /// They store the accounts that no block did, and fill the pools, with what they lost and still remember.
    public var stateEvents: [LedgerEvent] {
        accountEvents + pools.indices.flatMap { node in poolEvents(node: node) }
    }

    private var accountEvents: [LedgerEvent] {
        (0..<chain.accounts.accounts.count).compactMap { number in
            let account = chain.accounts.accounts[number]
            guard account.isStored else { return nil }
            return .accountStored(address: account.address, publicKey: account.publicKey)
        }
    }

    private func poolEvents(node: Int) -> [LedgerEvent] {
        var events: [LedgerEvent] = []
        for (transaction, reason) in pools[node].lostTransactions {
            // What was posted is of no use any more.
            events.append(.pooled(node: node, PooledTransaction(returning: transaction, at: .epoch)))
            events.append(.dropped(node: node, transaction.id, reason: reason))
        }
        for entry in pools[node].unconfirmed {
            events.append(.pooled(node: node, entry))
            events.append(.unconfirmed(node: node, entry.transaction.id))
        }
        return events + pools[node].queued.map { .pooled(node: node, $0) }
    }
}
