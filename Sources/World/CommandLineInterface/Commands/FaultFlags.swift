import JSONValue

/// A fault rule as flags.
enum FaultFlags {
    /// How the text of a flag becomes a member.
    private enum Form {
        case text
        case number
        case flag
        case milliseconds
    }

    /// A flag with the member it stands for.
    private struct Flag {
        let name: String
        let placeholder: String
        let member: String
        let form: Form
        let help: String

        init(_ name: String, _ placeholder: String, _ member: String, _ form: Form, _ help: String) {
            self.name = name
            self.placeholder = placeholder
            self.member = member
            self.form = form
            self.help = help
        }
    }

    private static let match = [
        Flag("--node", "NAME", "node", .text, "calls of this node"),
        Flag("--method", "M", "method", .text, "with this method"),
        Flag("--path", "GLOB", "path", .text, "with this path; * within a segment, ** across"),
        Flag(
            "--event",
            "EVENT",
            "event",
            .text,
            "of this event of sockets: newTrans, newBlock or balances/change"
        ),
        Flag("--transaction-type", "N", "transactionType", .number, "posting a transaction of this type"),
        Flag("--chat-type", "N", "chatType", .number, "posting a chat message of this type, 3 for signals"),
        Flag("--sender", "ADDRESS", "sender", .text, "from this sender"),
        Flag("--recipient", "ADDRESS", "recipient", .text, "for this recipient"),
        Flag("--transaction-id", "ID", "transactionId", .text, "of this transaction"),
        Flag("--attempt", "N", "attempt", .number, "posting the same signed bytes for the Nth time"),
        Flag("--signal-action", "A", "signalAction", .text, "posting a signal that says add or remove"),
        Flag("--token", "TOKEN", "token", .text, "about this device token"),
        Flag("--topic", "TOPIC", "topic", .text, "apns: with this topic"),
        Flag("--push-type", "TYPE", "pushType", .text, "apns: of this push type"),
        Flag("--priority", "N", "priority", .number, "apns: of this priority"),
        Flag("--environment", "E", "environment", .text, "apns: production or sandbox"),
        Flag("--connection", "N", "connection", .number, "apns: on the Nth connection"),
        Flag(
            "--client-certificate",
            "BOOL",
            "clientCertificate",
            .flag,
            "apns: with a certificate, or without"
        ),
        Flag("--request", "N", "request", .number, "apns: the Nth push of its connection"),
        Flag("--request-from", "N", "requestFrom", .number, "apns: from the Nth push of a connection on"),
        Flag("--request-to", "N", "requestTo", .number, "apns: up to the Nth push of a connection"),
        Flag("--request-every", "N", "requestEvery", .number, "apns: each Nth push of a connection"),
        Flag("--idle", "TIME", "idleMilliseconds", .milliseconds, "apns: after so long without a push"),
    ]

    private static let schedule = [
        Flag("--name", "TEXT", "name", .text, "what the rule is for"),
        Flag("--target", "T", "target", .text, "node (default) or apns"),
        Flag("--skip", "N", "skip", .number, "passes over the first N matches"),
        Flag("--limit", "N", "limit", .number, "fires at most N times"),
        Flag("--probability", "P", "probability", .number, "fires with this probability, 1 by default"),
        Flag("--per", "SCOPE", "per", .text, "counts per rule (default), route or transaction"),
    ]

    private static let window = [
        Flag("--from", "TIME", "from", .text, "awake from this time of the world's clock on"),
        Flag("--to", "TIME", "to", .text, "awake before this time of the world's clock"),
        Flag("--from-seconds", "S", "fromSeconds", .number, "awake so long after the rule was made"),
        Flag("--to-seconds", "S", "toSeconds", .number, "awake until so long after the rule was made"),
        Flag("--from-height", "N", "fromHeight", .number, "awake from this height on"),
        Flag("--to-height", "N", "toHeight", .number, "awake up to this height"),
        Flag("--from-match", "N", "fromMatch", .number, "fires from the Nth match on"),
        Flag("--to-match", "N", "toMatch", .number, "fires up to the Nth match"),
        Flag("--every-match", "N", "everyMatch", .number, "fires at each Nth match"),
    ]

