internal import CMicrohttpd

/// One request and its answer, as the library's callbacks see it; touched by one of its threads only.
final class Exchange {
    private enum Phase {
        case started, collecting, waiting(HTTPReplier), done
    }

    /// What is read and thrown away of a body that is too large, so that the client can read the answer.
    private static let maximumDiscardedBytes = 64 << 20

    private let target: String
    private var method = ""
    private var phase = Phase.started
    private var body: [UInt8] = []
    private var discarded = 0
    private var request: HTTPRequest?
    /// The answer's fields wait for its body, so that the client gets both at once.
    private var isHeldBack = false
    private var onUpgrade: (@Sendable (UpgradedSocket) -> Void)?

    init(target: String) {
        self.target = target
    }

    /// The first call: header fields are there, the body is not.
    var isNew: Bool {
        if case .started = phase { true } else { false }
    }

    func begin(method: String) {
        self.method = method
        phase = .collecting
    }

    /// Takes a part of the body; false when it has gone on for too long.
    func collect(_ data: UnsafeRawBufferPointer, limit: Int) -> Bool {
        if discarded == 0, data.count <= limit - body.count {
            unsafe body.append(contentsOf: data)
            return true
        }
        body = []
        discarded += data.count
        return discarded <= Self.maximumDiscardedBytes
    }

    /// Answers a request that is complete, or one that waited and has been resumed.
    func proceed(_ connection: Connection, _ handle: ConnectionHandle) -> MHD_Result {
        switch phase {
        case .started, .done:
            return .NO
        case .collecting:
            phase = .done
            return start(connection, handle)
        case .waiting(let replier):
            guard let outcome = replier.outcomeOrSuspend() else { return .YES }
            connection.server.finished(replier)
            phase = .done
            return perform(outcome, connection, handle)
        }
    }

    /// The library is done with the request.
    func completed(_ connection: Connection?, _ handle: ConnectionHandle) {
        if isHeldBack { handle.holdBack(false) }
        request?.detach()
        if case .waiting(let replier) = phase { connection?.server.finished(replier) }
    }

    private func start(_ connection: Connection, _ handle: ConnectionHandle) -> MHD_Result {
        let listener = connection.listener
        switch listener.mode {
        case .normal: break
        case .refuse: return perform(.reset, connection, handle)
        case .blackHole: return wait(connection, handle) { _ in }
        }
        let request = HTTPRequest(
            method: method,
            target: target,
            source: unsafe HeaderSource(connection: handle.pointer),
            body: body,
            bodyWasTooLarge: discarded > 0,
            clientAddress: connection.clientAddress,
            serverPort: listener.port
        )
        self.request = request
        switch listener.handler(request) {
        case .respond(let response): return perform(.respond(response), connection, handle)
        case .reset: return perform(.reset, connection, handle)
        case .close: return perform(.close, connection, handle)
        case .later(let start): return wait(connection, handle, start)
        case .stream(let head, let start): return stream(connection, handle, head, start)
        case .upgrade(let headers, let start):
            onUpgrade = start
            guard let response = ResponseHandle(upgrading: headers) else { return .NO }
            return response.queue(on: handle, status: 101)
        }
    }

    /// The library has sent the answer to an upgrade and gives the socket away.
    func handOver(_ socket: UpgradedSocket, _ connection: Connection) {
        // Only the socket lives on, perhaps for hours.
        request?.detach()
        request = nil
        let start = onUpgrade
        onUpgrade = nil
        guard let start, connection.server.begin(socket) else { return socket.close() }
        start(socket)
    }

    private func wait(
        _ connection: Connection,
        _ handle: ConnectionHandle,
        _ start: (HTTPReplier) -> Void
    ) -> MHD_Result {
        let replier = HTTPReplier(handle, timer: connection.server.timer)
        guard connection.server.begin(replier) else { return .NO }
        start(replier)
        guard let outcome = replier.outcomeOrSuspend() else {
            phase = .waiting(replier)
            return .YES
        }
        connection.server.finished(replier)
        return perform(outcome, connection, handle)
    }

    private func stream(
        _ connection: Connection,
        _ handle: ConnectionHandle,
        _ head: HTTPStreamHead,
        _ start: (HTTPStream) -> Void
    ) -> MHD_Result {
        let stream = HTTPStream(handle, heartbeat: head.heartbeat)
        guard connection.server.begin(stream) else { return .NO }
        let body = StreamBody(stream: stream, server: connection.server)
        guard let response = ResponseHandle(streaming: body, head) else {
            connection.server.finished(stream)
            return .NO
        }
        let result = response.queue(on: handle, status: head.status)
        start(stream)
        return result
    }

    private func perform(
        _ outcome: HTTPReplier.Outcome,
        _ connection: Connection,
        _ handle: ConnectionHandle
    ) -> MHD_Result {
        switch outcome {
        case .respond(let response):
            if let prepared = response.prepared, let result = prepared.queue(on: handle) {
                isHeldBack = prepared.isHeldBack
                return result
            }
            guard let built = ResponseHandle(OwnedBody(response.body), response.headers) else { return .NO }
            return built.queue(on: handle, status: response.status)
        case .stream(let head, let start): return stream(connection, handle, head, start)
        case .reset:
            connection.abort(handle.descriptor)
            return .NO
        case .close:
            return .NO
        }
    }
}
