public import AdamantModel
public import Determinism

extension Ledger {
    /// Pays an account by a transfer that has a block to itself, so that the money is there at once and nothing else moves.
    ///
    /// The transfer is dated as late as its id is new: two equal transfers of one second are the same transaction.
    /// - Parameters:
    ///   - recipient: is credited.
    ///   - amount: units of 1e-8 ADM, above 0.
    ///   - payer: pays the amount and the fee.
    ///   - now: the time by the world's clock.
    /// - Returns: the block.
    /// - Throws: ``SubmissionRejection`` when the payer has not enough.
    public mutating func fund(
        _ recipient: Address,
        amount: Int64,
        by payer: KeyPair,
        now: Timestamp
    ) throws(SubmissionRejection) -> Block {
        var timestamp = Int32(clamping: now.epochSeconds)
        var transfer: Transaction
        repeat {
            transfer = Transaction(
                signing: .none,
                type: Transaction.Kind.transfer,
                timestamp: timestamp,
                recipient: recipient,
                amount: amount,
                by: payer,
                cryptography: cryptography
            )
            timestamp = timestamp &- 1
        } while chain.row(transfer.id) != nil
        let balance = account(transfer.sender.text)?.balance ?? 0
        guard transfer.amount.addingClamped(transfer.fee) <= balance else {
            let text = Amount.adm(balance)
            throw SubmissionRejection("Account does not have enough ADM: \(transfer.sender) balance: \(text)")
        }
        return forge([transfer], now: now)
    }

    /// Puts transactions that are signed into a block of their own, past pools and checks of their age.
    ///
    /// - Parameters:
    ///   - transactions: as many as a block holds.
    ///   - now: the time by the world's clock.
    /// - Returns: the block.
    /// - Throws: ``SubmissionRejection`` when one is on the chain already, is not paid for, or does not fit.
    public mutating func settle(
        _ transactions: some Collection<Transaction>,
        now: Timestamp
    ) throws(SubmissionRejection) -> Block {
        let chosen = choose(from: transactions)
        guard chosen.count == transactions.count else {
            let ids = Set(chosen.map(\.id))
            let left = transactions.first { !ids.contains($0.id) }
            throw SubmissionRejection(
                "transaction \(left?.id.description ?? "") is there already, is not paid for, or does not fit"
            )
        }
        return forge(Block.inBlockOrder(chosen), now: now)
    }
}
