import JSONValue

/// A fault rule as flags.
enum FaultFlags {
    /// How the text of a flag becomes a member.
    private enum Form {
        case text
        case number
        case milliseconds
    }

    /// A flag with the member it stands for.
    private struct Flag {
        let name: String
        let placeholder: String
        let member: String
        let form: Form
        let help: String
    }

    private static let match = [
        Flag(name: "--node", placeholder: "NAME", member: "node", form: .text, help: "calls of this node"),
        Flag(name: "--method", placeholder: "M", member: "method", form: .text, help: "with this method"),
        Flag(
            name: "--path",
            placeholder: "GLOB",
            member: "path",
            form: .text,
            help: "with this path; * within a segment, ** across"
        ),
        Flag(
            name: "--event",
            placeholder: "EVENT",
            member: "event",
            form: .text,
            help: "of this event of sockets: newTrans, newBlock or balances/change"
        ),
        Flag(
            name: "--transaction-type",
            placeholder: "N",
            member: "transactionType",
            form: .number,
            help: "posting a transaction of this type"
        ),
        Flag(
            name: "--chat-type",
            placeholder: "N",
            member: "chatType",
            form: .number,
            help: "posting a chat message of this type, 3 for signals"
        ),
        Flag(
            name: "--sender",
            placeholder: "ADDRESS",
            member: "sender",
            form: .text,
            help: "from this sender"
        ),
        Flag(
            name: "--recipient",
            placeholder: "ADDRESS",
            member: "recipient",
            form: .text,
            help: "for this recipient"
        ),
        Flag(
            name: "--transaction-id",
            placeholder: "ID",
            member: "transactionId",
            form: .text,
            help: "of this transaction"
        ),
        Flag(
            name: "--signal-action",
            placeholder: "A",
            member: "signalAction",
            form: .text,
            help: "posting a signal that says add or remove"
        ),
        Flag(
            name: "--token",
            placeholder: "TOKEN",
            member: "token",
            form: .text,
            help: "about this device token"
        ),
        Flag(
            name: "--topic",
            placeholder: "TOPIC",
            member: "topic",
            form: .text,
            help: "apns: with this topic"
        ),
        Flag(
            name: "--push-type",
            placeholder: "TYPE",
            member: "pushType",
            form: .text,
            help: "apns: of this push type"
        ),
        Flag(
            name: "--priority",
            placeholder: "N",
            member: "priority",
            form: .number,
            help: "apns: of this priority"
        ),
        Flag(
            name: "--environment",
            placeholder: "E",
            member: "environment",
            form: .text,
            help: "apns: production or sandbox"
        ),
    ]

    private static let schedule = [
        Flag(name: "--name", placeholder: "TEXT", member: "name", form: .text, help: "what the rule is for"),
        Flag(
            name: "--target",
            placeholder: "T",
            member: "target",
            form: .text,
            help: "node (default) or apns"
        ),
        Flag(
            name: "--skip",
            placeholder: "N",
            member: "skip",
            form: .number,
            help: "passes over the first N matches"
        ),
        Flag(
            name: "--limit",
            placeholder: "N",
            member: "limit",
            form: .number,
            help: "fires at most N times"
        ),
        Flag(
            name: "--probability",
            placeholder: "P",
            member: "probability",
            form: .number,
            help: "fires with this probability, 1 by default"
        ),
        Flag(
            name: "--per",
            placeholder: "SCOPE",
            member: "per",
            form: .text,
            help: "counts per rule (default) or route"
        ),
    ]