    private static let effect = [
        Flag("--status", "CODE", "status", .number, "for status and reject: what is answered"),
        Flag("--body", "TEXT", "body", .text, "for status, reject and answer: the body, maybe empty"),
        Flag("--message", "TEXT", "message", .text, "for error: the text"),
        Flag(
            "--at",
            "PLACE",
            "at",
            .text,
            "for reset, close, goaway, settings, black-hole: push or connection"
        ),
        Flag("--when", "WHEN", "when", .text, "before or after the call is processed"),
        Flag("--seconds", "N", "seconds", .number, "when a silent connection ends, 120 by default"),
        Flag("--answer", "A", "answer", .text, "for hold: success (default) or reset"),
        Flag("--bytes-per-second", "N", "bytesPerSecond", .number, "for slow: how fast the answer comes"),
        Flag("--bytes", "N", "bytes", .number, "for truncate: how many come; for corrupt: how many differ"),
        Flag("--blocks", "N", "blocks", .number, "for stale: how many blocks ago"),
        Flag("--reason", "R", "reason", .text, "for reject and goaway: why"),
        Flag("--timestamp", "MS", "timestamp", .number, "for reject: since when, in Unix milliseconds"),
        Flag("--timestamp-age", "S", "timestampAgeSeconds", .number, "for reject: since so many seconds"),
        Flag("--timestamp-form", "F", "timestampForm", .text, "for reject: milliseconds, seconds or text"),
        Flag("--apns-id", "ID", "apnsId", .text, "for reject and answer: same, omit, change or swap-case"),
        Flag("--content-type", "TYPE", "contentType", .text, "for reject and answer: it, empty for none"),
        Flag("--data-frames", "N", "dataFrames", .number, "for reject and answer: over how many frames"),
        Flag("--end-stream", "E", "endStream", .text, "for them: data, empty-data, headers or never"),
        Flag(
            "--reset-after",
            "TIME",
            "resetMilliseconds",
            .milliseconds,
            "for them, with never: RST_STREAM then"
        ),
        Flag("--informational", "N", "informational", .number, "for them: this status first"),
        Flag("--trailers", "BOOL", "trailers", .flag, "for them: whether trailers follow"),
        Flag("--code", "N", "code", .number, "for goaway and rst-stream: the error code"),
        Flag("--text", "TEXT", "text", .text, "for goaway: debug data as it stands"),
        Flag("--last", "L", "last", .text, "for goaway: processed, max or lower"),
        Flag("--last-stream", "N", "lastStream", .number, "for goaway: the last stream that counts"),
        Flag("--linger", "TIME", "lingerMilliseconds", .milliseconds, "for goaway: how long it stays open"),
        Flag("--then", "END", "then", .text, "for goaway: close, reset or keep-open"),
        Flag("--double", "BOOL", "double", .flag, "for goaway: whether a second one follows"),
        Flag("--new-streams", "W", "newStreams", .text, "for goaway: ignore or refuse"),
        Flag("--after-settings", "BOOL", "afterSettings", .flag, "for close and reset at a connection"),
        Flag("--max-streams", "N", "maxConcurrentStreams", .number, "for settings: how many"),
        Flag("--over-limit", "W", "overLimit", .text, "for settings: refuse, goaway or allow"),
        Flag("--idle-before", "TIME", "idleMilliseconds", .milliseconds, "for black-hole at a connection"),
        Flag("--initial-bytes", "N", "initialBytes", .number, "for window: its size"),
        Flag(
            "--update-after",
            "TIME",
            "updateMilliseconds",
            .milliseconds,
            "for window: else it never opens"
        ),
        Flag("--delay", "TIME", "milliseconds", .milliseconds, "waits so long first"),
        Flag("--min-delay", "TIME", "minMilliseconds", .milliseconds, "waits between this and --max-delay"),
        Flag("--max-delay", "TIME", "maxMilliseconds", .milliseconds, "see --min-delay"),
        Flag(
            "--median",
            "TIME",
            "medianMilliseconds",
            .milliseconds,
            "waits a log-normal time with this median"
        ),
        Flag("--sigma", "S", "sigma", .number, "spread of --median"),
    ]

    /// Effects with their moment in one word.
    private static let moments = ["reset", "timeout", "goaway", "close", "rst-stream", "black-hole"]

