import AdamantModel
package import JSONValue

/// What a schema asks of one member, and the texts of z-schema when it is not so.
///
/// - Source: adamant-schema, adamant:helpers/z_schema.js
package struct SchemaRule: Sendable {
    /// Formats of text.
    package enum Format: String, Sendable {
        case id, address, publicKey, signature, username, ip, os, version, hex

        /// Whether text has the format.
        func accepts(_ text: String) -> Bool {
            switch self {
            case .id: text.utf8.allSatisfy { (48...57).contains($0) }
            case .address: Address.isValid(text)
            case .publicKey: text.isEmpty || Hex.encodes(text, bytes: 32)
            case .signature: text.isEmpty || Hex.encodes(text, bytes: 64)
            case .username: text.utf8.allSatisfy { Self.isLetter($0) || "!@$&_.".utf8.contains($0) }
            case .ip: Self.isIPv4(text)
            case .os: !text.isEmpty && text.utf8.allSatisfy { Self.isLetter($0) || "-_.+".utf8.contains($0) }
            case .version: Self.isVersion(text)
            case .hex: true
            }
        }

        private static func isLetter(_ byte: UInt8) -> Bool {
            (48...57).contains(byte) || (97...122).contains(byte | 0x20)
        }

        private static func isIPv4(_ text: String) -> Bool {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            return parts.count == 4 && parts.allSatisfy { isNumber($0) && UInt8($0) != nil }
        }

        /// Three numbers, and a letter or none.
        private static func isVersion(_ text: String) -> Bool {
            let hasLetter = text.utf8.last.map { (97...122).contains($0) } ?? false
            let parts = text.dropLast(hasLetter ? 1 : 0).split(
                separator: ".",
                omittingEmptySubsequences: false
            )
            return parts.count == 3 && parts.allSatisfy(isNumber)
        }

        private static func isNumber(_ text: Substring) -> Bool {
            (1...3).contains(text.utf8.count) && text.utf8.allSatisfy { (48...57).contains($0) }
        }
    }

    /// Names of the types that are accepted.
    var types: [String]
    var format: Format?
    var minimum: Int64?
    var maximum: Int64?
    var minimumLength: Int?
    var maximumLength: Int?
    var elementFormat: Format?

    /// A rule; what is not given is not checked.
    package init(
        types: [String],
        format: Format? = nil,
        minimum: Int64? = nil,
        maximum: Int64? = nil,
        minimumLength: Int? = nil,
        maximumLength: Int? = nil,
        elementFormat: Format? = nil
    ) {
        self.types = types
        self.format = format
        self.minimum = minimum
        self.maximum = maximum
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
        self.elementFormat = elementFormat
    }

    /// Appends the errors of a value, in the order of the keywords.
    func check(_ value: JSONValue, _ errors: inout [String]) {
        let type = JSONValue?.some(value).schemaType
        if !types.contains(type), !(type == "integer" && types.contains("number")) {
            errors.append("Expected type \(types.joined(separator: ",")) but found type \(type)")
        }
        switch value {
        case .string(let text): check(text, &errors)
        case .number(let number): check(number, &errors)
        case .array(let elements): check(elements, &errors)
        default: break
        }
    }

    private func check(_ text: String, _ errors: inout [String]) {
        if let format, !format.accepts(text) {
            errors.append("Object didn't pass validation for format \(format.rawValue): \(text)")
        }
        guard minimumLength != nil || maximumLength != nil else { return }
        // A character has one to four bytes: most texts need not be counted.
        let bytes = text.utf8.count
        if bytes <= maximumLength ?? .max, (bytes + 3) / 4 >= minimumLength ?? 0 { return }
        let length = text.unicodeScalars.count
        if let minimumLength, length < minimumLength {
            errors.append("String is too short (\(length) chars), minimum \(minimumLength)")
        }
        if let maximumLength, length > maximumLength {
            errors.append("String is too long (\(length) chars), maximum \(maximumLength)")
        }
    }

    /// Text elements, from the last to the first.
    private func check(_ elements: [JSONValue], _ errors: inout [String]) {
        guard let elementFormat else { return }
        for text in elements.reversed().compactMap(\.stringValue) where !elementFormat.accepts(text) {
            errors.append("Object didn't pass validation for format \(elementFormat.rawValue): \(text)")
        }
    }

    private func check(_ number: JSONNumber, _ errors: inout [String]) {
        if let minimum, number.double < Double(minimum) {
            errors.append("Value \(number.javaScriptText) is less than minimum \(minimum)")
        } else if let maximum, number.double > Double(maximum) {
            errors.append("Value \(number.javaScriptText) is greater than maximum \(maximum)")
        }
    }
}

/// The rules of an object's members.
package struct ObjectSchema: Sendable {
    /// Names that must be there.
    private let required: [String]
    /// Names that have a rule.
    private let names: [String]
    /// The rules of the names.
    private let rules: [SchemaRule]
    /// Where the names of a length are; so few are found sooner this way than by their hashes.
    private let placesByLength: [[Int]]

    /// A schema of required names and rules.
    package init(required: [String], members: [String: SchemaRule]) {
        self.required = required
        let sorted = members.sorted { $0.key < $1.key }
        names = sorted.map(\.key)
        rules = sorted.map(\.value)
        var places: [[Int]] = []
        for (place, name) in names.enumerated() {
            let length = name.utf8.count
            while places.count <= length { places.append([]) }
            places[length].append(place)
        }
        placesByLength = places
    }

    /// Errors of an object: missing members first, the last of them leading, then members from the last to the first.
    package func errors(_ object: JSONObject) -> [String] {
        var errors: [String] = []
        for name in required.reversed() where !object.holds(name) {
            errors.append("Missing required property: \(name)")
        }
        for member in object.members.reversed() { check(member, &errors) }
        return errors
    }

    /// Errors of a member by itself.
    package func errors(of member: JSONObject.Member) -> [String] {
        var errors: [String] = []
        check(member, &errors)
        return errors
    }

    private func check(_ member: JSONObject.Member, _ errors: inout [String]) {
        if let place = place(of: member.key) { rules[place].check(member.value, &errors) }
    }

    private func place(of name: String) -> Int? {
        let length = name.utf8.count
        guard length < placesByLength.count else { return nil }
        // All names are ASCII: nothing else of the same length is equivalent to them.
        return placesByLength[length].first { names[$0] == name }
    }
}

