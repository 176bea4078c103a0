import ControlServer
public import JSONValue

/// Plays a scenario that came in a call.
public typealias ScenarioService = @Sendable (ScenarioOrder) throws(ScenarioOrderError) -> JSONValue

/// A scenario that came in a call, and where it is to be played.
public struct ScenarioOrder: Sendable {
    /// Its text, YAML or JSON.
    public let text: [UInt8]
    /// Its seed; nil for its own.
    public let seed: UInt64?
    /// The control API and the token of the world that was called, when it is to be played there and not in a fresh one.
    public let running: (base: String, token: String?)?
}

/// Why a scenario of a call cannot be played.
public struct ScenarioOrderError: Error, Sendable {
    /// The mistake in it, with its line and column.
    public let message: String

    /// A mistake.
    public init(_ message: String) {
        self.message = message
    }
}

extension World {
    var scenarioRoutes: [ControlRoute] {
        [
            ControlRoute(
                "POST",
                "/v1/scenarios/run",
                members: nil,
                parameters: ["seed", "world"],
                takesText: true
            ) {
                [self] request throws(ControlError) in
                guard let scenarioService = worlds.scenarioService else {
                    throw ControlError(status: 503, code: "failed", message: "nobody plays scenarios here")
                }
                guard !request.text.isEmpty else {
                    throw .badRequest("the body is a scenario in YAML or JSON")
                }
                let place = request.query["world"] ?? "fresh"
                guard ["fresh", "this"].contains(place) else {
                    throw .badRequest("world must be fresh or this, not '\(place)'", field: "world")
                }
                let seed = try request.query["seed"].map { text throws(ControlError) in
                    guard let seed = UInt64(text) else {
                        throw .badRequest("seed must be a whole number from 0, not '\(text)'", field: "seed")
                    }
                    return seed
                }
                let here = (base: description["control"]?.stringValue ?? "", token: controlToken)
                let order = ScenarioOrder(
                    text: request.text,
                    seed: seed,
                    running: place == "this" ? here : nil
                )
                return .background { () throws(ControlError) in
                    do throws(ScenarioOrderError) {
                        return .json(try scenarioService(order))
                    } catch {
                        throw ControlError(status: 422, code: "invalid", message: error.message)
                    }
                }
            }
        ]
    }
}
