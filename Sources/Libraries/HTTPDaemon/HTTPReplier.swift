internal import CMicrohttpd
internal import Glibc
internal import Synchronization
internal import Threads

/// A connection of the library.
///
/// SAFETY: only used where the library keeps the connection alive: in its callbacks, and while suspended.
@safe struct ConnectionHandle: @unchecked Sendable {
    let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    /// The socket.
    var descriptor: Int32 { unsafe CMicrohttpd_socket(pointer) }

    /// Has the system send only full segments, until told otherwise; then what is left goes at once.
    func holdBack(_ isHeldBack: Bool) {
        #if os(Linux)
            SocketCalls.set(descriptor, Int32(IPPROTO_TCP), TCP_CORK, to: isHeldBack ? 1 : 0)
        #endif
    }

    func suspend() {
        unsafe MHD_suspend_connection(pointer)
    }

    func resume() {
        unsafe MHD_resume_connection(pointer)
    }
}

/// Something that keeps a connection waiting and has to be ended before the server stops.
protocol Waiting: AnyObject, Sendable {
    /// Milliseconds of the steady clock after which the wait ends by itself.
    var deadline: Int64 { get }
    /// The socket of the client.
    var descriptor: Int32 { get }
    /// Ends the connection.
    func end()
}

/// The answer to one request, to be given once, from any thread.
///
/// Only the first call counts. A replier that is never told anything ends its connection after a day, when the
/// client has left, or when the server stops.
public final class HTTPReplier: Waiting {
    enum Outcome {
        case respond(HTTPResponse), reset, close
        case stream(HTTPStreamHead, @Sendable (HTTPStream) -> Void)
    }

    private struct State {
        var outcome: Outcome?
        var isDecided = false
        var isSuspended = false
    }

    private static let longestWaitMilliseconds: Int64 = 86_460_000

    let deadline: Int64
    let descriptor: Int32
    private let connection: ConnectionHandle
    private let timer: TimerThread
    private let state = Mutex(State())

    init(_ connection: ConnectionHandle, timer: TimerThread) {
        self.connection = connection
        descriptor = connection.descriptor
        self.timer = timer
        deadline = MachineClock.monotonicMilliseconds() + Self.longestWaitMilliseconds
    }

    /// Answers the request.
    public func respond(_ response: HTTPResponse) {
        decide(.respond(response))
    }

    /// Answers with a body that is sent piece by piece; the closure must not block.
    public func stream(_ head: HTTPStreamHead, _ start: @escaping @Sendable (HTTPStream) -> Void) {
        decide(.stream(head, start))
    }

    /// Ends the connection with an RST.
    public func reset() {
        decide(.reset)
    }

    /// Ends the connection with a FIN and no answer.
    public func close() {
        decide(.close)
    }

    /// Whether somebody has answered, or ended the connection.
    public var isDecided: Bool {
        state.withLock { $0.isDecided }
    }

    /// Runs a closure on the timer's thread, not before so many milliseconds have passed; it must not block.
    public func after(milliseconds: Int, _ action: @escaping @Sendable () -> Void) {
        timer.after(milliseconds: milliseconds, action)
    }

    func end() {
        decide(.close)
    }

    private func decide(_ outcome: Outcome) {
        state.withLock { state in
            guard !state.isDecided else { return }
            state.isDecided = true
            state.outcome = outcome
            if state.isSuspended { connection.resume() }
        }
    }

    /// What was decided; suspends the connection when nothing has been.
    func outcomeOrSuspend() -> Outcome? {
        state.withLock { state in
            if state.isDecided {
                let outcome = state.outcome
                state.outcome = nil
                return outcome ?? .close
            }
            state.isSuspended = true
            connection.suspend()
            return nil
        }
    }
}
