public import HTTPDaemon
import AdamantLedger
import Determinism
import FaultRules
import JSONValue
import Synchronization

/// The HTTP API of one node.
///
/// - Source: adamant:app.js, helpers/httpApi.js, helpers/router.js
public final class NodeServer: Sendable {
    let backend: any NodeBackend
    let node: Int
    let cache = AnswerCache()
    let chainCache = Mutex<ChainState?>(nil)
    private let table = RouteTable.node

    /// The API of a node of a world, by its index.
    public init(backend: any NodeBackend, node: Int) {
        self.backend = backend
        self.node = node
    }

    /// Answers a request; never blocks.
    public func handle(_ request: HTTPRequest) -> HTTPAction {
        let status = backend.status(node: node)
        guard status.isOnline else { return .reset }
        let match = table.match(method: request.method, path: request.rawPath, base: status.profile.base)
        let exchange = NodeExchange(server: self, request: request, status: status, match: match)
        return exchange.run()
    }

    /// Refuses parameters that a schema refuses.
    func check(_ call: Call, by schema: ObjectSchema) throws(NodeRefusal) {
        if let error = schema.errors(call.parameters).first { throw NodeRefusal(error) }
    }

    /// Epoch seconds by the world's clock.
    var second: Int64 {
        backend.withLedger { $1.epochSeconds }
    }
}
