import ControlServer
import FaultRules
import JSONValue

extension World {
    var faultRoutes: [ControlRoute] {
        [
            ControlRoute("GET", "/v1/faults") { [self] _ throws(ControlError) in
                .json(["faults": .array(withState { state, _ in state.faults.allJSON })])
            },
            ControlRoute("POST", "/v1/faults", members: nil) { [self] request throws(ControlError) in
                try postFault(request.body.object)
            },
            ControlRoute("DELETE", "/v1/faults") { [self] _ throws(ControlError) in
                withState { state, _ in state.faults.removeAll() }
                refreshServerView()
                return .empty
            },
            ControlRoute("GET", "/v1/faults/presets") { _ throws(ControlError) in
                .json(["presets": .array(FaultPreset.all.map(\.json))])
            },
            ControlRoute("GET", "/v1/faults/decisions", parameters: ListQuery.parameters) {
                [self] request throws(ControlError) in
                let page = try ListQuery.page(request.query)
                return try ListQuery.reply(request.query, page) { [self] page in decisions(page) }
            },
            ControlRoute("GET", "/v1/faults/{id}") { [self] request throws(ControlError) in
                .json(try faultJSON(request.parameter("id")))
            },
            ControlRoute("PATCH", "/v1/faults/{id}", members: nil) { [self] request throws(ControlError) in
                let id = request.parameter("id")
                _ = try faultJSON(id)
                let members = JSONValue.object(request.body.object)
                let canRead = canReadSignals
                try fault { () throws(FaultRuleError) in
                    try withState { state, _ throws(FaultRuleError) in
                        try state.faults.patch(id, members, canReadSignals: canRead)
                    }
                }
                refreshServerView()
                return .json(try faultJSON(id))
            },
            ControlRoute("DELETE", "/v1/faults/{id}") { [self] request throws(ControlError) in
                let id = request.parameter("id")
                guard withState({ state, _ in state.faults.remove(id) }) else {
                    throw .notFound("there is no fault rule '\(id)'")
                }
                refreshServerView()
                return .empty
            },
        ]
    }

    /// The faults that struck, with what `--replay` needs beside them.
    private func decisions(_ page: ListQuery.Page) -> (document: JSONValue, count: Int) {
        let (entries, evicted, matches, seed) = withState { state, _ in
            (
                state.decisions.page(after: page.after, limit: page.limit), state.decisions.evicted,
                state.faults.matchesJSON, state.faults.decidingSeed
            )
        }
        let document: JSONValue = [
            "seed": .int(seed), "decisions": .array(entries.map(\.json)),
            "next": .int(entries.last?.seq ?? page.after), "evicted": .int(evicted), "matches": matches,
        ]
        return (document, entries.count)
    }

    /// Adds a rule, or the rules of a preset.
    private func postFault(_ posted: JSONObject) throws(ControlError) -> ControlReply {
        let canRead = canReadSignals
        let ids = try fault { () throws(FaultRuleError) in
            try withState { state, now throws(FaultRuleError) in
                try state.faults.post(.object(posted), canReadSignals: canRead, now: now)
            }
        }
        refreshServerView()
        guard posted["preset"] != nil else { return .json(try faultJSON(ids.first ?? ""), status: 201) }
        let rules = withState { state, _ in ids.compactMap { state.faults.json($0) } }
        return .json(["faults": .array(rules)], status: 201)
    }

    private func faultJSON(_ id: String) throws(ControlError) -> JSONValue {
        guard let json = withState({ state, _ in state.faults.json(id) }) else {
            throw .notFound("there is no fault rule '\(id)'")
        }
        return json
    }

    @discardableResult
    private func fault<Result>(_ change: () throws(FaultRuleError) -> Result) throws(ControlError) -> Result {
        do {
            return try change()
        } catch {
            throw ControlError(error)
        }
    }
}

extension ControlError {
    /// The refusal of a fault rule.
    init(_ error: FaultRuleError) {
        self.init(status: 422, code: "invalid", message: error.message, field: error.field)
    }
}
