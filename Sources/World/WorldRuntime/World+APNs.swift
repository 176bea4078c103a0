public import APNsRules
public import APNsServer
import Determinism
import JSONValue
import SimulatorDrivers
import Synchronization
import Threads

extension World: APNsBackend {
    /// What is done about a push when the world's lock has been let go.
    private struct Handling {
        let reply: APNsReply
        /// The push that a device gets now.
        var handedOver: PushRecord?
        /// Whether it can be delivered later without anything else happening.
        var isDeferred = false
        /// Pushes that have just been lost.
        var lost: [LostPush] = []
    }

    /// What is set of the gateway.
    public var gatewaySettings: APNsSettings { withState { state, _ in state.gateway.settings } }

    /// Whether any fault rule exists.
    public var hasFaults: Bool { faultNeeds.any }

    /// Judges, records and delivers a push.
    public func receive(_ request: APNsRequest, fault: APNsFault?) -> APNsReply {
        let handling = withState { state, now in
            let outcome = state.gateway.receive(request, fault: fault, now: now, generator: &state.generator)
            var handling = Handling(reply: outcome.reply)
            record(outcome.record, in: &state, now: now, handling: &handling)
            return handling
        }
        if let record = handling.handedOver { parties.deliver(record) }
        noteLost(handling.lost)
        if handling.isDeferred { awaitDue() }
        return handling.reply
    }

    /// Takes note of so many pushes that were answered together, and how long after they came.
    public func noteAnswers(_ count: Int, after nanoseconds: Int64) {
        pushAnswers.withLock { $0.note(nanoseconds: nanoseconds, count: count) }
    }

    /// Takes note of a client that could not push, or not on one of its streams.
    public func turnedAway(_ refusal: ClientRefusal) {
        withState { state, now in
            var data = JSONObject([
                ("connection", refusal.connection.map { .int($0) } ?? .null),
                ("environment", .string(refusal.environment.rawValue)), ("client", .string(refusal.peer)),
                ("why", .string(refusal.why)), ("omitted", .int(refusal.omitted)),
            ])
            if let stream = refusal.stream { data.append("stream", .int(stream)) }
            state.journal.append(
                refusal.stream == nil ? .connectionRefused : .streamRefused,
                at: now,
                data: .object(data)
            )
        }
    }

    private func record(
        _ judged: PushRecord,
        in state: inout WorldState,
        now: Timestamp,
        handling: inout Handling
    ) {
        var record = judged
        record.sequence = Int64(state.journal.next)
        let outcome = record.isAccepted ? state.deliver(record, now: now) : nil
        if let outcome { record.delivery = outcome.delivery }
        state.pushes.append(record)
        state.keep(.push, record.stored)
        state.journal.append(.pushReceived, at: now, push: record.snapshot)
        guard let outcome else { return }
        if outcome.isHandedOver { handling.handedOver = record }
        handling.isDeferred = outcome.isDeferred
        if outcome.delivery.state == .discarded, let lost = LostPush(record) { handling.lost.append(lost) }
        guard let replaced = outcome.replaces else { return }
        let why = "push \(record.sequence) took its place"
        if let lost = state.lose(replaced, .replaced, why: why, now: now) { handling.lost.append(lost) }
    }

    /// Gives devices what waited for them and can reach them now.
    func deliverWaiting() {
        expireStoredPushes()
        noteLost(withState { state, now in state.discardRefused(now: now) })
        let records = withState { state, now in
            state.nextDelivery = nil
            return state.devices.takeDue(now: now, settings: state.gateway.settings.delivery).compactMap {
                state.handOver($0.push, to: $0.device, now: now)
            }
        }
        for record in records { parties.deliver(record) }
        awaitDue()
    }

    /// Gives a device the background push that it held back.
    func deliverHeld(to device: String) {
        let record = withState { state, now in
            state.devices.takeHeld(of: device).flatMap { state.handOver($0, to: device, now: now) }
        }
        if let record { parties.deliver(record) }
    }

    /// Sees to it that what waits is looked at when the first of it can be delivered.
    private func awaitDue() {
        guard let milliseconds = withState({ state, now in state.pauseUntilDelivery(now: now) }) else {
            return
        }
        parties.timer?.after(milliseconds: milliseconds) { [weak self] in self?.deliverWaiting() }
    }

    /// Throws away the pushes that waited for a device until their time was over.
    func expireStoredPushes() {
        noteLost(withState { state, now in state.expireWaiting(now: now) })
    }

    /// Tells devices of pushes that never arrive.
    func noteLost(_ pushes: [LostPush]) {
        for lost in pushes {
            guard let device = parties.device(lost.device) else { continue }
            device.driver.noteLost(lost.push)
            keep(device)
        }
    }
}
