import ControlServer
import HTTPDaemon
import Synchronization

extension World {
    /// Lets clients reach a node, or refuses them the connection.
    func setListening(_ node: Int, _ isOnline: Bool) {
        let opened = listeners.withLock { $0.nodes.indices.contains(node) ? $0.nodes[node] : [] }
        for listener in opened { listener.setMode(isOnline ? .normal : .refuse) }
    }

    /// The URL of one of the world's ports, as clients on this machine reach it.
    func url(_ scheme: String, port: UInt16) -> String {
        "\(scheme)://\(advertisedHost):\(port)"
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
