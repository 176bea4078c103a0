public import JSONValue

extension APNsSettings {
    /// The settings as the control API shows them and as a kept world stores them.
    public var json: JSONValue {
        .object(
            JSONObject(
                [
                    ("tokens", .string(tokens.rawValue)), ("credentials", .string(credentials.rawValue)),
                    ("profile", .string(profile.rawValue)), ("settings", .string(streams.rawValue)),
                    ("dropsStreams", .bool(dropsStreams)), ("overLimit", .string(overLimit.rawValue)),
                    ("alpn", .string(alpn.rawValue)), ("idleSeconds", .int(idleSeconds)),
                    ("errorLimit", .int(errorLimit)), ("certificates", .string(certificates.rawValue)),
                    ("tokenUpdateMinutes", .int(tokenUpdateMinutes)),
                    ("tokenUpdateScope", .string(tokenUpdateScope.rawValue)),
                    ("wedgesOnExpired", .bool(wedgesOnExpired)),
                    ("environmentReason", .string(environmentReason.rawValue)),
                    ("malformedPayload", .string(malformedPayload.rawValue)),
                    ("strict", .array(strict.checks.map { .string($0.rawValue) })),
                    ("service", .string(service.rawValue)),
                ] + delivery.members
            )
        )
    }

    /// Largest number of any setting; in seconds a year.
    public static let largestNumber: Int64 = 31_536_000

    /// The settings of ``json``, with the usual ones for members that are not there.
    public init(json: JSONValue) {
        self.init()
        func word<Word: RawRepresentable<String>>(_ name: String, _ usual: Word) -> Word {
            json[name]?.stringValue.flatMap(Word.init(rawValue:)) ?? usual
        }
        func number(_ name: String) -> Int {
            Int(clamping: min(max(0, json[name]?.intValue ?? 0), Self.largestNumber))
        }
        tokens = word("tokens", tokens)
        credentials = word("credentials", credentials)
        profile = word("profile", profile)
        streams = word("settings", streams)
        dropsStreams = json["dropsStreams"]?.boolValue ?? false
        overLimit = word("overLimit", overLimit)
        alpn = word("alpn", alpn)
        idleSeconds = number("idleSeconds")
        errorLimit = number("errorLimit")
        certificates = word("certificates", certificates)
        tokenUpdateMinutes = number("tokenUpdateMinutes")
        tokenUpdateScope = word("tokenUpdateScope", tokenUpdateScope)
        wedgesOnExpired = json["wedgesOnExpired"]?.boolValue ?? false
        environmentReason = word("environmentReason", environmentReason)
        malformedPayload = word("malformedPayload", malformedPayload)
        let checks = json["strict"]?.arrayValue?.compactMap(\.stringValue) ?? []
        strict = APNsStrictness(checks.compactMap(APNsStrictness.Check.init(rawValue:)))
        service = word("service", service)
        delivery = DeliverySettings(json: json)
    }
}
