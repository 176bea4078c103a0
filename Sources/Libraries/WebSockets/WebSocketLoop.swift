public import Polling
internal import Synchronization
internal import Threads

/// Serves WebSockets, whose HTTP handshake is done, on one thread.
///
/// Text must be UTF-8, client frames masked, and messages within their limit: otherwise that connection is closed
/// with the code that says so, and no other is touched.
public final class WebSocketLoop: Sendable {
    enum Command: Sendable {
        case adopt(WebSocketConnection.Start)
        /// A text that goes to one after the other.
        case text([UInt64], [UInt8])
        case unframed(UInt64, [UInt8])
        case close(UInt64, code: UInt16?)
        case abort(UInt64)
        case perform(@Sendable () -> Void)
        case stop
    }

    private struct State {
        var commands: [Command] = []
        var lastID: UInt64 = 0
        var hasEnded = false

        /// Takes a command; a text that the last one sends to others goes to one more by it.
        ///
        /// An event for hundreds of clients would otherwise take hundreds of commands.
        mutating func add(_ command: Command) {
            guard case .text(let more, let text) = command,
                case .text(var receivers, let last)? = commands.last, last == text
            else { return commands.append(command) }
            commands.removeLast()
            receivers += more
            commands.append(.text(receivers, text))
        }
    }

    let signal: WakeSignal
    private let state = Mutex(State())
    private let thread = Mutex<WorkerThread?>(nil)

    /// Starts the thread.
    public init(name: String) throws(PollingError) {
        signal = try WakeSignal()
        let runner = WebSocketRunner(poller: try Poller(), loop: self)
        do throws(ThreadError) {
            let started = try WorkerThread(name: name) { runner.run() }
            thread.withLock { $0 = started }
        } catch {
            throw PollingError(operation: "pthread_create", errorNumber: error.code)
        }
    }

    /// Takes over a non-blocking socket on which the handshake has been done.
    ///
    /// - Parameters:
    ///   - descriptor: belongs to the loop until `onRelease` is called.
    ///   - received: what the client sent behind its handshake.
    ///   - maximumMessageBytes: longer messages close the connection with 1009.
    ///   - onAbort: makes the closing that follows an RST for the client; called on the loop's thread.
    ///   - onRelease: closes the descriptor; called once, from any thread.
    ///   - onEvent: called on the loop's thread; must be short.
    /// - Returns: the connection.
    public func adopt(
        descriptor: Int32,
        received: [UInt8],
        maximumMessageBytes: Int,
        onAbort: @escaping @Sendable () -> Void,
        onRelease: @escaping @Sendable () -> Void,
        onEvent: @escaping @Sendable (WebSocket, WebSocketEvent) -> Void
    ) -> WebSocket {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let socket = WebSocket(id: id, loop: self)
        let start = WebSocketConnection.Start(
            socket: socket,
            descriptor: descriptor,
            received: received,
            maximumMessageBytes: maximumMessageBytes,
            onAbort: onAbort,
            onRelease: onRelease,
            onEvent: onEvent
        )
        if !enqueue(.adopt(start)) { onRelease() }
        return socket
    }

    /// Runs an action on the loop's thread, after what was asked for before; never after the loop's end.
    public func perform(_ action: @escaping @Sendable () -> Void) { enqueue(.perform(action)) }

    /// Says goodbye on every connection, lets go of them, and waits for the thread; harmless when repeated.
    public func stop() {
        guard let thread = thread.withLock({ $0.take() }) else { return }
        enqueue(.stop)
        thread.join()
    }

    /// Hands something to the thread; false when it has ended.
    @discardableResult
    func enqueue(_ command: Command) -> Bool {
        let (isTaken, wakes) = state.withLock { state in
            guard !state.hasEnded else { return (false, false) }
            let wakes = state.commands.isEmpty
            state.add(command)
            return (true, wakes)
        }
        if wakes { signal.raise() }
        return isTaken
    }

    func takeCommands() -> [Command] {
        state.withLock { state in
            defer { state.commands = [] }
            return state.commands
        }
    }

    /// Takes nothing any more; what was not taken yet.
    func end() -> [Command] {
        state.withLock { state in
            state.hasEnded = true
            defer { state.commands = [] }
            return state.commands
        }
    }
}
