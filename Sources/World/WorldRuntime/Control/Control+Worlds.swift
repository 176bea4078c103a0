import ControlServer
import JSONValue

extension World {
    var furtherWorldRoutes: [ControlRoute] {
        [
            ControlRoute("GET", "/v1/worlds") { [worlds] _ throws(ControlError) in
                .json(["worlds": .array(worlds.worlds.map(\.worldJSON))])
            },
            ControlRoute("POST", "/v1/worlds", members: nil) { [worlds] request throws(ControlError) in
                let members = request.body.object
                return .background { () throws(ControlError) in
                    .json(try Self.make(members, in: worlds).worldJSON, status: 201)
                }
            },
            ControlRoute("DELETE", "/v1/worlds/{id}") { [worlds] request throws(ControlError) in
                let id = request.parameter("id")
                guard id != Self.firstId else {
                    throw .conflict("the world '\(id)' ends with its process")
                }
                return .background { () throws(ControlError) in
                    guard let world = worlds.remove(id) else {
                        throw .notFound("there is no further world '\(id)'")
                    }
                    world.stop()
                    return .empty
                }
            },
        ]
    }

    /// Makes and starts a further world.
    private static func make(_ members: JSONObject, in worlds: FurtherWorlds) throws(ControlError) -> World {
        let (id, common) = try worlds.begin()
        var isMade = false
        defer { if !isMade { worlds.abandon() } }
        let configuration: WorldConfiguration
        do throws(WorldForm.Refusal) {
            configuration = try worlds.form.read(members, common.base)
        } catch {
            throw ControlError(status: 422, code: "invalid", message: error.message, field: error.field)
        }
        do throws(WorldError) {
            let world = try World(configuration, id: id, in: worlds)
            try world.start()
            guard worlds.add(FurtherWorlds.Entry(world: world, server: world.controlServer)) else {
                world.stop()
                throw WorldError("the process ends")
            }
            isMade = true
            return world
        } catch {
            throw ControlError(of: error)
        }
    }
}

extension ControlError {
    /// Why a further world could not be made.
    fileprivate init(of error: WorldError) {
        guard error.exitCode == 64 else {
            let remedy = "; end one, or let the process have more descriptors and threads (ulimit)"
            self.init(status: 503, code: "failed", message: "no further world: \(error.message)\(remedy)")
            return
        }
        self.init(status: 422, code: "invalid", message: error.message, field: Self.member(of: error.message))
    }

    /// The member that stands for the option at the beginning of a message.
    private static func member(of message: String) -> String? {
        if message.hasPrefix("device ") { return "devices" }
        if message.hasPrefix("fault rule ") { return "faults" }
        guard message.hasPrefix("--") else { return nil }
        let option = message.dropFirst(2).prefix { $0.isLetter || $0 == "-" }
        guard option != "account" else { return "accounts" }
        let words = option.split(separator: "-")
        return words.dropFirst().reduce(String(words.first ?? "")) {
            $0 + $1.prefix(1).uppercased() + $1.dropFirst()
        }
    }
}
