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
            ControlRoute("GET", "/v1/devices", parameters: ListQuery.pageParameters + ["shown"]) {
                [self] request throws(ControlError) in
                let page = try page(request.query, limit: .max)
                let shown = try request.query.integer("shown", in: 0...Int.max, default: .max)
                let devices = parties.devices
                var document = Self.document("devices", page, of: devices) {
                    $0.driver.snapshot.json(shown: shown)
                }
                document.append("count", .int(devices.count))
                return .json(.object(document))
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
            ControlRoute(
                "POST",
                "/v1/devices/{id}/{action}",
                members: DeviceOrder.members,
                membersOf: { parameters in DeviceOrder.members(of: parameters["action"] ?? "") }
            ) { [self] request throws(ControlError) in
                let device = try device(request.parameter("id"))
                let order = try DeviceOrder(request.parameter("action"), request.body, world: self)
                return .background { [self] () throws(ControlError) in
                    try perform(order, on: device)
                    return .json(device.driver.snapshot.json)
                }
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
