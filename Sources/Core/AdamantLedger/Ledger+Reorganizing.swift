import AdamantModel
public import Determinism
import JSONValue

extension Ledger {
    /// Rolls the newest blocks back and forges others in which their transactions return, as after a real fork.
    ///
    /// A transaction returns no sooner than its lot says, and later where its sender cannot pay it yet; whatever has
    /// not returned when the last new block is forged goes to the queues of all nodes. The new blocks have other ids
    /// than the old ones, and no timestamp before their parents'.
    /// - Parameters:
    ///   - reorganization: tells depth and fates.
    ///   - now: the time by the world's clock.
    ///   - generator: draws the fates that are not told.
    /// - Returns: what happened.
    /// - Throws: ``ReorganizationError``; the ledger is unchanged then.
    public mutating func reorganize(
        _ reorganization: Reorganization,
        now: Timestamp,
        using generator: inout SeededGenerator
    ) throws(ReorganizationError) -> ReorganizationOutcome {
        let depth = reorganization.depth
        let greatest = height - startHeight
        guard depth >= 1, depth <= greatest else { throw .depthOutOfRange(greatest: greatest) }
        let count = reorganization.newBlocks
        let least = max(depth, reorganization.order.count)
        let most = max(least, Reorganization.maximumBlocks)
        guard (least...most).contains(count) else {
            throw .blocksOutOfRange(least: least, greatest: most)
        }
        let rolledBack = (height - depth + 1...height).flatMap { transactions(height: $0) }
        let fates = try reorganization.fates(rolledBack: Set(rolledBack.map(\.id)))
        var returning = Returning(rolledBack, fates: fates, blocks: count, using: &generator)
        let views = views(before: rolledBack, growth: count - depth, isFork: true)
        let fork = height - depth
        var outcome = ReorganizationOutcome()
        for _ in 0..<depth {
            outcome.reverted.append(lastBlock)
            undoLastBlock()
        }
        let replaced = Set(outcome.reverted.map(\.id))
        for index in 0..<count {
            returning.begin(block: index)
            let chosen = choose(from: returning.candidates.filter { (try? verifyAgainstChain($0)) != nil })
            let ordered = Block.inBlockOrder(chosen)
            let block = makeBlock(ordered, now: now, otherThan: replaced)
            addToChain(block, ordered)
            events.append(.forged(block, ordered))
            returning.remove(chosen)
            outcome.forged.append(block)
        }
        for (node, view) in views.sorted(by: { $0.key < $1.key }) {
            announceBlocks(above: min(view.height, fork), node: node)
        }
        bringBack(returning.rest, now: now)
        outcome.waiting = returning.rest.map(\.id)
        for (node, view) in views.sorted(by: { $0.key < $1.key }) {
            announceChanges(since: view.figures, node: node)
        }
        return outcome
    }

    /// Brings the pools up to the chain, and puts what has not returned into their queues.
    private mutating func bringBack(_ transactions: [Transaction], now: Timestamp) {
        for node in pools.indices {
            for entry in pools[node].queued where chain.row(entry.transaction.id) != nil {
                discard(entry.transaction.id, node: node)
            }
            for entry in pools[node].takeUnconfirmed() where chain.row(entry.transaction.id) == nil {
                apply(entry, node: node)
            }
            for transaction in transactions where !pools[node].contains(transaction.id) {
                guard pools[node].queued.count < NodePool.capacity else {
                    drop(transaction, node: node, reason: "Transaction pool is full")
                    continue
                }
                let entry = PooledTransaction(returning: transaction, at: now)
                pools[node].enqueue(entry)
                events.append(.pooled(node: node, entry))
            }
        }
    }
}

extension PooledTransaction {
    /// A transaction that was in a block; what was posted is made of it again.
    init(returning transaction: Transaction, at now: Timestamp) {
        self.init(
            transaction: transaction,
            posted: transaction.postedJSON.objectValue ?? JSONObject(),
            receivedAt: now,
            relays: 1
        )
    }
}

/// The transactions of rolled-back blocks that are to return, and when.
private struct Returning {
    /// One of so many that return by lot waits for a block after the new ones.
    private static let waitingShare = 4

    private struct Entry {
        let transaction: Transaction
        /// Index of the first new block it may be in; that after the last one for those that wait.
        let from: Int
    }

    private var entries: [Entry] = []
    private(set) var candidates: [Transaction] = []

    init(
        _ transactions: [Transaction],
        fates: [Identifier: Reorganization.Fate],
        blocks: Int,
        using generator: inout SeededGenerator
    ) {
        for transaction in transactions {
            let waits = Int.random(in: 0..<Self.waitingShare, using: &generator) == 0
            let drawn = Int.random(in: 0..<blocks, using: &generator)
            switch fates[transaction.id] {
            case nil: entries.append(Entry(transaction: transaction, from: waits ? blocks : drawn))
            case .returns(let block)?: entries.append(Entry(transaction: transaction, from: block))
            case .waits?: entries.append(Entry(transaction: transaction, from: blocks))
            case .isDropped?: break
            }
        }
        // Who is named comes first, whatever the lots of the others: they must not take its place in a full block.
        let named = entries.filter { fates[$0.transaction.id] != nil }
        let others = entries.filter { fates[$0.transaction.id] == nil }
        entries = named + others.shuffled(using: &generator)
    }

    /// What has not returned.
    var rest: [Transaction] { entries.map(\.transaction) }

    /// Makes those the candidates that may be in a new block.
    mutating func begin(block: Int) {
        candidates = entries.filter { $0.from <= block }.map(\.transaction)
    }

    /// Takes out what has returned.
    mutating func remove(_ transactions: [Transaction]) {
        let returned = Set(transactions.map(\.id))
        entries.removeAll { returned.contains($0.transaction.id) }
    }
}
