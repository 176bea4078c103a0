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
    let id: UInt64
    private let isCut = Atomic(false)
    private let terminator: TLSTerminator

    init(_ id: UInt64, descriptor: Int32, terminator: TLSTerminator) {
        self.id = id
        self.descriptor = descriptor
        self.terminator = terminator
    }

    /// Ends the client's side with an RST, whatever it has not taken yet; that of the server is still to be closed.
    public func reset() {
        guard !isCut.exchange(true, ordering: .acquiringAndReleasing) else { return }
        terminator.noteReset(of: id)
    }

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

    /// What other threads ask of the loop.
    struct News: Sendable {
        var arrivals: [Arrival] = []
        /// The ids of those that were reset.
        var resets: [UInt64] = []
        var isStopping = false
    }

    let wake: WakeSignal
    private let news = Mutex(News())
    private let lastID = Atomic<UInt64>(0)
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
        let id = lastID.add(1, ordering: .relaxed).newValue
        let termination = TLSTermination(id, descriptor: ends[1], terminator: self)
        let arrival = Arrival(client: client, server: ends[0], termination: termination)
        let isTaken = news.withLock { news in
            if !news.isStopping { news.arrivals.append(arrival) }
            return !news.isStopping
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
        news.withLock { $0.isStopping = true }
        wake.raise()
        let started = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        started?.join()
    }

    /// What has come since the last call.
    func takeNews() -> News {
        news.withLock { news in
            defer { (news.arrivals, news.resets) = ([], []) }
            return news
        }
    }

    fileprivate func noteReset(of id: UInt64) {
        news.withLock { news in
            if !news.isStopping { news.resets.append(id) }
        }
        wake.raise()
    }

    #if canImport(Darwin)
        private static let stream = SOCK_STREAM
    #else
        private static let stream = Int32(
            SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
        )
    #endif
}
