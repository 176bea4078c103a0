import APNsRules
import Determinism

/// What APNs knows of the devices behind it: which token reaches which, and whether it can be reached.
struct DeviceDirectory: Sendable {
    /// One device.
    private struct Entry: Sendable {
        var token: String?
        var isOnline = true
        var showsNotifications = true
        /// The one push that waits for the device, by its number.
        var stored: Int?
    }

    private var entries: [String: Entry] = [:]
    /// Every token that was ever issued, with its device.
    private var owners: [String: String] = [:]

    /// The devices for which a push waits, with its number, in the order of the numbers.
    var waiting: [(device: String, push: Int)] {
        entries.compactMap { id, entry in entry.stored.map { (id, $0) } }.sorted { $0.1 < $1.1 }
    }

    /// Gives a device a token, at which it is reached from now on.
    mutating func issue(_ token: String, to id: String) {
        entries[id, default: Entry()].token = token
        owners[token] = id
    }

    /// Notes how a device is now.
    mutating func update(_ id: String, token: String?, isOnline: Bool, showsNotifications: Bool) {
        var entry = entries[id] ?? Entry()
        entry.token = token
        entry.isOnline = isOnline
        entry.showsNotifications = showsNotifications
        entries[id] = entry
        if let token { owners[token] = id }
    }

    /// Decides what becomes of an accepted push; nil when no device was ever given its token.
    ///
    /// - Source: Apple, Viewing the status of push notifications (registered, enabled, reachable, expired)
    mutating func deliver(_ record: PushRecord, now: Timestamp) -> Outcome? {
        guard !owners.isEmpty, let token = record.token, let id = owners[token], var entry = entries[id]
        else { return nil }
        func discarded(_ why: String) -> Outcome {
            Outcome(delivery: PushDelivery(.discarded, device: id, at: now, why: why))
        }
        guard entry.token == token else {
            return discarded(
                entry.token == nil
                    ? "the app is no longer on the device" : "the device has another token by now"
            )
        }
        guard entry.showsNotifications else {
            return discarded("notifications are switched off on the device")
        }
        guard !entry.isOnline else {
            return Outcome(delivery: PushDelivery(.delivered, device: id, at: now), isHandedOver: true)
        }
        guard !Self.isExpired(record, now: now) else {
            return discarded("the device is offline and apns-expiration allows no storing")
        }
        let replaced = entry.stored
        entry.stored = Int(clamping: record.sequence)
        entries[id] = entry
        return Outcome(
            delivery: PushDelivery(.stored, device: id, at: now, why: "the device is offline"),
            replaces: replaced
        )
    }

    /// Lets a push wait for its device again, after a restart.
    mutating func store(_ push: Int, for id: String) {
        entries[id, default: Entry()].stored = push
    }

    /// Takes the push that waited for a device.
    mutating func takeStored(_ id: String) -> Int? {
        defer { entries[id]?.stored = nil }
        return entries[id]?.stored
    }

    /// Whether a push may no longer be stored; without an expiration it may for 30 days.
    ///
    /// - Source: Apple, Sending notification requests to APNs (`apns-expiration`)
    static func isExpired(_ record: PushRecord, now: Timestamp) -> Bool {
        guard let expiration = record.expirationUnixSeconds else {
            return now.milliseconds.subtractingClamped(record.receivedAt.milliseconds) > storageMilliseconds
        }
        return expiration.multipliedClamped(by: 1000) <= now.unixMilliseconds
    }

    private static let storageMilliseconds: Int64 = 30 * 86_400_000

    /// What becomes of an accepted push.
    struct Outcome: Sendable {
        let delivery: PushDelivery
        /// Whether the device gets it now.
        var isHandedOver = false
        /// The number of the stored push whose place it takes.
        var replaces: Int?
    }
}
