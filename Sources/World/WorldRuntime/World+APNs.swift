public import APNsRules
public import APNsServer
import Determinism
import JSONValue

extension World: APNsBackend {
    /// Whether any fault rule exists.
    public var hasFaults: Bool { faultNeeds.any }

    /// Judges, records and delivers a push.
    public func receive(_ request: APNsRequest, fault: APNsFault?) -> APNsReply {
        let (reply, handedOver) = withState { state, now in
            let outcome = state.gateway.receive(request, fault: fault, now: now, generator: &state.generator)
            var record = state.pushes.append(outcome.record)
            var isHandedOver = false
            if record.isAccepted, let delivery = state.devices.deliver(record, now: now) {
                record.delivery = delivery.delivery
                isHandedOver = delivery.isHandedOver
                if let replaced = delivery.replaces {
                    state.setDelivery(
                        PushDelivery(
                            .replaced,
                            device: delivery.delivery.device,
                            at: now,
                            why: "push \(record.sequence) took its place"
                        ),
                        ofPush: replaced
                    )
                }
            } else if !record.isAccepted {
                record.delivery = PushDelivery(.notDelivered, at: now, why: record.verdict.rule.name)
            }
            if record.delivery != nil {
                state.pushes.update(Int(clamping: record.sequence)) { $0.delivery = record.delivery }
            }
            state.keep(.push, record.stored)
            state.journal.append(.pushReceived, at: now, details: .push(record.snapshot))
            return (outcome.reply, isHandedOver ? record : nil)
        }
        if let handedOver { parties.deliver(handedOver) }
        return reply
    }

    /// Gives a device that is reachable again the push that waited for it.
    func deliverStored(to device: String) {
        let record = withState { state, now -> PushRecord? in
            guard let number = state.devices.takeStored(device),
                let record = state.pushes.page(after: number - 1, limit: 1, where: { _ in true }).first
            else { return nil }
            let isExpired = DeviceDirectory.isExpired(record, now: now)
            state.setDelivery(
                PushDelivery(isExpired ? .expired : .delivered, device: device, at: now),
                ofPush: number
            )
            return isExpired ? nil : record
        }
        if let record { parties.deliver(record) }
    }
}

extension WorldState {
    /// Notes what became of a push.
    mutating func setDelivery(_ delivery: PushDelivery, ofPush number: Int) {
        pushes.update(number) { $0.delivery = delivery }
        if let record = pushes.page(after: number - 1, limit: 1, where: { _ in true }).first {
            keep(.push, record.stored)
        }
    }
}
