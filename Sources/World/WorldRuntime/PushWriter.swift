import Synchronization
import Threads

/// The thread that puts away what is too much for memory, so that neither the world's lock nor a server waits.
final class PushWriter: Sendable {
    private struct State {
        var hasWork = false
        var isClosing = false
    }

    private let state = Condition(State())
    private let thread = Mutex<WorkerThread?>(nil)

    deinit { close() }

    /// Starts the thread, which runs `work` after each ``wake()``.
    func start(_ work: @escaping @Sendable () -> Void) throws(ThreadError) {
        let state = state
        let started = try WorkerThread(name: "push record") {
            while Self.next(state) { work() }
        }
        thread.withLock { $0 = started }
    }

    /// Lets the thread look for work; cheap, and allowed under a lock.
    func wake() { state.update { $0.hasWork = true } }

    /// Stops the thread once it has done what it is doing.
    func close() {
        state.update { $0.isClosing = true }
        let thread = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        thread?.join()
    }

    /// Waits for work; false when there will be none any more.
    private static func next(_ state: Condition<State>) -> Bool {
        state.wait { state in
            if state.isClosing { return .ready(false) }
            guard state.hasWork else { return .sleep(until: nil) }
            state.hasWork = false
            return .ready(true)
        }
    }
}
