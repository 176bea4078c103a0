import Polling
import Synchronization
import Threads

#if canImport(Darwin)
    import Darwin
#else
    import CLinux
    import Glibc
#endif

/// A client's connection whose TLS ends in this process.
public final class TLSTermination: Sendable {
    /// The server's end of the pair of sockets, non-blocking; the server closes it.
    public let descriptor: Int32
    private let isCut = Atomic(false)

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// Makes the end of the server's side, which has to follow, an RST for the client.
    public func reset() { isCut.store(true, ordering: .releasing) }

    var isReset: Bool { isCut.load(ordering: .acquiring) }
}

/// Speaks TLS with the clients of a server of this process that speaks none; one thread serves all of them.
///
/// TLS 1.2 or newer; no protocol is chosen by ALPN, and no client certificate asked for. What a client sends arrives
/// at one end of a pair of sockets, what is written there goes to the client, and the end of one is that of the other.
/// ``stop()`` must be called in the end.
public final class TLSTerminator: Sendable {
    struct Arrival: Sendable {
        let client: Int32
        let server: Int32
        let termination: TLSTermination
    }

    private struct State {
        var arrivals: [Arrival] = []
        var isStopping = false
    }

    let wake: WakeSignal
    private let state = Mutex(State())
    private let thread = Mutex<WorkerThread?>(nil)

    /// Starts the thread.
    ///
    /// - Throws: an error of code `.invalidIdentity` for an unusable certificate or key.
    public init(name: String, certificatePEM: String, keyPEM: String) throws(TLSListenerError) {
        // A client that has gone must not end the process.
        _ = signal(SIGPIPE, SIG_IGN)
        let context = try TLSContext(certificatePEM: certificatePEM, keyPEM: keyPEM, negotiates: false)
        let poller: Poller
        do throws(PollingError) {
            wake = try WakeSignal()
            poller = try Poller()
        } catch {
            throw TLSListenerError(error)
        }
        do throws(ThreadError) {
            let loop = TLSTerminatorLoop(context: context, poller: poller, owner: self)
            let started = try WorkerThread(name: name) { loop.run() }
            thread.withLock { $0 = started }
        } catch {
            throw TLSListenerError(code: .system, operation: "pthread_create", errorNumber: error.code)
        }
    }

    /// Takes over a client's non-blocking socket; nil when it had to be closed: no descriptors, or stopped.
    public func terminate(_ client: Int32) -> TLSTermination? {
        var ends: [Int32] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, Self.stream, 0, &ends) == 0 else {
            _ = close(client)
            return nil
        }
        #if canImport(Darwin)
            for end in ends {
                SocketOptions.setNonBlocking(end)
                _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            }
        #endif
        let termination = TLSTermination(descriptor: ends[1])
        let arrival = Arrival(client: client, server: ends[0], termination: termination)
        let isTaken = state.withLock { state in
            if !state.isStopping { state.arrivals.append(arrival) }
            return !state.isStopping
        }
        guard isTaken else {
            for descriptor in ends + [client] { _ = close(descriptor) }
            return nil
        }
        wake.raise()
        return termination
    }

    /// Sends what the server has left behind, ends all connections and waits for the thread.
    public func stop() {
        state.withLock { $0.isStopping = true }
        wake.raise()
        let started = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        started?.join()
    }

    /// What has come since the last call, and whether this is the end.
    func takeArrivals() -> (arrivals: [Arrival], isLast: Bool) {
        state.withLock { state in
            defer { state.arrivals = [] }
            return (state.arrivals, state.isStopping)
        }
    }

    #if canImport(Darwin)
        private static let stream = SOCK_STREAM
    #else
        private static let stream = Int32(
            SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        )
    #endif
}
