import AdamantModel
import ControlServer
import JSONValue
import SimulatorDrivers
import Simulators

extension World {
    var ansRoutes: [ControlRoute] {
        [
            ControlRoute("GET", "/v1/ans", parameters: ["rows"]) { [self] request throws(ControlError) in
                .json(ansJSON(rows: try request.query.integer("rows", in: 0...Int.max, default: .max)))
            },
            ControlRoute("PATCH", "/v1/ans", members: ["behaviour", "pollSeconds"]) {
                [self] request throws(ControlError) in
                let behaviour = try request.body.word(
                    "behaviour",
                    as: NotificationServiceConfiguration.Behaviour.self
                )
                let seconds = try request.body.double("pollSeconds", in: 0.01...86_400)
                return .background { [self] () throws(ControlError) in
                    try currentANS().reconfigure(
                        behaviour: behaviour,
                        pollMilliseconds: seconds.map { Int($0 * 1000) }
                    )
                    keepANS()
                    return .json(ansJSON())
                }
            },
            ControlRoute("POST", "/v1/ans/start") { [self] _ throws(ControlError) in
                .background { [self] () throws(ControlError) in
                    let driver = try currentANS()
                    driver.start()
                    driver.awaitBegin()
                    keepANS()
                    return .json(ansJSON())
                }
            },
            ControlRoute("POST", "/v1/ans/stop") { [self] _ throws(ControlError) in
                .background { [self] () throws(ControlError) in
                    try requireANS().stop()
                    keepANS()
                    return .json(ansJSON())
                }
            },
            ControlRoute("POST", "/v1/ans/poll") { [self] _ throws(ControlError) in
                .background { [self] () throws(ControlError) in
                    let driver = try requireANS()
                    guard driver.snapshot.isRunning else { throw .conflict("the reference ANS does not run") }
                    driver.pollNow()
                    return .json(ansJSON())
                }
            },
        ]
    }

    private func requireANS() throws(ControlError) -> NotificationServiceDriver {
        guard let driver = parties.ans else {
            throw .conflict("there is no reference ANS; POST /v1/ans/start makes one")
        }
        return driver
    }

    /// The service with so many of its newest rows.
    private func ansJSON(rows: Int = .max) -> JSONValue {
        parties.ans?.snapshot.json(rows: rows)
            ?? [
                "behaviour": nil, "running": false, "address": .string(settings.ansAddress.text),
                "pollSeconds": nil, "pollers": [], "rows": [], "rowCount": 0, "accepted": 0, "failed": 0,
                "pending": 0,
            ]
    }
}
