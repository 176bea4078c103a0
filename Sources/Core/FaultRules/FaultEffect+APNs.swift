import JSONValue

extension FaultEffect {
    /// The kinds on APNs.
    static let apnsKinds = [
        "reject", "answer", "drop", "reset", "close", "timeout", "delay", "goaway", "rst-stream",
        "refused-stream", "settings", "black-hole", "stall-handshake", "no-settings", "silent-ping", "window",
    ]
    /// Kinds that strike a push or, with `"at": "connection"`, a connection from its beginning.
    private static let kindsOfBoth: Set<String> = ["reset", "close", "goaway", "settings", "black-hole"]
    /// Kinds on APNs that have nothing to delay.
    private static let undelayedKinds: Set<String> = [
        "stall-handshake", "no-settings", "silent-ping", "window",
    ]
    private static let goAwayMembers = [
        "reason", "text", "code", "last", "lastStream", "lingerMilliseconds", "then", "double", "newStreams",
    ]
    private static let formMembers = [
        "apnsId", "body", "contentType", "dataFrames", "endStream", "resetMilliseconds", "informational",
        "trailers",
    ]

    /// HTTP/2's code for a stream that was not processed.
    ///
    /// - Source: RFC 9113, section 7
    private static let refusedStream: UInt32 = 7
    /// Longest debug data, well below what one frame holds.
    private static let maximumTextBytes = 8192
    /// Most DATA frames of one answer.
    private static let maximumFrames: Int64 = 1000

    /// Reads an effect on APNs.
    static func apns(_ kind: String, _ reader: MemberReader) throws(FaultRuleError) -> FaultEffect {
        let place = kindsOfBoth.contains(kind) ? try reader.word("at", of: ["push", "connection"]) : nil
        let isConnection = place == "connection"
        let delays =
            undelayedKinds.contains(kind) || isConnection && ["settings", "black-hole"].contains(kind)
        try reader.refuseOthers(
            than: ["kind"] + (kindsOfBoth.contains(kind) ? ["at"] : [])
                + members(of: kind, isConnection: isConnection) + (delays ? [] : FaultDelay.members)
        )
        if isConnection || undelayedKinds.contains(kind) {
            return .connection(try connectionEffect(kind, reader))
        }
        switch kind {
        case "reset": return .reset(try reader.moment("when") ?? .before)
        case "timeout":
            return .timeout(try reader.moment("when") ?? .before, seconds: try seconds(reader))
        case "delay": return .delay
        default: return .push(try pushEffect(kind, reader))
        }
    }

    private static func members(of kind: String, isConnection: Bool) -> [String] {
        switch kind {
        case "reject":
            ["status", "reason", "timestamp", "timestampAgeSeconds", "timestampForm"] + formMembers
        case "answer": formMembers
        case "reset", "close": isConnection ? ["afterSettings"] : ["when"]
        case "timeout": ["when", "seconds"]
        case "goaway": goAwayMembers + (isConnection ? [] : ["when"])
        case "rst-stream": ["when", "code"]
        case "settings": ["maxConcurrentStreams", "overLimit"]
        case "black-hole": ["seconds", isConnection ? "idleMilliseconds" : "when"]
        case "stall-handshake": ["seconds"]
        case "window": ["initialBytes", "updateMilliseconds"]
        default: []
        }
    }

    private static func pushEffect(_ kind: String, _ reader: MemberReader) throws(FaultRuleError)
        -> PushEffect
    {
        switch kind {
        case "reject": return .reject(try rejection(reader))
        case "answer":
            guard formMembers.contains(where: reader.has) else {
                throw reader.error("kind", "answer needs one of \(formMembers.joined(separator: ", "))")
            }
            return .answer(try form(reader))
        case "drop": return .drop
        case "close": return .close(try reader.moment("when") ?? .after)
        case "goaway":
            return .goAway(try reader.moment("when") ?? .after, try goAway(reader, isConnection: false))
        case "rst-stream":
            let code = try reader.integer("code", in: 0...Int64(UInt32.max)).map(UInt32.init)
            return .resetStream(try reader.moment("when") ?? .before, code: code ?? refusedStream)
        case "settings": return .settings(try reader.required("maxConcurrentStreams", limit(reader)))
        case "black-hole":
            return .blackHole(try reader.moment("when") ?? .before, seconds: try seconds(reader))
        default: return .resetStream(.before, code: refusedStream)
        }
    }

    private static func connectionEffect(_ kind: String, _ reader: MemberReader) throws(FaultRuleError)
        -> ConnectionEffect
    {
        switch kind {
        case "reset", "close":
            return .end(isReset: kind == "reset", afterSettings: try reader.flag("afterSettings") ?? false)
        case "goaway": return .goAway(try goAway(reader, isConnection: true))
        case "settings": return .settings(try limit(reader))
        case "black-hole":
            let idle = try reader.integer("idleMilliseconds", in: 0...maximumSeconds * 1000) ?? 0
            return .blackHole(idleMilliseconds: Int(idle), seconds: try seconds(reader))
        case "no-settings": return .noSettings
        case "silent-ping": return .silentPing
        case "window":
            let bytes = try reader.integer("initialBytes", in: 0...Int64(Int32.max))
            let update = try reader.integer(
                "updateMilliseconds",
                in: 0...Int64(FaultDelay.maximumMilliseconds)
            )
            return .windows(
                initialBytes: UInt32(try reader.required("initialBytes", bytes)),
                updateMilliseconds: update.map(Int.init)
            )
        default: return .stalledHandshake(seconds: try seconds(reader))
        }
    }

