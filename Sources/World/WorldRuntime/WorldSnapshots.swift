import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import TraceRules

/// What a world can go back to: blocks, pools and accounts, and what follows from them.
///
/// A copy of values that share what neither side changes.
struct WorldSnapshot: Sendable {
    let id: String
    let name: String?
    let at: Timestamp
    let ledger: Ledger
    let registry: SignalRegistry
    let accounts: AccountBook
    let held: HeldTransactions

    /// The snapshot as the control API shows it.
    var json: JSONValue {
        [
            "id": .string(id), "name": .optional(name), "height": .int(ledger.height),
            "lastBlock": .string(ledger.lastBlock.id.description), "at": .string(at.rfc3339),
        ]
    }

    /// The row of a log that tells that it was taken.
    var kept: [UInt8] {
        JSONValue.object(
            JSONObject([("id", .string(id)), ("name", .optional(name)), ("at", .string(at.rfc3339))])
        ).bytes
    }
}

/// The snapshots of a world in the order in which they were taken.
struct WorldSnapshots: Sendable {
    /// Most snapshots at a time.
    static let capacity = 1000

    private(set) var all: [WorldSnapshot] = []
    /// Number in the id of the newest of all that were taken.
    var last = 0

    /// The id of the next snapshot.
    var nextId: String { "s\(last + 1)" }

    /// Whether there is room for one more.
    var hasRoom: Bool { all.count < Self.capacity }

    /// Adds a snapshot; false when its id or its name is taken, or there are too many.
    mutating func add(_ snapshot: WorldSnapshot) -> Bool {
        guard hasRoom, find(id: snapshot.id) == nil else { return false }
        if let name = snapshot.name, find(name) != nil { return false }
        last = max(last, snapshot.id.numberOfId)
        all.append(snapshot)
        return true
    }

    /// The snapshot of an id.
    func find(id: String) -> WorldSnapshot? { all.first { $0.id == id } }

    /// The snapshot of an id or a name.
    func find(_ idOrName: String) -> WorldSnapshot? {
        find(id: idOrName) ?? all.first { $0.name == idOrName }
    }

    /// Forgets a snapshot; false when there is none of the id.
    mutating func remove(_ id: String) -> Bool {
        guard let place = all.firstIndex(where: { $0.id == id }) else { return false }
        all.remove(at: place)
        return true
    }
}

extension WorldState {
    /// Takes a snapshot of the present; nil when its id or its name is taken, or there are too many.
    mutating func takeSnapshot(id: String, name: String?, at: Timestamp) -> WorldSnapshot? {
        var ledger = ledger
        _ = ledger.takeEvents()
        let snapshot = WorldSnapshot(
            id: id,
            name: name,
            at: at,
            ledger: ledger,
            registry: registry,
            accounts: accounts,
            held: held
        )
        return snapshots.add(snapshot) ? snapshot : nil
    }

    /// Goes back, or over to another branch; clock, devices, pushes, faults and the snapshots themselves stay.
    mutating func revert(to snapshot: WorldSnapshot) {
        let before = (ledger: ledger, held: held)
        ledger.revert(to: snapshot.ledger)
        registry = snapshot.registry
        accounts = snapshot.accounts
        held.revert(to: snapshot.held)
        let why =
            "the world went back to the snapshot \(snapshot.label), taken at height \(ledger.height), "
            + "which does not have it"
        for arrival in arrivals.newest(TransactionReversals.capacity) where !knows(arrival.id) {
            let found =
                before.held.all.first { $0.transaction.id == arrival.id }?.transaction
                ?? before.ledger.seen(arrival.id)
            if let found { reversals.note(found, why) }
        }
    }

    /// Whether a transaction is anywhere now: held, on a node, or in a block.
    private func knows(_ id: Identifier) -> Bool {
        nodes.indices.contains { ledger.location(of: id, node: $0) != nil }
            || held.all.contains { $0.transaction.id == id }
    }
}

extension WorldSnapshot {
    /// What people know it by.
    var label: String { name.map { "\(id) '\($0)'" } ?? id }
}