extension ObjectSchema {
    /// What a POST asks of `transaction` before anything else.
    static let posted = ObjectSchema(
        required: ["signature"],
        members: ["signature": SchemaRule(types: ["string"], format: .signature)]
    )

    /// What POST `/api/delegates` asks of the transaction before anything else.
    static let registration = ObjectSchema(
        required: ["senderPublicKey", "signature"],
        members: [
            "senderPublicKey": SchemaRule(types: ["string"], format: .publicKey),
            "signature": SchemaRule(types: ["string"], format: .signature),
        ]
    )

    /// What POST `/api/accounts/delegates` asks of the transaction before anything else.
    static let voting = ObjectSchema(
        required: ["senderPublicKey"],
        members: ["senderPublicKey": SchemaRule(types: ["string"], format: .publicKey)]
    )

    /// The refusal of a posted transaction's members, after those that are null were removed; nil when all is well.
    ///
    /// - Source: adamant:logic/transaction.js, logic/chat.js, logic/state.js (`objectNormalize`)
    static func refusal(of posted: JSONObject, type: UInt8, checksMilliseconds: Bool) -> String? {
        var object = posted
        if posted.members.contains(where: \.value.isNull) {
            object = JSONObject(merging: posted.members.filter { !$0.value.isNull })
        }
        let errors = transaction(checksMilliseconds: checksMilliseconds).errors(object)
        guard errors.isEmpty else {
            return "Failed to validate transaction schema: \(errors.joined(separator: ", "))"
        }
        let (name, schema): (String, ObjectSchema)
        switch Int(type) {
        case Transaction.Kind.chat: (name, schema) = ("chat", .chat)
        case Transaction.Kind.state: (name, schema) = ("state", .state)
        case Transaction.Kind.delegate: (name, schema) = ("delegate", .delegate)
        default: return nil
        }
        let inner = object["asset"]?[name]
        var innerErrors = ["Expected type object but found type \(inner.schemaType)"]
        if let asset = inner?.objectValue { innerErrors = schema.errors(asset) }
        guard !innerErrors.isEmpty else { return nil }
        return "Failed to validate \(name) schema: \(innerErrors.joined(separator: ", "))"
    }

    /// A transaction after it was normalised.
    private static func transaction(checksMilliseconds: Bool) -> ObjectSchema {
        checksMilliseconds ? withMilliseconds : withoutMilliseconds
    }

    private static let withMilliseconds = ObjectSchema(
        required: transactionNames,
        members: transactionMembers.merging([
            "timestampMs": SchemaRule(types: ["integer", "null"])
        ]) { $1 }
    )

    private static let withoutMilliseconds = ObjectSchema(
        required: transactionNames,
        members: transactionMembers
    )

    private static let transactionNames = ["type", "timestamp", "senderPublicKey", "signature"]

    private static let transactionMembers: [String: SchemaRule] = {
        let address = SchemaRule(types: ["string"], format: .address, minimumLength: 1, maximumLength: 22)
        let id = SchemaRule(types: ["string"], format: .id, minimumLength: 1, maximumLength: 20)
        let amount = SchemaRule(types: ["integer"], minimum: 0, maximum: Rewards.genesisSupply)
        let key = SchemaRule(types: ["string"], format: .publicKey)
        let signature = SchemaRule(types: ["string"], format: .signature)
        return [
            "height": SchemaRule(types: ["integer"]), "blockId": id,
            "type": SchemaRule(types: ["integer"]),
            "timestamp": SchemaRule(types: ["integer"]), "senderPublicKey": key,
            "requesterPublicKey": key,
            "recipientId": address, "amount": amount, "signature": signature, "signSignature": signature,
            "asset": SchemaRule(types: ["object"]),
        ]
    }()

    /// The `delegate` member of an asset.
    static let delegate = ObjectSchema(
        required: ["publicKey"],
        members: ["publicKey": SchemaRule(types: ["string"], format: .publicKey)]
    )

    /// The `chat` member of an asset.
    static let chat = ObjectSchema(
        required: ["message", "type"],
        members: [
            "message": SchemaRule(types: ["string"], minimumLength: 1, maximumLength: 20_480),
            "own_message": SchemaRule(types: ["string"], minimumLength: 0, maximumLength: 20_480),
            "type": SchemaRule(types: ["integer"], minimum: 0),
        ]
    )

    /// The `state` member of an asset.
    static let state = ObjectSchema(
        required: ["value", "type"],
        members: [
            "value": SchemaRule(types: ["string"], minimumLength: 1, maximumLength: 20_480),
            "key": SchemaRule(types: ["string"], minimumLength: 0, maximumLength: 20),
            "type": SchemaRule(types: ["integer"], minimum: 0),
        ]
    )
}
