import AdamantLedger
import AdamantModel
import Determinism
import JSONValue

/// What a world knows of a transaction: what it is, and how far it has come on each node.
struct TransactionSighting: Sendable {
    /// Number of the event that first told of it; nil for one of the genesis block.
    let seq: Int?
    let at: Timestamp?
    let id: Identifier
    /// Nil once it is lost and forgotten.
    let transaction: Transaction?
    let held: HeldTransaction?
    /// Why it was taken away by a move of the chain, if it was; void once it is anywhere again.
    let reversal: String?
    /// Where it is on each node, in their order; nil where it never came.
    let places: [TransactionLocation?]
    let nodeNames: [String]
    /// What is in its way where it waits; nil when it only waits for its turn.
    let obstacle: String?

    /// Where it is on the node where it has come farthest.
    private var farthest: TransactionLocation? {
        places.lazy.compactMap(\.self).max { $0.progress < $1.progress }
    }

    /// The held copy, unless it is in a pool or a block: what came farther tells where it is.
    private var onlyCopy: HeldTransaction? {
        farthest.map { $0.progress > TransactionLocation.leastProgress } ?? false ? nil : held
    }

    /// Where it is, as one word: on the node where it has come farthest, or held back from all.
    var state: String {
        onlyCopy == nil ? farthest?.word ?? (reversal == nil ? "dropped" : "reverted") : "held"
    }

    /// The sighting as the control API shows it.
    var json: JSONValue {
        var json = JSONObject([
            ("seq", seq.map { .int($0) } ?? .null), ("id", .string(id.description)),
            ("at", .optional(at?.rfc3339)), ("kind", .optional(transaction.map(World.kind(of:)))),
            ("sender", .optional(transaction?.sender.text)),
            ("recipient", .optional(transaction?.recipient?.text)),
            ("amount", .optional(transaction.map { String($0.amount) })),
            ("fee", .optional(transaction.map { String($0.fee) })), ("state", .string(state)),
        ])
        if let held { json.append("held", .string(held.id)) }
        if let onlyCopy {
            json.append(
                "why",
                .string("held back by fault rule \(onlyCopy.ruleId); POST /v1/held/\(onlyCopy.id)/release")
            )
        } else if case .forged(let height)? = farthest {
            json.append("height", .int(height))
        } else {
            let reason = farthest?.why ?? reversal ?? "lost so long ago that the reason is forgotten"
            json.append("why", .string(obstacle.map { "\(reason); \($0)" } ?? reason))
        }
        let words = zip(nodeNames, places).map { ($0, JSONValue.string($1?.word ?? "unknown")) }
        json.append("nodes", .object(JSONObject(words)))
        return .object(json)
    }
}

extension WorldState {
    /// Whether a transaction is held, in a pool or a block, or once was.
    func hasSeen(_ id: Identifier) -> Bool {
        arrivals.find(id) != nil || ledger.height(of: id) != nil
    }

    /// What is known of a transaction; nil for one never seen.
    func sighting(of id: Identifier) -> TransactionSighting? {
        guard hasSeen(id) else { return nil }
        let arrival = arrivals.find(id)
        let held = held.all.first { $0.transaction.id == id }
        let places = nodes.indices.map { ledger.location(of: id, node: $0) }
        let farthest = places.firstIndex(of: .unconfirmed) ?? places.firstIndex(of: .queued)
        let reversal = reversals.find(id)
        return TransactionSighting(
            seq: arrival?.seq,
            at: arrival?.at,
            id: id,
            transaction: held?.transaction ?? ledger.seen(id) ?? reversal?.transaction,
            held: held,
            reversal: reversal?.why,
            places: places,
            nodeNames: nodes.map(\.name),
            obstacle: farthest.flatMap { ledger.obstacle(to: id, node: $0) }
        )
    }
}

extension TransactionLocation {
    /// The place as one word.
    fileprivate var word: String {
        switch self {
        case .queued: "queued"
        case .unconfirmed: "unconfirmed"
        case .forged: "forged"
        case .dropped: "dropped"
        }
    }

    /// How far one has come that is in no pool and no block.
    fileprivate static let leastProgress = 0

    /// How far a transaction has come.
    fileprivate var progress: Int {
        switch self {
        case .dropped: Self.leastProgress
        case .queued: 1
        case .unconfirmed: 2
        case .forged: 3
        }
    }

    /// Why it is in no block; nil when it is in one.
    fileprivate var why: String? {
        switch self {
        case .queued: "it waits for the node's next turn"
        case .unconfirmed: "it waits for the next block"
        case .forged: nil
        case .dropped(let reason): reason
        }
    }
}
