/// A kind of things that an expectation can look for.
public struct Subject: Sendable {
    /// Where its things are found.
    public enum Source: String, Sendable {
        case pushes, transactions, registry, ansRows, device, banners, unshown, events, findings, held,
            requests
        case faults, node, height, ans, answer, trace
    }

    /// Its name, the first key of a claim.
    public let name: String
    /// Where its things are found.
    public let source: Source
    /// What the key stands for.
    public let principal: Member
    /// What may be said beside it.
    let members: [Member]
    /// Whether anything else may be said, by the names of the control API.
    let isOpen: Bool
    /// Whether its things have a place in the order of events.
    let hasOrder: Bool

    private init(
        _ name: String,
        _ source: Source,
        _ principal: Member,
        _ members: [Member] = [],
        isOpen: Bool = false,
        hasOrder: Bool = false
    ) {
        self.name = name
        self.source = source
        self.principal = principal
        self.members = members
        self.isOpen = isOpen
        self.hasOrder = hasOrder
    }

    /// Whether there is one thing at most, which is so or not.
    public var isSingle: Bool {
        switch source {
        case .device, .node, .height, .ans, .answer, .trace: true
        case .pushes, .transactions, .registry, .ansRows, .banners, .unshown, .events, .findings, .held,
            .requests, .faults:
            false
        }
    }

    /// Whether its principal value chooses whose things they are, and is not said of each.
    var isChosen: Bool {
        switch source {
        case .device, .node, .trace, .banners, .unshown: true
        case .pushes, .transactions, .registry, .ansRows, .events, .findings, .held, .requests, .faults,
            .height, .ans, .answer:
            false
        }
    }

    /// The subject of a name.
    static func named(_ name: String) -> Subject? { all.first { $0.name == name } }

    /// All subjects in the order of the documentation.
    static let all = onChain + atAPNs + onDevices + around

    private static func anyOr(_ kind: ValueKind) -> ValueKind { .either("any", kind) }

    private static let states = ["queued", "unconfirmed", "held", "forged", "dropped", "reverted"]
    private static let kinds = ["message", "signal", "transfer", "state", "vote", "delegate registration"]
    private static let number = ValueKind.count(0...Int64.max)

    private static let onChain = [
        Subject(
            "transaction",
            .transactions,
            Member("transaction", anyOr(.transaction), at: ["id"]),
            [
                Member("from", .account, at: ["sender"]), Member("to", .account, at: ["recipient"]),
                Member("kind", .word(kinds)), Member("state", .word(states)), Member("amount", .amount),
                Member("height", number), Member("why", .text, isPart: true),
            ],
            hasOrder: true
        ),
        Subject(
            "registration",
            .registry,
            Member("registration", anyOr(.device), at: ["token"]),
            [Member("account", .account, at: ["address"]), Member("provider", .text)]
        ),
        Subject(
            "held",
            .held,
            Member("held", anyOr(.transaction), at: ["transactionId"]),
            [
                Member("node", .node), Member("from", .account, at: ["sender"]),
                Member("to", .account, at: ["recipient"]), Member("fault", .fault, at: ["faultId"]),
            ]
        ),
        Subject("height", .height, Member("height", number)),
        Subject("node", .node, Member("node", .node), isOpen: true),
    ]

    private static let atAPNs = [
        Subject(
            "push",
            .pushes,
            Member("push", anyOr(.device), at: ["token"]),
            [
                Member("status", .count(0...999)), Member("reason", .text),
                Member("transaction", .transaction, at: ["transactionId"]),
                Member("recipient", .account),
                Member("delivery", .word(deliveries), at: ["delivery", "state"]),
                Member("why", .text, at: ["delivery", "why"], isPart: true),
                Member("place", .word(["banner", "list", "nothing"]), at: ["presentation", "place"]),
                Member("rule", .text, at: ["verdict", "rule"]), Member("token", .text),
                Member("environment", .word(Verb.environments)),
                Member("topic", .text, at: ["headers", "apns-topic"]),
                Member("type", .text, at: ["headers", "apns-push-type"]),
                Member("priority", .text, at: ["headers", "apns-priority"]),
                Member("collapse", .text, at: ["headers", "apns-collapse-id"]),
                Member("expiration", .text, at: ["headers", "apns-expiration"]), Member("payload", .object),
            ],
            hasOrder: true
        )
    ]

