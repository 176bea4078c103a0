import AdamantModel
import Determinism
import JSONValue

extension Ledger {
    /// Runs a closure with the ledger as a node has it that is so many blocks behind, the first block at least.
    ///
    /// Blocks, transactions, balances, votes and delegates are as of then; what came in the blocks since still waits
    /// in every pool. The cost does not grow with the chain. The closure may post and write accounts, not forge.
    public mutating func past<Result, Failure: Error>(
        blocksAgo: Int,
        _ body: (inout Ledger) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let before = version
        chain.hideNewest(blocksAgo)
        let rounds = showRounds()
        version = before
        defer {
            let after = version
            showWhole(rounds)
            chain.showAll()
            version = after
        }
        return try body(&self)
    }

    /// Height of the newest block, also while that is out of sight.
    public var wholeHeight: Int { chain.wholeHeight }

    /// The balance of an account as of the newest block in sight; whoever asks for many knows ``hiddenPayments``.
    func balance(_ number: UInt32, payments: [Int: Int64]? = nil) -> Int64 {
        let moves = hiddenMoves(number)
        return chain.accounts[number].balance.subtractingClamped(moves.received).addingClamped(moves.spent)
            .subtractingClamped(hiddenPayment(number, payments))
    }

    /// What an account got and spent in blocks out of sight: amounts, and amounts with fees.
    func hiddenMoves(_ number: UInt32) -> (received: Int64, spent: Int64) {
        var moves: (received: Int64, spent: Int64) = (0, 0)
        let hidden = chain.hiddenRows
        guard !hidden.isEmpty, chain.accounts[number].address.isUppercased else { return moves }
        func rows(_ lists: KindIndexes) -> [TransactionRow] {
            lists.indexes(.all).flatMap { $0.rows(from: hidden.lowerBound) }.map { chain.rows[$0] }
        }
        for spelling in chain.accounts.spellings(chain.accounts[number].address.uppercased) {
            let account = chain.accounts[spelling]
            for row in rows(account.incoming) + rows(account.own) {
                moves.received = moves.received.addingClamped(row.amount)
            }
            // What it sent to itself in the other spelling is among the outgoing as well.
            for row in rows(account.outgoing) + (account.address.isUppercased ? rows(account.own) : []) {
                moves.spent = moves.spent.addingClamped(row.amount).addingClamped(row.fee)
            }
        }
        return moves
    }

    /// What an account was paid as a delegate at ends of rounds out of sight.
    private func hiddenPayment(_ number: UInt32, _ payments: [Int: Int64]?) -> Int64 {
        guard chain.wholeHeight > height, let delegate = delegateTable.delegate(account: number),
            let place = delegateTable.place(publicKey: delegate.publicKey)
        else { return 0 }
        return (payments ?? hiddenPayments)[place] ?? 0
    }

    /// What delegates were paid at ends of rounds out of sight, by their places.
    var hiddenPayments: [Int: Int64] {
        var paid: [Int: Int64] = [:]
        for end in stride(from: height + 1, through: chain.wholeHeight, by: 1)
        where end.isMultiple(of: Self.roundLength) {
            var round = Round()
            let first = max(startHeight + 1, end - Self.roundLength + 1)
            for height in first...end { note(height, in: &round) }
            for payment in round.payments {
                let units = payment.fees.addingClamped(payment.rewards)
                paid[payment.delegate] = (paid[payment.delegate] ?? 0).addingClamped(units)
            }
        }
        return paid
    }

    /// Counts the block at a height for its round; tells who forged it.
    @discardableResult
    private func note(_ height: Int, in round: inout Round) -> Int? {
        let block = chain.blocks[height - startHeight]
        let key = Hex.encode(chain.generator(UInt32(height - startHeight)))
        guard let forger = delegateTable.place(publicKey: key) else { return nil }
        round.add(forger: forger, fees: block.totalFee, reward: block.reward)
        return forger
    }

    /// Whether a transaction waits in a node's pool, where what came in blocks out of sight still does.
    func isWaiting(_ id: Identifier, node: Int) -> Bool {
        chain.hiddenRow(id) != nil || pools[node].contains(id)
    }

    /// A transaction of a block out of sight as a pool has it.
    func waiting(_ row: UInt32) -> PooledTransaction {
        let transaction = chain.transaction(chain.rows[row])
        return PooledTransaction(
            transaction: transaction,
            posted: transaction.postedJSON.objectValue ?? JSONObject(),
            receivedAt: Timestamp(epochSeconds: Int64(transaction.timestamp)),
            relays: 1
        )
    }
}

/// Delegates, votes and rounds of the whole chain, put aside while fewer blocks are in sight.
private struct WholeRounds {
    let delegates: DelegateTable
    let round: Round
    let pastRounds: Int
}

extension Ledger {
    /// Keeps the delegates as of the end of a round, for views of the past and for undoing.
    mutating func keepDelegates() {
        let height = height
        forgetDelegates(from: height)
        delegatesOfRounds.append((height, delegateTable))
    }

    /// Forgets what was kept of ends of rounds from a height on.
    mutating func forgetDelegates(from height: Int) {
        while let last = delegatesOfRounds.last, last.height >= height { delegatesOfRounds.removeLast() }
    }

    /// Makes delegates, votes and the running round those of the newest block in sight; nil when they are.
    ///
    /// They are as of the end of the round before, and then as the blocks since change them.
    private mutating func showRounds() -> WholeRounds? {
        guard chain.wholeHeight > height,
            let kept = delegatesOfRounds.last(where: { $0.height <= height })
        else { return nil }
        let whole = WholeRounds(delegates: delegateTable, round: round, pastRounds: pastRounds.count)
        let hiddenEnds = chain.wholeHeight / Self.roundLength - height / Self.roundLength
        pastRounds.show(first: max(0, pastRounds.count - hiddenEnds))
        delegateTable = kept.table
        round = Round()
        let first = kept.height + 1 - startHeight
        let since = chain.rows(blocks: first..<chain.blocks.count)
        let changes = chain.byKind.indexes(RowKinds([.delegate, .vote]))
            .flatMap { $0.rows(from: since.lowerBound).prefix { $0 < since.upperBound } }
        for row in changes.sorted() {
            noteDelegate(chain.transaction(chain.rows[row]), by: chain.rows[row].sender)
        }
        for height in stride(from: kept.height + 1, through: height, by: 1) {
            if let forger = note(height, in: &round) { delegateTable.noteBlock(by: forger) }
        }
        return whole
    }

    private mutating func showWhole(_ whole: WholeRounds?) {
        guard let whole else { return }
        delegateTable = whole.delegates
        round = whole.round
        pastRounds.show(first: whole.pastRounds)
    }
}
