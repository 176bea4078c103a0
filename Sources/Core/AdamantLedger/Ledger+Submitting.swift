public import AdamantModel
public import Determinism
public import JSONValue

extension Ledger {
    /// Takes a posted transaction into a node's queue and hands it to the other nodes, which check it themselves.
    ///
    /// The times are by the node's clock. A node that relays later than at once leaves that to
    /// ``relay(_:from:now:timestampsCheckedAt:)``. The sender's row and key may be written even when the
    /// transaction is refused, so take the events in both cases.
    /// - Source: adamant:modules/transactions.js, logic/transaction.js, logic/transactionPool.js
    public mutating func submit(
        _ submission: Submission,
        node: Int,
        now: Timestamp
    ) throws(SubmissionRejection) -> Identifier {
        try submit(submission, node: node, now: now, timestampsCheckedAt: now)
    }

    /// The same, with the checks of timestamps at another time than the clock's, or none.
    public mutating func submit(
        _ submission: Submission,
        node: Int,
        now: Timestamp,
        timestampsCheckedAt checkTime: Timestamp?
    ) throws(SubmissionRejection) -> Identifier {
        let transaction = try check(submission, node: node, timestampsCheckedAt: checkTime)
        let skew = profiles[node].situation.clockSkewMilliseconds
        queue(
            transaction,
            posted: submission.posted ?? JSONObject(),
            node: node,
            now: now.adding(milliseconds: -skew),
            checkTime: checkTime?.adding(milliseconds: -skew)
        )
        return transaction.id
    }

    /// All checks of ``submit(_:node:now:)``, with nothing entered but the sender's account.
    public mutating func check(
        _ submission: Submission,
        node: Int,
        now: Timestamp
    ) throws(SubmissionRejection) -> Transaction {
        try check(submission, node: node, timestampsCheckedAt: now)
    }

    /// The same, with the checks of timestamps at another time than the clock's, or none.
    public mutating func check(
        _ submission: Submission,
        node: Int,
        timestampsCheckedAt checkTime: Timestamp?
    ) throws(SubmissionRejection) -> Transaction {
        precondition(pools.indices.contains(node))
        let transaction = try verify(submission, node: node, checkTime: checkTime)
        guard pools[node].queued.count < NodePool.capacity else {
            throw SubmissionRejection("Transaction pool is full")
        }
        return transaction
    }

    /// Enters a transaction that passed all checks before, as if it was accepted now; its age does not matter.
    ///
    /// The holder of the genesis supply may send this way as well.
    public mutating func enter(
        _ transaction: Transaction,
        posted: JSONObject,
        node: Int,
        now: Timestamp
    ) throws(SubmissionRejection) {
        precondition(pools.indices.contains(node))
        store(transaction.sender, publicKey: transaction.senderPublicKey)
        guard !isWaiting(transaction.id, node: node) else {
            throw SubmissionRejection("Transaction is already processed: \(transaction.id)")
        }
        try verifyAgainstChain(transaction)
        guard pools[node].queued.count < NodePool.capacity else {
            throw SubmissionRejection("Transaction pool is full")
        }
        queue(transaction, posted: posted, node: node, now: now, checkTime: nil)
    }

    /// Hands what waits on a node to the others, which check it themselves; nothing when it has left the pool.
    ///
    /// The times are by the world's clock.
    /// - Source: adamant:logic/broadcaster.js (`filterTransaction`)
    public mutating func relay(
        _ id: Identifier,
        from node: Int,
        now: Timestamp,
        timestampsCheckedAt checkTime: Timestamp?
    ) {
        guard pools.indices.contains(node), let entry = pools[node].entry(id) else { return }
        for other in pools.indices where other != node {
            relay(entry, to: other, now: now, checkTime: checkTime)
        }
    }

