public import Foundation

/// A node and how it behaves.
public struct Node: Sendable, Codable {
    /// Its name, such as `alpha`.
    public let name: String
    /// Its HTTP API.
    public let url: URL
    /// The version it reports.
    public let version: String
    /// Whether it can be reached.
    public let online: Bool
    /// The height it tells.
    public let height: Int
    /// The share of calls that fail, 0 to 1.
    public let failureRate: Double
    /// By how many blocks it lags.
    public let lagBlocks: Int
    /// Whether it says that it is syncing.
    public let syncing: Bool
    /// Socket.IO sessions.
    public let socketClients: Int
    /// Events these have emitted: one that subscribes is heard once this has grown.
    public let socketEvents: Int
}

/// The reference notification service.
public struct NotificationService: Sendable, Codable {
    /// `as-deployed` or `ordered`; nil until there is one.
    public let behaviour: String?
    /// Whether it runs.
    public let running: Bool
    /// Its address.
    public let address: String?
    /// The time between its polls.
    public let pollSeconds: Double?
    /// Pushes that APNs accepted.
    public let accepted: Int?
    /// Pushes that failed.
    public let failed: Int?
}
