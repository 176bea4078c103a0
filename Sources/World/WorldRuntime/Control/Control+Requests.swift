import ControlServer
import JSONValue
import NodeServer
import Synchronization

extension World {
    var requestRoutes: [ControlRoute] {
        [
            ControlRoute("GET", "/v1/requests", parameters: ListQuery.searchParameters + Self.requestFilters)
            {
                [self] request throws(ControlError) in
                let page = try page(request.query)
                let filter = try requestFilter(request.query)
                if page.before != nil { return .json(newestRequests(page, filter)) }
                return try ListQuery.reply(request.query, page) { [self] page in
                    let nodes = nodeNames
                    let calls = requests.withLock {
                        $0.page(
                            after: page.after,
                            limit: page.limit,
                            nodes: nodes,
                            where: filter,
                            matching: page.search
                        )
                    }
                    let document: JSONValue = [
                        "requests": .array(calls.map(\.json)), "next": .int(calls.last?.number ?? page.after),
                    ]
                    return (document, calls.count)
                }
            }
        ]
    }

    private func newestRequests(_ page: ListQuery.Page, _ filter: @Sendable (NodeCall) -> Bool) -> JSONValue {
        let nodes = nodeNames
        let last = requests.withLock { $0.last }
        // Those who serve nodes wait for what is looked at together.
        return NewestFirst(page, newest: last, largestWindow: 500) { after, before in
            let calls = requests.withLock {
                $0.page(after: after, limit: before - after - 1, nodes: nodes, where: filter)
            }
            return calls.filter { $0.number < before && page.search.matches($0.json) }
        }.document("requests")
    }

    private static let requestFilters = [
        "node", "client", "agent", "method", "path", "query", "status", "faultId", "transactionId",
    ]

    private func requestFilter(_ query: ControlQuery) throws(ControlError) -> @Sendable (NodeCall) -> Bool {
        let node = query["node"].map { name in nodeNames.firstIndex(of: name) ?? -1 }
        let status = query["status"] == nil ? nil : try query.integer("status", in: 0...999, default: 0)
        let texts: [(String, @Sendable (NodeCall) -> String?)] = [
            ("client", { $0.client }), ("agent", { $0.agent }), ("method", { $0.method }),
            ("path", { $0.path }),
            ("query", { $0.query }), ("faultId", { $0.faultId }), ("transactionId", { $0.transactionId }),
        ]
        let wanted = texts.compactMap { name, member in query[name].map { (member, $0) } }
        return { call in
            (node == nil || call.node == node) && (status == nil || call.status == status)
                && wanted.allSatisfy { member, text in member(call) == text }
        }
    }
}
