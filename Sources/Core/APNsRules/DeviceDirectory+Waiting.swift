public import Determinism

// What waits for a device: at APNs until it can be reached, on the device until it lets a background push through.

extension DeviceDirectory {
    /// The pushes that wait, each with its device, in the order of their numbers.
    public var waiting: [(device: String, push: Int)] {
        entries.flatMap { id, entry in
            [entry.stored, entry.held].compactMap { waiting in waiting.map { (id, $0.push) } }
        }.sorted { $0.1 < $1.1 }
    }

    /// Lets a push wait for its device again, after a restart.
    public mutating func resume(_ record: PushRecord) {
        guard let delivery = record.delivery, let id = delivery.device else { return }
        let waiting = Waiting(record, since: delivery.at)
        switch delivery.state {
        case .stored: entries[id, default: Entry()].stored = waiting
        case .throttled: entries[id, default: Entry()].held = waiting
        default: break
        }
    }

    /// Takes a push that waits for a device; false when it does not.
    public mutating func take(_ push: Int, of id: String) -> Bool {
        guard var entry = entries[id] else { return false }
        defer { entries[id] = entry }
        if entry.stored?.push == push {
            entry.stored = nil
            return true
        }
        guard entry.held?.push == push else { return false }
        entry.held = nil
        return true
    }

    /// Takes all that waits for a device.
    public mutating func takeAll(of id: String) -> [Int] {
        defer {
            entries[id]?.stored = nil
            entries[id]?.held = nil
        }
        return [entries[id]?.stored, entries[id]?.held].compactMap { $0?.push }
    }

    /// Takes the background push that a device holds back.
    public mutating func takeHeld(of id: String) -> Int? {
        defer { entries[id]?.held = nil }
        return entries[id]?.held?.push
    }

    /// Takes what could be delivered now but is for nobody any more, with the reason, in the order of the numbers.
    ///
    /// What a device holds back itself has passed this check.
    /// - Source: Apple, Viewing the status of push notifications (a stored push is looked at anew)
    public mutating func takeRefused(now: Timestamp, settings: DeliverySettings) -> [(push: Int, why: String)]
    {
        var refused: [(push: Int, why: String)] = []
        for (id, entry) in entries {
            guard let why = entry.reach.refusal, let waiting = entry.stored,
                entry.isDue(waiting, now: now, settings: settings)
            else { continue }
            entries[id]?.stored = nil
            refused.append((waiting.push, why))
        }
        return refused.sorted { $0.push < $1.push }
    }

    /// Takes what can be delivered now, in the order of the numbers.
    public mutating func takeDue(now: Timestamp, settings: DeliverySettings) -> [(device: String, push: Int)]
    {
        var due: [(device: String, push: Int)] = []
        for id in entries.keys {
            guard var entry = entries[id] else { continue }
            due += entry.takeDue(now: now, settings: settings).map { (id, $0) }
            entries[id] = entry
        }
        return due.sorted { $0.push < $1.push }
    }

    /// When something that waits can be delivered, or thrown away, without anything happening to its device.
    public func nextDue(now: Timestamp, settings: DeliverySettings) -> Timestamp? {
        entries.values.compactMap { $0.nextDue(now: now, settings: settings) }.min()
    }

    /// Whether a push may no longer wait; it may for 30 days, or until its expiration where that is earlier.
    ///
    /// - Source: Apple, Sending notification requests to APNs (`apns-expiration`)
    public static func isExpired(_ record: PushRecord, now: Timestamp) -> Bool {
        let age = now.milliseconds.subtractingClamped(record.receivedAt.milliseconds)
        guard age <= storageMilliseconds else { return true }
        guard let expiration = record.expirationUnixSeconds else { return false }
        return expiration.multipliedClamped(by: 1000) <= now.unixMilliseconds
    }

    private static let storageMilliseconds: Int64 = 30 * 86_400_000
}

extension DeviceDirectory.Waiting {
    init(_ record: PushRecord, since: Timestamp) {
        self.init(
            push: Int(clamping: record.sequence),
            since: since,
            isLowPriority: record.isLowPriority
        )
    }
}

extension DeviceDirectory.Entry {
    private static let hourMilliseconds: Int64 = 3_600_000

