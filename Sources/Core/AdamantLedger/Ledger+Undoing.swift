import AdamantModel
import Determinism

extension Ledger {
    /// Takes the newest block off the chain; false when it is the first one, which stays.
    ///
    /// Balances, votes, user names and the running round are as before the block; rows and keys of accounts that it
    /// brought stay, as real nodes keep them. What becomes of its transactions is the caller's business, and so is
    /// bringing the unconfirmed parts up to date. The cost depends on the block alone.
    /// - Source: adamant:modules/blocks/chain.js (`deleteLastBlock`, `popLastBlock`), logic/transaction.js (`undo`)
    @discardableResult
    mutating func undoLastBlock() -> Bool {
        guard height > startHeight else { return false }
        let block = lastBlock
        let transactions = transactions(height: height)
        undoRound(block)
        chain.removeLastBlock()
        for transaction in transactions.reversed() {
            refund(transaction)
            for node in pools.indices { pools[node].forgetDrop(transaction.id) }
        }
        events.append(.reverted(block, transactions))
        return true
    }

    /// The opposite of ``charge(_:)``.
    private mutating func refund(_ transaction: Transaction) {
        // An account that stays is as old as what is left of the chain.
        let newest = UInt32(chain.blocks.count - 1)
        guard let sender = chain.accounts.stored(transaction.sender) else { return }
        let units = transaction.amount.addingClamped(transaction.fee)
        chain.accounts[sender].balance = chain.accounts[sender].balance.addingClamped(units)
        chain.accounts[sender].storedInBlock = min(chain.accounts[sender].storedInBlock, newest)
        if transaction.amount > 0, let recipient = transaction.recipient.flatMap(chain.accounts.stored) {
            let balance = chain.accounts[recipient].balance
            chain.accounts[recipient].balance = balance.subtractingClamped(transaction.amount)
            chain.accounts[recipient].storedInBlock = min(chain.accounts[recipient].storedInBlock, newest)
        }
    }

    /// Takes the newest block out of its round, whose end it may have been.
    ///
    /// The delegates are made anew of what they were when the round began and of its blocks: at most 100 of them.
    private mutating func undoRound(_ block: Block) {
        let wasEnd = block.height.isMultiple(of: Self.roundLength)
        if wasEnd { pastRounds.removeLast() }
        forgetDelegates(from: block.height)
        guard let kept = delegatesOfRounds.last else { return }
        delegateTable = kept.table
        round = Round()
        for height in kept.height + 1..<max(block.height, kept.height + 1) {
            repeatForDelegates(chain.block(height - startHeight), at: height - startHeight)
        }
        guard wasEnd else { return }
        var ended = round
        if let forger = place(ofForger: block) {
            ended.add(forger: forger, fees: block.totalFee, reward: block.reward)
        }
        for payment in ended.payments {
            let number = delegateTable.delegates[payment.delegate].account
            let units = payment.fees.addingClamped(payment.rewards)
            chain.accounts[number].balance = chain.accounts[number].balance.subtractingClamped(units)
        }
    }

    /// Applies to the delegates, and to nothing else, what a block on the chain did.
    private mutating func repeatForDelegates(_ block: Block, at index: Int) {
        for number in chain.rows(blocks: index..<index + 1) {
            let row = chain.rows[number]
            guard row.kind == .delegate || row.kind == .vote else { continue }
            noteDelegate(chain.transaction(row), by: row.sender)
        }
        noteForger(of: block)
    }
}
