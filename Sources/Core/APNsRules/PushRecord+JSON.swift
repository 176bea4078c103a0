import Determinism
public import JSONValue

extension PushRecord {
    /// The record as an element of a list in the control API.
    public var json: JSONValue { .object(members) }

    /// The record as the control API shows it alone: with the payload's bytes as sent.
    public var detailedJSON: JSONValue {
        var members = members
        members.append("payloadBase64", .string(Base64.encode(request.body)))
        return .object(members)
    }

    /// The push as an `.apns` file for the iOS Simulator; nil when its payload is no JSON object.
    ///
    /// - Source: Apple, Xcode 11.4 release notes (`simctl push`; `Simulator Target Bundle`)
    public var simulatorFile: JSONValue? {
        guard let payload = (try? JSONValue(parsing: request.body))?.objectValue else { return nil }
        let target = "Simulator Target Bundle"
        var file = JSONObject()
        if let topic = request.topic { file.append(target, .string(PushType.bundleId(ofTopic: topic))) }
        for member in payload.members where member.key != target { file.append(member.key, member.value) }
        return .object(file)
    }

    private var members: JSONObject {
        JSONObject([
            ("seq", .int(sequence)), ("id", .string(id.lowercased)),
            ("receivedAt", .string(receivedAt.rfc3339)),
            ("environment", .string(request.environment.rawValue)),
            ("connection", .int(request.transport.connection)), ("stream", .int(request.stream)),
            ("token", .optional(token)), ("headers", headersJSON), ("payload", payloadJSON),
            ("payloadBytes", .int(request.bodyCount)), ("status", status.map { .int($0) } ?? .null),
            ("reason", .optional(reason)), ("timestamp", timestampJSON),
            ("apnsId", .string(String(decoding: apnsId, as: UTF8.self))),
            ("apnsUniqueId", .optional(uniqueId.map { String(decoding: $0, as: UTF8.self) })),
            ("verdict", verdictJSON), ("provider", providerJSON),
            ("transactionId", .optional(transactionId)),
            ("recipient", .optional(recipient)), ("delivery", delivery?.json ?? .null),
            ("transport", request.transport.json),
        ])
    }

    /// Values of a name that occurs twice are joined by a comma.
    private var headersJSON: JSONValue {
        var headers = JSONObject()
        for (name, value) in request.headers.fields {
            let earlier = headers[name]?.stringValue
            headers[name] = .string(earlier.map { "\($0), \(value)" } ?? value)
        }
        return .object(headers)
    }

    private var payloadJSON: JSONValue {
        (try? JSONValue(parsing: request.body)) ?? .null
    }

    private var timestampJSON: JSONValue {
        isAnswered ? verdict.timestamp.map { .int($0) } ?? .null : .null
    }

    private var providerJSON: JSONValue {
        var members = provider.members
        members.append("problems", .array(problems.map(JSONValue.string)))
        if provider.kind == .certificate {
            members.append("certificate", request.transport.clientCertificate?.json ?? .null)
        }
        return .object(members)
    }

    private var verdictJSON: JSONValue {
        [
            "rule": .string(verdict.rule.name),
            "alsoWouldHave": .array(verdict.alsoWouldHave.rules.map { .string($0.name) }),
            "lints": .array(lints.map(JSONValue.string)), "faultId": .optional(faultId),
        ]
    }
}
