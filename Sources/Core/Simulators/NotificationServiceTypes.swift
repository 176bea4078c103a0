public import AdamantModel
public import Determinism
public import JSONValue

/// What a reference notification service is and knows.
public struct NotificationServiceConfiguration: Hashable, Sendable {
    /// The rules the service follows.
    public enum Behaviour: String, CaseIterable, Sendable {
        /// Those of the C# service, with its defects.
        case asDeployed = "as-deployed"
        /// The registry is what the chain's order says, and nothing is given up at the first failure.
        case ordered
    }

    /// Where polling begins.
    public enum Startup: String, Sendable {
        /// At the stored height, or, without one, at the chain's.
        case database
        /// At the chain's height.
        case network
        /// At the first block.
        case initial
    }

    /// What is pushed for one transaction type.
    public struct Template: Hashable, Sendable {
        /// See ``Transaction/Kind``.
        public var transactionType: Int
        /// The member `title-loc-key`; nil for none.
        public var titleKey: String?
        /// The member `loc-key`.
        public var bodyKey: String
        /// The member `sound`.
        public var sound: String

        /// A template.
        public init(transactionType: Int, titleKey: String? = nil, bodyKey: String, sound: String) {
            self.transactionType = transactionType
            self.titleKey = titleKey
            self.bodyKey = bodyKey
            self.sound = sound
        }

        /// The templates of the real service: messages and transfers.
        public static let standard = [
            Template(
                transactionType: Transaction.Kind.chat,
                bodyKey: "NotificationsService.NewMessage.BodySingle",
                sound: "notification.mp3"
            ),
            Template(
                transactionType: Transaction.Kind.transfer,
                bodyKey: "NotificationsService.NewTransfer.BodySingle",
                sound: "notification.mp3"
            ),
        ]
    }

    /// The service's rules.
    public var behaviour: Behaviour
    /// Its own account.
    public var account: KeyPair
    /// Base URLs of the nodes it knows.
    public var nodes: [String]
    /// Where polling begins.
    public var startup: Startup
    /// Milliseconds of real time between two polls.
    public var pollMilliseconds: Int
    /// The header `apns-topic`.
    public var topic: String
    /// Whether it can push to the sandbox; the C# service cannot.
    public var hasSandbox: Bool
    /// What is pushed for which type.
    public var templates: [Template]

    /// A configuration with the C# service's own values.
    public init(
        behaviour: Behaviour = .asDeployed,
        account: KeyPair,
        nodes: [String],
        startup: Startup = .database,
        pollMilliseconds: Int = 2000,
        topic: String = "im.adamant.adamant-messenger",
        hasSandbox: Bool = true,
        templates: [Template] = Template.standard
    ) {
        self.behaviour = behaviour
        self.account = account
        self.nodes = nodes
        self.startup = startup
        self.pollMilliseconds = pollMilliseconds
        self.topic = topic
        self.hasSandbox = hasSandbox
        self.templates = templates
    }
}

/// The three lists a service polls, each with a height of its own.
public enum Poller: String, CaseIterable, Sendable {
    /// Registrations.
    case signals = "SignalsPoller"
    /// Messages.
    case chats = "ChatPoller"
    /// Transfers.
    case transfers = "TransferPoller"
}

/// One registration as a service keeps it.
public struct RegistryRow: Hashable, Sendable {
    /// Number in the order of insertion.
    public var number: Int
    /// The account, as the node told it.
    public var address: Address
    /// Nil when the signal had none.
    public var token: String?
    /// Nil when the signal had none.
    public var provider: String?
    /// When the signal was signed.
    public var registeredAt: Timestamp
    /// The signal.
    public var transactionId: Identifier

    /// The row in the control API's shape.
    public var json: JSONValue {
        [
            "address": .string(address.text), "token": .optional(token), "provider": .optional(provider),
            "since": .string(registeredAt.rfc3339), "transactionId": .string(transactionId.description),
        ]
    }
}

/// What happened in a notification service.
public enum ServiceEvent: Hashable, Sendable {
    /// It runs.
    case started
    /// It does not run any more.
    case stopped
    /// A list was read to its end.
    case polled(Poller, fromHeight: Int, count: Int, node: Int)
    /// A poll failed and will be repeated.
    case pollFailed(Poller, reason: String)
    /// A poll failed and there will be no other until the service is started again.
    case died(Poller, reason: String)
    /// A signal made a row.
    case registered(RegistryRow)
    /// A signal removed a row; its id.
    case removed(RegistryRow, by: Identifier)
    /// A signal changed nothing.
    case signalIgnored(Identifier, reason: String)
    /// A push was answered, or not; whether it will be sent again.
    case pushed(PushOrder, PushAnswer, willRetry: Bool)
    /// The push service said that a token is dead, and a row is gone.
    case tokenDropped(RegistryRow, reason: String)

