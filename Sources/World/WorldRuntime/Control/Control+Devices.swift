import AdamantModel
import APNsRules
import ControlServer
import Determinism
import JSONValue
import SimulatorDrivers
import Simulators

extension World {
    var deviceRoutes: [ControlRoute] {
        [
            ControlRoute("GET", "/v1/devices") { [self] _ throws(ControlError) in
                .json(["devices": .array(parties.devices.map(\.driver.snapshot.json))])
            },
            ControlRoute("POST", "/v1/devices", members: DeviceForm.members) {
                [self] request throws(ControlError) in
                let form = try DeviceForm(request.body, world: self)
                return .background { [self] () throws(ControlError) in
                    let device = try makeDevice(form)
                    if let owner = form.owner { try perform(.signIn(owner.keys), on: device) }
                    return .json(device.driver.snapshot.json, status: 201)
                }
            },
            ControlRoute("GET", "/v1/devices/{id}") { [self] request throws(ControlError) in
                .json(try device(request.parameter("id")).driver.snapshot.json)
            },
            ControlRoute("POST", "/v1/devices/{id}/{action}", members: ["account"]) {
                [self] request throws(ControlError) in
                let device = try device(request.parameter("id"))
                let action = try action(request.parameter("action"), of: device, request.body)
                return .background { [self] () throws(ControlError) in
                    try perform(action, on: device)
                    return .json(device.driver.snapshot.json)
                }
            },
            ControlRoute("GET", "/v1/registry") { [self] _ throws(ControlError) in
                guard let registry = withState({ state, _ in state.registry }) else {
                    throw .conflict("the ANS is a foreign one: nobody here can read its signals")
                }
                let addresses = Set(registry.rows.map(\.address)).count
                return .json(["rows": .array(registry.rows.map(\.json)), "addresses": .int(addresses)])
            },
        ]
    }

    private func device(_ idOrName: String) throws(ControlError) -> Parties.Device {
        guard let device = parties.device(idOrName) else {
            throw .notFound("there is no device '\(idOrName)'")
        }
        return device
    }

    private func action(
        _ name: String,
        of device: Parties.Device,
        _ body: ControlBody
    ) throws(ControlError) -> DeviceAction {
        guard let known = DeviceActionName(rawValue: name) else {
            let names = DeviceActionName.allCases.map(\.rawValue).joined(separator: ", ")
            throw .notFound("there is no action '\(name)'; a device can \(names)")
        }
        if known != .signIn { try body.allow(only: []) }
        switch known {
        case .signIn: return .signIn(try signer(try body.requiredString("account"), field: "account").keys)
        case .signOut: return .signOut
        case .reinstall: return .reinstall(token: newToken(for: device))
        case .restore: return .restore(token: newToken(for: device))
        case .rotateToken: return .rotateToken(newToken(for: device))
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

    private func newToken(for device: Parties.Device) -> String {
        let configuration = device.driver.snapshot.configuration
        return issueToken(
            device: device.id,
            topic: configuration.topic,
            environment: APNsEnvironment(rawValue: configuration.environment) ?? .production
        )
    }
}

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
}

extension SignalRegistry.Row {
    /// The row as the control API shows it.
    var json: JSONValue {
        [
            "address": .string(address.text), "token": .string(token), "provider": .string(provider),
            "since": .string(since.rfc3339), "transactionId": .string(transaction.description),
        ]
    }
}
