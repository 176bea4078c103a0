import APNsRules
import ControlServer
import Determinism
import SimulatorDrivers
import Simulators

extension World {
    /// What an action does to a device's tokens at APNs, so that it can be undone when the device refuses it.
    private struct TokenChange {
        /// The token of before, and what was known of it.
        var old: (token: String, state: DeviceTokenState?)?
        var new: String?
    }

    /// Takes an action and waits until what it started has ended, well or not.
    func perform(_ order: DeviceOrder, on device: Parties.Device) throws(ControlError) {
        guard let change = changeTokens(of: device, by: order.name) else { throw .isBeingReset }
        guard let action = order.action(token: change.new) else { throw .isBeingReset }
        if order.name.cutsOff { noteReach(of: device, isCutOff: true) }
        do throws(DeviceRefusal) {
            try device.driver.perform(action)
        } catch {
            undo(change, of: device)
            throw .conflict(error.message)
        }
        guard parties.isCurrent(device.generation) else { throw .isBeingReset }
        loseWaiting(of: device, by: order.name, endedToken: change.old?.token)
        noteReach(of: device)
        keep(device)
        if order.name == .launch || order.name == .signIn { deliverHeld(to: device.id) }
        deliverWaiting()
    }

    private func changeTokens(of device: Parties.Device, by name: DeviceActionName) -> TokenChange? {
        ifCurrent(device.generation) { state, now in
            let snapshot = device.driver.snapshot
            var change = TokenChange()
            if let kind = name.endOfToken, let old = snapshot.token {
                let known = state.gateway.state(ofToken: old)
                change.old = (old, known)
                if known?.kind != .unregistered {
                    let ended = DeviceTokenState(
                        kind,
                        since: kind == .expired ? now : state.endOfOldToken(now: now),
                        topic: known?.topic ?? snapshot.configuration.topic,
                        environment: known?.environment
                    )
                    state.setToken(ended, old)
                }
            }
            if name.issuesToken {
                change.new = issueToken(to: device.id, of: snapshot.configuration, in: &state, now: now)
            }
            return change
        }
    }

    private func undo(_ change: TokenChange, of device: Parties.Device) {
        _ = ifCurrent(device.generation) { state, _ in
            if let old = change.old { state.setToken(old.state, old.token) }
            if let new = change.new { state.setToken(nil, new) }
        }
        noteReach(of: device)
    }

    /// What waits for a token that has ended reaches nobody, nor what a device held back for an app that ended.
    private func loseWaiting(of device: Parties.Device, by name: DeviceActionName, endedToken: String?) {
        let lost = ifCurrent(device.generation) { state, now -> [LostPush] in
            var pushes: [Int] = []
            var why = "the app was ended while its device held the push back"
            if let endedToken {
                pushes = state.devices.takeAll(of: device.id)
                why = "its token \(endedToken.prefix(8))… has ended"
            } else if name.endsApp {
                pushes = state.devices.takeHeld(of: device.id).map { [$0] } ?? []
            }
            return pushes.compactMap { state.lose($0, .discarded, why: why, now: now) }
        }
        noteLost(lost ?? [])
    }
}

extension WorldState {
    /// Up to when the token that a device gives up now is answered 200.
    fileprivate mutating func endOfOldToken(now: Timestamp) -> Timestamp {
        let settings = gateway.settings.delivery
        var seconds = settings.oldTokenSeconds
        if settings.oldTokenJitterSeconds > 0 {
            seconds += Int64.random(in: 0...settings.oldTokenJitterSeconds, using: &generator)
        }
        return now.adding(milliseconds: seconds.multipliedClamped(by: 1000))
    }
}
