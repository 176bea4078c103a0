import AdamantLedger
import AdamantModel
import ControlServer
import JSONValue

extension World {
    var chainRoutes: [ControlRoute] {
        [
            ControlRoute("GET", "/v1/chain") { [self] _ throws(ControlError) in .json(chainJSON) },
            ControlRoute("PATCH", "/v1/chain", members: ["forging", "intervalMilliseconds"]) {
                [self] request throws(ControlError) in
                let mode = try request.body.word("forging", as: WorldConfiguration.Forging.self)
                let shortest = Int64(WorldConfiguration.minimumBlockIntervalMilliseconds)
                let interval = try request.body.integer("intervalMilliseconds", in: shortest...86_400_000)
                changeForging { settings in
                    if let mode { settings.mode = mode }
                    if let interval { settings.intervalMilliseconds = Int(interval) }
                }
                return .json(chainJSON)
            },
            ControlRoute("POST", "/v1/chain/reorg", members: ReorganizationForm.members) {
                [self] request throws(ControlError) in
                let form = try ReorganizationForm(request.body)
                return .background { [self] () throws(ControlError) in .json(try reorganize(form)) }
            },
            ControlRoute("POST", "/v1/chain/forge", members: ["blocks"]) {
                [self] request throws(ControlError) in
                let blocks = Int(try request.body.integer("blocks", in: 1...100_000) ?? 1)
                return .background { [self] () throws(ControlError) in
                    forge(blocks: blocks)
                    return .json(chainJSON)
                }
            },
        ]
    }

    var chainJSON: JSONValue {
        withState { state, _ in
            let tip = state.ledger.lastBlock
            return [
                "height": .int(state.ledger.height), "forging": .string(state.forging.mode.rawValue),
                "intervalMilliseconds": .int(state.forging.intervalMilliseconds),
                "lastBlock": ["id": .string(tip.id.description), "timestamp": .int(tip.timestamp)],
            ]
        }
    }
}
