/// Actions due at moments, the earliest first; those of one moment in the order they were added.
struct TimerQueue {
    private struct Entry {
        let due: Int64
        let order: UInt64
        let action: () -> Void

        func precedes(_ other: Entry) -> Bool {
            due != other.due ? due < other.due : order < other.order
        }
    }

    /// A binary heap.
    private var entries: [Entry] = []
    private var added: UInt64 = 0

    /// When the earliest action is due, in milliseconds of the monotonic clock.
    var nextDue: Int64? { entries.first?.due }

    mutating func add(due: Int64, action: @escaping () -> Void) {
        added &+= 1
        entries.append(Entry(due: due, order: added, action: action))
        var child = entries.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].precedes(entries[parent]) else { break }
            entries.swapAt(child, parent)
            child = parent
        }
    }

    /// Takes the earliest action when it is due.
    mutating func take(now: Int64) -> (() -> Void)? {
        guard let first = entries.first, first.due <= now else { return nil }
        entries.swapAt(0, entries.count - 1)
        entries.removeLast()
        var parent = 0
        while true {
            var smallest = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < entries.count {
                if entries[child].precedes(entries[smallest]) { smallest = child }
            }
            guard smallest != parent else { break }
            entries.swapAt(smallest, parent)
            parent = smallest
        }
        return first.action
    }

    mutating func removeAll() { entries.removeAll() }
}
