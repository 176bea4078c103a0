public import AdamantModel

/// What a party asks one node to do.
public enum NodeOperation: Hashable, Sendable {
    /// The node's health.
    case status
    /// The account of a public key.
    case account(publicKey: [UInt8])
    /// The public key of an address.
    case publicKey(Address)
    /// A signed transaction to accept.
    case submit(Transaction)
    /// One page of a list.
    case poll(PollQuery)
    /// One confirmed transaction with its asset.
    case fetch(Identifier)
    /// The newest value that an account has stored under a key.
    case state(key: String, owner: Address)
}

/// One page of one of the lists that notification services poll.
public struct PollQuery: Hashable, Sendable {
    /// The lists.
    public enum List: Hashable, Sendable {
        /// Signal messages to an address.
        case signals(to: Address)
        /// Chat messages of everybody, without signals.
        case chats
        /// Transfers of everybody.
        case transfers
        /// Nothing but the newest transaction, which tells the height.
        case newest
    }

    /// Elements of a page that is followed by another.
    public static let pageSize = 100

    /// Which list.
    public var list: List
    /// The bound as sent: exclusive for messages and signals, inclusive for transfers; nil for the whole chain.
    public var fromHeight: Int?
    /// Elements to pass over.
    public var offset: Int
    /// Whether the oldest come first.
    public var isAscending: Bool

    /// A page.
    public init(list: List, fromHeight: Int? = nil, offset: Int = 0, isAscending: Bool = false) {
        self.list = list
        self.fromHeight = fromHeight
        self.offset = offset
        self.isAscending = isAscending
    }
}

/// An operation at one of a party's nodes, named by its place in the party's list.
public struct NodeRequest: Hashable, Sendable {
    /// Place in the list.
    public var node: Int
    /// What is asked.
    public var operation: NodeOperation

    /// A request.
    public init(node: Int, operation: NodeOperation) {
        self.node = node
        self.operation = operation
    }
}

/// Why a request brought no answer at all.
public enum TransportFailure: Hashable, Sendable, CustomStringConvertible {
    /// Nobody listens.
    case refused
    /// The connection ended early.
    case reset
    /// No answer in time.
    case timedOut
    /// No trusted TLS connection.
    case tls(String)
    /// The party itself has no network.
    case offline
    /// The address cannot be asked, for example a token that fits into no URL.
    case unsendable(String)
    /// Anything else.
    case other(String)

    /// The cause, for people.
    public var description: String {
        switch self {
        case .refused: "connection refused"
        case .reset: "connection reset"
        case .timedOut: "timed out"
        case .tls(let text): "TLS: \(text)"
        case .offline: "no network"
        case .unsendable(let text), .other(let text): text
        }
    }
}

/// How a node answered.
public enum NodeAnswer: Hashable, Sendable {
    /// To ``NodeOperation/status``.
    case status(height: Int, version: String?)
    /// To ``NodeOperation/account(publicKey:)``: the balance in units of 1e-8 ADM.
    case account(balance: Int64)
    /// To ``NodeOperation/publicKey(_:)``.
    case publicKey([UInt8])
    /// To ``NodeOperation/submit(_:)``: an envelope, whatever it says.
    case submitted(SubmitAnswer)
    /// To ``NodeOperation/poll(_:)``, in the order received.
    case page([SeenTransaction])
    /// To ``NodeOperation/fetch(_:)``.
    case transaction(SeenTransaction)
    /// To ``NodeOperation/state(key:owner:)``; nil where there is none.
    case state(String?)
    /// An envelope that refuses, with its text.
    case refused(String)
    /// An answer that the party cannot read, with what is wrong.
    case unparsable(String)
    /// No answer.
    case failed(TransportFailure)
}

/// The facts of an answered submission.
public struct SubmitAnswer: Hashable, Sendable {
    /// The member `transactionId`, when it is a string of digits that fits.
    public var transactionId: Identifier?
    /// The member `error`.
    public var error: String?
    /// Whether `success` and `nodeTimestamp` are there; without them iOS reads nothing.
    public var isEnvelope: Bool

    /// The facts.
    public init(transactionId: Identifier?, error: String?, isEnvelope: Bool) {
        self.transactionId = transactionId
        self.error = error
        self.isEnvelope = isEnvelope
    }
}

/// A transaction as a node tells it, unverified.
public struct SeenTransaction: Hashable, Sendable {
    /// The chat asset.
    public struct Chat: Hashable, Sendable {
        /// The sealed text.
        public var box: MessageBox
        /// See ``Transaction/ChatKind``.
        public var type: Int

        /// A chat asset.
        public init(box: MessageBox, type: Int) {
            self.box = box
            self.type = type
        }
    }

    /// The id.
    public var id: Identifier
    /// Height of its block.
    public var height: Int
    /// Epoch seconds.
    public var timestamp: Int64
    /// See ``Transaction/Kind``.
    public var type: Int
    /// Claimed by the node, like everything here.
    public var sender: Address
    /// 32 bytes, or what the node gave.
    public var senderPublicKey: [UInt8]
    /// Nil for transactions to nobody.
    public var recipient: Address?
    /// Nil when the node does not tell.
    public var recipientPublicKey: [UInt8]?
    /// Units of 1e-8 ADM.
    public var amount: Int64
    /// Nil when there is none.
    public var chat: Chat?

    /// A transaction of all its parts.
    public init(
        id: Identifier,
        height: Int,
        timestamp: Int64,
        type: Int,
        sender: Address,
        senderPublicKey: [UInt8],
        recipient: Address?,
        recipientPublicKey: [UInt8]? = nil,
        amount: Int64 = 0,
        chat: Chat? = nil
    ) {
        self.id = id
        self.height = height
        self.timestamp = timestamp
        self.type = type
        self.sender = sender
        self.senderPublicKey = senderPublicKey
        self.recipient = recipient
        self.recipientPublicKey = recipientPublicKey
        self.amount = amount
        self.chat = chat
    }

    /// What a node will tell about a transaction once it is in a block.
    public init(_ transaction: Transaction, height: Int, recipientPublicKey: [UInt8]? = nil) {
        var chat: Chat?
        if case .chat(let message, let nonce, let type) = transaction.asset {
            chat = Chat(box: MessageBox(message: message, nonce: nonce ?? ""), type: Int(type))
        }
        self.init(
            id: transaction.id,
            height: height,
            timestamp: Int64(transaction.timestamp),
            type: transaction.type,
            sender: transaction.sender,
            senderPublicKey: transaction.senderPublicKey,
            recipient: transaction.recipient,
            recipientPublicKey: recipientPublicKey,
            amount: transaction.amount,
            chat: chat
        )
    }
}
