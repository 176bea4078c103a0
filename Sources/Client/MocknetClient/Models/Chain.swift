public import Foundation

/// The chain, and how it grows.
public struct Chain: Sendable, Codable {
    /// The height of the newest block.
    public let height: Int
    /// `interval`, `instant` or `manual`.
    public let forging: String
    /// The time between blocks.
    public let intervalMilliseconds: Int
}

/// A block of the chain.
public struct Block: Sendable, Codable {
    /// Decimal digits.
    public let id: String
    /// Its height.
    public let height: Int
    /// The start of its slot.
    public let at: Date
    /// How many transactions it holds.
    public let transactionCount: Int
    /// In units of 1e-8 ADM.
    public let totalAmount: String
    /// In units of 1e-8 ADM.
    public let totalFee: String
    /// In units of 1e-8 ADM.
    public let reward: String
    /// The transactions, where one block was asked for.
    public let transactions: [TransactionState]?
}

/// A state of the chain that the world can go back to.
public struct Snapshot: Sendable, Codable {
    /// What other calls name it by, beside its name.
    public let id: String
    /// What its maker called it.
    public let name: String?
    /// The height there.
    public let height: Int
}

/// What a reorganisation of the chain did.
public struct Reorganization: Sendable, Codable {
    /// The height afterwards.
    public let height: Int
    /// The blocks rolled back.
    public let reverted: [Block]
    /// The blocks forged instead.
    public let forged: [Block]
    /// Transactions that went back to the pools.
    public let waiting: [String]

    /// A block.
    public struct Block: Sendable, Codable {
        /// Decimal digits.
        public let id: String
        /// Its height.
        public let height: Int
        /// How many transactions it holds.
        public let transactions: Int
    }
}

/// The world's clock.
public struct WorldClock: Sendable, Codable {
    /// What it says.
    public let now: Date
    /// The same in seconds since the ADAMANT epoch, 2017-09-02T17:00:00Z.
    public let epochSeconds: Int
    /// How far it is ahead of the machine's.
    public let offsetSeconds: Double
    /// Whether it stands still.
    public let frozen: Bool
}

/// The registrations as the chain's order defines them.
public struct Registry: Sendable, Codable {
    /// One for each address and token.
    public let rows: [Row]
    /// How many addresses there are.
    public let addresses: Int
    /// How many elements each list of the registry has, `rows` among them.
    public let totals: [String: Int]
    /// Whether there may be further rows.
    public let more: Bool

    /// A registration.
    public struct Row: Sendable, Codable {
        /// The place of its signal among all signals to the service, from 1.
        public let seq: Int
        /// The registered address.
        public let address: String
        /// The device token.
        public let token: String
        /// `apns` or `apns-sandbox`.
        public let provider: String
        /// Since when.
        public let since: Date?
        /// The signal that made it.
        public let transactionId: String?
    }
}
