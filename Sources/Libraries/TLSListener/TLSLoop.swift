import Polling
import Threads

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The event loop of a listener: every method runs on its one thread.
@safe
final class TLSLoop {
    /// A handshake that takes longer is given up.
    static let handshakeMilliseconds: Int64 = 10_000
    /// A client that takes none of its output for so long is dropped.
    static let stallMilliseconds: Int64 = 60_000
    /// How long a finished connection waits for the client to close its side.
    static let drainMilliseconds: Int64 = 2_000
    /// Pause of accepting when descriptors run short.
    private static let acceptPauseMilliseconds: Int64 = 100
    private static let wakeKey: UInt64 = 0

    let makeHandler: @Sendable (TLSConnection) -> any TLSConnectionHandler
    let handshakeFailed: @Sendable (TLSHandshakeFailure) -> Void
    private let handshakeStall: @Sendable (UInt16) -> Int?
    /// SAFETY: allocated in `init`, freed in `deinit`, used by the loop's thread alone.
    let readBuffer: UnsafeMutableBufferPointer<UInt8>
    /// The monotonic clock in milliseconds, as of the latest wake-up.
    private(set) var now = MachineClock.monotonicMilliseconds()
    private let shared: TLSLoopQueue
    private let context: TLSContext
    private let maximumConnections: Int
    private var poller: Poller
    private var timers = TimerQueue()
    private var nextKey: UInt64 = 1
    private var sockets: [UInt64: ServerSocket] = [:]
    private var connections: [UInt64: TLSConnection] = [:]
    private var dirty: [TLSConnection] = []
    private(set) var unread: [TLSConnection] = []
    private var isStopped = false

    init(
        shared: TLSLoopQueue,
        context: TLSContext,
        maximumConnections: Int,
        handshakeStall: @escaping @Sendable (UInt16) -> Int?,
        handshakeFailed: @escaping @Sendable (TLSHandshakeFailure) -> Void = { _ in },
        makeHandler: @escaping @Sendable (TLSConnection) -> any TLSConnectionHandler
    ) throws(TLSListenerError) {
        self.shared = shared
        self.context = context
        self.maximumConnections = maximumConnections
        self.handshakeStall = handshakeStall
        self.handshakeFailed = handshakeFailed
        self.makeHandler = makeHandler
        do throws(PollingError) {
            poller = try Poller()
        } catch {
            throw TLSListenerError(error)
        }
        unsafe readBuffer = .allocate(capacity: TLSConnection.readSize)
        poller.add(shared.signal.readEnd, key: Self.wakeKey, interest: .read)
    }

    deinit { unsafe readBuffer.deallocate() }

    /// Serves until stopped.
    func run() {
        shared.loopStarted(self)
        watchStalls()
        var ready: [PollEvent] = []
        while !isStopped {
            poller.wait(timeout: waitMilliseconds(), ready: &ready)
            now = MachineClock.monotonicMilliseconds()
            for event in ready { handle(event) }
            let waiting = unread
            unread.removeAll(keepingCapacity: true)
            for connection in waiting {
                connection.isUnread = false
                connection.read()
            }
            while let action = timers.take(now: now) { action() }
            flushDirty()
        }
        for connection in connections.values { connection.close() }
        for socket in sockets.values { socket.close() }
        timers.removeAll()
        poller.close()
        // Sockets that came too late are closed.
        for action in shared.loopEnded() { action(self) }
    }

    // MARK: - Called through the queue

    func add(_ socket: ServerSocket) {
        guard !isStopped else { return socket.close() }
        nextKey += 1
        sockets[nextKey] = socket
        poller.add(socket.descriptor, key: nextKey, interest: .read)
    }

    func stopListening(port: UInt16) {
        for (key, socket) in sockets where socket.port == port {
            poller.remove(socket.descriptor)
            socket.close()
            sockets[key] = nil
        }
    }

    func stop() {
        for connection in Array(connections.values) { connection.activeHandler?.listenerStops() }
        flushDirty()
        isStopped = true
    }

