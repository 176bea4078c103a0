import AdamantLedger
import JSONValue

/// Parameters as the list calls check them: `and:` and `or:` taken off, comma lists taken apart.
enum ListParameters {
    private static let lists: Set<String> = [
        "senderIds", "recipientIds", "senderPublicKeys", "recipientPublicKeys", "types", "keyIds",
    ]

    /// The first error of the parameters by the schema of a list call.
    static func firstError(_ parameters: JSONObject, by schema: ObjectSchema) -> String? {
        let isPlain = parameters.members.allSatisfy { member in
            !member.key.utf8.contains(UInt8(ascii: ":")) && !lists.contains(member.key)
        }
        guard !isPlain else { return schema.errors(parameters).first }
        let checked = parameters.members.map { member in
            let name = withoutCombination(member.key)
            return JSONObject.Member(
                key: name,
                value: lists.contains(name)
                    ? .array(elements(member.value).map(JSONValue.string)) : member.value
            )
        }
        if let error = schema.errors(JSONObject(merging: checked)).first { return error }
        // Of several spellings the last is checked, but each of them may be used.
        return checked.lazy.compactMap { schema.errors(of: $0).first }.first
    }

    /// The parts of a comma list, as JavaScript's `String(value).split(',')` gives them.
    static func elements(_ value: JSONValue) -> [String] {
        JSONValue?.some(value).javaScriptText.split(separator: ",", omittingEmptySubsequences: false)
            .map(String.init)
    }

    /// The name without the first `and:` or `or:` in it, in any letter case.
    private static func withoutCombination(_ name: String) -> String {
        guard name.utf8.contains(UInt8(ascii: ":")) else { return name }
        let bytes = Array(name.utf8)
        for colon in bytes.indices where bytes[colon] == UInt8(ascii: ":") {
            let head = bytes[..<colon]
            for word in combinations
            where head.suffix(word.count).elementsEqual(word, by: { $0 | 0x20 == $1 }) {
                return String(decoding: head.dropLast(word.count) + bytes[(colon + 1)...], as: UTF8.self)
            }
        }
        return name
    }

    private static let combinations = [Array("and".utf8), Array("or".utf8)]
}

extension SchemaRule {
    /// An address in either spelling.
    static let address = SchemaRule(types: ["string"], format: .address, minimumLength: 1, maximumLength: 22)
    /// Hexadecimal text of a key, or empty text.
    static let publicKey = SchemaRule(types: ["string"], format: .publicKey)
    /// The number of a transaction or block.
    static let identifier = SchemaRule(types: ["string"], format: .id, minimumLength: 1, maximumLength: 20)
    /// Any text.
    static let text = SchemaRule(types: ["string"])
    /// 0 or 1.
    static let flag = integer(0, 1)

    /// An integer within bounds.
    static func integer(_ minimum: Int64, _ maximum: Int64? = nil) -> SchemaRule {
        SchemaRule(types: ["integer"], minimum: minimum, maximum: maximum)
    }
}

extension ObjectSchema {
    private static let addresses = SchemaRule(types: ["array"], elementFormat: .address)
    private static let publicKeys = SchemaRule(types: ["array"], elementFormat: .publicKey)

    /// What `/api/transactions` asks for.
    ///
    /// - Source: adamant-schema (`transactions`), reference of section 4.1
    static let transactions: ObjectSchema = {
        var members = lists
        members["returnAsset"] = .flag
        members["noClutter"] = .flag
        members["returnUnconfirmed"] = .flag
        members["minConfirmations"] = .integer(0)
        members["inId"] = .address
        members["isIn"] = .address
        return ObjectSchema(required: [], members: members)
    }()

    /// What `/api/chats/get` asks for.
    static let chats = ObjectSchema(required: [], members: lists)

    /// What `/api/states/get` asks for.
    static let states: ObjectSchema = {
        var members = lists
        members["keyIds"] = SchemaRule(types: ["array"])
        return ObjectSchema(required: [], members: members)
    }()

    /// What the list calls have in common.
    private static let lists: [String: SchemaRule] = [
        "blockId": .identifier, "type": .integer(0, 10),
        "senderId": .address, "recipientId": .address, "ownerAddress": .address,
        "senderPublicKey": .publicKey, "ownerPublicKey": .publicKey,
        "senderIds": addresses, "recipientIds": addresses,
        "senderPublicKeys": publicKeys, "recipientPublicKeys": publicKeys,
        "fromHeight": .integer(1), "toHeight": .integer(1),
        "fromTimestamp": .integer(0), "toTimestamp": .integer(1),
        "fromUnixTime": .integer(1_504_371_600), "toUnixTime": .integer(1_504_371_601),
        "minAmount": .integer(0), "maxAmount": .integer(1), "minFee": .integer(1), "maxFee": .integer(1),
        "limit": .integer(1, 1000), "offset": .integer(0), "orderBy": .text,
    ]

    /// What `/api/transactions/get` asks for.
    static let transaction = ObjectSchema(
        required: ["id"],
        members: ["id": .identifier, "returnAsset": .flag, "returnUnconfirmed": .flag]
    )

    /// What `/api/accounts` asks for.
    static let account = ObjectSchema(required: [], members: ["address": .address, "publicKey": .publicKey])

    /// What `/api/accounts/getBalance` and `/api/accounts/getPublicKey` ask for.
    static let accountAddress = ObjectSchema(required: ["address"], members: ["address": .address])

    /// What POST `/api/accounts/new` asks for.
    static let newAccount = ObjectSchema(required: ["publicKey"], members: ["publicKey": .publicKey])
}
