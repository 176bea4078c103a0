import AdamantModel
import APNsRules
import ControlServer
import Determinism
import JSONValue
import SimulatorDrivers
import Simulators
import TraceRules

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
            ControlRoute("POST", "/v1/devices/{id}/{action}", members: DeviceOrder.members) {
                [self] request throws(ControlError) in
                let device = try device(request.parameter("id"))
                let order = try DeviceOrder(request.parameter("action"), request.body, world: self)
                return .background { [self] () throws(ControlError) in
                    try perform(order, on: device)
                    return .json(device.driver.snapshot.json)
                }
            },
            ControlRoute("GET", "/v1/registry") { [self] _ throws(ControlError) in
                let registry = withState { state, _ in state.registry }
                guard registry.isReadable else {
                    throw .conflict("the ANS is a foreign one: nobody here can read its signals")
                }
                let addresses = Set(registry.rows.map(\.address)).count
                return .json(["rows": .array(registry.rows.map(\.json)), "addresses": .int(addresses)])
            },
        ]
    }

    /// The device of an id or a name.
    func device(_ idOrName: String) throws(ControlError) -> Parties.Device {
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
