import JSONValue

extension FaultEffect {
    /// The kinds of each target, and those that are planned.
    private static let nodeKinds = [
        "status", "error", "reset", "timeout", "delay", "hold", "stale", "socket-refuse", "socket-drop",
        "socket-malformed", "socket-repeat", "socket-withhold",
    ]
    private static let apnsKinds = ["reject", "reset", "timeout", "delay", "goaway"]
    private static let laterKinds = ["slow", "truncate", "corrupt", "rst-stream", "settings", "drop"]

    /// Kinds that have nothing to delay.
    private static let undelayedKinds: Set<String> = ["socket-drop", "socket-malformed", "socket-withhold"]

    /// Longest time without an answer: a day.
    private static let maximumSeconds: Int64 = 86_400
    /// Furthest into the past that a read can lead, in blocks.
    private static let maximumBlocks: Int64 = 10_000
    /// Longest body of an invented answer.
    private static let maximumBodyBytes = 1 << 20
    /// What `error` says unless told otherwise.
    private static let defaultMessage = "Injected fault"
    /// Statuses that end a call; an informational one would not.
    private static let statuses: ClosedRange<Int64> = 200...599

    /// Reads an effect for a kind of port.
    init(_ reader: MemberReader, target: FaultRequest.Target) throws(FaultRuleError) {
        let kind = try Self.kind(reader, target: target)
        let delay = Self.undelayedKinds.contains(kind) ? [] : FaultDelay.members
        try reader.refuseOthers(than: ["kind"] + Self.members(of: kind) + delay)
        switch kind {
        case "status":
            let code = try Self.required("status", reader.integer("status", in: Self.statuses), reader)
            self = .status(code: Int(code), body: try Self.body(reader))
        case "error":
            self = .error(message: try reader.text("message", limit: 4096) ?? Self.defaultMessage)
        case "reset":
            self = .reset(try reader.moment("when") ?? .before)
        case "timeout":
            let seconds = try reader.integer("seconds", in: 0...Self.maximumSeconds)
            self = .timeout(
                try reader.moment("when") ?? .before,
                seconds: seconds.map(Int.init) ?? FaultRule.defaultTimeoutSeconds
            )
        case "hold":
            self = .hold(answersReset: try reader.word("answer", of: ["success", "reset"]) == "reset")
        case "stale":
            let blocks = try reader.integer("blocks", in: 1...Self.maximumBlocks)
            self = .stale(blocks: Int(try Self.required("blocks", blocks, reader)))
        case "reject":
            let status = try Self.required("status", reader.integer("status", in: Self.statuses), reader)
            self = .reject(
                status: Int(status),
                reason: try Self.required("reason", reader.text("reason"), reader),
                timestampMilliseconds: try reader.integer("timestamp", in: 0...Int64(1) << 53)
            )
        case "goaway":
            self = .goaway(
                try reader.moment("when") ?? .after,
                reason: try reader.text("reason"),
                code: try reader.integer("code", in: 0...Int64(UInt32.max)).map(UInt32.init) ?? 0,
                lastStream: try reader.integer("lastStream", in: 0...Int64(Int32.max)).map(Int32.init)
            )
        case "socket-refuse": self = .socketRefuse
        case "socket-drop":
            let seconds = try reader.integer("seconds", in: 0...Self.maximumSeconds)
            self = .socketDrop(seconds: Int(try Self.required("seconds", seconds, reader)))
        case "socket-malformed": self = .socketMalformed
        case "socket-repeat": self = .socketRepeat
        case "socket-withhold": self = .socketWithhold
        default:
            self = .delay
        }
    }

    private static func kind(_ reader: MemberReader, target: FaultRequest.Target) throws(FaultRuleError)
        -> String
    {
        guard reader.has("kind") else { throw reader.error("kind", "is missing") }
        let known = target == .node ? nodeKinds : apnsKinds
        guard let kind = reader.value("kind")?.stringValue else {
            throw reader.error("kind", "must be one of \(known.joined(separator: ", "))")
        }
        guard !known.contains(kind) else { return kind }
        if laterKinds.contains(kind) { throw reader.error("kind", "\(kind) is not available yet") }
        if nodeKinds.contains(kind) { throw reader.error("kind", "\(kind) is for the target node") }
        if apnsKinds.contains(kind) { throw reader.error("kind", "\(kind) is for the target apns") }
        throw reader.error("kind", "must be one of \(known.joined(separator: ", "))")
    }

    private static func members(of kind: String) -> [String] {
        switch kind {
        case "status": ["status", "body"]
        case "error": ["message"]
        case "reset": ["when"]
        case "timeout": ["when", "seconds"]
        case "hold": ["answer"]
        case "socket-drop": ["seconds"]
        case "stale": ["blocks"]
        case "reject": ["status", "reason", "timestamp"]
        case "goaway": ["when", "reason", "code", "lastStream"]
        default: []
        }
    }

    /// A body given as text, or as JSON that is sent as it stands.
    private static func body(_ reader: MemberReader) throws(FaultRuleError) -> String? {
        guard let value = reader.value("body") else { return nil }
        let text = value.stringValue ?? value.text
        guard text.utf8.count <= maximumBodyBytes else {
            throw reader.error("body", "must have at most \(maximumBodyBytes) bytes")
        }
        return text
    }

    private static func required<Value>(_ key: String, _ value: Value?, _ reader: MemberReader)
        throws(FaultRuleError) -> Value
    {
        guard let value else { throw reader.error(key, "is missing") }
        return value
    }
}
