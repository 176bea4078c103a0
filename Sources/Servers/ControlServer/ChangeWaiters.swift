import Synchronization

/// Those who wait for a change of the world; each is asked again after changes, on a timer's thread.
///
/// Changes are many and waiters few: a change without waiters costs one look, and changes that come faster
/// than they are looked at are joined.
public final class ChangeWaiters: Sendable {
    private struct State {
        var waiters: [Int: @Sendable () -> Bool] = [:]
        var next = 0
        var isScheduled = false
        var isStopped = false
    }

    private let state = Mutex(State())
    private let schedule: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// Nobody waits yet; `schedule` runs an action soon, on another thread, without the caller's locks.
    public init(schedule: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        self.schedule = schedule
    }

    /// Tells that something has changed.
    ///
    /// Cheap; may be called with locks held.
    public func changed() {
        let mustSchedule = state.withLock { state in
            guard !state.waiters.isEmpty, !state.isScheduled else { return false }
            state.isScheduled = true
            return true
        }
        if mustSchedule { schedule { self.askAll() } }
    }

    /// Forgets all who wait, for good: what they hold on to can go with the world.
    public func stop() {
        // Let go outside the lock: what they hold may call back.
        _ = state.withLock { state in
            state.isStopped = true
            return exchange(&state.waiters, with: [:])
        }
    }

    /// Adds one who is asked now and after each change until it answers true.
    func add(_ ask: @escaping @Sendable () -> Bool) {
        let number = state.withLock { state in
            state.next += 1
            guard !state.isStopped else { return state.next }
            state.waiters[state.next] = ask
            return state.next
        }
        if ask() { remove(number) }
    }

    private func askAll() {
        let waiters = state.withLock { state in
            state.isScheduled = false
            return state.waiters.sorted { $0.key < $1.key }
        }
        for (number, ask) in waiters where ask() { remove(number) }
    }

    private func remove(_ number: Int) {
        _ = state.withLock { $0.waiters.removeValue(forKey: number) }
    }
}
