import APNsRules
import Determinism
import JSONValue
import Simulators

/// A push that is known never to reach the device it was for.
struct LostPush: Sendable {
    let device: String
    let push: UnshownPush

    /// The loss of a record's push; nil when it was for no device.
    init?(_ record: PushRecord) {
        guard let delivery = record.delivery, let device = delivery.device else { return nil }
        self.device = device
        push = UnshownPush(
            at: delivery.at,
            push: record.name,
            transactionId: record.transactionId,
            why: delivery.why ?? ""
        )
    }
}

extension PushRecord {
    /// What a device calls the push.
    var name: PushName { PushName(id: id.lowercased, number: Int(clamping: sequence)) }
}

// What becomes of pushes after their answer.

extension WorldState {
    /// Decides what becomes of an accepted push; nil when its token is no device's.
    mutating func deliver(_ record: PushRecord, now: Timestamp) -> DeviceDirectory.Outcome? {
        devices.deliver(record, now: now, settings: gateway.settings.delivery, generator: &generator)
    }

    /// Notes what became of a push after its answer.
    mutating func setDelivery(_ delivery: PushDelivery, ofPush number: Int) {
        pushes.update(number) { $0.delivery = delivery }
        guard let record = pushes.find(number) else { return }
        keep(.push, record.stored)
        journal.append(
            .push(delivery.state),
            at: delivery.at,
            transaction: record.transaction,
            data: [
                "push": .string(record.id.lowercased), "token": .optional(record.token),
                "recipient": .optional(record.recipient), "device": .optional(delivery.device),
                "why": .optional(delivery.why),
            ]
        )
    }

    /// Notes what a device made of a push.
    mutating func note(_ presentation: PushDelivery.Presentation, ofPush number: Int) {
        pushes.update(number) { $0.delivery?.presentation = presentation }
        if let record = pushes.find(number) { keep(.push, record.stored) }
    }

    /// Notes that a later push took the place of one that a device had shown.
    mutating func noteCollapsed(_ push: PushName, by later: PushName?, now: Timestamp) {
        guard var delivery = pushes.find(push.number)?.delivery else { return }
        delivery.state = .collapsed
        delivery.at = now
        delivery.why = "push \(later.map { String($0.number) } ?? "") took its place on the device"
        setDelivery(delivery, ofPush: push.number)
    }

    /// Notes that a device gets a push that had to wait; the record to hand over, if it is still there.
    mutating func handOver(_ number: Int, to device: String, now: Timestamp) -> PushRecord? {
        setDelivery(PushDelivery(.delivered, device: device, at: now), ofPush: number)
        return pushes.find(number)
    }

    /// Notes that a push which waited reaches nobody; the loss, if its record is still there.
    mutating func lose(_ number: Int, _ state: PushDelivery.State, why: String, now: Timestamp) -> LostPush? {
        let device = pushes.find(number)?.delivery?.device
        setDelivery(PushDelivery(state, device: device, at: now, why: why), ofPush: number)
        return pushes.find(number).flatMap { LostPush($0) }
    }

    /// Throws away the waiting pushes whose time is over.
    mutating func expireWaiting(now: Timestamp) -> [LostPush] {
        devices.waiting.compactMap { device, push in
            guard let record = pushes.find(push), DeviceDirectory.isExpired(record, now: now),
                devices.take(push, of: device)
            else { return nil }
            return lose(push, .expired, why: "its time was over before it could be delivered", now: now)
        }
    }

    /// Throws away the waiting pushes that are for nobody by now, once their devices could be given them.
    mutating func discardRefused(now: Timestamp) -> [LostPush] {
        devices.takeRefused(now: now, settings: gateway.settings.delivery).compactMap {
            lose($0.push, .discarded, why: $0.why, now: now)
        }
    }

    /// Milliseconds after which what waits is to be looked at; nil when somebody will in time.
    mutating func pauseUntilDelivery(now: Timestamp) -> Int? {
        guard let due = devices.nextDue(now: now, settings: gateway.settings.delivery) else { return nil }
        if let nextDelivery, nextDelivery <= due { return nil }
        nextDelivery = due
        let pause = due.milliseconds.subtractingClamped(now.milliseconds)
        return Int(clamping: max(Self.shortestPause, pause))
    }

    private static let shortestPause: Int64 = 100

    /// Lets the pushes wait for their devices again that did so when the world was stopped.
    mutating func resumeWaiting() {
        for record in pushes.waiting { devices.resume(record) }
    }
}
