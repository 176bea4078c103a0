import Threads

/// Actions due at moments, the earliest first; those of one moment in the order they were added.
struct TimerQueue {
    private var deadlines = DeadlineHeap()
    private var actions: [UInt64: () -> Void] = [:]
    private var added: UInt64 = 0

    /// When the earliest action is due, in milliseconds of the monotonic clock.
    var nextDue: Int64? { deadlines.first?.due }

    mutating func add(due: Int64, action: @escaping () -> Void) {
        added &+= 1
        deadlines.insert(due: due, number: added)
        actions[added] = action
    }

    /// Takes the earliest action when it is due.
    mutating func take(now: Int64) -> (() -> Void)? {
        guard let first = deadlines.first, first.due <= now else { return nil }
        deadlines.removeFirst()
        return actions.removeValue(forKey: first.number)
    }

    mutating func removeAll() { self = TimerQueue() }
}
