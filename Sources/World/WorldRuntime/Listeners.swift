import APNsServer
import HTTPDaemon
import NodeServer
import NodeSockets
import WebSockets

/// What a started world listens with.
struct Listeners: Sendable {
    var control: [HTTPListener] = []
    var nodes: [[HTTPListener]] = []
    /// The listeners of each node's socket port.
    var nodeSockets: [[HTTPListener]] = []
    var sockets: [SocketServer] = []
    var socketLoop: WebSocketLoop?
    /// Ports that stand for the notification service's own host.
    var tripwires: [HTTPListener] = []
    var apns: APNsServer?
    var controlPort: UInt16 = 0
    var nodePorts: [UInt16] = []
    var socketPorts: [UInt16] = []
    /// Empty unless the nodes speak TLS too.
    var secureNodePorts: [UInt16] = []
    var apnsProductionPort: UInt16 = 0
    var apnsSandboxPort: UInt16 = 0
    var proxyPort: UInt16?
    var isReady = false

    /// The port at which a node speaks TLS; nil when it does not.
    func secureNodePort(_ node: Int) -> UInt16? {
        secureNodePorts.indices.contains(node) ? secureNodePorts[node] : nil
    }
}
