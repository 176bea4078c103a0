import APNsServer
import HTTPDaemon
import NodeServer

/// What a started world listens with.
struct Listeners: Sendable {
    var control: [HTTPListener] = []
    var nodes: [[HTTPListener]] = []
    var apns: APNsServer?
    var controlPort: UInt16 = 0
    var nodePorts: [UInt16] = []
    var apnsProductionPort: UInt16 = 0
    var apnsSandboxPort: UInt16 = 0
    var isReady = false
}
