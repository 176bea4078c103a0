import HTTPDaemon
import SocketIORules
import WebSockets

extension SocketServer {
    /// Begins a session over a WebSocket.
    func connect(_ upgraded: UpgradedSocket, _ session: SocketSession, dropsAfter: Int64?) {
        let isIn = begin(session, dropsAfter: dropsAfter) { client in
            client.socket = adopt(upgraded, session.id)
        }
        if !isIn { upgraded.close() }
    }

    /// Offers a session a WebSocket to go over to; closes it when the session has no use for it.
    func offer(_ upgraded: UpgradedSocket, to id: String) {
        var isTaken = false
        _ = changeClient(id) { client, now in
            guard client.session.canUpgrade else { return [] }
            isTaken = true
            client.candidate = adopt(upgraded, id)
            client.session.candidateOpened(now: now)
            return []
        }
        if !isTaken { adopt(upgraded, id).close() }
    }

    /// Hands a socket to the loop; what comes over it waits for the server's lock.
    private func adopt(_ upgraded: UpgradedSocket, _ id: String) -> WebSocket {
        loop.adopt(
            descriptor: upgraded.descriptor,
            received: upgraded.received,
            maximumMessageBytes: settings.maximumPayloadBytes,
            onAbort: { upgraded.abort() },
            onRelease: { upgraded.close() },
            onEvent: { [weak self] socket, event in self?.receive(event, over: socket, id) }
        )
    }

    private func receive(_ event: WebSocketEvent, over socket: WebSocket, _ id: String) {
        let knowsBlocks = backend.knowsBlocks(node: node)
        _ = changeClient(id) { client, now in
            if client.socket == socket {
                switch event {
                case .text(let bytes):
                    return client.session.frame(bytes, isText: true, now: now, knowsBlocks: knowsBlocks)
                case .binary(let bytes):
                    return client.session.frame(bytes, isText: false, now: now, knowsBlocks: knowsBlocks)
                case .closed: return client.session.transportLost()
                }
            }
            guard client.candidate == socket else { return [] }
            switch event {
            case .text(let bytes): return client.session.candidateFrame(bytes, isText: true, now: now)
            case .binary(let bytes): return client.session.candidateFrame(bytes, isText: false, now: now)
            case .closed:
                client.candidate = nil
                client.session.candidateLost()
                return []
            }
        }
    }
}
