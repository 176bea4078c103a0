import AdamantModel

/// Transactions that moves of the chain took away, and why: they are on no node any more, unless they came back.
struct TransactionReversals: Sendable {
    /// How many are remembered; older ones give way.
    static let capacity = 10_000

    /// A transaction that was taken away.
    struct Reversal: Sendable {
        let transaction: Transaction
        let why: String
    }

    private var reversals: [Identifier: Reversal] = [:]
    /// Ids in the order of their first notes, the oldest at `start`.
    private var order: [Identifier] = []
    private var start = 0
    /// How many blocks were rolled back so far, one after another.
    var revertedBlocks: UInt64 = 0

    /// What took a transaction away; nil when nothing did, or so long ago that it is forgotten.
    func find(_ id: Identifier) -> Reversal? { reversals[id] }

    /// Those remembered, oldest first.
    var all: [Reversal] { order[start...].compactMap { reversals[$0] } }

    /// Notes the transactions of a block that was rolled back.
    mutating func note(_ block: Block, _ transactions: [Transaction]) {
        revertedBlocks += 1
        for transaction in transactions {
            note(
                transaction,
                "block \(block.id) at height \(block.height) was rolled back, and it did not return"
            )
        }
    }

    /// Notes a transaction.
    mutating func note(_ transaction: Transaction, _ why: String) {
        let reversal = Reversal(transaction: transaction, why: why)
        guard reversals.updateValue(reversal, forKey: transaction.id) == nil else { return }
        if order.count - start < Self.capacity {
            order.append(transaction.id)
        } else {
            reversals[order[start]] = nil
            order.append(transaction.id)
            start += 1
        }
        if start > Self.capacity {
            order.removeFirst(start)
            start = 0
        }
    }
}
