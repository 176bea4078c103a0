import AdamantLedger
import AdamantModel
import Determinism
import JSONValue

extension NodeServer {
    static let chatRoomRoutes = [
        Route(below: ChatRoomPath.start) { server, call throws(NodeRefusal) in
            let path = try ChatRoomPath(call.path)
            let query = try ChatRoomRequest.parse(call.parameters, path: path, profile: call.profile)
            return path.isRoom ? server.messages(query, call) : server.rooms(query, call)
        }
    ]

    private func rooms(_ query: ChatRoomQuery?, _ call: Call) -> Reply {
        .success(
            backend.withLedger { ledger, now in
                var output: [UInt8] = []
                output.openEnvelope(now.epochSeconds)
                output.append(",\"chats\":[")
                let count =
                    query.map { ledger.rooms($0, profile: call.profile, node: node, into: &output) } ?? 0
                output.append("]")
                output.append(count: count, call.profile)
                output.append("}")
                return output
            }
        )
    }

    private func messages(_ query: ChatRoomQuery?, _ call: Call) -> Reply {
        .success(
            backend.withLedger { ledger, now in
                var output: [UInt8] = []
                output.openEnvelope(now.epochSeconds)
                output.append(",\"messages\":[")
                let (count, participants) =
                    query.map { ledger.messages($0, profile: call.profile, node: node, into: &output) }
                    ?? (0, Array("[]".utf8))
                output.append("],\"participants\":")
                output += participants
                output.append(count: count, call.profile)
                output.append("}")
                return output
            }
        )
    }
}

/// The path of a chat-room call.
///
/// - Source: adamant:api/http/chatrooms.js, modules/chatrooms.js
struct ChatRoomPath {
    /// How every path of these calls begins; what begins otherwise is no endpoint.
    static let start = "/api/chatrooms/u"

    /// The first address as written.
    let user: String
    /// The second address as written.
    let companion: String?
    /// Whether there are two addresses.
    var isRoom: Bool { companion != nil }

    /// Reads a path, which begins as it must.
    init(_ path: String) throws(NodeRefusal) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(3).map(String.init)
        let isList = parts.count == 1 || (parts.count == 2 && parts[1].isEmpty)
        guard let first = parts.first, Self.isAddress(first),
            isList || (parts.count == 2 && Self.isAddress(parts[1]))
        else { throw NodeRefusal("Invalid Request path") }
        user = first
        companion = isList ? nil : parts[1]
    }

    /// A `U` in either case and digits, however many.
    private static func isAddress(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.count > 1 && bytes.first.map { $0 | 0x20 } == UInt8(ascii: "u")
            && bytes.dropFirst().allSatisfy { (48...57).contains($0) }
    }
}

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
