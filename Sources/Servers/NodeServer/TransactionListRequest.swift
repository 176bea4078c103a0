import AdamantLedger
import Determinism
import JSONValue

/// Reads the parameters of `/api/transactions`.
///
/// - Source: adamant:modules/transactions.js (`getTransactions`, `list`)
struct TransactionListRequest {
    private static let epochUnixSeconds: Int64 = 1_504_371_600
    private static let options: Set<String> = [
        "limit", "offset", "orderBy", "returnAsset", "ownerAddress", "ownerPublicKey",
    ]
    private static let filters: Set<String> = [
        "blockId", "senderId", "recipientId", "senderPublicKey", "recipientPublicKey", "inId", "isIn",
        "senderIds",
        "recipientIds", "senderPublicKeys", "recipientPublicKeys", "types", "type", "fromHeight", "toHeight",
        "fromTimestamp", "toTimestamp", "minAmount", "maxAmount", "minFee", "maxFee", "noClutter",
        "minConfirmations",
    ]
    /// Names for which 0 is a value.
    private static let zeroNames: Set<String> = [
        "fromTimestamp", "minAmount", "minConfirmations", "type", "offset", "minFee",
    ]

    private let profile: NodeProfile
    /// Conditions in the order of the request.
    private var conditions: [(String, TransactionQuery.Combination)] = []
    /// The value of each name; several conditions of one name share the last.
    private var values: [String: JSONValue] = [:]

    /// The query that the parameters ask for.
    static func parse(_ parameters: JSONObject, profile: NodeProfile) throws(NodeRefusal) -> TransactionQuery
    {
        if let error = ListParameters.firstError(parameters, by: .transactions) { throw NodeRefusal(error) }
        var request = TransactionListRequest(profile: profile)
        for member in parameters.members { try request.read(member.key, member.value) }
        return try request.query(parameters)
    }

    private init(profile: NodeProfile) {
        self.profile = profile
    }

    private mutating func read(_ key: String, _ sent: JSONValue) throws(NodeRefusal) {
        let parts = key.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 2 else { throw .list("Invalid parameter supplied: \(key)") }
        var name = String(parts[parts.count - 1])
        var combination = TransactionQuery.Combination.or
        if parts.count == 2 {
            switch parts[0].lowercased() {
            case "and": combination = .and
            case "or": combination = .or
            default: throw .list("Incorrect condition [\(parts[0])] for field: \(name)")
            }
        }
        var value = sent
        if name == "fromUnixTime" || name == "toUnixTime", let seconds = JSONValue?.some(sent).clampedInteger
        {
            value = .int(seconds.subtractingClamped(Self.epochUnixSeconds))
            name = name == "fromUnixTime" ? "fromTimestamp" : "toTimestamp"
        }
        let isFilter = Self.filters.contains(name)
        let isUnconfirmedOption = name == "returnUnconfirmed" && profile.canReturnUnconfirmed
        guard isFilter || isUnconfirmedOption || Self.options.contains(name) else {
            throw .list("Parameter is not supported: \(name)")
        }
        guard JSONValue?.some(value).isTruthy || (value == 0 && Self.zeroNames.contains(name)) else {
            throw .list("Value for parameter [\(name)] cannot be empty")
        }
        guard isFilter else { return }
        conditions.append((name, combination))
        values[name] = value
    }

    private func query(_ parameters: JSONObject) throws(NodeRefusal) -> TransactionQuery {
        var query = TransactionQuery(.transactions)
        for (name, combination) in conditions {
            guard let value = values[name] else { continue }
            query.add(try Self.filter(name, value), combination)
        }
        if let address = parameters["ownerAddress"]?.stringValue,
            let publicKey = parameters["ownerPublicKey"]?.stringValue
        {
            query.required.append(.owner(address: address, publicKey: publicKey))
        }
        query.limit = parameters["limit"].clampedInt ?? 100
        query.offset = parameters["offset"].clampedInt ?? 0
        query.order = try ListOrder.parse(
            parameters["orderBy"],
            fields: TransactionOrder.Field.allCases,
            profile: profile
        )
        query.returnsAsset = parameters["returnAsset"].isTruthy
        query.returnsUnconfirmed =
            profile.canReturnUnconfirmed && parameters["returnUnconfirmed"].isTruthy
        return query
    }

    private static func filter(_ name: String, _ value: JSONValue) throws(NodeRefusal) -> TransactionFilter {
        let text = JSONValue?.some(value).javaScriptText
        let number = JSONValue?.some(value).clampedInteger ?? 0
        switch name {
        case "blockId": return .blockId(text)
        case "senderId": return .sender(text)
        case "recipientId": return .recipient(text)
        case "senderPublicKey": return .senderPublicKey(text)
        case "recipientPublicKey": return .recipientPublicKey(text)
        case "inId", "isIn": return .party(text)
        case "senderIds": return .senders(ListParameters.elements(value))
        case "recipientIds": return .recipients(ListParameters.elements(value))
        case "senderPublicKeys": return .senderPublicKeys(ListParameters.elements(value))
        case "recipientPublicKeys": return .recipientPublicKeys(ListParameters.elements(value))
        case "types": return .types(try types(value))
        case "type": return .type(Int(clamping: number))
        case "fromHeight": return .fromHeight(Int(clamping: number))
        case "toHeight": return .toHeight(Int(clamping: number))
        case "fromTimestamp": return .fromTimestamp(number)
        case "toTimestamp": return .toTimestamp(number)
        case "minAmount": return .minAmount(number)
        case "maxAmount": return .maxAmount(number)
        case "minFee": return .minFee(number)
        case "maxFee": return .maxFee(number)
        case "minConfirmations": return .minConfirmations(Int(clamping: number))
        default: return .withoutClutter
        }
    }

    private static func types(_ value: JSONValue) throws(NodeRefusal) -> [Int] {
        var types: [Int] = []
        for element in ListParameters.elements(value) {
            guard let type = QueryString.integer(element)?.int64 else {
                throw .list("error: invalid input syntax for type integer: \"\(element)\"")
            }
            types.append(Int(clamping: type))
        }
        return types
    }
}
