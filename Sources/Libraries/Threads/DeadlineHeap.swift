/// Numbered deadlines, the earliest first; equal ones in the order of their numbers.
struct DeadlineHeap: Sendable {
    /// One deadline, in monotonic milliseconds.
    struct Entry: Sendable {
        let due: Int64
        let number: UInt64

        func isBefore(_ other: Entry) -> Bool {
            (due, number) < (other.due, other.number)
        }
    }

    /// A binary heap.
    private var entries: [Entry] = []

    /// The earliest deadline.
    var first: Entry? { entries.first }

    /// Adds a deadline.
    mutating func insert(due: Int64, number: UInt64) {
        entries.append(Entry(due: due, number: number))
        var child = entries.count - 1
        while child > 0, entries[child].isBefore(entries[(child - 1) / 2]) {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Removes the earliest deadline, if there is one.
    mutating func removeFirst() {
        guard let last = entries.popLast(), !entries.isEmpty else { return }
        entries[0] = last
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < entries.count else { return }
            let right = left + 1
            let child = right < entries.count && entries[right].isBefore(entries[left]) ? right : left
            guard entries[child].isBefore(entries[parent]) else { return }
            entries.swapAt(child, parent)
            parent = child
        }
    }
}
