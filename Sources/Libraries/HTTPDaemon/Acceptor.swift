internal import CMicrohttpd
internal import Glibc
internal import Polling
internal import Synchronization
internal import Threads

/// One thread that accepts the connections of all listeners.
final class Acceptor: Sendable {
    private struct State {
        var listeners: [HTTPListener] = []
        var isStopping = false
    }

    private static let pauseWhenExhaustedMilliseconds: Int32 = 50

    private let server: ServerState
    private let state = Mutex(State())
    private let wake: WakeSignal
    private let thread = Mutex<WorkerThread?>(nil)

    init(server: ServerState) throws(HTTPDaemonError) {
        self.server = server
        do throws(PollingError) {
            wake = try WakeSignal()
        } catch {
            throw .systemCall(error.operation, error.errorNumber)
        }
    }

    func start() throws(HTTPDaemonError) {
        do throws(ThreadError) {
            let started = try WorkerThread(name: "accept") { [self] in run() }
            thread.withLock { $0 = started }
        } catch {
            throw .systemCall("pthread_create", error.code)
        }
    }

    func add(_ listener: HTTPListener) throws(HTTPDaemonError) {
        let isAdded = state.withLock { state in
            if !state.isStopping { state.listeners.append(listener) }
            return !state.isStopping
        }
        guard isAdded else {
            listener.stop()
            throw .stopped
        }
        wake.raise()
    }

    /// Looks at the listeners again.
    func changed() {
        wake.raise()
    }

    /// Stops all listeners and ends the thread.
    func stop() {
        let listeners = state.withLock { state in
            state.isStopping = true
            defer { state.listeners = [] }
            return state.listeners
        }
        for listener in listeners { listener.stop() }
        wake.raise()
        let started = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        started?.join()
    }

    private func run() {
        var pause: Int32 = -1
        while let listeners = currentListeners() {
            var descriptors = [pollfd(fd: wake.readEnd, events: Int16(POLLIN), revents: 0)]
            var waiting: [HTTPListener] = []
            if pause < 0 {
                for listener in listeners {
                    guard let descriptor = listener.acceptingDescriptor else { continue }
                    descriptors.append(pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0))
                    waiting.append(listener)
                }
            }
            _ = unsafe poll(&descriptors, nfds_t(descriptors.count), pause)
            pause = -1
            if descriptors[0].revents != 0 { wake.lower() }
            for (descriptor, listener) in zip(descriptors.dropFirst(), waiting) where descriptor.revents != 0
            {
                if !acceptAll(of: listener) { pause = Self.pauseWhenExhaustedMilliseconds }
            }
        }
    }

    /// The listeners that have not been stopped; nil at the end.
    private func currentListeners() -> [HTTPListener]? {
        state.withLock { state in
            guard !state.isStopping else { return nil }
            state.listeners.removeAll { $0.isStopped }
            return state.listeners
        }
    }

    /// Accepts what waits; false when the process has no file descriptors left.
    private func acceptAll(of listener: HTTPListener) -> Bool {
        // A bound, so that one busy listener does not starve the others.
        for _ in 0..<256 {
            switch listener.accept() {
            case .connection(let descriptor, let address):
                SocketCalls.set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
                server.adopt(descriptor, from: address, for: listener)
            case .swallowed: continue
            case .nothing: return true
            case .exhausted: return false
            }
        }
        return true
    }
}
