public import JSONValue

extension ProviderKey {
    /// The key as the control API shows it and as a kept world stores it.
    public var json: JSONValue {
        [
            "keyId": .string(keyId), "teamId": .string(teamId), "publicKey": .optional(publicKeyPEM),
            "environment": .optional(environment?.rawValue), "topics": .array(topics.map(JSONValue.string)),
            "relatedKeyId": .optional(relatedKeyId), "state": .string(state.rawValue),
        ]
    }

    /// The key of ``json``, still without what checks its signatures; nil for other values.
    public init?(json: JSONValue) {
        guard let keyId = json["keyId"]?.stringValue, let teamId = json["teamId"]?.stringValue,
            let state = json["state"]?.stringValue.flatMap(State.init(rawValue:))
        else { return nil }
        self.init(
            keyId: keyId,
            teamId: teamId,
            publicKeyPEM: json["publicKey"]?.stringValue,
            environment: json["environment"]?.stringValue.flatMap(APNsEnvironment.init(rawValue:)),
            topics: json["topics"]?.arrayValue?.compactMap(\.stringValue) ?? [],
            relatedKeyId: json["relatedKeyId"]?.stringValue,
            state: state
        )
    }
}