    /// Why a push cannot be delivered now.
    func barrier(for record: PushRecord) -> String? {
        if !reach.isOnline { return "the device is offline" }
        let priority = record.request.priority ?? 10
        return reach.isSavingPower && record.isLowPriority
            ? "the device saves power, and the priority is \(priority)" : nil
    }

    /// Lets a push wait at APNs, where there is room for one.
    ///
    /// - Source: Apple, Viewing the status of push notifications; the archived guide (the latest is kept)
    mutating func store(
        _ record: PushRecord,
        _ why: String,
        for id: String,
        now: Timestamp,
        settings: DeliverySettings,
        generator: inout SeededGenerator
    ) -> DeviceDirectory.Outcome {
        guard !DeviceDirectory.isExpired(record, now: now) else {
            return DeviceDirectory.discarded(id, "\(why), and apns-expiration allows no storing", now)
        }
        if let present = stored, settings.storedChoice == .random, Bool.random(using: &generator) {
            return DeviceDirectory.discarded(id, "\(why), and push \(present.push) is stored already", now)
        }
        let replaced = stored?.push
        stored = DeviceDirectory.Waiting(record, since: now)
        return DeviceDirectory.Outcome(
            delivery: PushDelivery(.stored, device: id, at: now, why: why),
            isDeferred: reach.isOnline,
            replaces: replaced
        )
    }

    /// Whether a background push is let through; it then counts.
    mutating func mayWake(now: Timestamp, settings: DeliverySettings) -> Bool {
        guard settings.backgroundPerHour > 0 else { return true }
        forgetWakes(now: now)
        guard Int64(wakes.count) < settings.backgroundPerHour else { return false }
        wakes.append(now)
        return true
    }

    /// Lets a background push wait on the device, which keeps the newest alone.
    ///
    /// - Source: Apple, Pushing background updates to your app
    mutating func hold(_ record: PushRecord, for id: String, now: Timestamp, settings: DeliverySettings)
        -> DeviceDirectory.Outcome
    {
        let replaced = held?.push
        held = DeviceDirectory.Waiting(record, since: now)
        let why =
            "background push, of which the device has let \(settings.backgroundPerHour) through this hour"
        return DeviceDirectory.Outcome(
            delivery: PushDelivery(.throttled, device: id, at: now, why: why),
            isDeferred: true,
            replaces: replaced
        )
    }

    /// Takes what can be delivered now.
    mutating func takeDue(now: Timestamp, settings: DeliverySettings) -> [Int] {
        var due: [Int] = []
        if let waiting = stored, isDue(waiting, now: now, settings: settings) {
            due.append(waiting.push)
            stored = nil
        }
        if reach.isOnline, let waiting = held, mayWake(now: now, settings: settings) {
            due.append(waiting.push)
            held = nil
        }
        return due
    }

    /// Whether the device can be given what is stored for it.
    func isDue(_ waiting: DeviceDirectory.Waiting, now: Timestamp, settings: DeliverySettings) -> Bool {
        guard reach.isOnline else { return false }
        return !reach.isSavingPower || !waiting.isLowPriority
            || powerDue(waiting, settings).map { $0 <= now } ?? false
    }

    /// When something that waits can be delivered by the passing of time alone.
    func nextDue(now: Timestamp, settings: DeliverySettings) -> Timestamp? {
        guard reach.isOnline else { return nil }
        let power = stored.flatMap { powerDue($0, settings) }
        var wake: Timestamp?
        if held != nil { wake = wakes.min()?.adding(milliseconds: Self.hourMilliseconds) ?? now }
        return [power, wake].compactMap(\.self).min()
    }

    private func powerDue(_ waiting: DeviceDirectory.Waiting, _ settings: DeliverySettings) -> Timestamp? {
        guard settings.powerSavingSeconds > 0 else { return nil }
        return waiting.since.adding(milliseconds: settings.powerSavingSeconds.multipliedClamped(by: 1000))
    }

    /// Forgets what is an hour ago, and what a clock that was set back has yet to see.
    private mutating func forgetWakes(now: Timestamp) {
        wakes.removeAll { $0 > now || now.milliseconds - $0.milliseconds >= Self.hourMilliseconds }
    }
}
