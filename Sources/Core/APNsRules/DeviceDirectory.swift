public import Determinism
import JSONValue

/// How a device can be reached.
public struct DeviceReach: Sendable, Equatable {
    /// The token of the app on it; nil when there is none.
    public var token: String?
    /// Whether it has a network.
    public var isOnline: Bool
    /// Whether the app may show something.
    public var showsNotifications: Bool
    /// Whether it saves power.
    public var isSavingPower: Bool
    /// Whether its user ended the app, which then stays asleep until it is opened.
    public var isForceQuit: Bool

    /// A device that can be reached unless told otherwise.
    public init(
        token: String? = nil,
        isOnline: Bool = true,
        showsNotifications: Bool = true,
        isSavingPower: Bool = false,
        isForceQuit: Bool = false
    ) {
        self.token = token
        self.isOnline = isOnline
        self.showsNotifications = showsNotifications
        self.isSavingPower = isSavingPower
        self.isForceQuit = isForceQuit
    }

    /// Why APNs knows that no push is for it.
    var refusal: String? {
        guard token != nil else { return "the app is no longer on the device" }
        return showsNotifications ? nil : "notifications are switched off on the device"
    }
}

/// What APNs knows of the devices behind it: which token reaches which, whether it can be reached, and what waits.
public struct DeviceDirectory: Sendable {
    /// A push that waits, by its number.
    struct Waiting: Sendable {
        let push: Int
        let since: Timestamp
        let isLowPriority: Bool
    }

    /// One device, which has one app.
    struct Entry: Sendable {
        var reach = DeviceReach()
        /// The one push that waits at APNs for the device to be reachable.
        var stored: Waiting?
        /// The one background push that the device itself holds back.
        var held: Waiting?
        /// When background pushes were let through in the last hour.
        var wakes: [Timestamp] = []
    }

    /// What becomes of an accepted push.
    public struct Outcome: Sendable, Equatable {
        /// What becomes of it.
        public let delivery: PushDelivery
        /// Whether the device gets it now.
        public var isHandedOver = false
        /// Whether it can be delivered later without anything happening to the device.
        public var isDeferred = false
        /// The number of the waiting push whose place it takes.
        public var replaces: Int?
    }

    var entries: [String: Entry] = [:]
    /// Every token that was ever issued, with its device.
    private var owners: [String: String] = [:]

    /// A directory without devices.
    public init() {}

    /// Gives a device a token, at which it is reached from now on.
    public mutating func issue(_ token: String, to id: String) {
        entries[id, default: Entry()].reach.token = token
        owners[token] = id
    }

    /// Notes how a device is now.
    public mutating func update(_ id: String, _ reach: DeviceReach) {
        entries[id, default: Entry()].reach = reach
        if let token = reach.token { owners[token] = id }
    }

    /// Decides what becomes of an accepted push; nil when no device was ever given its token.
    ///
    /// - Source: Apple, Viewing the status of push notifications (registered, enabled, reachable, expired)
    public mutating func deliver(
        _ record: PushRecord,
        now: Timestamp,
        settings: DeliverySettings,
        generator: inout SeededGenerator
    ) -> Outcome? {
        guard !owners.isEmpty, let token = record.token, let id = owners[token], var entry = entries[id]
        else { return nil }
        defer { entries[id] = entry }
        if let why = Self.refusal(of: token, by: entry.reach) { return Self.discarded(id, why, now) }
        if let why = entry.barrier(for: record) {
            return entry.store(record, why, for: id, now: now, settings: settings, generator: &generator)
        }
        guard record.isBackground else { return Self.delivered(id, now) }
        guard !entry.reach.isForceQuit else {
            return Self.discarded(id, "background push, and the app was force-quit", now)
        }
        guard entry.mayWake(now: now, settings: settings) else {
            return entry.hold(record, for: id, now: now, settings: settings)
        }
        return Self.delivered(id, now)
    }

    /// Why APNs knows that a push to a token is for nobody.
    private static func refusal(of token: String, by reach: DeviceReach) -> String? {
        if let own = reach.token, own != token { return "the device has another token by now" }
        return reach.refusal
    }

    static func discarded(_ id: String, _ why: String, _ now: Timestamp) -> Outcome {
        Outcome(delivery: PushDelivery(.discarded, device: id, at: now, why: why))
    }

    private static func delivered(_ id: String, _ now: Timestamp) -> Outcome {
        Outcome(delivery: PushDelivery(.delivered, device: id, at: now), isHandedOver: true)
    }
}

extension PushRecord {
    /// Whether the push shows nothing and only wakes the app.
    ///
    /// - Source: Apple, Pushing background updates to your app
    public var isBackground: Bool {
        guard let type = request.pushType else {
            guard let aps = (try? JSONValue(parsing: request.body))?["aps"] else { return false }
            return aps["content-available"]?.intValue == 1
                && ["alert", "badge", "sound"].allSatisfy { aps[$0] == nil }
        }
        return type == "background"
    }

    /// Whether its delivery may wait for a better moment.
    ///
    /// - Source: Apple, Sending notification requests to APNs (`apns-priority` 5 and 1)
    var isLowPriority: Bool { request.priority.map { $0 < 10 } ?? false }
}
