import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A TLS server on any number of ports, with one loop thread for all of them; stops when released.
///
/// TLS 1.2 or newer; a client certificate is asked for, never required and never judged; sessions are resumed by
/// tickets. ALPN takes `h2`, else `http/1.1`; a client that offers others alone gets `no_application_protocol`, a
/// client without ALPN is taken as it is.
@safe
public final class TLSListener: Sendable {
    private let queue: TLSLoopQueue
    private let thread: Mutex<pthread_t?>

    /// Starts the loop thread.
    ///
    /// - Parameters:
    ///   - certificatePEM: the leaf, then the certificates between it and its authority, if any.
    ///   - keyPEM: the leaf's private key.
    ///   - maximumConnections: further clients are reset.
    ///   - handshakeStall: asked on the loop thread for each client of a port; a time leaves its handshake without
    ///     an answer for so long, then resets it.
    ///   - handshakeFailed: called on the loop thread when a handshake fails, unless its client has not sent a byte.
    ///   - makeHandler: called on the loop thread after each handshake.
    /// - Throws: an error of code `.invalidIdentity` for an unusable certificate or key.
    public init(
        certificatePEM: String,
        keyPEM: String,
        maximumConnections: Int = 4096,
        handshakeStall: @escaping @Sendable (UInt16) -> Int? = { _ in nil },
        handshakeFailed: @escaping @Sendable (TLSHandshakeFailure) -> Void = { _ in },
        makeHandler: @escaping @Sendable (TLSConnection) -> any TLSConnectionHandler
    ) throws(TLSListenerError) {
        // A client that has gone must not end the process.
        signal(SIGPIPE, SIG_IGN)
        queue = try TLSLoopQueue()
        let context = try TLSContext(certificatePEM: certificatePEM, keyPEM: keyPEM, negotiates: true)
        let loop = try TLSLoop(
            shared: queue,
            context: context,
            maximumConnections: maximumConnections,
            handshakeStall: handshakeStall,
            handshakeFailed: handshakeFailed,
            makeHandler: makeHandler
        )
        thread = Mutex(try Self.start(loop))
    }

    deinit { stop() }

    /// Listens on a numeric address; port 0 takes a free one.
    ///
    /// - Parameters:
    ///   - host: an IPv4 or IPv6 address.
    ///   - port: the port.
    ///   - tunnels: makes it the port of a proxy, whose tunnels end here; nil for one that speaks TLS at once.
    /// - Returns: the port.
    /// - Throws: an error of code `.portInUse`, `.invalidAddress` or `.stopped`, among others.
    public func listen(
        host: String,
        port: UInt16,
        tunnels: TLSTunnels? = nil
    ) throws(TLSListenerError) -> UInt16 {
        let socket = try ServerSocket(host: host, port: port, tunnels: tunnels)
        guard queue.perform({ $0.add(socket) }) else {
            socket.close()
            throw TLSListenerError(code: .stopped, operation: "Listening after the end", errorNumber: 0)
        }
        return socket.port
    }

    /// Stops listening on a port; accepted connections live on.
    public func stopListening(port: UInt16) {
        queue.perform { $0.stopListening(port: port) }
    }

    /// Runs an action with a connection's handler on the loop thread, at once when called there.
    ///
    /// Nothing happens when the connection has ended.
    public func perform(
        on id: TLSConnectionID,
        _ action: @escaping @Sendable (any TLSConnectionHandler) -> Void
    ) {
        queue.perform { loop in
            guard let connection = loop.connection(id), let handler = connection.activeHandler else { return }
            // The handler does not hold its connection, and the action may end it.
            withExtendedLifetime(connection) { action(handler) }
        }
    }

    /// Closes every connection and port and ends the loop thread; harmless when repeated.
    public func stop() {
        guard let thread = thread.withLock({ $0.take() }) else { return }
        queue.perform { $0.stop() }
        if pthread_equal(thread, pthread_self()) == 0 {
            pthread_join(thread, nil)
        } else {
            pthread_detach(thread)
        }
    }

    private static func start(_ loop: TLSLoop) throws(TLSListenerError) -> pthread_t {
        let box = unsafe Unmanaged.passRetained(loop).toOpaque()
        #if canImport(Darwin)
            var thread: pthread_t?
            let result = unsafe pthread_create(&thread, nil, { raw in TLSListener.run(raw) }, box)
        #else
            var thread = pthread_t()
            let result = unsafe pthread_create(&thread, nil, { raw in unsafe TLSListener.run(raw) }, box)
        #endif
        guard result == 0 else {
            unsafe Unmanaged<TLSLoop>.fromOpaque(box).release()
            throw TLSListenerError(code: .system, operation: "pthread_create", errorNumber: result)
        }
        return thread
    }

    private static func run(_ raw: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        guard let raw = unsafe raw else { return nil }
        unsafe Unmanaged<TLSLoop>.fromOpaque(raw).takeRetainedValue().run()
        return nil
    }
}
