public import APNsRules
import FaultRules
import Synchronization
public import TLSListener
import Threads

/// Apple's push service on real sockets; stops when released.
///
/// One thread serves all connections. HTTP/1.1 gets a 505 in plain text and an end.
public final class APNsServer: Sendable {
    private let shared: APNsShared
    private let listener: TLSListener

    /// A server that listens nowhere yet.
    ///
    /// - Parameters:
    ///   - backend: judges and records the pushes.
    ///   - certificatePEM: a leaf that carries ``APNsNames/certificateNames``.
    ///   - keyPEM: its private key.
    ///   - authorityPEM: the authority whose client certificates are trusted; nil trusts none.
    ///   - maximumConnections: further clients are reset.
    /// - Throws: an error of code `.invalidIdentity` for an unusable certificate or key.
    public init(
        backend: any APNsBackend,
        certificatePEM: String,
        keyPEM: String,
        authorityPEM: String? = nil,
        maximumConnections: Int = 4096
    ) throws(TLSListenerError) {
        let shared = APNsShared(
            backend: backend,
            certificates: ClientCertificateReader(authorityPEM: authorityPEM)
        )
        self.shared = shared
        listener = try TLSListener(
            certificatePEM: certificatePEM,
            keyPEM: keyPEM,
            maximumConnections: maximumConnections,
            handshakeStall: { shared.handshakeStall(ofPort: $0) },
            handshakeFailed: { shared.handshakeFailed($0) },
            makeHandler: { APNsConnection($0, shared: shared) }
        )
        shared.setListener(listener)
    }

    deinit { stop() }

    /// Listens on a numeric address; port 0 takes a free one.
    ///
    /// - Parameters:
    ///   - host: an IPv4 or IPv6 address.
    ///   - port: the port.
    ///   - environment: what the port stands for when the client asks for no sandbox name.
    ///   - isProxy: whether clients ask for a tunnel to Apple's name first, as they ask a proxy.
    /// - Returns: the port.
    /// - Throws: an error of code `.portInUse`, among others.
    public func listen(
        host: String,
        port: UInt16,
        environment: APNsEnvironment,
        isProxy: Bool = false
    ) throws(TLSListenerError) -> UInt16 {
        // A client of a fixed port may be there before `listen` returns.
        if port != 0 { shared.setEnvironment(environment, ofPort: port) }
        let bound = try listener.listen(host: host, port: port, tunnels: isProxy ? Self.tunnels : nil)
        shared.setEnvironment(environment, ofPort: bound)
        return bound
    }

    private static let tunnels = TLSTunnels(
        refusal:
            "this proxy leads to the ports 443 and 2197 of Apple's push service alone, not to channels (2195, 2196); "
            + "name other hosts in NO_PROXY"
    ) { host, port in APNsNames.certificateNames.contains(host) && (port == 443 || port == 2197) }

    /// How many connections have been opened.
    public var connectionCount: Int { shared.connectionCount }

    /// Stops listening on a port; its connections live on.
    public func stopListening(port: UInt16) { listener.stopListening(port: port) }

    /// Ends all connections and the thread; harmless when repeated.
    public func stop() {
        listener.stop()
        shared.setListener(nil)
    }
}

/// What the connections of a server share.
final class APNsShared: Sendable {
    private struct State {
        var environments: [UInt16: APNsEnvironment] = [:]
        var listener: TLSListener?
        var connections = 0
        var refusals = RefusalBound()

        func environment(ofPort port: UInt16) -> APNsEnvironment { environments[port] ?? .production }
    }

    let backend: any APNsBackend
    let certificates: ClientCertificateReader
    private let state = Mutex(State())

    init(backend: any APNsBackend, certificates: ClientCertificateReader) {
        self.backend = backend
        self.certificates = certificates
    }

    func setListener(_ listener: TLSListener?) {
        // Released outside the lock.
        let former = state.withLock { state in
            let former = state.listener
            state.listener = listener
            return former
        }
        withExtendedLifetime(former) {}
    }

    func setEnvironment(_ environment: APNsEnvironment, ofPort port: UInt16) {
        state.withLock { $0.environments[port] = environment }
    }

    var connectionCount: Int { state.withLock(\.connections) }

    /// The number of a new connection, the environment of its port, and the listener for later answers.
    func connectionOpened(port: UInt16) -> (number: Int, environment: APNsEnvironment, listener: TLSListener?)
    {
        state.withLock { state in
            state.connections += 1
            return (state.connections, state.environment(ofPort: port), state.listener)
        }
    }

    func handshakeFailed(_ failure: TLSHandshakeFailure) {
        let environment = state.withLock { $0.environment(ofPort: failure.localPort) }
        turnAway(ClientRefusal(failure, environment: environment))
    }

    /// Tells the backend of a refusal, unless there are too many.
    func turnAway(_ refusal: ClientRefusal) {
        let now = MachineClock.monotonicMilliseconds()
        guard let omitted = state.withLock({ $0.refusals.take(now: now) }) else { return }
        var refusal = refusal
        refusal.omitted = omitted
        backend.turnedAway(refusal)
    }

    /// For how many milliseconds a fault leaves the handshake of a new client without an answer.
    func handshakeStall(ofPort port: UInt16) -> Int? {
        guard backend.hasFaults else { return nil }
        let environment = state.withLock { $0.environment(ofPort: port) }
        guard
            case .connection(.stalledHandshake(let seconds))? = backend.decide(
                FaultRequest(acceptedFor: environment)
            )?.effect
        else { return nil }
        return seconds.clampedMilliseconds
    }
}

extension Int {
    /// So many seconds in milliseconds.
    var clampedMilliseconds: Int {
        let (milliseconds, overflow) = multipliedReportingOverflow(by: 1000)
        return overflow ? .max : milliseconds
    }
}
