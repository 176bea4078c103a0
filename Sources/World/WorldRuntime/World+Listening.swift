import ControlServer
import HTTPDaemon
import JSONValue
import NodeSockets
import Synchronization

extension World {
    /// Lets clients reach a node and its sockets, or not: by a mode, or as its settings say.
    func applyListening(_ node: Int, _ given: HTTPListener.Mode? = nil) {
        let (settled, hasSocket) = withState { state, _ in
            (state.nodes[node].listening, state.nodes[node].hasSocket)
        }
        let mode = given ?? settled
        let (nodes, ports, sockets) = listeners.withLock { listeners in
            listeners.sockets.indices.contains(node)
                ? (listeners.nodes[node], listeners.nodeSockets[node], listeners.sockets[node])
                : ([], [], nil)
        }
        for listener in nodes { listener.setMode(mode) }
        for listener in ports { listener.setMode(hasSocket || mode != .normal ? mode : .refuse) }
        sockets?.setOn(mode == .normal && hasSocket)
    }

    /// The URL of one of the world's ports, as clients on this machine reach it.
    func url(_ scheme: String, port: UInt16) -> String {
        "\(scheme)://\(advertisedHost):\(port)"
    }

    /// The URL of a node's sockets; null before they listen.
    func socketURL(_ node: NodeState) -> JSONValue {
        .optional(node.socketPort.map { url("http", port: UInt16(clamping: $0)) })
    }

    /// The URL of a node by its name.
    func nodeURL(_ name: String) throws(ControlError) -> String {
        let node = try nodeIndex(name)
        let ports = listeners.withLock(\.nodePorts)
        guard ports.indices.contains(node) else { throw .conflict("the node \(name) does not listen yet") }
        return url("http", port: ports[node])
    }

    /// Loopback, unless the world listens at certain other addresses alone.
    private var advertisedHost: String {
        let isOnLoopback = configuration.listenHosts.contains { host in
            ["localhost", "0.0.0.0", "::"].contains(host) || host.hasPrefix("127.")
        }
        guard !isOnLoopback, let host = configuration.listenHosts.first else { return "127.0.0.1" }
        return host.contains(":") ? "[\(host)]" : host
    }
}
