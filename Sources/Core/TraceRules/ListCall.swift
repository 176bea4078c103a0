public import AdamantLedger
public import AdamantModel
public import Determinism

/// A transaction as the conditions of lists look at it.
public struct ListedTransaction: Hashable, Sendable {
    /// The id.
    public var id: Identifier
    /// The transaction type.
    public var type: Int
    /// The subtype of a chat message.
    public var chatType: Int?
    /// The sender.
    public var sender: Address
    /// The sender's key as hexadecimal.
    public var senderPublicKey: String
    /// The recipient; nil for none.
    public var recipient: Address?
    /// Epoch seconds.
    public var timestamp: Int32
    /// Units of 1e-8 ADM.
    public var amount: Int64
    /// Units of 1e-8 ADM.
    public var fee: Int64

    /// What lists look at in a transaction.
    public init(_ transaction: Transaction) {
        id = transaction.id
        type = transaction.type
        if case .chat(_, _, let kind) = transaction.asset { chatType = Int(kind) }
        sender = transaction.sender
        senderPublicKey = Hex.encode(transaction.senderPublicKey)
        recipient = transaction.recipient
        timestamp = transaction.timestamp
        amount = transaction.amount
        fee = transaction.fee
    }

    /// Whether it is a signal message.
    public var isSignal: Bool { chatType == Int(Transaction.ChatKind.signal) }
}

/// A call by which somebody asked a node for a list of transactions, and what the answer was read from.
public struct ListCall: Sendable {
    /// Number of the call in the record of requests.
    public var number: Int
    /// Number of the newest event when it was answered.
    public var event: Int
    /// When it was answered.
    public var at: Timestamp
    /// The node's name.
    public var node: String
    /// The client's numeric address.
    public var client: String
    /// The client's `User-Agent`.
    public var agent: String?
    /// Path and query as sent.
    public var target: String
    /// The query as the node read it; nil when it refused it.
    public var query: TransactionQuery?
    /// The status of the answer; nil when none was sent.
    public var status: Int?
    /// The fault rule that struck.
    public var faultId: String?
    /// The height of the newest block in sight; nil when no list was answered.
    public var height: Int?

    /// A call of its parts.
    public init(
        number: Int,
        event: Int,
        at: Timestamp,
        node: String,
        client: String,
        agent: String?,
        target: String,
        query: TransactionQuery?,
        status: Int?,
        faultId: String?,
        height: Int?
    ) {
        self.number = number
        self.event = event
        self.at = at
        self.node = node
        self.client = client
        self.agent = agent
        self.target = target
        self.query = query
        self.status = status
        self.faultId = faultId
        self.height = height
    }

    /// Whether a list was answered.
    public var isAnswered: Bool { height != nil && status.map { (200..<400).contains($0) } ?? false }

    /// Who called, as people say it.
    public var caller: String { agent.map { "“\($0)”" } ?? "a client at \(client)" }

    /// Whether both came from one program, as far as can be told.
    public func isOfSameCaller(as other: ListCall) -> Bool { client == other.client && agent == other.agent }

    /// Whether it only asked how high the chain is.
    public var isHeightProbe: Bool { query?.limit == 1 }

    /// Whether it is part of a service's loop that reads transactions of this kind, whoever they are from or for.
    ///
    /// A call that a node refused or never answered cannot be read, unless its text tells.
    public func isServicePoll(for transaction: ListedTransaction, service: Address) -> Bool {
        guard let query, !isHeightProbe else { return false }
        let parties = query.parties
        let readsAll = parties.isEmpty
        let readsSignals = parties.contains { $0.uppercased() == service.text.uppercased() }
        guard readsAll || transaction.isSignal && readsSignals else { return false }
        return query.lists(kindOf: transaction)
    }

    /// Whether it is part of a service's loop at all.
    public func isServicePoll(service: Address) -> Bool {
        guard let query, !isHeightProbe else { return false }
        return query.parties.allSatisfy { $0.uppercased() == service.text.uppercased() }
    }

    /// Why a transaction of a block at a height cannot have been in the answer; nil when the conditions let it in.
    public func miss(of transaction: ListedTransaction, at height: Int) -> ListMiss? {
        guard let query, isAnswered, let view = self.height else {
            return .failed(status: status, faultId: faultId)
        }
        if let bound = query.lowerBound, height < bound.height {
            return .asksAbove(bound.stated, isExclusive: bound.isExclusive)
        }
        if let bound = query.upperBound, height > bound { return .asksBelow(bound) }
        if view < height { return .behind(view) }
        guard query.lists(kindOf: transaction) else { return .otherKind }
        return query.fits(transaction, at: height, view: view) ? nil : .otherCondition
    }
}

extension ListCall {
    /// Whether it is part of a loop that reads signals.
    public func isSignalPoll(service: Address) -> Bool {
        guard let query, isServicePoll(service: service) else { return false }
        return query.listsSignals
    }

    /// Whether the signals of a height were in the answer, other pages apart.
    public func holdsSignals(of height: Int) -> Bool {
        guard let query, isAnswered, let view = self.height else { return false }
        return height >= query.lowerBound?.height ?? 0 && height <= min(view, query.upperBound ?? .max)
    }
}

/// Why a transaction was not in the answer to a call of a list.
public enum ListMiss: Hashable, Sendable {
    /// There was no list in the answer, or no answer.
    case failed(status: Int?, faultId: String?)
    /// The node told of blocks up to a height only.
    case behind(Int)
    /// The call asked from a height on.
    case asksAbove(Int, isExclusive: Bool)
    /// The call asked up to a height.
    case asksBelow(Int)
    /// The call asked for transactions of other kinds.
    case otherKind
    /// Another condition of the call did not hold.
    case otherCondition
    /// It matched, and was on another page than the one asked for.
    case otherPage(offset: Int, limit: Int)
}

extension ListCall {
    /// The heights that it asked for; nil when there are none.
    public var heights: ClosedRange<Int>? {
        let first = query?.lowerBound?.height ?? 0
        let last = query?.upperBound ?? .max
        return first <= last ? first...last : nil
    }

    /// Whether it lists messages or transfers of everybody.
    public var isMessagePoll: Bool {
        guard let query, !isHeightProbe, query.parties.isEmpty else { return false }
        return query.listsMessages
    }
}
