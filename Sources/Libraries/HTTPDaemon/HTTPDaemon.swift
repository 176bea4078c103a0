internal import CMicrohttpd
internal import Glibc
internal import Synchronization
internal import TLSListener
internal import Threads

/// An HTTP/1.1 server with any number of listeners on a few threads.
///
/// Handlers run on the pool's threads: they must be fast and never block. An answer that takes time is given
/// through ``HTTPAction/later(_:)``. ``stop()`` must be called before the last reference goes.
@safe public final class HTTPDaemon: Sendable {
    private static let maximumConnections: UInt = 20_000
    private static let sweepMilliseconds = 1000

    private let server: ServerState
    private let acceptor: Acceptor
    private let timer: TimerThread
    /// SAFETY: the library's daemon; set in `init`, taken once by `stop`, under the lock.
    private let daemon: Mutex<DaemonHandle?>

    /// Starts a server without listeners; so many threads read requests and run handlers.
    public init(threads: Int) throws(HTTPDaemonError) {
        // A client that leaves must not end the process.
        _ = signal(SIGPIPE, SIG_IGN)
        let files = SocketCalls.raiseFileLimit(to: Self.maximumConnections * 2)
        do throws(ThreadError) {
            timer = try TimerThread(name: "http timer")
        } catch {
            throw .systemCall("pthread_create", error.code)
        }
        server = ServerState(timer: timer)
        acceptor = try Acceptor(server: server)
        daemon = Mutex(nil)
        let connections = min(Self.maximumConnections, max(64, files / 2))
        let started = DaemonHandle(threads: threads, connections: connections, server: server)
        guard let started else {
            timer.stop()
            throw .systemCall("MHD_start_daemon", errno)
        }
        unsafe server.setDaemon(started.pointer)
        daemon.withLock { $0 = started }
        try acceptor.start()
        Self.sweepLater(server, timer)
    }

    deinit { stop() }

    /// Lets listeners speak TLS, on one more thread; a second identity is not taken.
    ///
    /// The same server answers their requests, so that addresses, resets and upgrades stay what they are.
    public func useTLS(_ identity: TLSIdentity) throws(HTTPDaemonError) {
        do throws(TLSListenerError) {
            try server.useTLS(identity)
        } catch {
            throw error.code == .invalidIdentity
                ? .unusableIdentity : .systemCall(error.operation, error.errorNumber)
        }
    }

    /// Listens on a numeric address; port 0 takes a free one.
    ///
    /// A body of more than `maximumBodyBytes` is thrown away, and the request says so. TLS needs ``useTLS(_:)`` before.
    public func listen(
        host: String,
        port: UInt16,
        isSecure: Bool = false,
        maximumBodyBytes: Int = 2 << 20,
        handler: @escaping @Sendable (HTTPRequest) -> HTTPAction
    ) throws(HTTPDaemonError) -> HTTPListener {
        guard !isSecure || server.hasTLS else { throw .unusableIdentity }
        let listener = try HTTPListener(
            host: host,
            port: port,
            isSecure: isSecure,
            maximumBodyBytes: maximumBodyBytes,
            onChange: { [weak acceptor] in acceptor?.changed() },
            handler: handler
        )
        try acceptor.add(listener)
        return listener
    }

    /// Listens on a numeric address where nobody is served: `connected` is told of each client, which is let go.
    ///
    /// It is called on the thread that accepts for all listeners, and must not block.
    public func listenForCallers(
        host: String,
        port: UInt16,
        connected: @escaping @Sendable (_ client: String, _ port: UInt16) -> Void
    ) throws(HTTPDaemonError) -> HTTPListener {
        let listener = try HTTPListener(
            host: host,
            port: port,
            isSecure: false,
            maximumBodyBytes: 0,
            onChange: { [weak acceptor] in acceptor?.changed() },
            tripwire: connected,
            handler: { _ in .close }
        )
        try acceptor.add(listener)
        return listener
    }

    /// Runs a closure on the timer's thread, not before so many milliseconds have passed; it must not block.
    public func after(milliseconds: Int, _ action: @escaping @Sendable () -> Void) {
        timer.after(milliseconds: milliseconds, action)
    }

    /// Stops listening, ends what waits and streams, and waits for the threads.
    ///
    /// Must not be called from a handler or a timer's closure.
    public func stop() {
        guard let stopped = daemon.withLock({ $0.take() }) else { return }
        acceptor.stop()
        timer.stop()
        server.endAll()
        unsafe MHD_stop_daemon(stopped.pointer)
        unsafe server.setDaemon(nil)
        server.stopTLS()
    }

    private static func sweepLater(_ server: ServerState, _ timer: TimerThread) {
        timer.after(milliseconds: sweepMilliseconds) { [weak timer] in
            server.sweep(now: MachineClock.monotonicMilliseconds())
            if let timer { sweepLater(server, timer) }
        }
    }
}
