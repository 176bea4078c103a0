import HTTPDaemon

/// A server with one listener on a free port.
final class Server {
    let daemon: HTTPDaemon
    let listener: HTTPListener

    init(
        threads: Int = 2,
        host: String = "127.0.0.1",
        maximumBodyBytes: Int = 2 << 20,
        handler: @escaping @Sendable (HTTPRequest) -> HTTPAction
    ) throws {
        daemon = try HTTPDaemon(threads: threads)
        listener = try daemon.listen(
            host: host,
            port: 0,
            maximumBodyBytes: maximumBodyBytes,
            handler: handler
        )
    }

    var port: String { String(listener.port) }

    deinit { daemon.stop() }
}

extension HTTPAction {
    static func text(_ text: String, status: Int = 200) -> HTTPAction {
        .respond(
            HTTPResponse(status: status, headers: [("Content-Type", "text/plain")], body: Array(text.utf8))
        )
    }
}
