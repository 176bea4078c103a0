/// Something that a step can do, with the values that it takes.
public struct Verb: Sendable {
    /// Its name, the first key of a step.
    public let name: String
    /// What the key stands for.
    let principal: ValueKind
    /// What may stand beside it.
    let members: [Member]
    /// Whether other members are the world's business, which then refuses them itself.
    let isOpen: Bool

    private init(_ name: String, _ principal: ValueKind, _ members: [Member] = [], isOpen: Bool = false) {
        self.name = name
        self.principal = principal
        self.members = members
        self.isOpen = isOpen
    }

    /// The verb of a name.
    static func named(_ name: String) -> Verb? { all.first { $0.name == name } }

    /// All verbs in the order of the documentation.
    static let all = deviceActions + devices + transactions + faults + chain + services + others

    /// What a device does without further members, by the names of the control API.
    private static let deviceActions = [
        "sign-out", "reinstall", "restore", "rotate-token", "expire-token", "uninstall", "online", "offline",
        "launch", "kill", "force-quit", "allow", "deny", "notifications-off", "notifications-push",
        "save-power", "full-power", "quiet-off",
    ].map { Verb($0, .device) }

    private static let devices = [
        Verb("sign-in", .device, [Member("account", .account, required: true)]),
        Verb("block", .device, [Member("account", .account, required: true)]),
        Verb("unblock", .device, [Member("account", .account, required: true)]),
        Verb("quiet", .device, [Member("from", .text, required: true), Member("to", .text, required: true)]),
        Verb(
            "test-push",
            .device,
            [Member("from", .account), Member("message", .text), Member("seconds", .count(1...600))]
        ),
        Verb("device", .text, deviceMembers),
        Verb(
            "token",
            .device,
            [
                Member("state", .word(tokenStates), required: true), Member("since", .moment),
                Member("topic", .text), Member("environment", .word(environments)),
            ]
        ),
    ]

    /// What is told of a device as it is made.
    static let deviceMembers = [
        Member("behaviour", .word(["as-deployed", "ordered"])), Member("owner", .account),
        Member("nodes", .list(.node)), Member("topic", .text), Member("environment", .word(environments)),
        Member("offClearsCache", .flag), Member("sound", .text),
        Member("extensionMilliseconds", .count(0...600_000)),
    ]

    static let environments = ["production", "sandbox"]
    private static let tokenStates = [
        "active", "unregistered", "bad", "wrong-topic", "wrong-environment", "expired",
    ]

    private static let sending = [
        Member("from", .account, required: true), Member("to", .account, required: true),
        Member("node", .node),
    ]

    private static let transactions = [
        Verb("message", .text, sending + [Member("amount", .amount)]),
        Verb("transfer", .amount, sending),
        Verb(
            "signal",
            .text,
            [
                Member("from", .account, required: true), Member("to", .account),
                Member("device", .device), Member("node", .node),
            ]
        ),
        Verb("account", .text, accountMembers),
        Verb("fund", .account, [Member("amount", .amount, required: true)]),
        Verb("release", .either("all", .transaction)),
    ]

    /// What is told of an account as it is made.
    static let accountMembers = [Member("balance", .amount), Member("passphrase", .text)]

    private static let faults = [
        Verb(
            "fault",
            .text,
            [Member("match", .object), Member("effect", .object, required: true)],
            isOpen: true
        ),
        Verb("preset", .text, [Member("match", .object)]),
        Verb("clear", .either("faults", .fault)),
    ]

    private static let chain = [
        Verb("forge", .count(1...100_000)),
        Verb(
            "reorg",
            .count(1...100_000),
            [
                Member("blocks", .count(1...100_000)), Member("keep", .list(.transaction)),
                Member("order", .list(.transaction)), Member("delay", .list(.transaction)),
                Member("drop", .list(.transaction)),
            ]
        ),
        Verb("snapshot", .text),
        Verb("revert", .snapshot),
        Verb("forging", .word(["interval", "instant", "manual"]), [Member("every", .duration)]),
        Verb("advance", .duration),
        Verb("clock", .either("frozen", .either("running", .moment))),
        Verb("node", .node, isOpen: true),
    ]

    private static let services = [
        Verb(
            "ans",
            .word(["start", "stop", "poll", "as-deployed", "ordered"]),
            [Member("every", .duration)]
        ),
        Verb("apns", .object),
        Verb(
            "push",
            .device,
            [
                Member("from", .service, required: true), Member("title", .text), Member("body", .text),
                Member("level", .word(["passive", "active", "time-sensitive", "critical"])),
                Member("payload", .object), Member("type", .text), Member("priority", .count(0...10)),
                Member("collapse", .text), Member("expiration", .either("never", .duration)),
                Member("token", .text), Member("topic", .text), Member("environment", .word(environments)),
            ]
        ),
    ]

    private static let others = [Verb("call", .object)]
}
