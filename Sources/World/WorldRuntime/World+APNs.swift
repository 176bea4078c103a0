public import APNsRules
public import APNsServer
import Determinism
import JSONValue
import SimulatorDrivers

extension World: APNsBackend {
    /// What is done about a push when the world's lock has been let go.
    private struct Handling {
        let reply: APNsReply
        /// The push that a device gets now.
        var handedOver: PushRecord?
        /// Devices that have lost a push.
        var losers: [String] = []
    }

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
        noteLost(handling.losers)
        return handling.reply
    }

    private func record(
        _ judged: PushRecord,
        in state: inout WorldState,
        now: Timestamp,
        handling: inout Handling
    ) {
        var record = judged
        record.sequence = Int64(state.journal.next)
        let outcome = record.isAccepted ? state.devices.deliver(record, now: now) : nil
        if let outcome { record.delivery = outcome.delivery }
        state.pushes.append(record)
        state.keep(.push, record.stored)
        state.journal.append(.pushReceived, at: now, push: record.snapshot)
        guard let outcome else { return }
        if outcome.isHandedOver { handling.handedOver = record }
        if outcome.delivery.state == .discarded, let device = outcome.delivery.device {
            handling.losers.append(device)
        }
        if let replaced = outcome.replaces, let device = outcome.delivery.device {
            let why = "push \(record.sequence) took its place"
            state.setDelivery(PushDelivery(.replaced, device: device, at: now, why: why), ofPush: replaced)
            handling.losers.append(device)
        }
    }

    /// Gives a device that is reachable again the push that waited for it.
    func deliverStored(to device: String) {
        expireStoredPushes()
        let record = withState { state, now -> PushRecord? in
            guard let number = state.devices.takeStored(device) else { return nil }
            state.setDelivery(PushDelivery(.delivered, device: device, at: now), ofPush: number)
            return state.pushes.find(number)
        }
        if let record { parties.deliver(record) }
    }

    /// Throws away the pushes that waited for a device until their time was over.
    func expireStoredPushes() {
        noteLost(withState { state, now in state.expireStored(now: now) })
    }

    /// Tells devices of pushes that never arrive.
    func noteLost(_ ids: [String]) {
        for device in ids.compactMap(parties.device) {
            device.driver.noteLost()
            keep(device)
        }
    }
}
