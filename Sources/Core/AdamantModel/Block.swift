import Determinism

/// A signed block without its transactions.
///
/// - Source: adamant:logic/block.js
public struct Block: Hashable, Sendable {
    /// Most transactions in one block.
    public static let maximumTransactions = 25

    /// Decided by the full bytes.
    public var id: Identifier
    /// 1 for the genesis block.
    public var height: Int
    /// Epoch seconds: the start of the slot.
    public var timestamp: Int32
    /// The parent; nil for the genesis block.
    public var previousBlock: Identifier?
    /// How many transactions it holds.
    public var numberOfTransactions: Int32
    /// Units of 1e-8 ADM.
    public var totalAmount: Int64
    /// Units of 1e-8 ADM.
    public var totalFee: Int64
    /// Units of 1e-8 ADM.
    public var reward: Int64
    /// Bytes of all contained transactions.
    public var payloadLength: Int32
    /// SHA-256 over the full bytes of the contained transactions in order.
    public var payloadHash: [UInt8]
    /// 32 bytes.
    public var generatorPublicKey: [UInt8]
    /// 64 bytes.
    public var signature: [UInt8]

    /// Makes and signs a block of transactions that are in block order already.
    public init(
        height: Int,
        timestamp: Int32,
        previousBlock: Identifier?,
        transactions: [Transaction],
        reward: Int64,
        generator: KeyPair,
        cryptography: some Cryptography
    ) {
        let payload = transactions.flatMap(\.fullBytes)
        self.height = height
        self.timestamp = timestamp
        self.previousBlock = previousBlock
        self.reward = reward
        numberOfTransactions = Int32(clamping: transactions.count)
        totalAmount = transactions.reduce(0) { $0.addingClamped($1.amount) }
        totalFee = transactions.reduce(0) { $0.addingClamped($1.fee) }
        payloadLength = Int32(clamping: payload.count)
        payloadHash = cryptography.sha256(payload)
        generatorPublicKey = generator.publicKey
        signature = []
        id = Identifier(0)
        signature = cryptography.sign(cryptography.sha256(unsignedBytes), privateKey: generator.privateKey)
        id = Identifier(littleEndian(cryptography.sha256(fullBytes)))
    }

    /// A block of all its parts, as it was stored.
    public init(
        id: Identifier,
        height: Int,
        timestamp: Int32,
        previousBlock: Identifier?,
        numberOfTransactions: Int32,
        totalAmount: Int64,
        totalFee: Int64,
        reward: Int64,
        payloadLength: Int32,
        payloadHash: [UInt8],
        generatorPublicKey: [UInt8],
        signature: [UInt8]
    ) {
        self.id = id
        self.height = height
        self.timestamp = timestamp
        self.previousBlock = previousBlock
        self.numberOfTransactions = numberOfTransactions
        self.totalAmount = totalAmount
        self.totalFee = totalFee
        self.reward = reward
        self.payloadLength = payloadLength
        self.payloadHash = payloadHash
        self.generatorPublicKey = generatorPublicKey
        self.signature = signature
    }

    /// The bytes whose SHA-256 is signed.
    public var unsignedBytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendLittleEndian(Int32(0))
        bytes.appendLittleEndian(timestamp)
        bytes.appendLittleEndian((previousBlock?.number ?? 0).byteSwapped)
        bytes.appendLittleEndian(numberOfTransactions)
        bytes.appendLittleEndian(totalAmount)
        bytes.appendLittleEndian(totalFee)
        bytes.appendLittleEndian(reward)
        bytes.appendLittleEndian(payloadLength)
        bytes += payloadHash
        bytes += generatorPublicKey
        return bytes
    }

    /// The unsigned bytes followed by the signature.
    public var fullBytes: [UInt8] { unsignedBytes + signature }

    /// The order of transactions in a block: by type, then amount, ascending, otherwise as given.
    public static func inBlockOrder(_ transactions: [Transaction]) -> [Transaction] {
        transactions.enumerated().sorted {
            ($0.element.type, $0.element.amount, $0.offset) < ($1.element.type, $1.element.amount, $1.offset)
        }.map(\.element)
    }
}
