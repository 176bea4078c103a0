public import AdamantModel

/// A call of `/api/chatrooms`, read from its path and query string.
public struct ChatRoomQuery: Hashable, Sendable {
    /// The first address of the path, with an upper-case `U`.
    public var user: Address
    /// The second address of the path; nil for the list of rooms.
    public var companion: Address?
    /// The chat type asked for.
    public var chatType: Int?
    /// Whether transfers count.
    public var includesTransfers = true
    /// Whether only what the user sent counts.
    public var isSentByUser = false
    /// Whether only what the user received counts.
    public var isReceivedByUser = false
    /// Whether the newest comes first.
    public var isDescending = true
    /// How many matches are skipped.
    public var offset = 0
    /// How many are returned at most.
    public var limit = 25
    /// What else is asked of unconfirmed transactions; nil when they are not listed.
    public var unconfirmed: UnconfirmedRoomConditions?

    /// A call without parameters.
    public init(user: Address, companion: Address? = nil) {
        self.user = user
        self.companion = companion
    }

    /// The kinds of transactions that can match.
    var kinds: RowKinds {
        guard let chatType else {
            return includesTransfers ? ChatRoomIndex.kinds : .messages
        }
        let kind = RowKind(type: Transaction.Kind.chat, subtype: Int32(clamping: chatType))
        guard kind != .other, companion != nil || kind != .signal else { return RowKinds([]) }
        return RowKinds([kind])
    }

    /// Whether nothing but the usual is asked for, which an index answers.
    var isPlain: Bool {
        chatType == nil && includesTransfers && !isSentByUser && !isReceivedByUser
    }
}

/// What a chat-room call asks of unconfirmed transactions beyond what it asks of confirmed ones.
public struct UnconfirmedRoomConditions: Hashable, Sendable {
    /// The chat type, prefixed names included.
    public var chatType: Int?
    /// Whether a condition excludes all of them.
    public var excludesAll: Bool

    /// Conditions.
    public init(chatType: Int?, excludesAll: Bool) {
        self.chatType = chatType
        self.excludesAll = excludesAll
    }
}
