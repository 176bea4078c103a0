public import AdamantModel
public import Determinism
public import JSONValue

/// What a simulated device is and which app runs on it.
public struct DeviceConfiguration: Hashable, Sendable {
    /// The rules the app follows.
    public enum Behaviour: String, CaseIterable, Sendable {
        /// Those of the released iOS app, with its defects.
        case asDeployed = "as-deployed"
        /// Signals are persisted, retried and superseded in the order of the user's wishes.
        case ordered
    }

    /// For example `d1`.
    public var id: String
    /// For people.
    public var name: String
    /// The app's rules.
    public var behaviour: Behaviour
    /// The app's bundle.
    public var topic: String
    /// `production` or `sandbox`: where its token is good, and what its signals say.
    public var environment: String
    /// Base URLs of the nodes the app knows.
    public var nodes: [String]
    /// Where signals go; nil for an app that has no notification service.
    public var service: ServiceIdentity?
    /// Whether switching notifications off forgets the stored token, which iOS 3.10 does not do.
    public var offClearsCache: Bool
    /// Whether signing out loses its key before the removal is signed, which nothing in iOS 3.10 rules out.
    public var signOutSkipsRemoval: Bool
    /// The sound the user has picked for decrypted banners; nil is silent, as after installing.
    public var sound: String?
    /// How long the system lets the extension work before it shows the alert as it came.
    public var extensionMilliseconds: Int

    /// A device with the released app's rules unless told otherwise.
    public init(
        id: String,
        name: String,
        behaviour: Behaviour = .asDeployed,
        topic: String = "im.adamant.adamant-messenger",
        environment: String = "production",
        nodes: [String],
        service: ServiceIdentity?,
        offClearsCache: Bool = false,
        signOutSkipsRemoval: Bool = false,
        sound: String? = nil,
        extensionMilliseconds: Int = 30_000
    ) {
        self.id = id
        self.name = name
        self.behaviour = behaviour
        self.topic = topic
        self.environment = environment
        self.nodes = nodes
        self.service = service
        self.offClearsCache = offClearsCache
        self.signOutSkipsRemoval = signOutSkipsRemoval
        self.sound = sound
        self.extensionMilliseconds = extensionMilliseconds
    }

    /// What the app's signals call the push service.
    var provider: String { environment == "sandbox" ? "apns-sandbox" : "apns" }
}

/// What a user, or the surroundings, do to a device.
public enum DeviceAction: Hashable, Sendable {
    /// Opens the app where needed, signs in, stays signed in and chooses push notifications.
    case signIn(KeyPair)
    /// Signs out of the running app.
    case signOut
    /// Deletes the app with all it stored and installs it again, with a new token.
    case reinstall(token: String)
    /// Moves all the app stored to a device with another token.
    case restore(token: String)
    /// The system gives the installation another token.
    case rotateToken(String)
    /// Deletes the app.
    case uninstall
    /// The device gets a network.
    case online
    /// The device loses its network.
    case offline
    /// Starts the app.
    case launch
    /// Ends the app's process whatever it is doing.
    case kill
    /// Allows notifications in the system's settings.
    case allow
    /// Denies notifications in the system's settings.
    case deny
    /// Ends the app for good: the system does not wake it until it is opened.
    case forceQuit
    /// Lets the device save power, or use what it has.
    case savePower(Bool)
    /// Sets quiet hours; nil ends them.
    case quiet(QuietHours?)
    /// Puts a partner on the block list of the app.
    case block(Address)
    /// Takes a partner off the block list.
    case unblock(Address)
    /// Chooses no notifications in the app.
    case notificationsOff
    /// Chooses push notifications in the app.
    case notificationsPush
    /// The app's timer asks the nodes for their health.
    case checkHealth
}

/// An action that a device cannot take in its present state.
public struct DeviceRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is in the way and what to do.
    public let message: String

    /// The message.
    public var description: String { message }
}

/// What a device wants done; the answer is given to ``Device/complete(_:_:now:)``.
public struct DeviceOperation: Hashable, Sendable {
    /// The two kinds of work.
    public enum Work: Hashable, Sendable {
        /// Ask a node.
        case node(NodeRequest)
        /// Let real time pass; answered with ``DeviceAnswer/elapsed``.
        case wait(milliseconds: Int)
    }

    /// Names the operation.
    public let id: Int
    /// What to do.
    public let work: Work
    /// Whether the app's process does it, so that ending the app ends it; otherwise the extension's.
    public let isOfApp: Bool
}

/// What became of an operation.
public enum DeviceAnswer: Hashable, Sendable {
    /// Of a node.
    case node(NodeAnswer)
    /// Of a wait.
    case elapsed
}

/// What can be seen of a device from outside.
public struct DeviceSnapshot: Hashable, Sendable {
    /// As configured.
    public var configuration: DeviceConfiguration
    /// The system's token; nil when the app is not installed.
    public var token: String?
    /// Whose account is signed in, also while the app is not running.
    public var owner: Address?
    /// Whether there is a network.
    public var isOnline: Bool
    /// Whether the app is there.
    public var isInstalled: Bool
    /// Whether its process runs.
    public var isRunning: Bool
    /// Whether a push can be shown: installed, allowed, and not switched off in the app.
    public var showsNotifications: Bool
    /// Whether the app takes itself for registered.
    public var believesRegistered: Bool
    /// Removals that the app will send again.
    public var queuedRemovals: Int
    /// Additions that the app will send again; the released app keeps none.
    public var queuedAdditions: Int
    /// When a push last arrived, by the world's clock.
    public var lastDeliveredAt: Timestamp?
    /// Pushes known to be lost since then.
    public var lostSinceDelivery: Int
    /// Why the latest sign-in or registration came to nothing; nil when it did not.
    public var problem: String?
    /// Whether the device saves power.
    public var isSavingPower: Bool
    /// Whether the user has ended the app for good.
    public var isForceQuit: Bool
    /// When little is shown.
    public var quietHours: QuietHours?
    /// Partners on the block list.
    public var blocked: [Address]
    /// The newest banners, oldest first.
    public var banners: [Banner]
    /// The newest pushes of which nothing was shown, oldest first.
    public var notShown: [UnshownPush]

    /// The device in the control API's shape.
    public var json: JSONValue { json(shown: .max) }

    /// The same with so many of the newest banners, groups and pushes that were not shown.
    public func json(shown count: Int) -> JSONValue {
        [
            "id": .string(configuration.id), "name": .string(configuration.name), "token": .optional(token),
            "owner": .optional(owner?.text), "behaviour": .string(configuration.behaviour.rawValue),
            "topic": .string(configuration.topic), "environment": .string(configuration.environment),
            "online": .bool(isOnline), "installed": .bool(isInstalled), "running": .bool(isRunning),
            "notifications": .bool(showsNotifications), "believesRegistered": .bool(believesRegistered),
            "queuedRemovals": .int(queuedRemovals), "queuedAdditions": .int(queuedAdditions),
            "lastDeliveredAt": .optional(lastDeliveredAt?.rfc3339),
            "lostSinceDelivery": .int(lostSinceDelivery), "problem": .optional(problem),
            "savingPower": .bool(isSavingPower), "forceQuit": .bool(isForceQuit),
            "quietHours": quietHours?.json ?? .null,
            "blocked": .array(blocked.map { .string($0.text) }),
            "banners": .array(banners.suffix(count).map(\.json)),
            "groups": .array(NotificationGroup.groups(of: banners).prefix(count).map(\.json)),
            "notShown": .array(notShown.suffix(count).map(\.json)),
        ]
    }
}
