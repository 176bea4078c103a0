import AdamantModel
import FaultRules
import HTTPDaemon
import NodeSockets
import SocketIORules
import Synchronization
import WebSockets

/// A node's Socket.IO server on a free port, and what it told its world.
final class TestNode: Sendable {
    let backend = Backend()
    let server: SocketServer
    let port: UInt16
    private let daemon: HTTPDaemon
    private let loop: WebSocketLoop

    init(settings: SocketSettings = SocketSettings()) throws {
        daemon = try HTTPDaemon(threads: 2)
        loop = try WebSocketLoop(name: "test sockets")
        let server = SocketServer(
            backend: backend,
            node: 0,
            name: "alpha",
            loop: loop,
            daemon: daemon,
            settings: settings
        )
        self.server = server
        port = try daemon.listen(host: "127.0.0.1", port: 0) { server.handle($0) }.port
    }

    deinit {
        loop.stop()
        daemon.stop()
    }
}

/// A world that takes down what it is told.
final class Backend: SocketBackend {
    private struct State {
        var watched: [Bool] = []
        var calls: [SocketCall] = []
        var faults = FaultBook(seed: 7, nodeNames: ["alpha"])
    }

    private let state = Mutex(State())

    /// What was said about listening, in order.
    var watched: [Bool] { state.withLock(\.watched) }
    var calls: [SocketCall] { state.withLock(\.calls) }
    var hasFaults: Bool { state.withLock { !$0.faults.isEmpty } }

    func change(_ body: (inout FaultBook) throws -> Void) rethrows {
        try state.withLock { try body(&$0.faults) }
    }

    func decide(_ request: FaultRequest) -> FaultDecision? { state.withLock { $0.faults.decide(request) } }
    func knowsBlocks(node: Int) -> Bool { true }
    func watch(node: Int, _ isWatched: Bool) { state.withLock { $0.watched.append(isWatched) } }
    var serviceAddress: String { "U1" }
    func noteTold(of transaction: Identifier, node: Int, sockets: Int) {}
    func record(_ call: SocketCall) { state.withLock { $0.calls.append(call) } }
}
