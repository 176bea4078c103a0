import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import TestSupport

/// Long chains without signatures, put on by restoring blocks that nobody forged.
struct SyntheticChain {
    private static let senders = (0..<40).map { index in
        (Address(number: UInt64(1_000 + index)), [UInt8](repeating: UInt8(index), count: 32))
    }

    private(set) var ledger: Ledger
    private var generator = SeededGenerator(seed: 11)
    private var nextId: UInt64 = 1

    /// A chain of so many transactions, 25 to a block, a block each five seconds.
    init(transactions: Int) {
        ledger = TestWorld(balances: []).ledger
        for first in stride(from: 0, to: transactions, by: Block.maximumTransactions) {
            addBlock(count: min(Block.maximumTransactions, transactions - first))
        }
        _ = ledger.takeEvents()
    }

    static func address(_ index: Int) -> Address { senders[index].0 }

    private mutating func addBlock(count: Int) {
        let height = ledger.height + 1
        let timestamp = Int32(height) * 5
        let transactions = (0..<count).map { _ in transaction(near: timestamp) }
        nextId += 1
        let block = Block(
            id: Identifier(nextId),
            height: height,
            timestamp: timestamp,
            previousBlock: ledger.lastBlock.id,
            numberOfTransactions: Int32(count),
            totalAmount: 0,
            totalFee: 0,
            reward: 0,
            payloadLength: 0,
            payloadHash: [UInt8](repeating: 0, count: 32),
            generatorPublicKey: TestWorld.delegates[0].publicKey,
            signature: [UInt8](repeating: 0, count: 64)
        )
        precondition(ledger.restore(.forged(block, transactions)))
    }

    private mutating func transaction(near timestamp: Int32) -> Transaction {
        let sender = Self.senders[Int.random(in: 0..<40, using: &generator)]
        let recipient = Self.senders[Int.random(in: 0..<40, using: &generator)].0
        nextId += 1
        let type = [0, 8, 8, 8, 9][Int.random(in: 0..<5, using: &generator)]
        let subtype = Int32.random(in: 1...3, using: &generator)
        let asset: Asset =
            switch type {
            case 8: .chat(message: "aabb", ownMessage: "cc", type: subtype)
            case 9: .state(value: "v", key: "k\(subtype)", type: 0)
            default: .none
            }
        return Transaction(
            id: Identifier(nextId),
            type: type,
            timestamp: max(timestamp - Int32.random(in: 0..<9, using: &generator), 0),
            senderPublicKey: sender.1,
            sender: sender.0,
            recipient: type == 9 ? nil : recipient,
            amount: type == 0 ? 1 : 0,
            fee: 0,
            asset: asset,
            signature: [UInt8](repeating: 0, count: 64)
        )
    }
}
