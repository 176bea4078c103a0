import ControlServer
import JSONValue
import NodeServer
import Synchronization

extension World {
    var requestRoutes: [ControlRoute] {
        [
            ControlRoute(
                "GET",
                "/v1/requests",
                parameters: ["after", "limit", "node", "method", "path", "status", "transactionId"]
            ) { [self] request throws(ControlError) in
                let page = try ListQuery.page(request.query)
                let node = try request.query["node"].map { name throws(ControlError) in try nodeIndex(name) }
                let status = try request.query.integer("status", in: 0...999, default: 0)
                let query = request.query
                let calls = requests.withLock { archive in
                    archive.page(after: page.after, limit: page.limit, nodes: nodeNames) { call in
                        (node == nil || call.node == node) && (status == 0 || call.status == status)
                            && query["method"].map { $0 == call.method } ?? true
                            && query["path"].map { $0 == call.path } ?? true
                            && query["transactionId"].map { $0 == call.transactionId } ?? true
                    }
                }
                return .json([
                    "requests": .array(calls.map(\.json)), "next": .int(calls.last?.number ?? page.after),
                ])
            }
        ]
    }
}