    private static let effect = [
        Flag(
            name: "--status",
            placeholder: "CODE",
            member: "status",
            form: .number,
            help: "for status and reject: what is answered"
        ),
        Flag(name: "--body", placeholder: "TEXT", member: "body", form: .text, help: "for status: the body"),
        Flag(
            name: "--message",
            placeholder: "TEXT",
            member: "message",
            form: .text,
            help: "for error: the text"
        ),
        Flag(
            name: "--when",
            placeholder: "WHEN",
            member: "when",
            form: .text,
            help: "for reset, timeout and goaway: before or after the call is processed"
        ),
        Flag(
            name: "--seconds",
            placeholder: "N",
            member: "seconds",
            form: .number,
            help: "for timeout: when the connection ends, 120 by default"
        ),
        Flag(
            name: "--answer",
            placeholder: "A",
            member: "answer",
            form: .text,
            help: "for hold: success (default) or reset"
        ),
        Flag(
            name: "--blocks",
            placeholder: "N",
            member: "blocks",
            form: .number,
            help: "for stale: how many blocks ago"
        ),
        Flag(
            name: "--reason",
            placeholder: "R",
            member: "reason",
            form: .text,
            help: "for reject and goaway: why"
        ),
        Flag(
            name: "--timestamp",
            placeholder: "MS",
            member: "timestamp",
            form: .number,
            help: "for reject: since when, in Unix milliseconds"
        ),
        Flag(
            name: "--code",
            placeholder: "N",
            member: "code",
            form: .number,
            help: "for goaway: the error code"
        ),
        Flag(
            name: "--last-stream",
            placeholder: "N",
            member: "lastStream",
            form: .number,
            help: "for goaway: the last stream that counts"
        ),
        Flag(
            name: "--delay",
            placeholder: "TIME",
            member: "milliseconds",
            form: .milliseconds,
            help: "waits so long first"
        ),
        Flag(
            name: "--min-delay",
            placeholder: "TIME",
            member: "minMilliseconds",
            form: .milliseconds,
            help: "waits between this and --max-delay"
        ),
        Flag(
            name: "--max-delay",
            placeholder: "TIME",
            member: "maxMilliseconds",
            form: .milliseconds,
            help: "see --min-delay"
        ),
        Flag(
            name: "--median",
            placeholder: "TIME",
            member: "medianMilliseconds",
            form: .milliseconds,
            help: "waits a log-normal time with this median"
        ),
        Flag(name: "--sigma", placeholder: "S", member: "sigma", form: .number, help: "spread of --median"),
    ]

    /// Effects with their moment in one word.
    private static let moments = ["reset", "timeout", "goaway"]

    /// All flags as options.
    static let options: [OptionSpec] =
        [
            OptionSpec(
                "--effect",
                "KIND",
                help:
                    "status, error, reset-before, reset-after, timeout-before, timeout-after, delay, hold, stale; for "
                    + "sockets socket-refuse, socket-drop, socket-malformed, socket-repeat, socket-withhold; on "
                    + "apns reject, reset-before, reset-after, timeout-before, timeout-after, delay, goaway-before, "
                    + "goaway-after"
            ),
            OptionSpec("--rule", "JSON", help: "the whole rule as JSON, in place of all other flags"),
        ] + (schedule + match + effect).map { OptionSpec($0.name, $0.placeholder, help: $0.help) }

    /// The rule that a command line describes.
    static func rule(_ arguments: ParsedArguments) throws(CommandFailure) -> JSONValue {
        if let text = arguments["--rule"] { return try whole(text, arguments) }
        guard let kind = arguments["--effect"] else {
            throw .usage("--effect is missing; see mocknet fault add --help")
        }
        var rule = try members(schedule, arguments)
        let matcher = try members(match, arguments)
        if !matcher.members.isEmpty { rule["match"] = .object(matcher) }
        rule["effect"] = .object(try effect(kind, arguments))
        return .object(rule)
    }

    private static func whole(_ text: String, _ arguments: ParsedArguments) throws(CommandFailure)
        -> JSONValue
    {
        let others = options.map(\.name).filter { $0 != "--rule" && arguments.has($0) }
        if let other = others.first { throw .usage("\(other): cannot be combined with --rule") }
        do throws(JSONError) {
            return try JSONValue(parsing: text)
        } catch {
            throw .usage("--rule: \(error)")
        }
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
