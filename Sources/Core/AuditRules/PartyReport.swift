import AdamantModel
public import JSONValue
import Simulators
public import TraceRules

/// What each party could have learned in a run, which is the promise of private pushes made checkable.
public struct PartyReport: Sendable {
    /// What the calls to nodes tell of their clients.
    public struct Client: Sendable {
        /// The numeric address of the client.
        public var client: String
        /// The addresses that its calls named as its own.
        public var addresses: [String]
        /// How many calls it made.
        public var calls: Int

        /// A client of its parts.
        public init(client: String, addresses: [String], calls: Int) {
            self.client = client
            self.addresses = addresses
            self.calls = calls
        }
    }

    /// The connections to APNs, and to the nodes, that a network sees.
    public struct Traffic: Sendable {
        /// Calls of nodes that came without TLS.
        public var plainCalls = 0
        /// Connections to APNs.
        public var pushConnections = 0

        /// No traffic.
        public init() {}
    }

    /// One thing that a party could learn.
    private struct Lesson {
        let what: String
        let count: Int
        let how: String
        let examples: [String]

        init(_ what: String, _ count: Int, how: String, _ examples: [String] = []) {
            self.what = what
            self.count = count
            self.how = how
            self.examples = examples
        }
    }

    private static let mostExamples = 5

    private let audit: Audit
    private let registry: SignalRegistry
    private let clients: [Client]
    private let traffic: Traffic

    /// A report of what there is on record.
    public init(_ audit: Audit, _ registry: SignalRegistry, clients: [Client], traffic: Traffic) {
        self.audit = audit
        self.registry = registry
        self.clients = clients
        self.traffic = traffic
    }

    /// The report as the control API shows it.
    public var json: JSONValue {
        let parties: [(String, [Lesson], [(String, Int)])] = [
            ("apple", apple, [("sees no text of a message, and no sender", broken(.noContent))]),
            (
                "node-operator", nodeOperator,
                [("cannot read who registers which device", broken(.sealedSignals))]
            ),
            ("ans", service, [("learns no device's network address", broken(.noCallback))]),
            ("network", network, [("sees no device talk to the service", broken(.noCallback))]),
        ]
        return [
            "parties": .array(
                parties.map { name, lessons, promises in
                    [
                        "party": .string(name),
                        "learned": .array(lessons.filter { $0.count > 0 }.map(Self.json)),
                        "promises": .array(
                            promises.map { text, findings in
                                [
                                    "promise": .string(text), "kept": .bool(findings == 0),
                                    "findings": .int(findings),
                                ]
                            }
                        ),
                    ]
                }
            )
        ]
    }

    private static func json(_ lesson: Lesson) -> JSONValue {
        [
            "what": .string(lesson.what), "count": .int(lesson.count), "how": .string(lesson.how),
            "examples": .array(lesson.examples.prefix(mostExamples).map(JSONValue.string)),
        ]
    }

    private func broken(_ rule: AuditRule) -> Int { audit.counts[rule] ?? 0 }

    private var apple: [Lesson] {
        let rows = audit.implied.all
        let pushes = rows.reduce(0) { $0 + $1.count }
        let several = Dictionary(grouping: rows, by: \.token).filter {
            Set($0.value.map(\.address)).count > 1
        }
        return [
            Lesson(
                "which ADAMANT address a device belongs to",
                rows.count,
                how: "push-recipient stands in the payload, beside the device token",
                rows.map { "\($0.token.prefix(8))… is \($0.address)" }
            ),
            Lesson(
                "when an address got a message, and how often",
                pushes,
                how: "each push has its time"
            ),
            Lesson(
                "who wrote, and in which public transaction",
                audit.namedTransactions,
                how: "txn-id names a transaction that everybody can look up: its sender, fee and length"
            ),
            Lesson(
                "which addresses one device serves",
                several.count,
                how: "one token with several push-recipients",
                several.keys.sorted().map { "\($0.prefix(8))…" }
            ),
            Lesson(
                "what was written, or by whom, in clear",
                broken(.noContent),
                how: "payloads that hold more than keys of localised texts"
            ),
        ]
    }

    private var nodeOperator: [Lesson] {
        let named = clients.filter { !$0.addresses.isEmpty }
        let kinds = registry.signals.filter { $0.action != nil }
        let removals = kinds.filter { $0.action == .remove }.count
        let sandbox = kinds.filter { $0.provider == "apns-sandbox" }.count
        return [
            Lesson(
                "from which network address an ADAMANT address is used",
                named.count,
                how: "calls name the address whose messages they ask for",
                named.map { "\($0.client): \($0.addresses.prefix(3).joined(separator: ", "))" }
            ),
            Lesson(
                "who uses push notifications, and since when",
                Set(registry.signals.map(\.sender)).count,
                how: "signals to the service are public transactions",
                Set(registry.signals.map(\.sender.text)).sorted()
            ),
            Lesson(
                "whether a signal registers or removes, of a released app or one in development",
                kinds.count,
                how: "the length of the sealed text: 250, 256, 266 or 272 digits "
                    + "(\(removals) removals, \(sandbox) in development)"
            ),
            Lesson(
                "what a signal says",
                broken(.sealedSignals),
                how: "signals that nobody sealed for the service"
            ),
        ]
    }

    private var service: [Lesson] {
        let rows = registry.rows
        let read = registry.isReadable ? rows.count : audit.implied.all.count
        return [
            Lesson(
                "which device belongs to which address",
                read,
                how: "the registrations it is sent",
                rows.map { "\($0.address): \($0.token.prefix(8))…" }
            ),
            Lesson(
                "who writes to whom, and when",
                audit.messages,
                how: "it reads every message's sender and recipient from the chain, as anybody can"
            ),
            Lesson(
                "the network address of a device",
                broken(.noCallback),
                how: "something connected to the service's own host"
            ),
        ]
    }

    private var network: [Lesson] {
        [
            Lesson(
                "what is said to nodes, word for word",
                traffic.plainCalls,
                how: "calls to nodes without TLS",
                clients.map(\.client)
            ),
            Lesson(
                "that somebody pushes to Apple devices, when, and how much",
                traffic.pushConnections,
                how: "connections to APNs: their name, times and sizes"
            ),
        ]
    }
}
