/// Runs actions at their time on one thread of its own.
///
/// Actions must be short: a slow one delays all that follow.
public final class TimerThread: Sendable {
    /// Names an action that has not run yet.
    public struct Token: Hashable, Sendable {
        fileprivate let number: UInt64
    }

    private struct State: Sendable {
        var heap = DeadlineHeap()
        var actions: [UInt64: @Sendable () -> Void] = [:]
        var number: UInt64 = 0
        var isStopped = false
    }

    private let condition: Condition<State>
    private let thread: WorkerThread

    /// Starts the thread.
    public init(name: String) throws(ThreadError) {
        let condition = Condition(State())
        self.condition = condition
        thread = try WorkerThread(name: name) { Self.loop(condition) }
    }

    deinit {
        condition.update { $0.isStopped = true }
    }

    /// Runs an action after so many milliseconds, measured by the monotonic clock; never when stopped before.
    @discardableResult
    public func after(milliseconds: Int, _ action: @escaping @Sendable () -> Void) -> Token {
        let due = MachineClock.deadline(afterMilliseconds: milliseconds)
        let (token, isFirst) = condition.withLock { state in
            state.number += 1
            guard !state.isStopped else { return (Token(number: state.number), false) }
            state.heap.insert(due: due, number: state.number)
            state.actions[state.number] = action
            return (Token(number: state.number), state.heap.first?.number == state.number)
        }
        if isFirst { condition.signal() }
        return token
    }

    /// Forgets an action that has not run yet; nothing happens when it has.
    public func cancel(_ token: Token) {
        condition.withLock { $0.actions[token.number] = nil }
    }

    /// Stops the thread without running what is left, and waits for the action that is running.
    public func stop() {
        condition.update { state in
            state.isStopped = true
            state.actions = [:]
        }
        thread.join()
    }

    private static func loop(_ condition: Condition<State>) {
        while let action = next(condition) { action() }
    }

    /// Waits for the next action that is due; nil when stopped.
    private static func next(_ condition: Condition<State>) -> (@Sendable () -> Void)? {
        condition.wait { state in
            while !state.isStopped {
                guard let first = state.heap.first else { return .sleep(until: nil) }
                if let action = state.actions[first.number] {
                    guard first.due <= MachineClock.monotonicMilliseconds() else {
                        return .sleep(until: first.due)
                    }
                    state.heap.removeFirst()
                    state.actions[first.number] = nil
                    return .ready(action)
                }
                state.heap.removeFirst()
            }
            return .ready(nil)
        }
    }
}
