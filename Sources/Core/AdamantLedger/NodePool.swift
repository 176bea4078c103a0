public import AdamantModel
public import Determinism
public import JSONValue

/// A transaction that waits in a node's pool.
public struct PooledTransaction: Hashable, Sendable {
    /// What was accepted.
    public let transaction: Transaction
    /// The members as posted, in their order.
    public let posted: JSONObject
    /// When this node took it.
    public let receivedAt: Timestamp
    /// 1 where it was posted, higher where it came from a peer.
    public let relays: Int

    /// A transaction as it waits, or would.
    public init(transaction: Transaction, posted: JSONObject, receivedAt: Timestamp, relays: Int) {
        self.transaction = transaction
        self.posted = posted
        self.receivedAt = receivedAt
        self.relays = relays
    }
}

/// A transaction that a node accepted and lost.
private struct LostTransaction: Sendable {
    let transaction: Transaction
    let reason: String
}

/// One node's transactions on their way into a block.
struct NodePool: Sendable {
    /// Most transactions in one part.
    ///
    /// - Source: adamant:helpers/constants.js (`maxTxsPerQueue`)
    static let capacity = 1000
    /// How many lost transactions are remembered.
    static let rememberedDrops = 10_000

    private(set) var queued: [PooledTransaction] = []
    private(set) var unconfirmed: [PooledTransaction] = []
    /// What waits in the unconfirmed part of each sender, by account number: amounts and fees.
    private(set) var pendingUnits: [UInt32: Int64] = [:]
    private var isQueued: [Identifier: Bool] = [:]
    private var lost: [Identifier: LostTransaction] = [:]
    private var dropOrder: [Identifier] = []
    private var oldestDrop = 0

    /// Whether the transaction is in either part.
    func contains(_ id: Identifier) -> Bool { isQueued[id] != nil }

    /// Where the transaction is; nil when it never came here, or left for a block.
    func location(of id: Identifier) -> TransactionLocation? {
        if let queued = isQueued[id] { return queued ? .queued : .unconfirmed }
        return lost[id].map { .dropped(reason: $0.reason) }
    }

    /// A transaction that was lost, while that is remembered.
    func lostTransaction(_ id: Identifier) -> Transaction? { lost[id]?.transaction }

    /// All that were lost and are remembered, in the order in which they are forgotten.
    var lostTransactions: [(transaction: Transaction, reason: String)] {
        var seen: Set<Identifier> = []
        return dropOrder[oldestDrop...].compactMap { id in
            guard seen.insert(id).inserted, let entry = lost[id] else { return nil }
            return (entry.transaction, entry.reason)
        }
    }

    /// The transaction, from either part.
    func entry(_ id: Identifier) -> PooledTransaction? {
        guard let queued = isQueued[id] else { return nil }
        return (queued ? self.queued : unconfirmed).last { $0.transaction.id == id }
    }

    /// Puts a transaction at the end of the queue.
    mutating func enqueue(_ entry: PooledTransaction) {
        queued.append(entry)
        isQueued[entry.transaction.id] = true
        lost[entry.transaction.id] = nil
    }

    /// Takes the newest queued transaction out of the pool.
    mutating func takeNewestQueued() -> PooledTransaction? {
        guard let entry = queued.popLast() else { return nil }
        isQueued[entry.transaction.id] = nil
        return entry
    }

    /// Puts a transaction at the end of the unconfirmed part.
    mutating func addUnconfirmed(_ entry: PooledTransaction, sender: UInt32) {
        unconfirmed.append(entry)
        isQueued[entry.transaction.id] = false
        let units = entry.transaction.amount.addingClamped(entry.transaction.fee)
        pendingUnits[sender, default: 0] = (pendingUnits[sender] ?? 0).addingClamped(units)
    }

    /// Empties the unconfirmed part, for its transactions to be applied again.
    mutating func takeUnconfirmed() -> [PooledTransaction] {
        defer {
            unconfirmed = []
            pendingUnits = [:]
        }
        for entry in unconfirmed { isQueued[entry.transaction.id] = nil }
        return unconfirmed
    }

    /// Takes a transaction out of either part.
    mutating func remove(_ id: Identifier) -> PooledTransaction? {
        guard let wasQueued = isQueued.removeValue(forKey: id) else { return nil }
        if wasQueued {
            return queued.lastIndex { $0.transaction.id == id }.map { queued.remove(at: $0) }
        }
        return unconfirmed.lastIndex { $0.transaction.id == id }.map { unconfirmed.remove(at: $0) }
    }

    /// Returns what a removed transaction had reserved.
    mutating func release(_ transaction: Transaction, sender: UInt32) {
        let units = transaction.amount.addingClamped(transaction.fee)
        let rest = (pendingUnits[sender] ?? 0).subtractingClamped(units)
        pendingUnits[sender] = rest > 0 ? rest : nil
    }

    /// Forgets that a transaction was lost.
    mutating func forgetDrop(_ id: Identifier) {
        lost[id] = nil
    }

    /// Remembers why a transaction was lost; the oldest are forgotten.
    mutating func noteDrop(_ transaction: Transaction, reason: String) {
        let entry = LostTransaction(transaction: transaction, reason: reason)
        if lost.updateValue(entry, forKey: transaction.id) == nil { dropOrder.append(transaction.id) }
        guard dropOrder.count - oldestDrop > Self.rememberedDrops else { return }
        lost[dropOrder[oldestDrop]] = nil
        oldestDrop += 1
        if oldestDrop > Self.rememberedDrops {
            dropOrder.removeFirst(oldestDrop)
            oldestDrop = 0
        }
    }
}
