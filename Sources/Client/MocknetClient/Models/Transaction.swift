public import Foundation

/// Where a transaction is.
public struct TransactionState: Sendable, Codable {
    /// Decimal digits.
    public let id: String
    /// `message`, `signal`, `transfer`, `state`, `vote` or `delegate registration`.
    public let kind: String?
    /// The sender's address.
    public let sender: String?
    /// The recipient's address.
    public let recipient: String?
    /// In units of 1e-8 ADM.
    public let amount: String?
    /// In units of 1e-8 ADM.
    public let fee: String?
    /// `queued`, `unconfirmed`, `held`, `forged`, `dropped` or `reverted`.
    public let state: String
    /// The height of its block.
    public let height: Int?
    /// What keeps it out of a block.
    public let why: String?
}

/// A transaction that a fault rule holds back.
public struct HeldTransaction: Sendable, Codable {
    /// What releases it.
    public let id: String
    /// The rule that holds it.
    public let faultId: String
    /// The node that got it.
    public let node: String
    /// The transaction.
    public let transactionId: String
    /// The sender's address.
    public let sender: String?
    /// The recipient's address.
    public let recipient: String?
    /// Since when.
    public let at: Date
}

/// The way of one transaction from its sender to a screen.
public struct Trace: Sendable, Codable {
    /// The transaction.
    public let transactionId: String
    /// `message`, `transfer` or `signal`.
    public let kind: String?
    /// `shown`, `delivered`, `lost` or `pending`.
    public let outcome: String
    /// The first station that it did not come by.
    public let lostAt: String?
    /// The cause as a code.
    public let causeCode: String?
    /// The cause in words.
    public let cause: String?
    /// The stations that it came by, in order.
    public let stations: [Station]

    /// One station.
    public struct Station: Sendable, Codable {
        /// `posted`, `accepted`, `forged`, `polled`, `pushed`, `delivered`, `fetched` or `shown`.
        public let station: String
        /// When.
        public let at: Date?
        /// The node it was at.
        public let node: String?
        /// The height of its block.
        public let height: Int?
        /// The fault that struck it there.
        public let faultId: String?
        /// The push.
        public let pushId: String?
        /// The device.
        public let device: String?
        /// What is to be said of it.
        public let note: String?
    }
}
