import AdamantModel
import Simulators
import SystemCryptography
import TraceRules

/// A registry that blocks of signals were applied to, one after another.
struct SignalChain {
    static let cryptography = SystemCryptography()
    static let service = account("ans")
    static let alice = account("alice")
    static let bob = account("bob")

    var registry = SignalRegistry(service: service.keyPair, address: service.address)
    private(set) var blocks: [Block] = []

    static func account(_ name: String) -> TestAccount { TestAccounts.all.first { $0.name == name }! }

    /// A signal of an account with an action for a token.
    static func signal(
        _ action: Signal.Action,
        _ token: String,
        by sender: TestAccount = alice,
        at timestamp: Int32
    )
        -> Transaction
    {
        Signal(action: action, token: token, provider: "apns").transaction(
            to: ServiceIdentity(address: service.address, publicKey: service.keyPair.publicKey),
            timestamp: timestamp,
            nonce: Array(repeating: UInt8(truncatingIfNeeded: timestamp), count: 24),
            by: sender.keyPair,
            cryptography: cryptography
        )!
    }

    static func message(_ text: String, type: Int32 = 3, nonce: String = "00", by sender: TestAccount = alice)
        -> Transaction
    {
        Transaction(
            signing: .chat(message: text, ownMessage: nonce, type: type),
            type: Transaction.Kind.chat,
            timestamp: 1,
            recipient: service.address,
            amount: 0,
            by: sender.keyPair,
            cryptography: cryptography
        )
    }

    /// Adds a block of transactions.
    mutating func forge(_ transactions: [Transaction] = []) {
        let height = blocks.count + 2
        let block = Block(
            height: height,
            timestamp: Int32(100 * height),
            previousBlock: blocks.last?.id,
            transactions: transactions,
            reward: 0,
            generator: Self.bob.keyPair,
            cryptography: Self.cryptography
        )
        blocks.append(block)
        registry.apply(block, transactions, cryptography: Self.cryptography)
    }

    mutating func rollBack() { registry.undo(blocks.removeLast()) }
}
