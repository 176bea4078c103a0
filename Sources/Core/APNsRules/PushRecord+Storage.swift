import Determinism
import JSONValue

extension PushRecord {
    /// The record as bytes from which ``init(stored:)`` makes it again.
    public var stored: [UInt8] {
        var members = JSONObject([
            ("seq", .int(sequence)), ("id", .string(id.lowercased)), ("at", .int(receivedAt.milliseconds)),
            ("stream", .int(request.stream)),
            ("headers", .string(Base64.encode(request.headers.bytes))),
            ("fields", .int(request.headers.count)),
            ("body", .string(Base64.encode(request.body))), ("bodyCount", .int(request.bodyCount)),
            ("apnsId", .string(Base64.encode(Array(apnsId)))),
            ("uniqueId", .optional(uniqueId.map(Base64.encode))), ("delivery", storedDelivery),
        ])
        for member in storedFrame.members { members.append(member.key, member.value) }
        return JSONValue.object(members).bytes
    }

    /// What all pushes of a connection and a provider that were judged alike have in common.
    var storedFrame: JSONObject {
        let transport = request.transport
        return JSONObject([
            ("environment", .string(request.environment.rawValue)),
            ("status", .int(verdict.status)), ("reason", .optional(verdict.reason)),
            ("timestamp", verdict.timestamp.map { .int($0) } ?? .null), ("rule", .string(verdict.rule.name)),
            ("also", .array(verdict.alsoWouldHave.rules.map { .string($0.name) })),
            ("problems", .array(problems.map(JSONValue.string))),
            ("faultId", .optional(faultId)), ("processed", .bool(isProcessed)),
            ("answered", .bool(isAnswered)), ("provider", storedProvider),
            ("connection", .int(transport.connection)), ("peer", .string(transport.peer)),
            ("port", .int(transport.localPort)), ("tls", .string(transport.tlsVersion)),
            ("cipher", .string(transport.cipher)), ("alpn", .optional(transport.alpn)),
            ("serverName", .optional(transport.serverName)), ("resumed", .bool(transport.isResumed)),
            ("certificate", .optional(transport.clientCertificate.map { Base64.encode($0.der) })),
            ("certificateFacts", transport.clientCertificate?.json ?? .null),
        ])
    }

    /// What ``storedFrame`` tells, read again.
    struct Frame: Sendable {
        let environment: APNsEnvironment
        let transport: APNsTransport
        let provider: ProviderFacts
        let exception: Exception?

        init?(_ value: JSONValue) {
            guard
                let environment = value["environment"]?.stringValue.flatMap(APNsEnvironment.init(rawValue:)),
                let transport = PushRecord.transport(value), let verdict = PushRecord.verdict(value),
                let provider = PushRecord.provider(value["provider"]),
                let isProcessed = value["processed"]?.boolValue,
                let isAnswered = value["answered"]?.boolValue
            else { return nil }
            self.environment = environment
            self.transport = transport
            self.provider = provider
            exception = Exception(
                verdict: verdict,
                problems: value["problems"]?.arrayValue?.compactMap(\.stringValue) ?? [],
                faultId: value["faultId"]?.stringValue,
                isProcessed: isProcessed,
                isAnswered: isAnswered
            )
        }
    }

    /// Makes a record of its stored bytes; nil when they are none.
    public init?(stored bytes: [UInt8]) {
        guard let value = try? JSONValue(parsing: bytes), let frame = Frame(value),
            let id = value["id"]?.stringValue.flatMap({ APNsUUID($0) }), let at = value["at"]?.intValue,
            let headers = Self.bytes(value["headers"]), let count = value["fields"]?.intValue,
            let body = Self.bytes(value["body"]), let apnsId = Self.bytes(value["apnsId"])
        else { return nil }
        let request = APNsRequest(
            head: APNsRequestHead(APNsHeaders(bytes: headers, count: Int(clamping: count))),
            body: body,
            bodyCount: Int(clamping: value["bodyCount"]?.intValue ?? 0),
            environment: frame.environment,
            stream: Int32(clamping: value["stream"]?.intValue ?? 0),
            transport: frame.transport
        )
        self.init(
            restoring: Content(
                id: id,
                receivedAt: Timestamp(milliseconds: at),
                request: request,
                ownId: request.sentId == nil ? APNsUUID(utf8: apnsId) : nil,
                uniqueId: Self.bytes(value["uniqueId"]).flatMap { APNsUUID(utf8: $0) },
                provider: frame.provider,
                exception: frame.exception
            )
        )
        sequence = value["seq"]?.intValue ?? 0
        delivery = Self.delivery(value["delivery"])
    }

