import APNsRules
import ControlServer
import Determinism
import SimulatorDrivers
import Simulators

/// The actions of a device by their names in the control API.
enum DeviceActionName: String, CaseIterable {
    case signIn = "sign-in"
    case signOut = "sign-out"
    case reinstall
    case restore
    case rotateToken = "rotate-token"
    case uninstall
    case online
    case offline
    case launch
    case kill
    case allow
    case deny
    case notificationsOff = "notifications-off"
    case notificationsPush = "notifications-push"

    /// Whether the token of before is worth nothing from then on, and whether there is a new one.
    fileprivate var tokens: (endsOld: Bool, issuesNew: Bool) {
        switch self {
        case .reinstall, .restore, .rotateToken: (true, true)
        case .uninstall: (true, false)
        default: (false, false)
        }
    }

    /// Whether no push can reach the device from then on.
    fileprivate var cutsOff: Bool { self == .offline || self == .uninstall }

    fileprivate func action(account: KnownAccount?, token: String) throws(ControlError) -> DeviceAction {
        switch self {
        case .signIn:
            guard let account else { throw .invalid("account", "account is required: a string") }
            return .signIn(account.keys)
        case .signOut: return .signOut
        case .reinstall: return .reinstall(token: token)
        case .restore: return .restore(token: token)
        case .rotateToken: return .rotateToken(token)
        case .uninstall: return .uninstall
        case .online: return .online
        case .offline: return .offline
        case .launch: return .launch
        case .kill: return .kill
        case .allow: return .allow
        case .deny: return .deny
        case .notificationsOff: return .notificationsOff
        case .notificationsPush: return .notificationsPush
        }
    }
}

extension World {
    /// What an action does to a device's tokens at APNs, so that it can be undone when the device refuses it.
    private struct TokenChange {
        /// The token of before, and what was known of it.
        var old: (token: String, state: DeviceTokenState?)?
        var new: String?
    }

    /// Takes an action and waits until what it started has ended, well or not.
    func perform(
        _ name: DeviceActionName,
        account: KnownAccount?,
        on device: Parties.Device
    ) throws(ControlError) {
        guard let change = changeTokens(of: device, by: name) else { throw .isBeingReset }
        let action = try name.action(account: account, token: change.new ?? "")
        if name.cutsOff { noteReach(of: device, isCutOff: true) }
        do throws(DeviceRefusal) {
            try device.driver.perform(action)
        } catch {
            undo(change, of: device)
            throw .conflict(error.message)
        }
        guard parties.isCurrent(device.generation) else { throw .isBeingReset }
        if let old = change.old?.token { loseStored(of: device, token: old) }
        noteReach(of: device)
        keep(device)
        if device.driver.snapshot.isOnline { deliverStored(to: device.id) }
    }

    private func changeTokens(of device: Parties.Device, by name: DeviceActionName) -> TokenChange? {
        ifCurrent(device.generation) { state, now in
            let (endsOld, issuesNew) = name.tokens
            let snapshot = device.driver.snapshot
            var change = TokenChange()
            if endsOld, let old = snapshot.token {
                let known = state.gateway.state(ofToken: old)
                change.old = (old, known)
                if known?.kind != .unregistered {
                    let environment = known?.environment
                    let topic = known?.topic ?? snapshot.configuration.topic
                    state.setToken(
                        DeviceTokenState(.unregistered, since: now, topic: topic, environment: environment),
                        old
                    )
                }
            }
            if issuesNew {
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

    /// What waits at APNs for a token that has ended reaches nobody.
    private func loseStored(of device: Parties.Device, token: String) {
        let isLost = ifCurrent(device.generation) { state, now in
            state.discardStored(
                device.id,
                .discarded,
                why: "its token \(token.prefix(8))… has ended",
                now: now
            )
        }
        if isLost == true { noteLost([device.id]) }
    }
}
