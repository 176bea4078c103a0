public import AdamantModel
public import Determinism
public import JSONValue

/// All that a world can tell of one transaction, in the order in which it happened.
public struct TraceFacts: Sendable {
    /// A call that posted it, or asked a node for it by its id.
    public struct Call: Sendable {
        /// Number of the call in the record of requests.
        public var number: Int
        /// When it was answered.
        public var at: Timestamp
        /// The node's name.
        public var node: String
        /// The client's `User-Agent`, or its address.
        public var caller: String
        /// The path.
        public var path: String
        /// The status of the answer; nil when none was sent.
        public var status: Int?
        /// The fault rule that struck.
        public var faultId: String?
        /// Whether a simulated device called.
        public var isOfDevice: Bool

        /// A call of its parts.
        public init(
            number: Int,
            at: Timestamp,
            node: String,
            caller: String,
            path: String,
            status: Int?,
            faultId: String?,
            isOfDevice: Bool = false
        ) {
            self.isOfDevice = isOfDevice
            self.number = number
            self.at = at
            self.node = node
            self.caller = caller
            self.path = path
            self.status = status
            self.faultId = faultId
        }
    }

    /// An event that names it, as the journal has it.
    public struct Event: Sendable {
        /// Number of the event.
        public var seq: Int
        /// When it happened.
        public var at: Timestamp
        /// For example `transaction.forged`.
        public var kind: String
        /// The node's name.
        public var node: String?
        /// The fault rule that struck.
        public var faultId: String?
        /// What else there is to tell.
        public var data: JSONValue

        /// An event of its parts.
        public init(
            seq: Int,
            at: Timestamp,
            kind: String,
            node: String? = nil,
            faultId: String? = nil,
            data: JSONValue = [:]
        ) {
            self.seq = seq
            self.at = at
            self.kind = kind
            self.node = node
            self.faultId = faultId
            self.data = data
        }
    }

    /// The transaction.
    public var id: Identifier
    /// What lists look at in it; nil once it is lost and forgotten.
    public var transaction: ListedTransaction?
    /// For example `message`.
    public var kind: String
    /// The sender's address.
    public var sender: String?
    /// The recipient's address.
    public var recipient: String?
    /// What it says, if it is a signal to the service.
    public var signal: ChainSignal.Reading?
    /// The address of the notification service.
    public var service: Address
    /// The time by the world's clock.
    public var now: Timestamp
    /// How long each step may take until it counts as lost, in milliseconds.
    public var limitMilliseconds: Int64
    /// Where it is: `queued`, `unconfirmed`, `held`, `forged`, `dropped` or `reverted`.
    public var state: String
    /// Why it is in no block, for people.
    public var why: String?
    /// The height and time of its block, when it is in one.
    public var block: (height: Int, at: Timestamp)?
    /// The calls that posted it.
    public var posts: [Call] = []
    /// The calls that asked a node for it by its id.
    public var fetches: [Call] = []
    /// The events that name it, oldest first.
    public var events: [Event] = []
    /// The calls of lists around its way, oldest first.
    public var lists: [ListCall] = []
    /// Those of them that held it on another page than the one asked for, by their numbers.
    public var otherPages: Set<Int> = []
    /// The pushes that name it, oldest first.
    public var pushes: [TracedPush] = []
    /// What is known of its recipient's registrations.
    public var registration = RegistrationFacts()
    /// How many blocks nodes are behind now, of those that are, by name.
    public var lagging: [String: Int] = [:]
    /// What is no longer on record of the time it was on its way, for people.
    public var gaps: [String] = []

    /// The facts of a transaction of which nothing else is known yet.
    public init(
        id: Identifier,
        transaction: ListedTransaction?,
        kind: String,
        service: Address,
        now: Timestamp,
        limitMilliseconds: Int64,
        state: String
    ) {
        self.id = id
        self.transaction = transaction
        self.kind = kind
        sender = transaction?.sender.text
        recipient = transaction?.recipient?.text
        self.service = service
        self.now = now
        self.limitMilliseconds = limitMilliseconds
        self.state = state
    }

    /// Number of the event that told of the block it is in; nil when the journal does not have it any more.
    var forgedEvent: Int? { events.last { $0.kind == "transaction.forged" }?.seq }

    /// Number of the event that told of its block, or a later one where the journal does not have that any more.
    public var forgedEventOrLast: Int { forgedEvent ?? .max }