    private var storedProvider: JSONValue {
        [
            "kind": .string(provider.kind.rawValue), "keyId": .optional(provider.keyId),
            "teamId": .optional(provider.teamId),
            "issuedAt": provider.issuedAt.map { .int($0.milliseconds) } ?? .null,
            "notes": .array(provider.notes.map(JSONValue.string)),
            "defects": .array(provider.defects.map(JSONValue.string)),
            "signatureValid": provider.isSignatureValid.map(JSONValue.bool) ?? .null,
        ]
    }

    /// What became of the push, to be read again by ``delivery(_:)``.
    var storedDelivery: JSONValue {
        guard let delivery else { return .null }
        return [
            "state": .string(delivery.state.rawValue), "device": .optional(delivery.device),
            "at": .int(delivery.at.milliseconds), "why": .optional(delivery.why),
            "presentation": delivery.presentation?.json ?? .null,
        ]
    }

    private static func bytes(_ value: JSONValue?) -> [UInt8]? {
        guard let text = value?.stringValue else { return nil }
        return Base64.decode(Array(text.utf8)[...])?.bytes
    }

    private static func transport(_ value: JSONValue) -> APNsTransport? {
        guard let connection = value["connection"]?.intValue else { return nil }
        return APNsTransport(
            connection: Int(clamping: connection),
            peer: value["peer"]?.stringValue ?? "",
            localPort: Int(clamping: value["port"]?.intValue ?? 0),
            tlsVersion: value["tls"]?.stringValue ?? "",
            cipher: value["cipher"]?.stringValue ?? "",
            alpn: value["alpn"]?.stringValue,
            serverName: value["serverName"]?.stringValue,
            isResumed: value["resumed"]?.boolValue ?? false,
            clientCertificate: bytes(value["certificate"]).flatMap { der in
                value["certificateFacts"].flatMap { APNsClientCertificate(json: $0, der: der) }
            }
        )
    }

    private static func verdict(_ value: JSONValue) -> APNsVerdict? {
        guard let status = value["status"]?.intValue,
            let rule = value["rule"]?.stringValue.flatMap({ APNsRule(name: $0) })
        else { return nil }
        var others = APNsRuleSet()
        for name in value["also"]?.arrayValue ?? [] {
            if let rule = name.stringValue.flatMap({ APNsRule(name: $0) }) { others.insert(rule) }
        }
        return APNsVerdict(
            status: Int(clamping: status),
            reason: value["reason"]?.stringValue,
            timestamp: value["timestamp"]?.intValue,
            rule: rule,
            alsoWouldHave: others
        )
    }

    private static func provider(_ value: JSONValue?) -> ProviderFacts? {
        guard let value, let kind = value["kind"]?.stringValue.flatMap(ProviderFacts.Kind.init(rawValue:))
        else {
            return nil
        }
        return ProviderFacts(
            kind: kind,
            keyId: value["keyId"]?.stringValue,
            teamId: value["teamId"]?.stringValue,
            issuedAt: value["issuedAt"]?.intValue.map { Timestamp(milliseconds: $0) },
            notes: value["notes"]?.arrayValue?.compactMap(\.stringValue) ?? [],
            defects: value["defects"]?.arrayValue?.compactMap(\.stringValue) ?? [],
            isSignatureValid: value["signatureValid"]?.boolValue
        )
    }

    /// What ``storedDelivery`` tells, read again.
    static func delivery(_ value: JSONValue?) -> PushDelivery? {
        guard let value, let state = value["state"]?.stringValue.flatMap(PushDelivery.State.init(rawValue:))
        else {
            return nil
        }
        var delivery = PushDelivery(
            state,
            device: value["device"]?.stringValue,
            at: Timestamp(milliseconds: value["at"]?.intValue ?? 0),
            why: value["why"]?.stringValue
        )
        delivery.presentation = value["presentation"].flatMap(PushDelivery.Presentation.init(json:))
        return delivery
    }
}

extension PushDelivery.Presentation {
    /// The presentation of its JSON; nil unless it is what ``json`` makes.
    init?(json: JSONValue) {
        guard let place = json["place"]?.stringValue.flatMap(Place.init(rawValue:)),
            let at = json["at"]?.stringValue.flatMap(Timestamp.init(rfc3339:))
        else { return nil }
        self.init(place, at: at, why: json["why"]?.stringValue)
    }
}
