/// Where a node stands beside the others of its world, whatever its version.
public struct NodeSituation: Hashable, Sendable {
    /// Greatest number of blocks that a node can be behind.
    public static let greatestLag = 10_000

    /// How many blocks the node is behind.
    public var lagBlocks = 0
    /// How far the node's clock is ahead of the world's.
    public var clockSkewMilliseconds: Int64 = 0
    /// How long the node keeps what it accepted before it relays it; 0 relays at once.
    public var relayMilliseconds = 0
    /// Whether the node says that it is catching up, and lets its queue wait meanwhile.
    public var isSyncing = false
    /// Whether the node has only begun to start.
    public var isLoading = false

    /// A node in step with the others.
    public init() {}
}
