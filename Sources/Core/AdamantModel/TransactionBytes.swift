/// The fields of a transaction that its signature and its id are made from.
///
/// Kept apart from ``Transaction`` because the node makes bytes of transactions that it then refuses.
/// - Source: adamant:logic/transaction.js (`getBytes`)
public struct TransactionBytes: Sendable {
    /// One byte.
    public var type: UInt8
    /// Epoch seconds.
    public var timestamp: Int32
    /// Raw bytes of the sender's key.
    public var senderPublicKey: [UInt8]
    /// Raw bytes of a requester's key, where one is given.
    public var requesterPublicKey: [UInt8]
    /// See ``Address/transactionBytes``; nil becomes eight zero bytes.
    public var recipient: Address?
    /// Units of 1e-8 ADM.
    public var amount: Int64
    /// See ``Asset/transactionBytes``.
    public var asset: Asset

    /// The fields, in the order of their bytes.
    public init(
        type: UInt8,
        timestamp: Int32,
        senderPublicKey: [UInt8],
        requesterPublicKey: [UInt8] = [],
        recipient: Address?,
        amount: Int64,
        asset: Asset
    ) {
        self.type = type
        self.timestamp = timestamp
        self.senderPublicKey = senderPublicKey
        self.requesterPublicKey = requesterPublicKey
        self.recipient = recipient
        self.amount = amount
        self.asset = asset
    }

    /// The bytes whose SHA-256 is signed.
    public var unsigned: [UInt8] {
        var bytes: [UInt8] = [type]
        bytes.reserveCapacity(256)
        bytes.appendLittleEndian(timestamp)
        bytes += senderPublicKey
        bytes += requesterPublicKey
        bytes += recipient?.transactionBytes ?? Array(repeating: 0, count: 8)
        bytes.appendLittleEndian(amount)
        asset.appendTransactionBytes(to: &bytes)
        return bytes
    }

    /// The id: the first 8 bytes, little-endian, of SHA-256 over the unsigned bytes and the signatures.
    public static func id(unsigned: [UInt8], signatures: [UInt8], cryptography: some Cryptography)
        -> Identifier
    {
        Identifier(littleEndian(cryptography.sha256(unsigned + signatures)))
    }
}

extension Transaction {
    /// The bytes whose SHA-256 is signed.
    public var unsignedBytes: [UInt8] {
        TransactionBytes(
            type: UInt8(truncatingIfNeeded: type),
            timestamp: timestamp,
            senderPublicKey: senderPublicKey,
            recipient: recipient,
            amount: amount,
            asset: asset
        ).unsigned
    }

    /// The unsigned bytes followed by the signature.
    public var fullBytes: [UInt8] { unsignedBytes + signature }
}

extension Asset {
    /// Appends the bytes that stand for the asset in a transaction.
    func appendTransactionBytes(to bytes: inout [UInt8]) {
        switch self {
        case .none: break
        case .delegate(let username): bytes += username.utf8
        case .votes(let votes): bytes += votes.joined().utf8
        case .chat(let message, let ownMessage, let type):
            bytes += Hex.decodeLeniently(message)
            bytes += Hex.decodeLeniently(ownMessage ?? "")
            bytes.appendLittleEndian(type)
        case .state(let value, let key, let type):
            bytes += value.utf8
            bytes += (key ?? "").utf8
            bytes.appendLittleEndian(type)
        }
    }
}

extension [UInt8] {
    /// Appends an integer, lowest byte first.
    mutating func appendLittleEndian(_ value: some FixedWidthInteger) {
        for shift in stride(from: 0, to: value.bitWidth, by: 8) {
            append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }
}
