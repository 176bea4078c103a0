import HTTPClient
import JSONValue

/// `mocknet device`: the simulated devices of a world.
enum DeviceCommand {
    static let group = CommandGroup(
        "device",
        "lists, makes and uses simulated devices",
        actions: [list, show, new] + actions + [testPush]
    )

    /// What can be done with a device, with the members it takes as options.
    private struct Action {
        let name: String
        let summary: String
        var options: [(option: OptionSpec, member: String)] = []
        var example = ""
    }

    private static let list = Command(
        "device list",
        "lists the devices",
        options: ControlAPI.printingOptions,
        examples: [("mocknet device list", "owners, tokens and what they believe")]
    ) { context throws(CommandFailure) in
        let answer = try ControlAPI(context).get("/v1/devices")
        return try FrontEnd.show(answer, context) { table(answer["devices"]?.arrayValue ?? []) }
    }

    private static let show = Command(
        "device show",
        "shows a device with its banners",
        operands: [OperandSpec("ID", help: "the device, such as d1")],
        options: ControlAPI.printingOptions,
        examples: [("mocknet device show d1", "everything about d1")]
    ) { context throws(CommandFailure) in
        let id = PercentEncoding.encode(context.arguments.operand(0) ?? "")
        let answer = try ControlAPI(context).get("/v1/devices/\(id)")
        return try FrontEnd.show(answer, context) { answer.prettyText }
    }

    private static let new = Command(
        "device new",
        "makes a device; with an owner it signs in and registers",
        operands: [OperandSpec("NAME", help: "how to call it", isOptional: true)],
        options: [
            OptionSpec("--owner", "ACCOUNT", help: "who signs in, by name or address"),
            OptionSpec("--behaviour", "B", help: "as-deployed or ordered", default: "as-deployed"),
            OptionSpec("--node", "NAME", help: "a node of its list", default: "all", repeats: true),
            OptionSpec("--environment", "E", help: "production or sandbox", default: "production"),
            OptionSpec("--topic", "TOPIC", help: "the app's bundle id", default: "that of ADAMANT"),
            OptionSpec("--extension-time", "TIME", help: "what the extension has for a push", default: "30s"),
            OptionSpec("--sound", "NAME", help: "the sound that its user picked"),
            OptionSpec("--off-clears-cache", help: "lets Notifications → Off → Push register anew"),
        ] + ControlAPI.printingOptions,
        members: ["name": "NAME", "nodes": "--node", "extensionMilliseconds": "--extension-time"],
        examples: [
            ("mocknet device new phone --owner alice", "alice's phone, which registers itself"),
            ("mocknet device new --owner bob --behaviour ordered", "the same with the corrected client"),
            ("mocknet device new --topic com.example.alerts", "a device for any other service, with a token"),
        ]
    ) { context throws(CommandFailure) in
        var body = JSONObject()
        if let name = context.arguments.operand(0) { body["name"] = .string(name) }
        for member in ["owner", "behaviour", "environment", "topic", "sound"] {
            if let value = context.arguments["--" + member] { body[member] = .string(value) }
        }
        if context.arguments.has("--off-clears-cache") { body["offClearsCache"] = true }
        if let nodes = context.arguments.options["--node"] {
            body["nodes"] = .array(nodes.map(JSONValue.string))
        }
        if let text = context.arguments["--extension-time"] {
            let milliseconds = try FrontEnd.milliseconds(text, of: "--extension-time")
            body["extensionMilliseconds"] = .int(Int64(milliseconds))
        }
        let answer = try ControlAPI(context).post("/v1/devices", .object(body))
        return try FrontEnd.show(answer, context) { table([answer]) }
    }

    private static let account = (
        OptionSpec("--account", "ACCOUNT", help: "who, by name or address"), "account"
    )
    private static let hours = [
        (OptionSpec("--from", "HH:MM", help: "when they begin, in UTC"), "from"),
        (OptionSpec("--to", "HH:MM", help: "when they end, in UTC"), "to"),
    ]