    /// All flags as options.
    static let options: [OptionSpec] =
        [
            OptionSpec(
                "--preset",
                "NAME",
                help:
                    "the rules that reproduce a reported bug, with matchers alone beside it; see mocknet fault presets"
            ),
            OptionSpec(
                "--effect",
                "KIND",
                help:
                    "status, error, reset, timeout, delay, slow, truncate, corrupt, hold, stale; for sockets socket-refuse, socket-drop, "
                    + "socket-malformed, socket-repeat, socket-withhold; on apns reject, answer, drop, reset, close, "
                    + "timeout, delay, goaway, rst-stream, refused-stream, settings, black-hole, stall-handshake, "
                    + "no-settings, silent-ping, window; -before or -after behind reset, timeout, goaway, close, "
                    + "rst-stream and black-hole says --when"
            ),
            OptionSpec("--rule", "JSON", help: "the whole rule as JSON, in place of all other flags"),
        ] + (schedule + window + match + effect).map { OptionSpec($0.name, $0.placeholder, help: $0.help) }

    /// The rule that a command line describes.
    static func rule(_ arguments: ParsedArguments) throws(CommandFailure) -> JSONValue {
        if let text = arguments["--rule"] { return try whole(text, arguments) }
        if let name = arguments["--preset"] { return try preset(name, arguments) }
        guard let kind = arguments["--effect"] else {
            throw .usage("--effect is missing; see mocknet fault add --help")
        }
        var rule = try members(schedule, arguments)
        for (name, flags) in [("match", match), ("window", window)] {
            let part = try members(flags, arguments)
            if !part.members.isEmpty { rule[name] = .object(part) }
        }
        rule["effect"] = .object(try effect(kind, arguments))
        return .object(rule)
    }

    private static func whole(_ text: String, _ arguments: ParsedArguments) throws(CommandFailure)
        -> JSONValue
    {
        try refuseOthers(than: ["--rule"], beside: "--rule", arguments)
        do throws(JSONError) {
            return try JSONValue(parsing: text)
        } catch {
            throw .usage("--rule: \(error)")
        }
    }

    private static func preset(_ name: String, _ arguments: ParsedArguments) throws(CommandFailure)
        -> JSONValue
    {
        try refuseOthers(than: ["--preset"] + match.map(\.name), beside: "--preset", arguments)
        let matcher = try members(match, arguments)
        let head = JSONObject([("preset", .string(name))])
        guard !matcher.members.isEmpty else { return .object(head) }
        return .object(JSONObject(merging: head.members + [.init(key: "match", value: .object(matcher))]))
    }

    private static func refuseOthers(
        than allowed: [String],
        beside flag: String,
        _ arguments: ParsedArguments
    ) throws(CommandFailure) {
        let others = options.map(\.name).filter { !allowed.contains($0) && arguments.has($0) }
        if let other = others.first { throw .usage("\(other): cannot be combined with \(flag)") }
    }

    private static func effect(_ kind: String, _ arguments: ParsedArguments) throws(CommandFailure)
        -> JSONObject
    {
        var object = JSONObject([("kind", .string(kind))])
        for word in moments {
            for moment in ["before", "after"] where kind == "\(word)-\(moment)" {
                object = JSONObject([("kind", .string(word)), ("when", .string(moment))])
            }
        }
        if object["when"] != nil, arguments.has("--when") {
            throw .usage("--when: the effect \(kind) says it already")
        }
        for member in try members(effect, arguments).members { object[member.key] = member.value }
        return object
    }

    private static func members(_ flags: [Flag], _ arguments: ParsedArguments) throws(CommandFailure)
        -> JSONObject
    {
        var object = JSONObject()
        for flag in flags {
            guard let text = arguments[flag.name] else { continue }
            switch flag.form {
            case .text: object[flag.member] = .string(text)
            case .milliseconds: object[flag.member] = .int(try FrontEnd.milliseconds(text, of: flag.name))
            case .flag:
                guard let value = ["true": true, "false": false][text] else {
                    throw .usage("\(flag.name): must be true or false, not '\(text)'")
                }
                object[flag.member] = .bool(value)
            case .number:
                guard case .number(let number)? = try? JSONValue(parsing: text) else {
                    throw .usage("\(flag.name): must be a number, not '\(text)'")
                }
                object[flag.member] = .number(number)
            }
        }
        return object
    }
}
