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
}
