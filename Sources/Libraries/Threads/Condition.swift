#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A state behind a lock whose changes threads can wait for.
///
/// Waits are measured by the monotonic clock of ``MachineClock``.
///
/// SAFETY: `state` is touched only between locking and unlocking `lock`; the three pointers are allocated in
/// `init`, stay where they are, and are freed in `deinit`, when nobody can wait any more.
@safe public final class Condition<State: Sendable>: @unchecked Sendable {
    private let lock: UnsafeMutablePointer<pthread_mutex_t>
    private let changed: UnsafeMutablePointer<pthread_cond_t>
    private var state: State

    /// A condition that guards a state.
    public init(_ state: State) {
        self.state = state
        unsafe lock = .allocate(capacity: 1)
        unsafe changed = .allocate(capacity: 1)
        #if canImport(Darwin)
            _ = unsafe pthread_mutex_init(lock, nil)
            _ = unsafe pthread_cond_init(changed, nil)
        #else
            // The lock is held for microseconds: to look again is cheaper than to sleep and be woken.
            var kind = pthread_mutexattr_t()
            _ = unsafe pthread_mutexattr_init(&kind)
            _ = unsafe pthread_mutexattr_settype(&kind, Int32(PTHREAD_MUTEX_ADAPTIVE_NP))
            _ = unsafe pthread_mutex_init(lock, &kind)
            _ = unsafe pthread_mutexattr_destroy(&kind)
            var attributes = pthread_condattr_t()
            _ = unsafe pthread_condattr_init(&attributes)
            _ = unsafe pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
            _ = unsafe pthread_cond_init(changed, &attributes)
            _ = unsafe pthread_condattr_destroy(&attributes)
        #endif
    }

    deinit {
        _ = unsafe pthread_cond_destroy(changed)
        _ = unsafe pthread_mutex_destroy(lock)
        unsafe changed.deallocate()
        unsafe lock.deallocate()
    }

    /// Reads or changes the state; wakes nobody.
    public func withLock<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        _ = unsafe pthread_mutex_lock(lock)
        defer { _ = unsafe pthread_mutex_unlock(lock) }
        return try body(&state)
    }

    /// Wakes all who wait, so that they look at the state again.
    public func signal() {
        _ = unsafe pthread_cond_broadcast(changed)
    }

    /// Changes the state and wakes all who wait.
    public func update<Result, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        defer { signal() }
        return try withLock(body)
    }

    /// Waits until `body` returns a value; nil when the time is over first.
    ///
    /// - Parameters:
    ///   - deadline: monotonic milliseconds of ``MachineClock``; nil waits without limit.
    ///   - body: looks at the state under the lock, at once and after each signal.
    /// - Returns: what `body` returned.
    public func wait<Result>(until deadline: Int64? = nil, for body: (inout State) -> Result?) -> Result? {
        wait { state in
            if let result = body(&state) { return .ready(result) }
            if let deadline, MachineClock.monotonicMilliseconds() >= deadline { return .ready(nil) }
            return .sleep(until: deadline)
        }
    }

    /// Waits as `body` says, which looks at the state under the lock after each signal and each deadline.
    public func wait<Result>(_ body: (inout State) -> ConditionStep<Result>) -> Result {
        _ = unsafe pthread_mutex_lock(lock)
        defer { _ = unsafe pthread_mutex_unlock(lock) }
        while true {
            switch body(&state) {
            case .ready(let result): return result
            case .sleep(until: nil): _ = unsafe pthread_cond_wait(changed, lock)
            case .sleep(until: let deadline?): sleep(until: deadline)
            }
        }
    }

    private func sleep(until deadline: Int64) {
        #if canImport(Darwin)
            let rest = max(0, deadline - MachineClock.monotonicMilliseconds())
            var time = timespec(tv_sec: Int(rest / 1000), tv_nsec: Int(rest % 1000) * 1_000_000)
            _ = unsafe pthread_cond_timedwait_relative_np(changed, lock, &time)
        #else
            let positive = max(0, deadline)
            var time = timespec(tv_sec: Int(positive / 1000), tv_nsec: Int(positive % 1000) * 1_000_000)
            _ = unsafe pthread_cond_timedwait(changed, lock, &time)
        #endif
    }
}

/// What a waiting thread does next.
public enum ConditionStep<Result> {
    /// It goes on with a result.
    case ready(Result)
    /// It sleeps until the next signal, or until so many monotonic milliseconds of ``MachineClock``.
    case sleep(until: Int64?)
}
