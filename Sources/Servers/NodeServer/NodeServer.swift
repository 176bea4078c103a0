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
    /// What the backend is made of.
    private let world: any NodeBackend
    let cache = AnswerCache()
    let chainCache = Mutex<ChainState?>(nil)
    private let table = RouteTable.node
    private let shift: NodeShift
    private let shifted = Mutex<[(shift: NodeShift, server: NodeServer)]>([])
    private static let maximumShifted = 4

    /// The API of a node of a world, by its index.
    public convenience init(backend: any NodeBackend, node: Int) {
        self.init(backend: backend, node: node, shift: .none)
    }

    private init(backend: any NodeBackend, node: Int, shift: NodeShift) {
        world = backend
        self.backend = shift == .none ? backend : ShiftedBackend(backend, shift)
        self.node = node
        self.shift = shift
    }

    /// The same node as it was so many blocks ago.
    func past(blocksAgo: Int) -> NodeServer {
        var shift = shift
        shift.blocks += blocksAgo
        return shifted(by: shift)
    }

    /// The same node with another shift; those asked for lately are kept, with what they have cached.
    private func shifted(by shift: NodeShift) -> NodeServer {
        guard shift != self.shift else { return self }
        return shifted.withLock { shifted in
            if let known = shifted.first(where: { $0.shift == shift }) { return known.server }
            let made = NodeServer(backend: world, node: node, shift: shift)
            if shifted.count >= Self.maximumShifted { shifted.removeFirst() }
            shifted.append((shift, made))
            return made
        }
    }

    /// Answers a request; never blocks.
    public func handle(_ request: HTTPRequest) -> HTTPAction {
        let status = backend.status(node: node)
        guard status.isOnline else { return .reset }
        let match = table.match(
            method: request.routedMethod,
            path: request.rawPath,
            base: status.profile.base
        )
        let exchange = NodeExchange(
            server: shifted(by: NodeShift(status.profile.situation)),
            request: request,
            status: status,
            match: match
        )
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