    func connection(_ id: TLSConnectionID) -> TLSConnection? { connections[id.number] }

    // MARK: - Called by connections

    func markDirty(_ connection: TLSConnection) {
        guard !connection.isDirty else { return }
        connection.isDirty = true
        dirty.append(connection)
    }

    func readAgain(_ connection: TLSConnection) {
        guard !connection.isUnread else { return }
        connection.isUnread = true
        unread.append(connection)
    }

    func change(_ connection: TLSConnection, interest: PollInterest) {
        poller.change(connection.socket, key: connection.id.number, interest: interest)
    }

    /// Hears nothing more of a connection, which goes on counting.
    func forget(_ connection: TLSConnection) { poller.remove(connection.socket) }

    func remove(_ connection: TLSConnection) {
        poller.remove(connection.socket)
        connections[connection.id.number] = nil
    }

    func after(milliseconds: Int64, _ action: @escaping () -> Void) {
        let due = MachineClock.deadline(afterMilliseconds: Int(clamping: milliseconds))
        timers.add(due: due, action: action)
    }

    // MARK: - Details

    private func handle(_ event: PollEvent) {
        if event.key == Self.wakeKey {
            shared.signal.lower()
            for action in shared.takeActions() { action(self) }
        } else if let connection = connections[event.key] {
            connection.ready(event)
        } else if let socket = sockets[event.key] {
            accept(from: socket, key: event.key)
        }
    }

    private func accept(from socket: ServerSocket, key: UInt64) {
        for _ in 0..<64 {
            guard let (descriptor, peer) = socket.accept() else {
                if errno == EMFILE || errno == ENFILE || errno == ENOMEM { pauseAccepting(socket, key: key) }
                return
            }
            serve(descriptor, peer: peer, of: socket)
        }
    }

    /// Begins a connection with an accepted client, unless there are too many.
    @discardableResult
    func serve(_ descriptor: Int32, peer: String, of socket: ServerSocket) -> TLSConnection? {
        nextKey += 1
        guard connections.count < maximumConnections,
            let session = unsafe context.makeSession(socket: descriptor)
        else {
            SocketOptions.resetOnClose(descriptor)
            _ = close(descriptor)
            return nil
        }
        let connection = unsafe TLSConnection(
            id: TLSConnectionID(number: nextKey),
            socket: descriptor,
            session: session,
            peer: peer,
            port: socket.port,
            tunnels: socket.tunnels,
            loop: self
        )
        connections[nextKey] = connection
        if let milliseconds = handshakeStall(socket.port) {
            connection.fallSilent(milliseconds: milliseconds)
            return connection
        }
        guard poller.add(descriptor, key: nextKey, interest: .read) else {
            connection.close()
            return nil
        }
        after(milliseconds: Self.handshakeMilliseconds) { [weak connection] in
            connection?.giveUpBeginning()
        }
        return connection
    }

    private func pauseAccepting(_ socket: ServerSocket, key: UInt64) {
        poller.change(socket.descriptor, key: key, interest: [])
        after(milliseconds: Self.acceptPauseMilliseconds) { [weak self] in
            guard let self, self.sockets[key] != nil else { return }
            self.poller.change(socket.descriptor, key: key, interest: .read)
        }
    }

    private func watchStalls() {
        after(milliseconds: Self.stallMilliseconds / 4) { [weak self] in
            guard let self else { return }
            for connection in self.connections.values {
                if let since = connection.stalledSince, self.now - since > Self.stallMilliseconds {
                    connection.reset()
                }
            }
            self.watchStalls()
        }
    }

    private func flushDirty() {
        // Flushing may mark others.
        var next = 0
        while next < dirty.count {
            let connection = dirty[next]
            next += 1
            connection.isDirty = false
            connection.flush()
        }
        dirty.removeAll(keepingCapacity: true)
    }

    private func waitMilliseconds() -> Int32 {
        guard unread.isEmpty else { return 0 }
        guard let due = timers.nextDue else { return -1 }
        return Int32(clamping: max(0, due - MachineClock.monotonicMilliseconds()))
    }
}
