import ControlServer
import Determinism
import JSONValue
import Synchronization

extension World {
    var clockRoutes: [ControlRoute] {
        [
            ControlRoute("GET", "/v1/clock") { [self] _ throws(ControlError) in .json(clockJSON) },
            ControlRoute("PATCH", "/v1/clock", members: ["frozen", "now"]) {
                [self] request throws(ControlError) in
                let frozen = try request.body.bool("frozen")
                let moment = try request.body.string("now").map { text throws(ControlError) in
                    guard let moment = Timestamp(rfc3339: text) else {
                        throw .invalid("now", "now must be RFC 3339 text such as 2026-01-01T00:00:00.000Z")
                    }
                    return moment
                }
                changeClock { clock, machine in
                    if let moment { clock.set(moment, machine: machine) }
                    if let frozen { clock.setFrozen(frozen, machine: machine) }
                    if let moment, frozen == true { clock.set(moment, machine: machine) }
                }
                return .json(clockJSON)
            },
            ControlRoute("POST", "/v1/clock/advance", members: ["seconds"]) {
                [self] request throws(ControlError) in
                let bound = 1_000_000_000.0
                guard let seconds = try request.body.double("seconds", in: -bound...bound) else {
                    throw .invalid("seconds", "seconds is required: a number, negative to go back")
                }
                changeClock { clock, _ in clock.advance(milliseconds: Int64(seconds * 1000)) }
                return .json(clockJSON)
            },
        ]
    }

    private var clockJSON: JSONValue {
        let machine = machineNow
        return withState { state, now in
            let offset = now.milliseconds.subtractingClamped(machine.milliseconds)
            let clock = state.clock
            return [
                "now": .string(now.rfc3339), "epochSeconds": .int(now.epochSeconds),
                "offsetSeconds": .number(
                    JSONNumber(Double(clock.frozenAt == nil ? clock.offsetMilliseconds : offset) / 1000)
                        ?? JSONNumber(0)
                ),
                "frozen": .bool(clock.frozenAt != nil),
            ]
        }
    }

    private func changeClock(_ change: (inout WorldClock, Timestamp) -> Void) {
        let machine = machineNow
        withState { state, _ in
            change(&state.clock, machine)
            let now = state.clock.now(machine: machine)
            state.journal.append(
                .clockChanged,
                at: now,
                data: ["text": .string("the clock says \(now.rfc3339)")]
            )
            let clock = state.clock
            state.keep(.clock, clock.kept)
            requests.withLock { $0.clock = clock }
        }
        deliverWaiting()
    }
}
