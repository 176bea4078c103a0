import HTTPDaemon
import Synchronization

extension World {
    /// Lets clients reach a node, or refuses them the connection.
    func setListening(_ node: Int, _ isOnline: Bool) {
        let opened = listeners.withLock { $0.nodes.indices.contains(node) ? $0.nodes[node] : [] }
        for listener in opened { listener.setMode(isOnline ? .normal : .refuse) }
    }
}
