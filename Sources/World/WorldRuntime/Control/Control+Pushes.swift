import APNsRules
import ControlServer
import JSONValue
import Recording
import Synchronization

extension World {
    var pushRoutes: [ControlRoute] {
        [
            ControlRoute("GET", "/v1/pushes", parameters: ListQuery.searchParameters + Self.pushFilters) {
                [self] request throws(ControlError) in
                let page = try page(request.query)
                let filter = try Self.pushFilter(request.query)
                let search = PushSearch(filter: filter, page: page)
                if page.before != nil {
                    expireStoredPushes()
                    return .json(search.newestFirst(in: withState { state, _ in state.pushes }))
                }
                return try ListQuery.reply(request.query, page) { [self] page in
                    expireStoredPushes()
                    return search.document(in: withState { state, _ in state.pushes }, limit: page.limit)
                }
            },
            ControlRoute("DELETE", "/v1/pushes") { [self] _ throws(ControlError) in
                let removed = withState { state, _ in
                    let removed = state.pushes
                    state.pushes = removed.emptied
                    state.keep(.pushesRemoved, [])
                    return removed
                }
                // A long record takes a while to be freed: without the lock.
                withExtendedLifetime(removed) {}
                return .empty
            },
            ControlRoute("GET", "/v1/pushes/{id}") { [self] request throws(ControlError) in
                .json(try push(request.parameter("id")).detailedJSON)
            },
            ControlRoute("GET", "/v1/pushes/{id}/apns") { [self] request throws(ControlError) in
                let record = try push(request.parameter("id"))
                guard let file = record.simulatorFile else {
                    throw .conflict("the push's payload is no JSON object, which the Simulator needs")
                }
                return .download(fileName: "push-\(record.sequence).apns") { send in _ = send(file.bytes) }
            },
        ]
    }

    private func push(_ id: String) throws(ControlError) -> PushRecord {
        let archive = withState { state, _ in state.pushes }
        do throws(WorldLogError) {
            if let record = try archive.find(id: id) { return record }
        } catch {
            throw ControlError(status: 503, code: "failed", message: "the record cannot be read: \(error)")
        }
        throw .notFound("there is no push '\(id)'")
    }

    private static let pushFilters = [
        "apnsId", "token", "recipient", "transactionId", "topic", "status", "reason", "delivery",
    ]

    private static func pushFilter(_ query: ControlQuery) throws(ControlError) -> PushFilter {
        var filter = PushFilter()
        filter.apnsId = query["apnsId"]
        filter.token = query["token"]
        filter.recipient = query["recipient"]
        filter.transactionId = query["transactionId"]
        filter.topic = query["topic"]
        filter.reason = query["reason"]
        if query["status"] != nil {
            let status = try query.integer("status", in: -999...999, default: 0)
            if status < 0 { filter.exceptStatus = -status } else { filter.status = status }
        }
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

/// Pushes that a call asks for, perhaps again and again while it waits for more of them.
private final class PushSearch: Sendable {
    private let filter: PushFilter
    private let page: ListQuery.Page
    /// Up to here nothing fits, and nothing will.
    private let empty: Mutex<Int>

    init(filter: PushFilter, page: ListQuery.Page) {
        self.filter = filter
        self.page = page
        empty = Mutex(page.after)
    }

    /// The answer's document of so many pushes at most as a record has it, and how many it holds.
    func document(in archive: PushArchive, limit: Int) -> (JSONValue, Int) {
        var records: [PushRecord] = []
        var unreadable: String?
        do throws(WorldLogError) {
            records = try archive.page(
                after: empty.withLock { $0 },
                limit: limit,
                where: filter,
                page.search
            )
            // What becomes of a push is all that can change on its record.
            if records.isEmpty, filter.delivery == nil, page.search.isEmpty {
                empty.withLock { $0 = max($0, archive.last) }
            }
        } catch {
            unreadable = "\(error)"
        }
        let document: JSONValue = [
            "pushes": .array(records.map(\.json)), "next": .int(records.last?.sequence ?? Int64(page.after)),
            "evicted": .int(archive.evicted), "evictedWhy": .optional(archive.evictedWhy),
            "unreadable": .optional(unreadable),
        ]
        return (document, records.count)
    }

    /// The same of the newest first.
    func newestFirst(in archive: PushArchive) -> JSONValue {
        var unreadable: String?
        let found = NewestFirst(page, newest: archive.last) { after, before in
            do throws(WorldLogError) {
                return try archive.page(
                    after: after,
                    before: before,
                    limit: before - after,
                    where: filter,
                    page.search
                ).map { (Int(clamping: $0.sequence), $0.json) }
            } catch {
                unreadable = "\(error)"
                return []
            }
        }
        return found.document(
            "pushes",
            [
                ("evicted", .int(archive.evicted)), ("evictedWhy", .optional(archive.evictedWhy)),
                ("unreadable", .optional(unreadable)),
            ]
        )
    }
}
