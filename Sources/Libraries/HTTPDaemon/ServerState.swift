internal import CLinux
internal import CMicrohttpd
internal import Glibc
internal import Synchronization
internal import TLSListener
internal import Threads

/// What the callbacks of a server share.
///
/// SAFETY: the daemon is set once, before its first connection is accepted, and cleared after the last.
@safe final class ServerState: @unchecked Sendable {
    private struct Registry {
        var isStopping = false
        var waiting: [ObjectIdentifier: any Waiting] = [:]
        var upgraded: [ObjectIdentifier: UpgradedSocket] = [:]
    }

    let timer: TimerThread
    private var daemon: OpaquePointer?
    private let terminator = Mutex<TLSTerminator?>(nil)
    private let arriving = Mutex<[Int32: Connection]>([:])
    private let registry = Mutex(Registry())

    init(timer: TimerThread) {
        self.timer = timer
        unsafe daemon = nil
    }

    func setDaemon(_ daemon: OpaquePointer?) {
        unsafe self.daemon = daemon
    }

    /// Whether clients can be served that speak TLS.
    var hasTLS: Bool { terminator.withLock { $0 != nil } }

    /// Serves clients that speak TLS with an identity from now on; the first one holds.
    func useTLS(_ identity: TLSIdentity) throws(TLSListenerError) {
        try terminator.withLock { terminator throws(TLSListenerError) in
            guard terminator == nil else { return }
            terminator = try TLSTerminator(
                name: "http tls",
                certificatePEM: identity.certificatePEM,
                keyPEM: identity.keyPEM
            )
        }
    }

    /// Ends what is left of clients that speak TLS.
    func stopTLS() {
        let stopped = terminator.withLock { terminator in
            defer { terminator = nil }
            return terminator
        }
        stopped?.stop()
    }

    /// Hands an accepted socket to the library, or where the client speaks TLS one that its plain text comes by.
    func adopt(_ client: Int32, from address: SocketAddress, for listener: HTTPListener) {
        guard listener.isSecure else {
            return adopt(client, Connection(listener: listener, server: self, address: address))
        }
        guard let terminator = terminator.withLock({ $0 }) else {
            _ = close(client)
            return
        }
        guard let termination = terminator.terminate(client) else { return }
        let connection = Connection(
            listener: listener,
            server: self,
            address: address,
            termination: termination
        )
        adopt(termination.descriptor, connection)
    }

    private func adopt(_ descriptor: Int32, _ connection: Connection) {
        arriving.withLock { $0[descriptor] = connection }
        let result = unsafe connection.address.withPointer {
            unsafe MHD_add_connection(daemon, descriptor, $0, $1)
        }
        // The library has closed the socket in that case.
        if result != .YES { _ = claim(descriptor) }
    }

    /// The connection that arrived on a socket; once.
    func claim(_ descriptor: Int32) -> Connection? {
        arriving.withLock { $0.removeValue(forKey: descriptor) }
    }

    /// Remembers who has to be ended before the server stops; false when it is stopping.
    func begin(_ waiting: any Waiting) -> Bool {
        registry.withLock { registry in
            guard !registry.isStopping else { return false }
            registry.waiting[ObjectIdentifier(waiting)] = waiting
            return true
        }
    }

    func finished(_ waiting: any Waiting) {
        registry.withLock { _ = $0.waiting.removeValue(forKey: ObjectIdentifier(waiting)) }
    }

    /// Remembers a socket that was handed over; false when the server is stopping.
    func begin(_ socket: UpgradedSocket) -> Bool {
        registry.withLock { registry in
            guard !registry.isStopping else { return false }
            registry.upgraded[ObjectIdentifier(socket)] = socket
            return true
        }
    }

    func finished(_ socket: UpgradedSocket) {
        registry.withLock { _ = $0.upgraded.removeValue(forKey: ObjectIdentifier(socket)) }
    }

    /// Ends all that waits; nothing waits from now on.
    func endAll() {
        let (waiting, upgraded) = registry.withLock { registry in
            registry.isStopping = true
            return (Array(registry.waiting.values), Array(registry.upgraded.values))
        }
        for entry in waiting { entry.end() }
        for socket in upgraded { socket.close() }
    }

    /// Ends what has waited too long or has nobody to wait for, and keeps quiet streams alive.
    func sweep(now: Int64) {
        let waiting = registry.withLock { Array($0.waiting.values) }
        guard !waiting.isEmpty else { return }
        var descriptors = waiting.map { entry in
            pollfd(fd: entry.descriptor, events: CLinux_POLLRDHUP, revents: 0)
        }
        _ = unsafe poll(&descriptors, nfds_t(descriptors.count), 0)
        for (entry, descriptor) in zip(waiting, descriptors) {
            // A descriptor that belongs to somebody else by now is no harm: ending twice does nothing.
            if entry.deadline <= now || descriptor.revents != 0 { entry.end() }
            (entry as? HTTPStream)?.beat(now: now)
        }
    }
}
