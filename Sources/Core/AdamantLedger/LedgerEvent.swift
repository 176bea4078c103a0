public import AdamantModel
public import Determinism
public import JSONValue

/// Something that happened to a ledger; the events in order rebuild it.
public enum LedgerEvent: Hashable, Sendable {
    /// A node took a posted transaction into its queue.
    case accepted(node: Int, Transaction, posted: JSONObject, receivedAt: Timestamp)
    /// Another node took it over from the one that accepted it.
    case relayed(node: Int, Identifier, receivedAt: Timestamp)
    /// A node moved it from its queue to its unconfirmed part.
    case unconfirmed(node: Int, Identifier)
    /// A node lost it, which clients are never told.
    case dropped(node: Int, Identifier, reason: String)
    /// A block with its transactions in block order.
    case forged(Block, [Transaction])
    /// The newest block was rolled back, with its transactions in block order.
    case reverted(Block, [Transaction])
    /// A node's queue got a transaction that nobody posted or relayed, for one of a rolled-back block.
    case pooled(node: Int, PooledTransaction)
    /// An account's row was written, or its key was.
    case accountStored(address: Address, publicKey: [UInt8]?)
}

/// Where a transaction is, as one node sees it.
public enum TransactionLocation: Hashable, Sendable {
    /// Accepted, not yet in the unconfirmed part.
    case queued
    /// Waiting for a block.
    case unconfirmed
    /// In the block at a height.
    case forged(height: Int)
    /// Lost after it was accepted.
    case dropped(reason: String)
}

/// An account as clients see it.
public struct AccountView: Hashable, Sendable {
    /// With an upper-case `U`.
    public let address: Address
    /// Units of 1e-8 ADM, confirmed.
    public let balance: Int64
    /// Units of 1e-8 ADM, less what waits in the node's unconfirmed part.
    public let unconfirmedBalance: Int64
    /// 32 bytes, once the account has posted anything.
    public let publicKey: [UInt8]?

    /// An account of its parts.
    public init(address: Address, balance: Int64, unconfirmedBalance: Int64, publicKey: [UInt8]?) {
        self.address = address
        self.balance = balance
        self.unconfirmedBalance = unconfirmedBalance
        self.publicKey = publicKey
    }
}
