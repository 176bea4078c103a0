import AdamantModel
import APNsRules
import Determinism
import JSONValue

/// One thing that happened in a world.
struct JournalEvent: Sendable {
    /// Numbered from 1 without gaps, also across resets; a reopened world goes on with a higher number.
    let seq: Int
    let at: Timestamp
    let kind: Kind
    private let subject: Subject

    /// What else there is to tell; of a push only on demand, since thousands come in a second.
    enum Subject: Sendable {
        case push(PushRecord.Snapshot)
        case facts(Facts)
    }

    /// What is told of anything but a push, on the heap, so that a long journal is cheap to grow.
    final class Facts: Sendable {
        let node: String?
        let transaction: Identifier?
        let faultId: String?
        let data: JSONValue?

        init(node: String?, transaction: Identifier?, faultId: String?, data: JSONValue?) {
            self.node = node
            self.transaction = transaction
            self.faultId = faultId
            self.data = data
        }
    }

    init(seq: Int, at: Timestamp, kind: Kind, subject: Subject) {
        self.seq = seq
        self.at = at
        self.kind = kind
        self.subject = subject
    }

    /// The node that it happened at.
    var node: String? { facts?.node }

    /// The fault rule that struck.
    var faultId: String? {
        switch subject {
        case .push(let push): push.record.faultId
        case .facts(let facts): facts.faultId
        }
    }

    /// The transaction that the event is about.
    var transaction: Identifier? {
        switch subject {
        case .push(let push): push.record.transaction
        case .facts(let facts): facts.transaction
        }
    }

    /// What else there is to tell.
    var data: JSONValue? {
        switch subject {
        case .push(let push): push.facts
        case .facts(let facts): facts.data
        }
    }

    /// Whether it tells of a push.
    var isPush: Bool { if case .push = subject { true } else { false } }

    /// The record of the push that it tells of, without its number and its delivery.
    var push: PushRecord? {
        guard case .push(let push) = subject else { return nil }
        return push.record
    }

    private var facts: Facts? {
        guard case .facts(let facts) = subject else { return nil }
        return facts
    }

    /// What can happen, as `subject.participle`.
    struct Kind: Hashable, Sendable {
        let rawValue: String

        static let transactionAccepted = Kind(rawValue: "transaction.accepted")
        static let transactionRefused = Kind(rawValue: "transaction.refused")
        static let transactionHeld = Kind(rawValue: "transaction.held")
        static let transactionReleased = Kind(rawValue: "transaction.released")
        static let transactionForged = Kind(rawValue: "transaction.forged")
        static let transactionDropped = Kind(rawValue: "transaction.dropped")
        static let transactionReverted = Kind(rawValue: "transaction.reverted")
        /// Sockets of a service were told of it.
        static let transactionAnnounced = Kind(rawValue: "transaction.announced")
        static let transactionReturned = Kind(rawValue: "transaction.returned")
        static let connectionRefused = Kind(rawValue: "connection.refused")
        static let streamRefused = Kind(rawValue: "stream.refused")
        static let blockReverted = Kind(rawValue: "block.reverted")
        static let snapshotTaken = Kind(rawValue: "snapshot.taken")
        static let snapshotReverted = Kind(rawValue: "snapshot.reverted")
        static let snapshotRemoved = Kind(rawValue: "snapshot.removed")
        static let blockForged = Kind(rawValue: "block.forged")
        static let faultFired = Kind(rawValue: "fault.fired")
        static let pushReceived = Kind(rawValue: "push.received")
        /// Records of pushes begin to give way, for one reason.
        static let pushesEvicted = Kind(rawValue: "pushes.evicted")
        /// Something broke a rule of the audit.
        static let auditFound = Kind(rawValue: "audit.found")
        static let clockChanged = Kind(rawValue: "clock.changed")
        static let worldReset = Kind(rawValue: "world.reset")

        /// What became of a push later, for one `push.expired`.
        static func push(_ state: PushDelivery.State) -> Kind { Kind(rawValue: "push.\(state.rawValue)") }
    }

    /// The event as the control API shows it.
    var json: JSONValue {
        [
            "seq": .int(seq), "at": .string(at.rfc3339), "kind": .string(kind.rawValue),
            "node": .optional(node),
            "transactionId": .optional(transaction.map(\.description)), "faultId": .optional(faultId),
            "data": data ?? [:],
        ]
    }
}

/// The newest events of a world, in order.
struct Journal: Sendable {
    /// Most events kept; older ones give way.
    static let capacity = 100_000
    /// From this many events on there is room for all.
    private static let firstRoom = 1024

    private var events: [JournalEvent] = []
    private var start = 0
    /// How many there were.
    var tallies = EventTallies()
    /// Number of the newest event; 0 when there was none yet.
    private(set) var last: Int
    /// No number up to here is given again after a restart.
    private var reserved: Int

    /// Numbers are reserved so many ahead, since what is written is on disk only a little later.
    private static let reserve = 20_000

    /// A journal that goes on after the numbers of an earlier run.
    init(after last: Int = 0) {
        self.last = last
        reserved = last
    }

    /// Number of the oldest event that is still kept.
    var oldest: Int { last - events.count + 1 }

    /// Number of the next event.
    var next: Int { last + 1 }

    /// The number to keep, so that events are numbered on from there after a restart; nil while the one kept will do.
    mutating func reservation() -> Int? {
        guard last + Self.reserve / 2 > reserved else { return nil }
        reserved = last + Self.reserve
        return reserved
    }

    /// Appends an event.
    mutating func append(
        _ kind: JournalEvent.Kind,
        at: Timestamp,
        node: String? = nil,
        transaction: Identifier? = nil,
        faultId: String? = nil,
        data: JSONValue? = nil
    ) {
        tallies.note(kind)
        let facts = JournalEvent.Facts(node: node, transaction: transaction, faultId: faultId, data: data)
        append(kind, at: at, subject: .facts(facts))
    }

    /// Appends an event of a push.
    mutating func append(_ kind: JournalEvent.Kind, at: Timestamp, push: PushRecord.Snapshot) {
        tallies.note(push)
        append(kind, at: at, subject: .push(push))
    }

    private mutating func append(_ kind: JournalEvent.Kind, at: Timestamp, subject: JournalEvent.Subject) {
        last += 1
        let event = JournalEvent(seq: last, at: at, kind: kind, subject: subject)
        if events.count < Self.capacity {
            // Room that is not used yet takes no memory, while growing step by step would copy.
            if events.count == Self.firstRoom { events.reserveCapacity(Self.capacity) }
            events.append(event)
        } else {
            events[start] = event
            start = (start + 1) % Self.capacity
        }
    }

    /// The events that fit among so many after a number, and the number of the last that was looked at.
    func events(after: Int, looking count: Int, where fits: (JournalEvent) -> Bool)
        -> (events: [JournalEvent], last: Int)
    {
        let first = max(after, oldest - 1, 0)
        guard first < last else { return ([], first) }
        let end = min(last, first + count)
        let found = (first + 1...end).lazy.map { events[(start + $0 - oldest) % events.count] }.filter(fits)
        return (Array(found), end)
    }

    /// Up to `limit` events after a number that fit.
    func events(after: Int, limit: Int, where fits: (JournalEvent) -> Bool = { _ in true }) -> [JournalEvent]
    {
        var result: [JournalEvent] = []
        let first = max(after, oldest - 1, 0)
        guard first < last else { return [] }
        for number in first + 1...last {
            let event = events[(start + number - oldest) % events.count]
            if fits(event) { result.append(event) }
            if result.count == limit { break }
        }
        return result
    }
}
