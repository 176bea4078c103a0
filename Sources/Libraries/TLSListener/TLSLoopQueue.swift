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

    /// Runs an action on the loop's thread: at once when called there, else soon; never after the loop's end.
    func perform(_ action: @escaping @Sendable (TLSLoop) -> Void) {
        let runsHere = state.withLock { state -> Bool in
            guard !state.hasEnded else { return false }
            if let thread = state.thread, pthread_equal(thread, pthread_self()) != 0 { return true }
            state.actions.append(action)
            if state.actions.count == 1 { signal.raise() }
            return false
        }
        if runsHere, let loop = unsafe loop { action(loop) }
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

    func loopEnded() {
        state.withLock { state in
            state.hasEnded = true
            state.thread = nil
            state.actions = []
        }
    }
}
