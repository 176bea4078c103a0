/// One row of a kept world's log: what happened, in the order in which it happened.
struct LogEntry: Sendable {
    /// What a row tells; the numbers are the format on disk.
    enum Kind: Int, Sendable {
        /// All before it is void: the world begins anew.
        case reset = 1
        /// An event of the ledger in its own encoding.
        case ledger = 2
        /// The clock: `{"offset", "frozenAt"?}`.
        case clock = 3
        /// An account whose passphrase the world holds: `{"name"?, "passphrase"}`.
        case account = 4
        /// A push record.
        case push = 5
        /// The state of a device token; `null` when it is forgotten.
        case token = 6
        /// A transaction held back.
        case held = 7
        /// The id of one that was let go.
        case released = 8
        /// What a device keeps, whole.
        case device = 9
        /// What the reference ANS keeps, whole.
        case ans = 10
        /// All push records are gone.
        case pushesRemoved = 11
        /// What is set of APNs: `{"settings", "keys"}`.
        case apns = 12
        /// A snapshot was taken of what the rows before tell: `{"id", "name"?, "at"}`.
        case snapshot = 20
        /// The id of the snapshot that the world went back to.
        case reverted = 21
        /// The id of a snapshot that was removed.
        case snapshotRemoved = 22
        /// The chain as it is, its pools being empty, is what branches of this number go on from.
        case mark = 23
        /// What follows goes on from the mark of this number, with the accounts of the beginning.
        case branch = 24
        /// Which transactions came, and when, before all that the rows tell: see ``TransactionArrivals``.
        case arrivals = 25
        /// A transaction that a move of the chain took away: `{"why", "event"}`.
        case reversal = 26
        /// What draws and numbers go on from: see ``WorldCounters``.
        case counters = 27
        /// All before it was imported: what a reset goes back to.
        case imported = 28
    }

    let kind: Kind
    let body: [UInt8]
}
