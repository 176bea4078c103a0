import AdamantModel
import Determinism
import Simulators
import SystemCryptography
import TestSupport

/// Keys that tests sign with.
enum Keys {
    static let cryptography = SystemCryptography()
    static let alice = pair(1)
    static let bob = pair(2)
    static let service = pair(3)
    static let identity = ServiceIdentity(address: address(service), publicKey: service.publicKey)

    static func pair(_ number: UInt8) -> KeyPair {
        cryptography.keyPair(seed: Array(repeating: number, count: 32))!
    }

    static func address(_ pair: KeyPair) -> Address { pair.address(cryptography: cryptography) }
}

/// A token of 32 bytes, as hexadecimal.
func token(_ number: UInt8) -> String { Hex.encode(Array(repeating: number, count: 32)) }

/// A chain so small that a test can hold it: what a node accepts is in a block at once.
struct Chain {
    var transactions: [SeenTransaction] = []
    var height = 100

    mutating func forge(_ transaction: Transaction) {
        height += 1
        transactions.append(SeenTransaction(transaction, height: height))
    }

    /// The tokens registered for an address by the chain's order.
    func registered(_ address: Address) -> [String] {
        var tokens: [String] = []
        for transaction in transactions where transaction.sender == address {
            guard let signal = Chain.signal(transaction), let token = signal.token else { continue }
            tokens.removeAll { $0 == token }
            if signal.action == .add { tokens.append(token) }
        }
        return tokens
    }

    static func signal(_ transaction: SeenTransaction) -> Signal? {
        guard let chat = transaction.chat, chat.type == 3 else { return nil }
        let text = chat.box.open(
            publicKey: transaction.senderPublicKey,
            privateKey: Keys.service.privateKey,
            cryptography: Keys.cryptography
        )
        return text.flatMap { Signal(plainText: $0) }
    }
}
