/// The number of a transaction or block; on the wire a decimal string.
public struct Identifier: Hashable, Sendable, CustomStringConvertible {
    /// The first 8 bytes, little-endian, of the SHA-256 of the full bytes.
    public let number: UInt64

    /// An identifier of a number.
    public init(_ number: UInt64) {
        self.number = number
    }

    /// An identifier of decimal text; nil unless it is digits that fit.
    public init?(_ text: String) {
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }), let number = UInt64(text)
        else { return nil }
        self.number = number
    }

    /// The decimal text.
    public var description: String { String(number) }
}

/// What a transaction carries beside its amount.
public enum Asset: Hashable, Sendable {
    /// Type 0.
    case none
    /// Type 2: the user name of a delegate.
    case delegate(username: String)
    /// Type 3: `+hex` and `-hex` of delegates' keys.
    case votes([String])
    /// Type 8: hexadecimal text of box and nonce, and the chat type.
    case chat(message: String, ownMessage: String?, type: Int32)
    /// Type 9: a value of the key-value store, and the state type.
    case state(value: String, key: String?, type: Int32)
}

/// A signed transaction as a node has accepted it.
public struct Transaction: Hashable, Sendable {
    /// Transaction types by number.
    public enum Kind {
        /// Transfer.
        public static let transfer = 0
        /// Delegate registration.
        public static let delegate = 2
        /// Vote.
        public static let vote = 3
        /// Chat message.
        public static let chat = 8
        /// Key-value store.
        public static let state = 9
    }

    /// Chat types by number.
    public enum ChatKind {
        /// Ordinary message.
        public static let ordinary: Int32 = 1
        /// Rich message, its plain text being JSON.
        public static let rich: Int32 = 2
        /// Signal message.
        public static let signal: Int32 = 3
    }

    /// Decided by ``fullBytes``.
    public var id: Identifier
    /// 0 to 9.
    public var type: Int
    /// Epoch seconds.
    public var timestamp: Int32
    /// Epoch milliseconds, never part of the bytes.
    public var timestampMilliseconds: Int64?
    /// 32 bytes.
    public var senderPublicKey: [UInt8]
    /// The address of ``senderPublicKey``.
    public var sender: Address
    /// As sent; nil for state transactions.
    public var recipient: Address?
    /// Units of 1e-8 ADM.
    public var amount: Int64
    /// Units of 1e-8 ADM.
    public var fee: Int64
    /// What the type asks for.
    public var asset: Asset
    /// 64 bytes.
    public var signature: [UInt8]

    /// A transaction of all its parts.
    public init(
        id: Identifier,
        type: Int,
        timestamp: Int32,
        timestampMilliseconds: Int64? = nil,
        senderPublicKey: [UInt8],
        sender: Address,
        recipient: Address?,
        amount: Int64,
        fee: Int64,
        asset: Asset,
        signature: [UInt8]
    ) {
        self.id = id
        self.type = type
        self.timestamp = timestamp
        self.timestampMilliseconds = timestampMilliseconds
        self.senderPublicKey = senderPublicKey
        self.sender = sender
        self.recipient = recipient
        self.amount = amount
        self.fee = fee
        self.asset = asset
        self.signature = signature
    }
}
