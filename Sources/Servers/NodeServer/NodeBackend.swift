public import AdamantLedger
public import AdamantModel
public import Determinism
public import FaultRules
public import JSONValue

/// What a node is at a moment, apart from the ledger.
public struct NodeStatus: Hashable, Sendable {
    /// The node's name, for example `alpha`.
    public var name: String
    /// The version it behaves like.
    public var profile: NodeProfile
    /// The port of its Socket.IO server; nil when that is disabled.
    public var socketPort: Int?
    /// Whether it can be reached at all.
    public var isOnline: Bool

    /// A status of its parts.
    public init(
        name: String,
        profile: NodeProfile,
        socketPort: Int? = nil,
        isOnline: Bool = true
    ) {
        self.name = name
        self.profile = profile
        self.socketPort = socketPort
        self.isOnline = isOnline
    }
}

/// Another node of the network, as a node knows it.
public struct PeerStatus: Hashable, Sendable {
    /// Its IPv4 address.
    public var address: String
    /// Its port for HTTP.
    public var port: Int
    /// Whether it can be reached.
    public var isOnline: Bool
    /// The version it reports.
    public var version: String
    /// 16 letters that are its own.
    public var nonce: String

    /// A peer of its parts.
    public init(address: String, port: Int, isOnline: Bool, version: String, nonce: String) {
        self.address = address
        self.port = port
        self.isOnline = isOnline
        self.version = version
        self.nonce = nonce
    }
}

/// One call that a node got, for the record.
public struct NodeCall: Sendable {
    /// The node's index.
    public var node: Int
    /// The numeric address of the client.
    public var client: String
    /// The client's `User-Agent`.
    public var agent: String?
    /// The method as sent.
    public var method: String
    /// The path, percent-decoded.
    public var path: String
    /// The query as sent.
    public var query: String
    /// The status of the answer; nil when none is sent.
    public var status: Int?
    /// The fault rule that struck.
    public var faultId: String?
    /// The transaction that was posted, or asked for by its id.
    public var transactionId: String?
    /// Whether it asked for a list of transactions.
    public var isList: Bool
    /// The height of the newest block in sight when that list was read; nil when it was not.
    public var height: Int?
    /// Which post of the same signed bytes it was, from 1; nil where nothing was posted.
    public var attempt: Int?

    /// A call of its parts.
    public init(
        node: Int,
        client: String,
        agent: String?,
        method: String,
        path: String,
        query: String,
        status: Int?,
        faultId: String?,
        transactionId: String?,
        isList: Bool = false,
        height: Int? = nil,
        attempt: Int? = nil
    ) {
        self.node = node
        self.client = client
        self.agent = agent
        self.method = method
        self.path = path
        self.query = query
        self.status = status
        self.faultId = faultId
        self.transactionId = transactionId
        self.isList = isList
        self.height = height
        self.attempt = attempt
    }
}

/// What node servers need of their world.
public protocol NodeBackend: AnyObject, Sendable {
    /// The primitives for posted transactions.
    var cryptography: any Cryptography { get }
    /// What fault rules look at; without any rule nothing is asked.
    var faultNeeds: (any: Bool, transactionFacts: Bool, insideSignals: Bool) { get }
    /// What a node is now.
    func status(node: Int) -> NodeStatus
    /// The other nodes that a node knows.
    func peers(of node: Int) -> [PeerStatus]
    /// Runs a closure under the world's lock with the ledger and the time by the world's clock.
    func withLedger<R>(_ body: (inout Ledger, Timestamp) throws -> R) rethrows -> R
    /// The time by which timestamps of posted transactions are checked; nil for not at all.
    func timestampsCheckedAt(_ now: Timestamp) -> Timestamp?
    /// Counts a post of a transaction, and tells which of the same signed bytes it is, from 1.
    func countPost(of id: Identifier) -> Int
    /// The fate of a call; counts it.
    func decide(_ request: FaultRequest) -> FaultDecision?
    /// What a signal message says, where the world knows the key it was sealed for.
    func signalPlaintext(of submission: Submission) -> (action: String?, token: String?)?
    /// Keeps a checked transaction out of the pool until it is released; false when that is not possible.
    func hold(_ transaction: Transaction, posted: JSONObject, node: Int, ruleId: String) -> Bool
    /// Takes note of a posted transaction that a node refused with a message.
    func noteRefusal(_ submission: Submission, message: String, node: Int)
    /// Takes down a call, and how long it took where that is known already.
    func record(_ call: NodeCall, took time: CallTime?)
    /// Takes down how long a call took whose answer had to wait for the disk.
    func note(_ time: CallTime)
    /// Whether accepted transactions are to survive the process, so that answers wait for the disk.
    var isKept: Bool { get }
    /// Runs a closure when all that was accepted so far will survive the process; at once when nothing is kept.
    func afterDurable(_ action: @escaping @Sendable () -> Void)
}

extension NodeBackend {
    /// A node that is alone.
    public func peers(of node: Int) -> [PeerStatus] { [] }

    /// Nothing is kept.
    public var isKept: Bool { false }

    /// Timestamps are checked by the world's clock.
    public func timestampsCheckedAt(_ now: Timestamp) -> Timestamp? { now }

    /// Times are not noted.
    public func note(_ time: CallTime) {}

    /// Refusals are not noted.
    public func noteRefusal(_ submission: Submission, message: String, node: Int) {}
}
