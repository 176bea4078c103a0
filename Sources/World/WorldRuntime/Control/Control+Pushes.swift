import APNsRules
import ControlServer
import JSONValue

extension World {
    var pushRoutes: [ControlRoute] {
        [
            ControlRoute("GET", "/v1/pushes", parameters: ListQuery.parameters + Self.pushFilters) {
                [self] request throws(ControlError) in
                let page = try ListQuery.page(request.query)
                let filter = try Self.pushFilter(request.query)
                return try ListQuery.reply(request.query) { [self] in
                    expireStoredPushes()
                    let (records, evicted) = withState { state, _ in
                        (
                            state.pushes.page(after: page.after, limit: page.limit) { filter.matches($0) },
                            state.pushes.evicted
                        )
                    }
                    let document: JSONValue = [
                        "pushes": .array(records.map(\.json)),
                        "next": .int(records.last?.sequence ?? Int64(page.after)), "evicted": .int(evicted),
                    ]
                    return (document, records.count)
                }
            },
            ControlRoute("DELETE", "/v1/pushes") { [self] _ throws(ControlError) in
                withState { state, _ in
                    state.pushes.removeAll()
                    state.keep(.pushesRemoved, [])
                }
                return .empty
            },
            ControlRoute("GET", "/v1/pushes/{id}") { [self] request throws(ControlError) in
                let id = request.parameter("id")
                guard let record = withState({ state, _ in state.pushes.find(id: id) }) else {
                    throw .notFound("there is no push '\(id)'")
                }
                return .json(record.detailedJSON)
            },
            ControlRoute("GET", "/v1/pushes/{id}/apns") { [self] request throws(ControlError) in
                let id = request.parameter("id")
                guard let record = withState({ state, _ in state.pushes.find(id: id) }) else {
                    throw .notFound("there is no push '\(id)'")
                }
                guard let file = record.simulatorFile else {
                    throw .conflict("the push's payload is no JSON object, which the Simulator needs")
                }
                return .download(fileName: "push-\(record.sequence).apns") { send in _ = send(file.bytes) }
            },
        ]
    }

    private static let pushFilters = [
        "token", "recipient", "transactionId", "topic", "status", "reason", "delivery",
    ]

    private static func pushFilter(_ query: ControlQuery) throws(ControlError) -> PushFilter {
        var filter = PushFilter()
        filter.token = query["token"]
        filter.recipient = query["recipient"]
        filter.transactionId = query["transactionId"]
        filter.topic = query["topic"]
        filter.reason = query["reason"]
        if query["status"] != nil { filter.status = try query.integer("status", in: 0...999, default: 0) }
        if let text = query["delivery"] {
            guard let state = PushDelivery.State(rawValue: text) else {
                let known = PushDelivery.State.allCases.map(\.rawValue).joined(separator: ", ")
                throw .badRequest("delivery must be one of \(known), not '\(text)'", field: "delivery")
            }
            filter.delivery = state
        }
        return filter
    }
}
