public import AdamantModel
public import Determinism
public import TraceRules

/// Watches what happens in a world, and finds what breaks a rule.
///
/// It is told of blocks, pushes and polls in the order of their events, and now and then of the time. All that it keeps
/// is bounded; what is too old to matter is forgotten first.
public struct Audit: Sendable {
    /// Most findings kept of each rule; others are only counted.
    public static let mostFindings = 1000

    /// A message that a push is waited for.
    struct Expectation: Sendable {
        let id: Identifier
        let at: Timestamp
        let height: Int
        let recipient: Address
        var tokens: [String]
        /// Whether its time was over once before.
        var isOverdue = false
    }

    /// The end of a token, as APNs told it.
    struct Death: Sendable {
        let seq: Int
        let at: Timestamp
        let answer: String
        /// Since when the token is dead; what registers it later makes it live again.
        let since: Timestamp
        /// The height of the chain when it was told.
        let height: Int
    }

    /// When a message came into a block.
    struct ForgedNote: Sendable {
        let seq: Int
        let height: Int
    }

    let limits: AuditLimits
    let service: Address
    /// How many messages and transfers were forged.
    public internal(set) var messages = 0
    /// How many pushes named a transaction.
    public internal(set) var namedTransactions = 0
    private var tallies = [Int](repeating: 0, count: AuditRule.allCases.count)
    private var fresh: [Finding] = []
    /// The height of the newest block that was told of.
    var height = 0
    var expectations: [Identifier: Expectation] = [:]
    /// Pushes by transaction and token, with the numbers of their events.
    var pushed = RecentTable<PushedKey, PushedNote>(capacity: 100_000)
    /// When messages to registered addresses came into a block, by the numbers of the events.
    var forged = RecentTable<Identifier, ForgedNote>(capacity: 100_000)
    /// By the numbers of their tokens.
    var deaths = RecentTable<UInt64, Death>(capacity: 100_000)
    var templates = RecentTable<UInt64, Bool>(capacity: 4096)
    /// Transactions that pushes named and nobody knows.
    var strangers = RecentTable<Identifier, Bool>(capacity: 4096)
    var polls = PollMarks()
    /// What services heard of by their sockets, with the numbers of the events.
    var heard = RecentTable<Identifier, Int>(capacity: 100_000)
    /// Who was pushed to, as the pushes tell.
    public internal(set) var implied = ImpliedRegistry()
    /// The registrations for which the service let a push be missed, and that it has not pushed to since, with the time
    /// at which that push was due.
    var missing: [ImpliedRegistry.Key: Timestamp] = [:]
    var lastOrphanCheck: Timestamp?
    var reportedOrphans = 0

    /// Most messages that pushes are waited for at a time, and most registrations that are told to have missed one.
    static let mostExpectations = 100_000

    /// An audit of a world that has a service at an address, and a chain of a height.
    public init(limits: AuditLimits, service: Address, height: Int) {
        self.limits = limits
        self.service = service.uppercased
        self.height = height
    }

    /// Whether pushes to tokens of others than the messenger's can break a rule.
    public var remembersDeadTokens: Bool { !deaths.isEmpty }

    /// The transactions that pushes are waited for.
    public var awaited: [Identifier] { Array(expectations.keys) }

    /// The findings since the last call.
    public mutating func takeFindings() -> [Finding] {
        defer { fresh = [] }
        return fresh
    }

    /// Takes note of a breach; beyond a number of each rule it is only counted.
    mutating func find(_ finding: Finding) { if count(finding.rule) { fresh.append(finding) } }

    /// How often each rule was broken.
    public var counts: [AuditRule: Int] {
        Dictionary(uniqueKeysWithValues: zip(AuditRule.allCases, tallies)).filter { $0.value > 0 }
    }

    /// Counts a breach; whether it is to be told.
    private mutating func count(_ rule: AuditRule) -> Bool {
        tallies[rule.place] += 1
        return tallies[rule.place] <= Self.mostFindings
    }

    /// Takes note of a breach by a push; what was seen is put into words only if it is told.
    mutating func find(_ rule: AuditRule, _ push: AuditedPush, _ evidence: () -> String) {
        guard count(rule) else { return }
        fresh.append(
            Finding(
                rule,
                at: push.at.milliseconds,
                address: push.texts.recipient,
                token: push.texts.token,
                transactionId: push.texts.transactionId,
                pushId: push.texts.id,
                evidence()
            )
        )
    }

    /// A call of a list by somebody who may be a service.
    public mutating func take(_ poll: ListCall) { polls.note(poll, service: service) }

    /// A socket of a service was told of a transaction.
    public mutating func take(announced id: Identifier, seq: Int) {
        if heard[id] == nil { heard.set(seq, for: id) }
    }

    /// Something connected to an address at which no device must ever call.
    public mutating func take(callback port: Int, from peer: String, at: Timestamp) {
        find(
            Finding(
                .noCallback,
                at: at.milliseconds,
                "\(peer) connected to the tripwire at port \(port), which stands for the service's own host"
            )
        )
    }

    /// Lets time pass: finds who was forgotten, and orphans.
    public mutating func pass(to now: Timestamp, registry: SignalRegistry) {
        checkExpectations(now: now, registry: registry)
        checkOrphans(now: now, registry: registry)
    }
}

/// A push of one transaction to one token.
struct PushedKey: Hashable, Sendable {
    let transaction: UInt64
    /// A number of the token; two tokens of one number are as good as never.
    let token: UInt64

    init(_ transaction: Identifier, _ token: UInt64) {
        self.transaction = transaction.number
        self.token = token
    }
}

/// What is remembered of a push.
struct PushedNote: Sendable {
    let seq: Int
    let isAccepted: Bool
}

/// A table that forgets its oldest entries.
struct RecentTable<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private var values: [Key: (value: Value, place: Int)] = [:]
    private var order: [Key] = []
    /// Where the next new entry goes.
    private var next = 0
    private let capacity: Int

    init(capacity: Int) { self.capacity = capacity }

    var isEmpty: Bool { values.isEmpty }

    subscript(key: Key) -> Value? { values[key]?.value }

    mutating func set(_ value: Value, for key: Key) {
        if let known = values[key] {
            values[key] = (value, known.place)
            return
        }
        if order.count < capacity {
            order.append(key)
        } else {
            // An entry that was removed may have come back at another place.
            if let old = values[order[next]], old.place == next { values[order[next]] = nil }
            order[next] = key
        }
        values[key] = (value, next)
        next = (next + 1) % capacity
    }

    mutating func remove(_ key: Key) { values[key] = nil }
}