    /// The height of the block that held it when an event had been the newest; nil when none did.
    func height(at event: Int) -> Int? {
        let moves = events.filter { ["transaction.forged", "transaction.reverted"].contains($0.kind) }
        guard let first = moves.first else { return block?.height }
        guard let last = moves.last(where: { $0.seq <= event }) else {
            // What was in a block before the journal begins was rolled back first.
            return first.kind == "transaction.reverted" ? first.data["height"]?.integer : nil
        }
        return last.kind == "transaction.forged" ? last.data["height"]?.integer : nil
    }

    /// The events of a kind.
    func events(_ kind: String) -> [Event] { events.filter { $0.kind == kind } }
}

/// A push on whose payload a transaction stands.
public struct TracedPush: Sendable {
    /// The record's id.
    public var id: String
    /// Number of its event.
    public var seq: Int
    /// When it came.
    public var at: Timestamp
    /// The device token.
    public var token: String?
    /// The status sent; nil when no answer was sent.
    public var status: Int?
    /// The reason sent.
    public var reason: String?
    /// The fault rule that struck.
    public var faultId: String?
    /// Whether it went on to its device.
    public var isAccepted: Bool
    /// The last thing that became of it: the word of its delivery state; nil when its token is no device's.
    public var delivery: String?
    /// The device it was for.
    public var device: String?
    /// When that happened.
    public var deliveredAt: Timestamp?
    /// Why, for people.
    public var why: String?
    /// Whether it was to be kept for an offline device.
    public var isStorable: Bool
    /// The payload's transaction.
    public var transactionId: String?

    /// A push of its parts.
    public init(
        id: String,
        seq: Int,
        at: Timestamp,
        token: String?,
        status: Int?,
        reason: String? = nil,
        faultId: String? = nil,
        isAccepted: Bool,
        delivery: String? = nil,
        device: String? = nil,
        deliveredAt: Timestamp? = nil,
        why: String? = nil,
        isStorable: Bool = false,
        transactionId: String? = nil
    ) {
        self.id = id
        self.seq = seq
        self.at = at
        self.token = token
        self.status = status
        self.reason = reason
        self.faultId = faultId
        self.isAccepted = isAccepted
        self.delivery = delivery
        self.device = device
        self.deliveredAt = deliveredAt
        self.why = why
        self.isStorable = isStorable
        self.transactionId = transactionId
    }

    /// Whether APNs said that the token is dead, so that a service should drop it.
    public var endsToken: Bool { status == 410 || status == 400 && reason == "BadDeviceToken" }

    /// What was answered, for people.
    var answer: String { status.map { "\($0)\(reason.map { " " + $0 } ?? "")" } ?? "nothing" }
}

/// What is known of the registrations of a transaction's recipient.
public struct RegistrationFacts: Sendable {
    /// Whether signals can be read at all.
    public var isReadable = true
    /// The recipient's signals in the chain's order.
    public var signals: [ChainSignal] = []
    /// The rows there were when the transaction's block was forged.
    public var rows: [SignalRegistry.Row] = []
    /// The calls whose answers held a row's signal on another page, by their numbers.
    public var otherPages: [Identifier: Set<Int>] = [:]
    /// Whether all that services ever read of this chain is on record, so that what is not there was not read.
    public var isReadingWhole = false
    /// What services heard of by their sockets, with the numbers of the first events that tell so.
    public var heard: [Identifier: Int] = [:]
    /// The recipient's signals that are in no block: what became of them, for people.
    public var stranded: [(code: TraceCause.Code, text: String)] = []
    /// Why an app did not try to register, in its own words.
    public var skipped: String?
    /// The recipient's devices, with the token of each and who else that token is registered for.
    public var devices: [Device] = []
    /// Pushes to the rows' tokens that APNs refused for good before.
    public var endedTokens: [TracedPush] = []
    /// What the reference service told of itself and of the recipient's tokens.
    public var serviceNotes: [ServiceNote] = []

    /// One thing that the reference service told.
    public struct ServiceNote: Sendable {
        /// Number of the event.
        public var seq: Int
        /// When.
        public var at: Timestamp
        /// For example `ans.died`.
        public var kind: String
        /// The token it is about.
        public var token: String?
        /// Why, for people.
        public var text: String

        /// A note of its parts.
        public init(seq: Int, at: Timestamp, kind: String, token: String?, text: String) {
            self.seq = seq
            self.at = at
            self.kind = kind
            self.token = token
            self.text = text
        }
    }

    /// A device of the recipient.
    public struct Device: Sendable {
        /// For example `d1`.
        public var id: String
        /// Its token.
        public var token: String
        /// Other addresses that the token is registered for.
        public var others: [String]

        /// A device of its parts.
        public init(id: String, token: String, others: [String]) {
            self.id = id
            self.token = token
            self.others = others
        }
    }

    /// Nothing.
    public init() {}
}
