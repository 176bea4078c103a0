public import AdamantModel

/// A fork to be played: how many blocks give way, and what is to become of their transactions.
///
/// Those in no list return by lot: in another order, in a later block, or only after the fork.
public struct Reorganization: Sendable {
    /// Most blocks of the new chain.
    public static let maximumBlocks = 10_000

    /// How many of the newest blocks are rolled back.
    public var depth: Int
    /// How many blocks take their place; nil for one more than ``depth``, or as many as ``order`` needs.
    public var blocks: Int?
    /// Return in the first new block.
    public var keep: [Identifier] = []
    /// Return in this order, each in the block after that of the one before, from the first new block on.
    public var order: [Identifier] = []
    /// Go back to the pools, to wait for a block after the new ones.
    public var delay: [Identifier] = []
    /// Never return by themselves.
    public var drop: [Identifier] = []

    /// A fork of so many blocks whose transactions all return by lot.
    public init(depth: Int) {
        self.depth = depth
    }

    /// What is asked for of each transaction that is named.
    enum Fate: Sendable {
        case returns(block: Int)
        case waits
        case isDropped
    }

    /// How many blocks the new chain has.
    ///
    /// A node leaves its chain only for a longer one.
    var newBlocks: Int { blocks ?? max(depth + 1, order.count) }

    /// The fate of each transaction that is named.
    func fates(rolledBack: Set<Identifier>) throws(ReorganizationError) -> [Identifier: Fate] {
        var fates: [Identifier: Fate] = [:]
        func add(_ id: Identifier, _ fate: Fate, _ list: ReorganizationError.List)
            throws(ReorganizationError)
        {
            guard rolledBack.contains(id) else { throw .notRolledBack(id, list) }
            guard fates.updateValue(fate, forKey: id) == nil else { throw .namedTwice(id, list) }
        }
        for id in keep { try add(id, .returns(block: 0), .keep) }
        for (block, id) in order.enumerated() { try add(id, .returns(block: block), .order) }
        for id in delay { try add(id, .waits, .delay) }
        for id in drop { try add(id, .isDropped, .drop) }
        return fates
    }
}

/// What a ``Reorganization`` did.
public struct ReorganizationOutcome: Sendable {
    /// The blocks rolled back, newest first.
    public internal(set) var reverted: [Block] = []
    /// The blocks in their place, in order.
    public internal(set) var forged: [Block] = []
    /// The transactions that are in no block now, and wait in the pools.
    public internal(set) var waiting: [Identifier] = []
}

/// Why a fork cannot be played; the ledger is unchanged then.
public enum ReorganizationError: Error, Hashable, Sendable {
    /// A list of transactions in a ``Reorganization``.
    public enum List: String, Sendable {
        /// Of those that return at once.
        case keep
        /// Of those that return in a given order.
        case order
        /// Of those that wait for a later block.
        case delay
        /// Of those that do not return.
        case drop
    }

    /// No block is to be rolled back, or more than there are above the first one.
    case depthOutOfRange(greatest: Int)
    /// The new chain is to be shorter than the one it replaces, too short for the order, or too long.
    case blocksOutOfRange(least: Int, greatest: Int)
    /// A transaction in a list is in none of the blocks that are rolled back.
    case notRolledBack(Identifier, List)
    /// A transaction is in two lists, or twice in one.
    case namedTwice(Identifier, List)
}
