/// One condition on a confirmed transaction, as the wire names it.
///
/// Texts are compared byte for byte with what is shown: a lower-case `u…` or upper-case hexadecimal finds nothing
/// where the node would find nothing.
public enum TransactionFilter: Hashable, Sendable {
    /// `blockId`
    case blockId(String)
    /// `senderId`
    case sender(String)
    /// `recipientId`
    case recipient(String)
    /// `inId`, `isIn`: sender or recipient.
    case party(String)
    /// `senderIds`
    case senders([String])
    /// `recipientIds`
    case recipients([String])
    /// `senderPublicKey`
    case senderPublicKey(String)
    /// `recipientPublicKey`: the stored key of the recipient's account.
    case recipientPublicKey(String)
    /// `senderPublicKeys`
    case senderPublicKeys([String])
    /// `recipientPublicKeys`
    case recipientPublicKeys([String])
    /// `type` of `/api/transactions`
    case type(Int)
    /// `types`
    case types([Int])
    /// `type` of `/api/chats/get`: the chat type.
    case chatType(Int)
    /// `type` of `/api/states/get`: the state type.
    case stateType(Int)
    /// `key`
    case key(String)
    /// `keyIds`
    case keys([String])
    /// `fromHeight` of `/api/transactions`: inclusive.
    case fromHeight(Int)
    /// `fromHeight` of chats and states: exclusive.
    case aboveHeight(Int)
    /// `toHeight`: inclusive.
    case toHeight(Int)
    /// `fromTimestamp`: epoch seconds, inclusive.
    case fromTimestamp(Int64)
    /// `toTimestamp`: epoch seconds, inclusive.
    case toTimestamp(Int64)
    /// `minAmount`: units of 1e-8 ADM, inclusive.
    case minAmount(Int64)
    /// `maxAmount`: units of 1e-8 ADM, inclusive.
    case maxAmount(Int64)
    /// `minFee`: units of 1e-8 ADM, inclusive.
    case minFee(Int64)
    /// `maxFee`: units of 1e-8 ADM, inclusive.
    case maxFee(Int64)
    /// `noClutter=1`: an amount, or a type below 8.
    case withoutClutter
    /// `minConfirmations`
    case minConfirmations(Int)
    /// `ownerAddress` with `ownerPublicKey`: that sender key or that recipient.
    case owner(address: String, publicKey: String)
}

/// In which order transactions are listed; equal keys come in insertion order.
public struct TransactionOrder: Hashable, Sendable {
    /// What `orderBy` can name; raw values are the names on the wire.
    public enum Field: String, CaseIterable, Hashable, Sendable {
        /// By number text.
        case id
        /// By number text of the block.
        case blockId
        /// By units of 1e-8 ADM.
        case amount
        /// By units of 1e-8 ADM.
        case fee
        /// By type number.
        case type
        /// By `timestampMs` when present, otherwise by whole seconds.
        case timestamp
        /// By hexadecimal text.
        case senderPublicKey
        /// By address text.
        case senderId
        /// By address text; those without recipient last.
        case recipientId
        /// The reverse of height.
        case confirmations
        /// By height.
        case height
    }

    /// The key; nil for insertion order.
    public var field: Field?
    /// Whether the greatest key comes first.
    public var isDescending: Bool

    /// An order by a key.
    public init(_ field: Field, isDescending: Bool) {
        self.field = field
        self.isDescending = isDescending
    }

    /// The order of 0.9 without `orderBy`: as inserted.
    public static let insertion = TransactionOrder()

    private init() {
        field = nil
        isDescending = false
    }

    /// What a profile sorts by when the request does not say.
    public static func standard(_ profile: NodeProfile) -> TransactionOrder {
        profile.sortsByDefault ? TransactionOrder(.timestamp, isDescending: true) : .insertion
    }
}

/// A list call, read from its query string.
public struct TransactionQuery: Hashable, Sendable {
    /// Which call it is: what it sees at all, how it compares addresses, which members it shows.
    public enum Scope: Hashable, Sendable {
        /// `/api/transactions`: everything; recipients are compared and shown in upper case.
        case transactions
        /// `/api/chats/get`: chat messages, without signals unless a chat type is asked for; transfers on demand.
        case chats(includesTransfers: Bool)
        /// `/api/states/get`: values of the key-value store.
        case states
    }

    /// How a condition is joined to those before it.
    public enum Combination: Hashable, Sendable {
        /// `and:`, binds tighter.
        case and
        /// `or:`
        case or
    }

    /// Which call it is.
    public var scope: Scope
    /// Groups of which one must hold entirely; none: everything matches.
    public private(set) var alternatives: [[TransactionFilter]] = []
    /// Conditions that must hold whatever the groups say.
    public var required: [TransactionFilter] = []
    /// How many matches are skipped.
    public var offset = 0
    /// How many are returned at most.
    public var limit = 100
    /// The order; nil for what the profile does without `orderBy`.
    public var order: TransactionOrder?
    /// Whether `asset` is filled on `/api/transactions`; the other calls always fill it.
    public var returnsAsset = false
    /// Whether the unconfirmed transactions of the node are listed as well, where its version can.
    public var returnsUnconfirmed = false
    /// The conditions on unconfirmed transactions in the order of the request; the first combination counts not.
    ///
    /// Those of ``add(_:_:)`` are among them; chats and states add what only counts there.
    public var unconfirmedConditions: [UnconfirmedCondition] = []

    /// A query without conditions.
    public init(_ scope: Scope) {
        self.scope = scope
    }

    /// Adds a condition as SQL concatenation does: AND binds tighter, the first combination is dropped.
    public mutating func add(_ filter: TransactionFilter, _ combination: Combination) {
        unconfirmedConditions.append(UnconfirmedCondition(filter, combination))
        if combination == .and, let last = alternatives.indices.last {
            alternatives[last].append(filter)
        } else {
            alternatives.append([filter])
        }
    }
}

/// One condition on an unconfirmed transaction and how it is joined to those before it, from left to right.
public struct UnconfirmedCondition: Hashable, Sendable {
    /// The condition.
    public var filter: TransactionFilter
    /// How it is joined.
    public var combination: TransactionQuery.Combination

    /// A condition.
    public init(_ filter: TransactionFilter, _ combination: TransactionQuery.Combination) {
        self.filter = filter
        self.combination = combination
    }
}

/// Which members a transaction object has.
///
/// - Source: adamant:logic/transaction.js (`dbRead`), modules/chats.js, modules/states.js
public enum TransactionForm: Hashable, Sendable {
    /// An element of `/api/transactions`.
    case transactions(returnsAsset: Bool)
    /// The object of `/api/transactions/get`.
    case single(returnsAsset: Bool)
    /// An element of `/api/chats/get`.
    case chats
    /// An element of `/api/states/get`.
    case states
    /// A message of a chat room.
    case roomMessage
    /// The last transaction of a chat room in the list of rooms.
    case room
}

/// A query that the node's database would refuse.
public struct QueryError: Error, Hashable, Sendable {
    /// The `error` text of the answer.
    public let message: String
}
