import AdamantModel
import ControlServer
import JSONValue

extension World {
    var eventRoutes: [ControlRoute] {
        [
            ControlRoute("GET", "/v1/events", parameters: ListQuery.searchParameters + Self.eventFilters) {
                [self] request throws(ControlError) in
                let page = try page(request.query)
                let filter = try Self.eventFilter(request.query)
                if page.before != nil { return .json(newestEvents(page, filter)) }
                return try ListQuery.reply(request.query, page) { [self] page in
                    let (events, oldest, last) = events(page, filter)
                    let document: JSONValue = [
                        "events": .array(events.map(\.json)), "next": .int(events.last?.seq ?? page.after),
                        "oldest": .int(oldest), "last": .int(last),
                    ]
                    return (document, events.count)
                }
            },
            ControlRoute("GET", "/v1/events/stream", parameters: ["after"] + Self.eventFilters) {
                [self] request throws(ControlError) in
                var after = try request.query.integer("after", in: 0...Int.max, default: -1)
                if let resumed = request.lastEventID.flatMap({ Int($0) }), resumed >= 0 { after = resumed }
                if after < 0 { after = withState { state, _ in state.journal.last } }
                let filter = try Self.eventFilter(request.query)
                return .events(after: after) { [self] position in
                    let (events, last) = withState { state, _ in
                        (
                            state.journal.events(after: position, limit: Self.streamPage, where: filter),
                            state.journal.last
                        )
                    }
                    let hasMore = events.count == Self.streamPage
                    return ControlStreamPage(
                        events: events.map { ControlStreamEvent(id: $0.seq, data: $0.json) },
                        position: hasMore ? events.last?.seq ?? last : max(position, last),
                        hasMore: hasMore
                    )
                }
            },
        ]
    }

    /// The events of a page in their order, with the oldest and newest numbers there are.
    private func events(_ page: ListQuery.Page, _ filter: @Sendable (JournalEvent) -> Bool)
        -> (events: [JournalEvent], oldest: Int, last: Int)
    {
        guard !page.search.isEmpty else {
            return withState { state, _ in
                let events = state.journal.events(after: page.after, limit: page.limit, where: filter)
                return (events, state.journal.oldest, state.journal.last)
            }
        }
        var found: [JournalEvent] = []
        var place = page.after
        while true {
            let (slice, oldest, last) = withState { state, _ in
                let slice = state.journal.events(after: place, looking: Self.streamPage, where: filter)
                return (slice, state.journal.oldest, state.journal.last)
            }
            found += slice.events.filter { page.search.matches($0.json) }
            place = slice.last
            guard found.count < page.limit, place < last else {
                return (Array(found.prefix(page.limit)), oldest, last)
            }
        }
    }

    private func newestEvents(
        _ page: ListQuery.Page,
        _ filter: @Sendable (JournalEvent) -> Bool
    ) -> JSONValue {
        let (oldest, last) = withState { state, _ in (state.journal.oldest, state.journal.last) }
        let found = NewestFirst(page, newest: last, oldest: max(oldest, 1)) { after, before in
            let events = withState { state, _ in
                state.journal.events(after: after, limit: before - after - 1)
            }
            return events.compactMap { event in
                guard event.seq < before, filter(event) else { return nil }
                let json = event.json
                return page.search.matches(json) ? (event.seq, json) : nil
            }
        }
        return found.document("events", [("oldest", .int(oldest)), ("last", .int(last))])
    }

    /// Most events sent in one piece.
    private static let streamPage = 500
    private static let eventFilters = ["kind", "node", "transactionId"]

    private static func eventFilter(
        _ query: ControlQuery
    ) throws(ControlError) -> @Sendable (JournalEvent) -> Bool {
        let kind = query["kind"]
        let node = query["node"]
        let transaction = try query["transactionId"].map { text throws(ControlError) in
            guard let identifier = Identifier(text) else {
                throw .badRequest("transactionId must be digits, not '\(text)'", field: "transactionId")
            }
            return identifier
        }
        return { event in
            (kind == nil || event.kind.rawValue == kind) && (node == nil || event.node == node)
                && (transaction == nil || event.transaction == transaction)
        }
    }
}
