import Polling
import Synchronization

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Hands actions from any thread to the loop's thread.
@safe
final class TLSLoopQueue: Sendable {
    private struct State {
        var actions: [@Sendable (TLSLoop) -> Void] = []
        var thread: pthread_t?
        var hasEnded = false
    }

    let signal: WakeSignal
    private let state = Mutex(State())
    /// SAFETY: set and cleared by the loop's thread, read on it alone (`isLoopThread` comes first).
    private nonisolated(unsafe) weak var loop: TLSLoop?

    init() throws(TLSListenerError) {
        do throws(PollingError) {
            signal = try WakeSignal()
        } catch {
            throw TLSListenerError(error)
        }
    }

    /// Runs an action on the loop's thread, at once when called there, else soon; false after the loop's end.
    @discardableResult
    func perform(_ action: @escaping @Sendable (TLSLoop) -> Void) -> Bool {
        let (isTaken, runsHere) = state.withLock { state -> (Bool, Bool) in
            guard !state.hasEnded else { return (false, false) }
            if let thread = state.thread, pthread_equal(thread, pthread_self()) != 0 { return (true, true) }
            state.actions.append(action)
            if state.actions.count == 1 { signal.raise() }
            return (true, false)
        }
        if runsHere, let loop = unsafe loop { action(loop) }
        return isTaken
    }

    func takeActions() -> [@Sendable (TLSLoop) -> Void] {
        state.withLock { state in
            let actions = state.actions
            state.actions = []
            return actions
        }
    }

    func loopStarted(_ loop: TLSLoop) {
        unsafe self.loop = loop
        state.withLock { $0.thread = pthread_self() }
    }

    /// Takes no more actions, and gives those that have not run.
    func loopEnded() -> [@Sendable (TLSLoop) -> Void] {
        state.withLock { state in
            state.hasEnded = true
            state.thread = nil
            defer { state.actions = [] }
            return state.actions
        }
    }
}