    /// The name in the journal, `ans.` and what happened.
    public var kind: String {
        switch self {
        case .started: "ans.started"
        case .stopped: "ans.stopped"
        case .polled: "ans.polled"
        case .pollFailed: "ans.poll-failed"
        case .died: "ans.died"
        case .registered: "ans.registered"
        case .removed: "ans.removed"
        case .signalIgnored: "ans.signal-ignored"
        case .pushed: "ans.pushed"
        case .tokenDropped: "ans.token-dropped"
        }
    }

    /// The transaction it is about, if any.
    public var transactionId: String? {
        switch self {
        case .started, .stopped, .polled, .pollFailed, .died: nil
        case .registered(let row), .tokenDropped(let row, _): row.transactionId.description
        case .removed(_, let id), .signalIgnored(let id, _): id.description
        case .pushed(let order, _, _): order.transactionId.description
        }
    }

    /// Place of the node it concerns in the service's list, if any.
    public var node: Int? {
        if case .polled(_, _, _, let node) = self { node } else { nil }
    }

    /// The members of the journal's `data`.
    public var json: JSONValue {
        switch self {
        case .started, .stopped: [:]
        case .polled(let poller, let height, let count, _):
            ["poller": .string(poller.rawValue), "fromHeight": .int(height), "count": .int(count)]
        case .pollFailed(let poller, let reason), .died(let poller, let reason):
            ["poller": .string(poller.rawValue), "reason": .string(reason)]
        case .registered(let row), .removed(let row, _): row.json
        case .signalIgnored(_, let reason): ["reason": .string(reason)]
        case .pushed(let order, let answer, let willRetry):
            [
                "apnsId": .string(order.id), "token": .string(order.token),
                "recipient": .string(order.recipient.text), "answer": .string(answer.text),
                "willRetry": .bool(willRetry),
            ]
        case .tokenDropped(let row, let reason):
            ["address": .string(row.address.text), "token": .optional(row.token), "reason": .string(reason)]
        }
    }
}

/// What can be seen of a notification service from outside.
public struct NotificationServiceSnapshot: Hashable, Sendable {
    /// One poller.
    public struct PollerState: Hashable, Sendable {
        /// Which.
        public var poller: Poller
        /// `stopped`, `alive` or `dead`.
        public var state: String
        /// Why it is dead.
        public var reason: String?
        /// The bound of its next poll; 0 for the whole chain.
        public var height: Int
        /// Polls that ended well since the service was made.
        public var polls: Int
    }

    /// The service's rules.
    public var behaviour: NotificationServiceConfiguration.Behaviour
    /// The service's account.
    public var address: Address
    /// Milliseconds between two polls.
    public var pollMilliseconds: Int
    /// Whether it was started and not stopped, dead or alive.
    public var isRunning: Bool
    /// The three pollers.
    public var pollers: [PollerState]
    /// The registry in the order of insertion.
    public var rows: [RegistryRow]
    /// Pushes that were answered with 200.
    public var accepted: Int
    /// Pushes that were answered otherwise, or not at all.
    public var failed: Int
    /// Pushes that are under way or wait to be sent again.
    public var pending: Int

    /// The service as JSON; times and heights as everywhere in the control API.
    public var json: JSONValue { json(rows: .max) }

    /// The same with so many of its newest rows.
    public func json(rows count: Int) -> JSONValue {
        [
            "behaviour": .string(behaviour.rawValue), "running": .bool(isRunning),
            "address": .string(address.text), "pollSeconds": Self.seconds(pollMilliseconds),
            "pollers": .array(
                pollers.map { poller in
                    [
                        "name": .string(poller.poller.rawValue), "state": .string(poller.state),
                        "reason": .optional(poller.reason), "height": .int(poller.height),
                        "polls": .int(poller.polls),
                    ]
                }
            ),
            "rows": .array(rows.suffix(count).map(\.json)), "rowCount": .int(rows.count),
            "accepted": .int(accepted), "failed": .int(failed), "pending": .int(pending),
        ]
    }

    private static func seconds(_ milliseconds: Int) -> JSONValue {
        JSONNumber(Double(milliseconds) / 1000).map(JSONValue.number) ?? 0
    }
}