    private static let deliveries = [
        "delivered", "stored", "throttled", "replaced", "collapsed", "expired", "discarded", "notDelivered",
    ]

    private static let onDevices = [
        Subject("device", .device, Member("device", .device), deviceMembers),
        Subject(
            "banner",
            .banners,
            Member("banner", .device),
            [
                Member("text", .text, at: ["title"], ["body"], isPart: true),
                Member("title", .text), Member("body", .text),
                Member("transaction", .transaction, at: ["transactionId"]), Member("fallback", .flag),
                Member("silent", .flag), Member("listed", .flag), Member("replacedAt", .moment),
                Member("collapse", .text, at: ["collapseId"]), Member("why", .text, isPart: true),
            ]
        ),
        Subject(
            "unshown",
            .unshown,
            Member("unshown", .device),
            [
                Member("transaction", .transaction, at: ["transactionId"]),
                Member("why", .text, isPart: true),
            ]
        ),
        Subject(
            "row",
            .ansRows,
            Member("row", anyOr(.device), at: ["token"]),
            [Member("account", .account, at: ["address"]), Member("provider", .text)]
        ),
    ]

    private static let deviceMembers = [
        Member("owner", .account), Member("behaviour", .text), Member("topic", .text),
        Member("environment", .word(Verb.environments)), Member("online", .flag),
        Member("installed", .flag), Member("running", .flag), Member("notifications", .flag),
        Member("believesRegistered", .flag), Member("queuedRemovals", number),
        Member("queuedAdditions", number), Member("lostSinceDelivery", number),
        Member("lastDeliveredAt", .moment), Member("problem", .text, isPart: true),
        Member("savingPower", .flag), Member("forceQuit", .flag), Member("quietHours", .object),
    ]

    private static let around = [
        Subject(
            "event",
            .events,
            Member("event", .text, at: ["kind"]),
            [
                Member("node", .node), Member("transaction", .transaction, at: ["transactionId"]),
                Member("fault", .fault, at: ["faultId"]), Member("device", .device, at: ["data", "device"]),
                Member("data", .object),
            ],
            hasOrder: true
        ),
        Subject(
            "finding",
            .findings,
            Member("finding", anyOr(.word(auditRules)), at: ["rule"]),
            [
                Member("account", .account, at: ["address"]), Member("device", .device, at: ["token"]),
                Member("transaction", .transaction, at: ["transactionId"]),
                Member("evidence", .text, isPart: true),
            ]
        ),
        Subject(
            "trace",
            .trace,
            Member("trace", .transaction, at: ["transactionId"]),
            [
                Member("outcome", .word(["shown", "delivered", "lost", "pending"])),
                Member("lostAt", .text), Member("causeCode", .text), Member("cause", .text, isPart: true),
            ]
        ),
        Subject(
            "request",
            .requests,
            Member("request", anyOr(.node), at: ["node"]),
            [
                Member("method", .text), Member("path", .text), Member("query", .text, isPart: true),
                Member("status", .count(0...999)), Member("agent", .text, isPart: true),
                Member("fault", .fault, at: ["faultId"]),
                Member("transaction", .transaction, at: ["transactionId"]),
            ]
        ),
        Subject(
            "fault",
            .faults,
            Member("fault", .fault, at: ["id"]),
            [Member("matched", number), Member("fired", number), Member("spent", .flag)]
        ),
        Subject("ans", .ans, Member("ans", .object)),
        Subject("answer", .answer, Member("answer", .json)),
    ]

    private static let auditRules = [
        "no-content", "no-callback", "sealed-signals", "right-owner", "nobody-forgotten", "no-duplicates",
        "dead-tokens-dropped", "no-heartbeat", "no-orphans",
    ]
}
