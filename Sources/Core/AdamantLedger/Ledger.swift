public import AdamantModel

/// The chain of a world, its accounts, and the pool of each of its nodes.
///
/// A value that performs nothing: whoever holds it tells the time and carries out what its events say. All answers
/// depend on the order of calls alone.
public struct Ledger: Sendable {
    /// Greatest height at which a chain can begin, so that heights always fit.
    public static let greatestStartHeight = 2_000_000_000
    /// Blocks of one round.
    ///
    /// - Source: adamant:helpers/constants.js (`activeDelegates`)
    public static let roundLength = 101
    /// Height from which `timestampMs` counts.
    ///
    /// - Source: adamant:helpers/constants.js (`spaceship`)
    public static let millisecondsHeight = 100_000_000

    /// The primitives; checks inside the ledger only hash and sign.
    public let cryptography: any Cryptography
    /// What the chain began with.
    public let genesis: Genesis
    /// Changes whenever a block, an account or a pool does: the same version gives the same lists.
    public internal(set) var version = 0
    /// How each node behaves, by node number; ``setProfile(_:node:)`` also tells its sockets what changes by that.
    public var profiles: [NodeProfile]

    var chain: Chain { didSet { version &+= 1 } }
    var pools: [NodePool] { didSet { version &+= 1 } }
    var delegateTable = DelegateTable()
    var round = Round()
    /// How the fees of past rounds were shared out, in order, the chain's first round first.
    var pastRounds = PagedArray<RoundShares>()
    /// The delegates as of the first block and of the ends of all rounds, by height.
    var delegatesOfRounds: [(height: Int, table: DelegateTable)] = []
    var events: [LedgerEvent] = []
    /// Nodes whose sockets somebody listens to.
    var watchedNodes: Set<Int> = []
    var notices: [LedgerNotice] = []
    /// The half minute in which pools were last searched for expired transactions.
    var lastExpiryCheck: Int64?

    /// A ledger with its genesis block, and an empty pool for each profile.
    public init(
        genesis: Genesis,
        profiles: [NodeProfile],
        startHeight: Int,
        cryptography: any Cryptography
    ) {
        self.cryptography = cryptography
        self.genesis = genesis
        self.profiles = profiles
        chain = Chain(startHeight: min(max(startHeight, 1), Self.greatestStartHeight))
        pools = Array(repeating: NodePool(), count: profiles.count)
        addGenesisBlock()
    }

    /// Height of the newest block.
    public var height: Int { chain.height }

    /// Height of the first block.
    public var startHeight: Int { chain.startHeight }

    /// How many transactions are in blocks.
    public var transactionCount: Int { chain.rows.count }

    /// How many nodes have a pool.
    public var nodeCount: Int { pools.count }

    /// The newest block.
    public var lastBlock: Block { chain.block(chain.blocks.count - 1) }

    /// The block at a height; nil where there is none.
    public func block(height: Int) -> Block? {
        let index = height.subtractingReportingOverflow(chain.startHeight)
        guard !index.overflow, (0..<chain.blocks.count).contains(index.partialValue) else { return nil }
        return chain.block(index.partialValue)
    }

    /// The block of an id.
    public func block(id: Identifier) -> Block? {
        chain.blockIndex(id).map { chain.block(Int($0)) }
    }

    /// The height of the newest block that this chain shares with another of the same genesis.
    public func commonHeight(with other: Ledger) -> Int {
        // What is equal is a prefix of both.
        var low = startHeight
        var high = min(height, other.height)
        while low < high {
            let middle = (low + high + 1) / 2
            if chain.blocks[middle - startHeight].id == other.chain.blocks[middle - startHeight].id {
                low = middle
            } else {
                high = middle - 1
            }
        }
        return low
    }

    /// The transactions of the block at a height, in block order.
    public func transactions(height: Int) -> [Transaction] {
        let index = height.subtractingReportingOverflow(chain.startHeight)
        guard !index.overflow, index.partialValue >= 0, index.partialValue < chain.blocks.count else {
            return []
        }
        return chain.rows(blocks: index.partialValue..<index.partialValue + 1)
            .map { chain.transaction(chain.rows[$0]) }
    }

    /// A confirmed transaction.
    public func transaction(_ id: Identifier) -> Transaction? {
        chain.row(id).map { chain.transaction(chain.rows[$0]) }
    }

    /// The height of a confirmed transaction's block.
    public func height(of id: Identifier) -> Int? {
        chain.row(id).map { chain.height(block: chain.rows[$0].block) }
    }

    /// Where a transaction is, as a node sees it; nil when it never came there.
    public func location(of id: Identifier, node: Int) -> TransactionLocation? {
        if let height = height(of: id) { return .forged(height: height) }
        guard pools.indices.contains(node) else { return nil }
        return chain.hiddenRow(id) == nil ? pools[node].location(of: id) : .unconfirmed
    }

    /// A transaction that waits in a node's pool.
    public func pooled(_ id: Identifier, node: Int) -> PooledTransaction? {
        guard pools.indices.contains(node) else { return nil }
        return chain.hiddenRow(id).map(waiting) ?? pools[node].entry(id)
    }

    /// A transaction that is confirmed, waits in a pool, or was lost and is still remembered.
    public func seen(_ id: Identifier) -> Transaction? {
        if let confirmed = transaction(id) { return confirmed }
        return pools.lazy.compactMap { $0.entry(id)?.transaction ?? $0.lostTransaction(id) }.first
    }

    /// A node's queue, oldest first.
    public func queued(node: Int) -> [PooledTransaction] {
        pools.indices.contains(node) ? pools[node].queued : []
    }

    /// A node's unconfirmed part in the order of entry; what is in blocks out of sight is still in it.
    public func unconfirmed(node: Int) -> [PooledTransaction] {
        guard pools.indices.contains(node) else { return [] }
        return chain.hiddenRows.prefix(NodePool.capacity).map(waiting) + pools[node].unconfirmed
    }

    /// A confirmed transaction as JSON; nil when it is in no block.
    public func transactionJSON(_ id: Identifier, form: TransactionForm, profile: NodeProfile) -> [UInt8]? {
        guard let row = chain.row(id) else { return nil }
        var output: [UInt8] = []
        output.reserveCapacity(1024)
        chain.render(row, form, profile, into: &output)
        return output
    }

    /// Makes this the ledger of an earlier moment or of another chain: a copy, made before, of the same world's.
    ///
    /// The nodes' profiles stay, unless others are given, and ``version`` goes on, so that nothing that was answered
    /// before seems still true.
    public mutating func revert(to other: Ledger, profiles: [NodeProfile]? = nil) {
        let (version, profiles) = (version, profiles ?? self.profiles)
        let (watchedNodes, notices) = (watchedNodes, notices)
        self = other
        self.profiles = profiles
        (self.watchedNodes, self.notices) = (watchedNodes, notices)
        self.version = max(version, other.version) &+ 1
    }

    /// Whether something happened since ``takeEvents()``.
    public var hasEvents: Bool { !events.isEmpty }

    /// What happened since the last call, in order.
    public mutating func takeEvents() -> [LedgerEvent] {
        let taken = events
        events = []
        return taken
    }
}