    /// What was accepted by a node and never came to some other, oldest first: what has to be relayed yet.
    public var unrelayed: [(id: Identifier, node: Int)] {
        pools.indices.flatMap { node in
            (pools[node].unconfirmed + pools[node].queued).filter { entry in
                entry.relays == 1
                    && pools.contains { $0.location(of: entry.transaction.id) == nil }
            }
            .map { ($0.transaction.id, node) }
        }
    }

    private mutating func queue(
        _ transaction: Transaction,
        posted: JSONObject,
        node: Int,
        now: Timestamp,
        checkTime: Timestamp?
    ) {
        let entry = PooledTransaction(transaction: transaction, posted: posted, receivedAt: now, relays: 1)
        pools[node].enqueue(entry)
        events.append(.accepted(node: node, transaction, posted: posted, receivedAt: now))
        guard profiles[node].situation.relayMilliseconds == 0 else { return }
        relay(transaction.id, from: node, now: now, timestampsCheckedAt: checkTime)
    }

    /// Offers a node what another accepted.
    private mutating func relay(
        _ entry: PooledTransaction,
        to node: Int,
        now: Timestamp,
        checkTime: Timestamp?
    ) {
        let transaction = entry.transaction
        guard !pools[node].contains(transaction.id) else { return }
        let check = TimestampCheck(
            seconds: Double(transaction.timestamp),
            milliseconds: transaction.timestampMilliseconds.map(Double.init),
            type: transaction.type,
            now: checkTime?.adding(milliseconds: profiles[node].situation.clockSkewMilliseconds)
        )
        let profile = profiles[node]
        if let refusal = check.early(profile) ?? check.late(profile) {
            drop(transaction, node: node, reason: refusal)
        } else if pools[node].queued.count >= NodePool.capacity {
            drop(transaction, node: node, reason: "Transaction pool is full")
        } else {
            pools[node].enqueue(
                PooledTransaction(
                    transaction: transaction,
                    posted: entry.posted,
                    receivedAt: now,
                    relays: entry.relays + 1
                )
            )
            events.append(.relayed(node: node, transaction.id, receivedAt: now))
        }
    }

    /// Records that a node lost a transaction.
    mutating func drop(_ transaction: Transaction, node: Int, reason: String) {
        pools[node].noteDrop(transaction, reason: reason)
        events.append(.dropped(node: node, transaction.id, reason: reason))
    }
}

/// The checks of a transaction's timestamp against the time.
struct TimestampCheck {
    /// How far into the next slot a timestamp may be, in milliseconds.
    ///
    /// - Source: adamant:helpers/constants.js (`maxTransactionFutureMs`)
    private static let toleratedFuture = 500.0

    /// Epoch seconds, as JavaScript reads the posted member.
    let seconds: Double
    /// Epoch milliseconds, where posted.
    let milliseconds: Double?
    /// The transaction type; nil when it is no number.
    let type: Int?
    /// The time; nil when timestamps are not checked.
    let now: Timestamp?

    /// The refusal of the checks at the beginning.
    func early(_ profile: NodeProfile) -> String? {
        guard let now else { return nil }
        if profile.checksFutureFirst, slot > Double(now.slot),
            (milliseconds ?? seconds * 1000) - Double(now.milliseconds) > Self.toleratedFuture
        {
            return "Transaction timestamp is in the future"
        }
        let limit = profile.maxTransactionAgeSeconds
        guard limit > 0, type == Transaction.Kind.chat || type == Transaction.Kind.state else { return nil }
        let oldest = now.adding(milliseconds: Int64(limit).multipliedClamped(by: -1000))
        guard slot < Double(oldest.slot) else { return nil }
        return "Transaction timestamp is more than \(limit) seconds in the past"
    }

    /// The refusal of the check after the balance.
    func late(_ profile: NodeProfile) -> String? {
        guard let now, !profile.checksFutureFirst, slot > Double(now.slot) else { return nil }
        return "Invalid transaction timestamp. Timestamp is in the future"
    }

    private var slot: Double { (seconds / Double(Timestamp.slotSeconds)).rounded(.down) }
}
