import AdamantLedger
import AdamantModel
import JSONValue

/// Reads the parameters of the chat-room calls.
///
/// - Source: adamant:modules/chatrooms.js (`listChats`, `listMessages`)
enum ChatRoomRequest {
    private static let largestPage = 100
    private static let usualRooms = 25

    /// The query that path and parameters ask for; nil when an address is too long to be anybody's.
    static func parse(
        _ parameters: JSONObject,
        path: ChatRoomPath,
        profile: NodeProfile
    ) throws(NodeRefusal) -> ChatRoomQuery? {
        if let error = ListParameters.firstError(parameters, by: .chats) { throw NodeRefusal(error) }
        let limit = parameters["limit"].clampedInt ?? (path.isRoom ? largestPage : usualRooms)
        guard limit <= largestPage else { throw .list("Invalid limit. Maximum is \(largestPage)") }
        let isDescending = try isDescending(parameters["orderBy"])
        guard let user = Address(path.user)?.uppercased else { return nil }
        var query = ChatRoomQuery(user: user)
        if let companion = path.companion {
            guard let address = Address(companion)?.uppercased else { return nil }
            query.companion = address
        }
        query.chatType = parameters["type"].clampedInt
        query.includesTransfers = includesTransfers(parameters, profile: profile)
        query.isSentByUser = parameters["senderId"].isTruthy
        query.isReceivedByUser = parameters["recipientId"].isTruthy
        query.limit = limit
        query.offset = parameters["offset"].clampedInt ?? 0
        query.isDescending = isDescending
        if profile.canReturnUnconfirmed, parameters["returnUnconfirmed"].isTruthy {
            query.unconfirmed = unconfirmed(parameters)
        }
        return query
    }

    /// There is no list of fields: the database is asked to sort by whatever is named.
    private static func isDescending(_ value: JSONValue?) throws(NodeRefusal) -> Bool {
        guard let sent = ListOrder.named(value), !sent.name.isEmpty, sent.name != "timestamp" else {
            return ListOrder.named(value)?.isDescending ?? true
        }
        throw .list("error: column \"\(sent.name)\" does not exist")
    }

    private static func includesTransfers(_ parameters: JSONObject, profile: NodeProfile) -> Bool {
        if let without = parameters["withoutDirectTransfers"] { return !JSONValue?.some(without).isTruthy }
        guard profile.chatsCanIncludeTransfers, let including = parameters["includeDirectTransfers"] else {
            return true
        }
        return JSONValue?.some(including).isTruthy
    }

    /// Prefixed names, which do not count for confirmed transactions, do count here.
    private static func unconfirmed(_ parameters: JSONObject) -> UnconfirmedRoomConditions {
        var conditions = UnconfirmedRoomConditions(chatType: nil, excludesAll: false)
        for member in parameters.members {
            switch member.key.split(separator: ":").last {
            case "type": conditions.chatType = JSONValue?.some(member.value).clampedInt
            case "blockId", "toHeight": conditions.excludesAll = true
            default: break
            }
        }
        return conditions
    }
}
