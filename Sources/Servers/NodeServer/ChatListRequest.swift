import AdamantLedger
import JSONValue

/// Reads the parameters of `/api/chats/get`.
///
/// Names with `and:` or `or:` are checked by the schema and then not read.
/// - Source: adamant:modules/chats.js (`getTransactions`, `list`)
enum ChatListRequest {
    /// The query that the parameters ask for.
    static func parse(_ parameters: JSONObject, profile: NodeProfile) throws(NodeRefusal) -> TransactionQuery
    {
        if let error = ListParameters.firstError(parameters, by: .chats) { throw NodeRefusal(error) }
        var query = TransactionQuery(
            .chats(includesTransfers: includesTransfers(parameters, profile: profile))
        )
        if let type = parameters["type"].clampedInt { query.required.append(.chatType(type)) }
        query.required += try parties(parameters)
        if let height = parameters["fromHeight"].clampedInt { query.required.append(.aboveHeight(height)) }
        try query.readPage(parameters, profile: profile)
        if query.order?.field == .type {
            throw .list("error: column \"type\" does not exist")
        }
        return query
    }

    /// Sender, recipient and party share one value: the last of them.
    private static func parties(_ parameters: JSONObject) throws(NodeRefusal) -> [TransactionFilter] {
        let names = ["senderId", "recipientId", "isIn"].filter { name in
            parameters[name].isTruthy || (name == "isIn" && parameters["inId"].isTruthy)
        }
        guard let last = names.last else { return [] }
        let value = parameters[last].isTruthy ? parameters[last] : parameters["inId"]
        if case .number(let number)? = value { throw .list(DatabaseTexts.noOperator(with: number)) }
        let text = value.javaScriptText
        return names.map { name in
            switch name {
            case "senderId": .sender(text)
            case "recipientId": .recipient(text)
            default: .party(text)
            }
        }
    }

    private static func includesTransfers(_ parameters: JSONObject, profile: NodeProfile) -> Bool {
        guard profile.chatsCanIncludeTransfers else { return false }
        if let without = parameters["withoutDirectTransfers"] { return !JSONValue?.some(without).isTruthy }
        return parameters["includeDirectTransfers"].isTruthy
    }
}

/// Reads the parameters of `/api/states/get`.
///
/// - Source: adamant:modules/states.js (`getTransactions`, `list`)
enum StateListRequest {
    /// The query that the parameters ask for.
    static func parse(_ parameters: JSONObject, profile: NodeProfile) throws(NodeRefusal) -> TransactionQuery
    {
        if let error = ListParameters.firstError(parameters, by: .states) { throw NodeRefusal(error) }
        var query = TransactionQuery(.states)
        if let type = parameters["type"].clampedInt { query.required.append(.stateType(type)) }
        if let sender = parameters["senderId"]?.stringValue { query.required.append(.sender(sender)) }
        if let senders = parameters["senderIds"], JSONValue?.some(senders).isTruthy {
            query.required.append(.senders(ListParameters.elements(senders)))
        }
        if let key = parameters["key"], JSONValue?.some(key).isTruthy {
            if case .number(let number) = key { throw .list(DatabaseTexts.noOperator(with: number)) }
            query.required.append(.key(JSONValue?.some(key).javaScriptText))
        }
        if let keys = parameters["keyIds"], JSONValue?.some(keys).isTruthy {
            query.required.append(.keys(ListParameters.elements(keys)))
        }
        if let height = parameters["fromHeight"].clampedInt { query.required.append(.aboveHeight(height)) }
        try query.readPage(parameters, profile: profile)
        return query
    }
}

extension TransactionQuery {
    private static let largestPage = 100

    /// Reads `limit`, `offset` and `orderBy` of chats and states.
    fileprivate mutating func readPage(_ parameters: JSONObject, profile: NodeProfile) throws(NodeRefusal) {
        limit = parameters["limit"].clampedInt ?? Self.largestPage
        offset = parameters["offset"].clampedInt ?? 0
        guard limit <= Self.largestPage else { throw .list("Invalid limit. Maximum is \(Self.largestPage)") }
        order = try ListOrder.parse(parameters["orderBy"], fields: [.type, .timestamp], profile: profile)
        readUnconfirmed(parameters, profile: profile)
    }
}

/// What the node's database says to comparisons it cannot make.
enum DatabaseTexts {
    /// A column of text compared with a number.
    static func noOperator(with number: JSONNumber) -> String {
        let type =
            switch number.int64 {
            case let value? where Int32(exactly: value) != nil: "integer"
            case .some: "bigint"
            case nil: "numeric"
            }
        return "error: operator does not exist: character varying = \(type)"
    }
}
