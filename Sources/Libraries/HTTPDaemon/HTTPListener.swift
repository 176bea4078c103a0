internal import CLinux
internal import Glibc
internal import Synchronization

/// One listening socket of a server.
public final class HTTPListener: Sendable {
    /// How a listener treats its clients.
    public enum Mode: UInt8, Sendable {
        /// Connections are served.
        case normal
        /// Connecting is refused, and what was connected has been reset: the machine is up, the server is not.
        case refuse
        /// Connections are accepted and nothing is ever answered.
        case blackHole
    }

    private struct State {
        var descriptor: Int32
        var live: [Int32: Connection] = [:]
        var unanswered: [Int32] = []
    }

    /// Connections a black hole holds; the oldest go first.
    private static let maximumUnanswered = 1024

    /// The numeric host as given.
    public let host: String
    /// The port that was bound.
    public let port: UInt16
    /// Whether clients speak TLS.
    public let isSecure: Bool
    let handler: @Sendable (HTTPRequest) -> HTTPAction
    let maximumBodyBytes: Int

    private let modeNumber = Atomic<UInt8>(Mode.normal.rawValue)
    private let state: Mutex<State>
    private let onChange: @Sendable () -> Void
    /// Told of each client, which is then let go without a word.
    private let tripwire: (@Sendable (_ client: String, _ port: UInt16) -> Void)?

    init(
        host: String,
        port: UInt16,
        isSecure: Bool,
        maximumBodyBytes: Int,
        onChange: @escaping @Sendable () -> Void,
        tripwire: (@Sendable (_ client: String, _ port: UInt16) -> Void)? = nil,
        handler: @escaping @Sendable (HTTPRequest) -> HTTPAction
    ) throws(HTTPDaemonError) {
        guard let address = SocketAddress(host: host, port: port) else { throw .invalidHost(host) }
        let descriptor = try SocketCalls.listening(on: address, host: host, port: port)
        let bound = unsafe SocketAddress { unsafe getsockname(descriptor, $0, $1) == 0 }
        self.host = host
        self.port = bound?.port ?? port
        self.isSecure = isSecure
        self.handler = handler
        self.maximumBodyBytes = maximumBodyBytes
        self.onChange = onChange
        self.tripwire = tripwire
        state = Mutex(State(descriptor: descriptor))
    }

    deinit { stop() }

    /// How clients are treated.
    public var mode: Mode {
        Mode(rawValue: modeNumber.load(ordering: .relaxed)) ?? .normal
    }

    /// Changes how clients are treated; `refuse` also resets those that are connected.
    public func setMode(_ mode: Mode) {
        state.withLock { state in
            guard state.descriptor >= 0, mode != self.mode else { return }
            modeNumber.store(mode.rawValue, ordering: .relaxed)
            for descriptor in state.unanswered {
                SocketCalls.abort(descriptor)
                _ = close(descriptor)
            }
            state.unanswered = []
            switch mode {
            case .refuse:
                // The socket stays bound, so that nobody else gets the port meanwhile.
                _ = shutdown(state.descriptor, Int32(SHUT_RD))
                for (descriptor, connection) in state.live { connection.abort(descriptor) }
            case .normal, .blackHole:
                state.descriptor = listenAgain(state.descriptor)
            }
        }
        onChange()
    }

    /// Lets a socket that was shut down listen again; a new one where the system does not allow that.
    private func listenAgain(_ descriptor: Int32) -> Int32 {
        if Glibc.listen(descriptor, SocketCalls.backlog) == 0 { return descriptor }
        _ = close(descriptor)
        guard let address = SocketAddress(host: host, port: port) else { return -1 }
        return (try? SocketCalls.listening(on: address, host: host, port: port)) ?? -1
    }

    /// Stops listening and ends the connections.
    public func stop() {
        state.withLock { state in
            guard state.descriptor >= 0 else { return }
            _ = close(state.descriptor)
            state.descriptor = -1
            for descriptor in state.unanswered { _ = close(descriptor) }
            state.unanswered = []
            for descriptor in state.live.keys { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
        onChange()
    }

    /// The socket to wait on; nil when nobody is to be accepted.
    var acceptingDescriptor: Int32? {
        state.withLock { $0.descriptor >= 0 && mode != .refuse ? $0.descriptor : nil }
    }

    var isStopped: Bool {
        state.withLock { $0.descriptor < 0 }
    }

    enum Acceptance {
        case connection(Int32, SocketAddress)
        case swallowed
        case nothing
        case exhausted
    }

    /// Takes one waiting connection.
    func accept() -> Acceptance {
        let acceptance = acceptConnection()
        guard let tripwire, case .connection(let descriptor, let address) = acceptance else {
            return acceptance
        }
        _ = close(descriptor)
        tripwire(address.host, port)
        return .swallowed
    }

    private func acceptConnection() -> Acceptance {
        state.withLock { state in
            guard state.descriptor >= 0 else { return .nothing }
            var accepted: Int32 = -1
            let flags = Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
            let address = unsafe SocketAddress { pointer, length in
                accepted = unsafe accept4(state.descriptor, pointer, length, flags)
                return accepted >= 0
            }
            guard let address else {
                switch errno {
                case EMFILE, ENFILE, ENOBUFS, ENOMEM: return .exhausted
                case ECONNABORTED, EINTR: return .swallowed
                default: return .nothing
                }
            }
            guard mode == .blackHole else { return .connection(accepted, address) }
            if state.unanswered.count >= Self.maximumUnanswered { _ = close(state.unanswered.removeFirst()) }
            state.unanswered.append(accepted)
            return .swallowed
        }
    }

    func opened(_ descriptor: Int32, _ connection: Connection) {
        state.withLock { state in
            state.live[descriptor] = connection
            if state.descriptor < 0 { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    func closed(_ descriptor: Int32) {
        state.withLock { _ = $0.live.removeValue(forKey: descriptor) }
    }
}
