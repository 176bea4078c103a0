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
                    .json(try makeDevice(form).driver.snapshot.json, status: 201)
                }
            },
            ControlRoute("GET", "/v1/devices/{id}") { [self] request throws(ControlError) in
                .json(try device(request.parameter("id")).driver.snapshot.json)
            },
            ControlRoute("POST", "/v1/devices/{id}/{action}", members: ["account"]) {
                [self] request throws(ControlError) in
                let device = try device(request.parameter("id"))
                let name = request.parameter("action")
                guard let action = DeviceActionName(rawValue: name) else {
                    let names = DeviceActionName.allCases.map(\.rawValue).joined(separator: ", ")
                    throw .notFound("there is no action '\(name)'; a device can \(names)")
                }
                if action != .signIn { try request.body.allow(only: []) }
                let account =
                    action == .signIn
                    ? try signer(try request.body.requiredString("account"), field: "account") : nil
                return .background { [self] () throws(ControlError) in
                    try perform(action, account: account, on: device)
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