    /// The limit of streams; nil where none is given.
    private static func limit(_ reader: MemberReader) throws(FaultRuleError) -> StreamLimit? {
        let words = StreamLimit.OverLimit.allCases.map(\.rawValue)
        let overLimit = try reader.word("overLimit", of: words).flatMap(StreamLimit.OverLimit.init(rawValue:))
        guard let streams = try reader.integer("maxConcurrentStreams", in: 0...Int64(Int32.max)) else {
            if overLimit != nil { throw reader.error("overLimit", "needs maxConcurrentStreams") }
            return nil
        }
        return StreamLimit(streams: UInt32(streams), overLimit: overLimit ?? .refuse)
    }

    private static func goAway(_ reader: MemberReader, isConnection: Bool) throws(FaultRuleError)
        -> GoAwayForm
    {
        var form = GoAwayForm()
        form.last = try last(reader, isConnection: isConnection)
        form.code = try reader.integer("code", in: 0...Int64(UInt32.max)).map(UInt32.init) ?? 0
        let text = try reader.text("text", limit: maximumTextBytes)
        if let reason = try reader.text("reason") {
            guard text == nil else { throw reader.error("text", "give reason or text") }
            form.data = .reason(reason)
        } else if let text {
            form.data = .text(text)
        }
        let linger = try reader.integer("lingerMilliseconds", in: 0...maximumSeconds * 1000)
        form.lingerMilliseconds = linger.map(Int.init) ?? 0
        form.ending =
            try reader.word("then", of: GoAwayForm.Ending.allCases.map(\.rawValue))
            .flatMap(GoAwayForm.Ending.init(rawValue:)) ?? .close
        if form.ending == .keepOpen, linger != nil {
            throw reader.error("lingerMilliseconds", "a connection that is kept open does not end")
        }
        form.isDouble = try reader.flag("double") ?? false
        form.newStreams =
            try reader.word("newStreams", of: GoAwayForm.NewStreams.allCases.map(\.rawValue))
            .flatMap(GoAwayForm.NewStreams.init(rawValue:)) ?? .ignore
        return form
    }

    private static func last(_ reader: MemberReader, isConnection: Bool) throws(FaultRuleError)
        -> GoAwayForm.Last
    {
        let words = ["processed", "max"] + (isConnection ? [] : ["lower"])
        let word = try reader.word("last", of: words)
        if let stream = try reader.integer("lastStream", in: 0...Int64(Int32.max)) {
            guard word == nil else { throw reader.error("lastStream", "give last or lastStream") }
            return .stream(Int32(stream))
        }
        switch word {
        case "max": return .max
        case "lower": return .lower
        default: return .processed
        }
    }

    private static func rejection(_ reader: MemberReader) throws(FaultRuleError) -> PushRejection {
        let form = try form(reader)
        let status = try reader.required("status", reader.integer("status", in: statuses))
        let reason = try reader.text("reason")
        if reason == nil, form.body == nil { throw reader.error("reason", "is missing; give reason or body") }
        var rejection = PushRejection(status: Int(status), reason: reason, form: form)
        let age = try reader.integer("timestampAgeSeconds", in: -Int64(1) << 32...Int64(1) << 32)
        rejection.since = age.map(PushRejection.Since.secondsAgo)
        if let moment = try reader.integer("timestamp", in: 0...Int64(1) << 53) {
            guard age == nil else {
                throw reader.error("timestampAgeSeconds", "give timestamp or timestampAgeSeconds")
            }
            rejection.since = .unixMilliseconds(moment)
        }
        let words = PushRejection.TimestampForm.allCases.map(\.rawValue)
        if let word = try reader.word("timestampForm", of: words) {
            guard rejection.since != nil else {
                throw reader.error("timestampForm", "needs timestamp or timestampAgeSeconds")
            }
            rejection.timestampForm = PushRejection.TimestampForm(rawValue: word) ?? .milliseconds
        }
        return rejection
    }

    private static func form(_ reader: MemberReader) throws(FaultRuleError) -> AnswerForm {
        var form = AnswerForm()
        form.id =
            try reader.word("apnsId", of: AnswerForm.ID.allCases.map(\.rawValue))
            .flatMap(AnswerForm.ID.init(rawValue:)) ?? .same
        form.body = try reader.content("body", limit: maximumBodyBytes)
        form.contentType = try contentType(reader)
        form.dataFrames = try reader.integer("dataFrames", in: 1...maximumFrames).map(Int.init) ?? 1
        form.ending =
            try reader.word("endStream", of: AnswerForm.Ending.allCases.map(\.rawValue))
            .flatMap(AnswerForm.Ending.init(rawValue:)) ?? .data
        form.resetMilliseconds = try reader.integer(
            "resetMilliseconds",
            in: 0...Int64(FaultDelay.maximumMilliseconds)
        ).map(Int.init)
        if form.resetMilliseconds != nil, form.ending != .never {
            throw reader.error("resetMilliseconds", "needs endStream never")
        }
        // 101 does not exist in HTTP/2.
        form.informational = try reader.integer("informational", in: 102...199).map(Int.init)
        form.hasTrailers = try reader.flag("trailers") ?? false
        if form.hasTrailers, form.ending != .data {
            throw reader.error("trailers", "end the stream; endStream must be data")
        }
        return form
    }

    /// A content type; the empty one stands for none.
    private static func contentType(_ reader: MemberReader) throws(FaultRuleError) -> String? {
        guard let value = reader.value("contentType") else { return nil }
        guard let type = value.stringValue, type.utf8.count <= 256,
            type.utf8.allSatisfy({ (32...126).contains($0) })
        else { throw reader.error("contentType", "must be a text of at most 256 printable ASCII characters") }
        return type
    }
}
