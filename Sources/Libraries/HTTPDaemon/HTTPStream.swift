internal import CMicrohttpd
internal import Polling
internal import Synchronization
internal import Threads

/// A body that is sent piece by piece, from any thread.
public final class HTTPStream: Waiting {
    private struct State {
        var pending = Backlog()
        var isFinished = false
        var isClosed = false
        var isSuspended = false
        var lastActivity: Int64 = 0
        var onClose: [@Sendable () -> Void] = []
    }

    /// What a client may lag behind before it is dropped.
    private static let maximumPendingBytes = 4 << 20
    private static let heartbeatMilliseconds: Int64 = 15_000

    let descriptor: Int32
    private let connection: ConnectionHandle
    private let heartbeat: [UInt8]
    private let state: Mutex<State>

    init(_ connection: ConnectionHandle, heartbeat: [UInt8]) {
        self.connection = connection
        descriptor = connection.descriptor
        self.heartbeat = heartbeat
        var state = State()
        state.lastActivity = MachineClock.monotonicMilliseconds()
        self.state = Mutex(state)
    }

    /// Queues bytes for the client; false when it is gone or lags too far behind, which ends the stream.
    public func send(_ bytes: [UInt8]) -> Bool {
        state.withLock { state in
            guard !state.isClosed, !state.isFinished else { return false }
            guard state.pending.count + bytes.count <= Self.maximumPendingBytes else {
                state.isClosed = true
                resume(&state)
                return false
            }
            state.pending.append(bytes)
            state.lastActivity = MachineClock.monotonicMilliseconds()
            resume(&state)
            return true
        }
    }

    /// Bytes that the client has not been given yet.
    public var unsentBytes: Int {
        state.withLock(\.pending.count)
    }

    /// Ends the body after what was sent.
    public func finish() {
        state.withLock { state in
            state.isFinished = true
            resume(&state)
        }
    }

    /// Runs a closure when the stream has ended, whoever ended it; at once if it already has.
    public func onClose(_ action: @escaping @Sendable () -> Void) {
        let isClosed = state.withLock { state in
            if !state.isClosed { state.onClose.append(action) }
            return state.isClosed
        }
        if isClosed { action() }
    }

    /// Whether the stream has ended.
    public var isClosed: Bool {
        state.withLock { $0.isClosed }
    }

    var deadline: Int64 { .max }

    func end() {
        state.withLock { state in
            state.isClosed = true
            resume(&state)
        }
    }

    /// Sends a heartbeat when nothing was sent for long.
    func beat(now: Int64) {
        let isQuiet = state.withLock { now - $0.lastActivity >= Self.heartbeatMilliseconds }
        if isQuiet, !heartbeat.isEmpty { _ = send(heartbeat) }
    }

    /// The library has let go of the connection.
    func released() {
        let actions = state.withLock { state in
            state.isClosed = true
            state.pending = Backlog()
            defer { state.onClose = [] }
            return state.onClose
        }
        for action in actions { action() }
    }

    private func resume(_ state: inout State) {
        guard state.isSuspended else { return }
        state.isSuspended = false
        connection.resume()
    }

    /// Hands over the next bytes, or suspends the connection until there are some.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        state.withLock { state in
            if state.isClosed { return MHD_CONTENT_READER_END_WITH_ERROR }
            let count = min(buffer.count, state.pending.count)
            guard count > 0 else {
                if state.isFinished { return MHD_CONTENT_READER_END_OF_STREAM }
                state.isSuspended = true
                connection.suspend()
                return 0
            }
            unsafe state.pending.withUnsafeBytes { bytes in
                unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            }
            state.pending.drop(count)
            return count
        }
    }
}