    private static let actions = [
        Action(
            name: "sign-in",
            summary: "lets an account sign in and register",
            options: [account],
            example: " --account bob"
        ),
        Action(name: "sign-out", summary: "lets the owner sign out and deregister"),
        Action(name: "reinstall", summary: "reinstalls the app: new token, the old one unregistered"),
        Action(name: "restore", summary: "restores the app from a backup"),
        Action(name: "rotate-token", summary: "gives the app another token"),
        Action(name: "expire-token", summary: "lets the token expire, and gives the app another"),
        Action(name: "uninstall", summary: "removes the app"),
        Action(name: "online", summary: "connects the device"),
        Action(name: "offline", summary: "disconnects the device"),
        Action(name: "launch", summary: "starts the app"),
        Action(name: "kill", summary: "ends the app, as the system does"),
        Action(name: "force-quit", summary: "ends the app for good, as its user does"),
        Action(name: "allow", summary: "grants the notification permission"),
        Action(name: "deny", summary: "withdraws the notification permission"),
        Action(name: "notifications-off", summary: "switches notifications off in the app"),
        Action(name: "notifications-push", summary: "switches notifications to push in the app"),
        Action(name: "save-power", summary: "lets the device save power"),
        Action(name: "full-power", summary: "lets the device save power no more"),
        Action(
            name: "block",
            summary: "puts a partner on the app's block list",
            options: [account],
            example: " --account bob"
        ),
        Action(
            name: "unblock",
            summary: "takes a partner off the block list",
            options: [account],
            example: " --account bob"
        ),
        Action(
            name: "quiet",
            summary: "sets quiet hours, in which only what is urgent is shown",
            options: hours,
            example: " --from 22:00 --to 07:00"
        ),
        Action(name: "quiet-off", summary: "ends quiet hours for good"),
    ].map(command)

    private static let testPush = Command(
        "device test-push",
        "sends a message to the owner and tells when it was shown, or where it was lost",
        operands: [OperandSpec("ID", help: "the device, such as d1")],
        options: [
            OptionSpec("--from", "ACCOUNT", help: "who writes", default: "the first that can pay"),
            OptionSpec("--message", "TEXT", help: "what", default: "Test push"),
            OptionSpec("--wait", "TIME", help: "how long to wait for it", default: "30s"),
        ] + ControlAPI.printingOptions,
        examples: [
            ("mocknet device test-push d1", "exit 0 when it was shown, 1 when it was lost"),
            ("mocknet device test-push d1 --from bob --wait 5s", "from bob, within five seconds"),
        ]
    ) { context throws(CommandFailure) in
        let milliseconds = try FrontEnd.milliseconds(context.arguments["--wait"] ?? "30s", of: "--wait")
        let seconds = max(1, (milliseconds + 999) / 1000)
        var body = JSONObject([("seconds", .int(Int64(seconds)))])
        for member in ["from", "message"] {
            if let value = context.arguments["--" + member] { body[member] = .string(value) }
        }
        let id = PercentEncoding.encode(context.arguments.operand(0) ?? "")
        let path = "/v1/devices/\(id)/test-push"
        let answer = try ControlAPI(context).post(path, .object(body), waitingSeconds: seconds)
        _ = try FrontEnd.show(answer, context) { TestPushReport.text(of: answer) }
        return answer["outcome"]?.stringValue == "shown" ? ExitCode.success : ExitCode.failed
    }

    private static func command(_ action: Action) -> Command {
        Command(
            "device \(action.name)",
            action.summary,
            operands: [OperandSpec("ID", help: "the device, such as d1")],
            options: action.options.map(\.option) + ControlAPI.printingOptions,
            examples: [("mocknet device \(action.name) d1\(action.example)", "\(action.summary), on d1")]
        ) { context throws(CommandFailure) in
            var body = JSONObject()
            for (option, member) in action.options {
                if let value = context.arguments[option.name] { body[member] = .string(value) }
            }
            let id = PercentEncoding.encode(context.arguments.operand(0) ?? "")
            let answer = try ControlAPI(context).post("/v1/devices/\(id)/\(action.name)", .object(body))
            return try FrontEnd.show(answer, context) {
                answer["id"] == nil ? "done" : table([answer])
            }
        }
    }

    private static func table(_ devices: [JSONValue]) -> String {
        TextTable.text(
            ["ID", "NAME", "OWNER", "TOKEN", "BEHAVIOUR", "ONLINE", "BELIEVES REGISTERED", "BANNERS"],
            devices.map { device in
                [
                    TextTable.cell(device, "id"), TextTable.cell(device, "name"),
                    TextTable.cell(device, "owner"),
                    TextTable.short(TextTable.cell(device, "token")), TextTable.cell(device, "behaviour"),
                    TextTable.cell(device, "online"), TextTable.cell(device, "believesRegistered"),
                    String(device["banners"]?.arrayValue?.count ?? 0),
                ]
            }
        )
    }
}
