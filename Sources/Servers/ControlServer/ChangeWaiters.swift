import Synchronization

/// Those who wait for a change of the world; each is asked again after changes, on a timer's thread.
///
/// Changes are many and waiters few: a change without waiters costs one look, and changes that come faster
/// than they are looked at are joined.
public final class ChangeWaiters: Sendable {
    private struct Waiter {
        let ask: @Sendable () -> Bool
        let whenStopped: @Sendable () -> Void
    }

    private struct State {
        var waiters: [Int: Waiter] = [:]
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

    /// Tells all who wait that the world ends, and forgets them: what they hold on to can go with it.
    public func stop() {
        // Told outside the lock: they may call back.
        let waiters = state.withLock { state in
            state.isStopped = true
            return exchange(&state.waiters, with: [:])
        }
        for (_, waiter) in waiters.sorted(by: { $0.key < $1.key }) { waiter.whenStopped() }
    }

    /// Adds one who is asked now and after each change until it answers true, or told of the end.
    func add(_ ask: @escaping @Sendable () -> Bool, whenStopped: @escaping @Sendable () -> Void = {}) {
        let (number, isStopped) = state.withLock { state in
            state.next += 1
            if !state.isStopped { state.waiters[state.next] = Waiter(ask: ask, whenStopped: whenStopped) }
            return (state.next, state.isStopped)
        }
        if ask() {
            remove(number)
        } else if isStopped {
            whenStopped()
        }
    }

    private func askAll() {
        let waiters = state.withLock { state in
            state.isScheduled = false
            return state.waiters.sorted { $0.key < $1.key }
        }
        for (number, waiter) in waiters where waiter.ask() { remove(number) }
    }

    private func remove(_ number: Int) {
        _ = state.withLock { $0.waiters.removeValue(forKey: number) }
    }
}
