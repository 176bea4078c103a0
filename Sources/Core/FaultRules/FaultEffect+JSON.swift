import JSONValue

extension FaultEffect {
    /// The kinds on nodes.
    private static let nodeKinds = [
        "status", "error", "reset", "timeout", "delay", "slow", "truncate", "corrupt", "hold", "stale",
        "socket-refuse", "socket-drop", "socket-malformed", "socket-repeat", "socket-withhold",
    ]

    /// Kinds that have nothing to delay.
    private static let undelayedKinds: Set<String> = ["socket-drop", "socket-malformed", "socket-withhold"]

    /// Longest time without an answer: a day.
    static let maximumSeconds: Int64 = 86_400
    /// Furthest into the past that a read can lead, in blocks.
    private static let maximumBlocks: Int64 = 10_000
    /// Fastest slow answer, in bytes a second.
    private static let maximumPace: Int64 = 1 << 30
    /// Longest body of an invented answer.
    static let maximumBodyBytes = 1 << 20
    /// What `error` says unless told otherwise.
    private static let defaultMessage = "Injected fault"
    /// Statuses that end a call; an informational one would not.
    static let statuses: ClosedRange<Int64> = 200...599

    /// Reads an effect on a kind of port.
    init(_ reader: MemberReader, target: FaultRequest.Target) throws(FaultRuleError) {
        let kind = try Self.kind(reader, target: target)
        if target == .apns {
            self = try Self.apns(kind, reader)
            return
        }
        let delay = Self.undelayedKinds.contains(kind) ? [] : FaultDelay.members
        try reader.refuseOthers(than: ["kind"] + Self.members(of: kind) + delay)
        switch kind {
        case "status":
            let code = try reader.required("status", reader.integer("status", in: Self.statuses))
            self = .status(code: Int(code), body: try reader.content("body", limit: Self.maximumBodyBytes))
        case "error":
            self = .error(message: try reader.text("message", limit: 4096) ?? Self.defaultMessage)
        case "reset":
            self = .reset(try reader.moment("when") ?? .before)
        case "timeout":
            self = .timeout(try reader.moment("when") ?? .before, seconds: try Self.seconds(reader))
        case "hold":
            self = .hold(answersReset: try reader.word("answer", of: ["success", "reset"]) == "reset")
        case "stale":
            let blocks = try reader.integer("blocks", in: 1...Self.maximumBlocks)
            self = .stale(blocks: Int(try reader.required("blocks", blocks)))
        case "slow":
            let pace = try reader.integer("bytesPerSecond", in: 1...Self.maximumPace)
            self = .slow(bytesPerSecond: Int(try reader.required("bytesPerSecond", pace)))
        case "truncate":
            let bytes = try reader.integer("bytes", in: 0...Int64(Self.maximumBodyBytes))
            self = .truncate(bytes: Int(try reader.required("bytes", bytes)))
        case "corrupt":
            self = .corrupt(
                bytes: Int(try reader.integer("bytes", in: 1...Int64(Self.maximumBodyBytes)) ?? 1)
            )
        case "socket-refuse": self = .socketRefuse
        case "socket-drop":
            let seconds = try reader.integer("seconds", in: 0...Self.maximumSeconds)
            self = .socketDrop(seconds: Int(try reader.required("seconds", seconds)))
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
        if nodeKinds.contains(kind) { throw reader.error("kind", "\(kind) is for the target node") }
        if apnsKinds.contains(kind) { throw reader.error("kind", "\(kind) is for the target apns") }
        throw reader.error("kind", "must be one of \(known.joined(separator: ", "))")
    }

    /// After how long a connection without an answer ends.
    static func seconds(_ reader: MemberReader) throws(FaultRuleError) -> Int {
        try reader.integer("seconds", in: 0...maximumSeconds).map(Int.init) ?? FaultRule.defaultTimeoutSeconds
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
        case "slow": ["bytesPerSecond"]
        case "truncate", "corrupt": ["bytes"]
        default: []
        }
    }
}
