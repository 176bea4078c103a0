/// Numbered deadlines, the earliest first; equal ones in the order of their numbers.
public struct DeadlineHeap: Sendable {
    /// One deadline, in monotonic milliseconds.
    public struct Entry: Sendable {
        /// When it is.
        public let due: Int64
        /// Whose it is.
        public let number: UInt64

        func isBefore(_ other: Entry) -> Bool {
            (due, number) < (other.due, other.number)
        }
    }

    /// A binary heap.
    private var entries: [Entry] = []

    /// No deadlines.
    public init() {}

    /// The earliest deadline.
    public var first: Entry? { entries.first }

    /// Adds a deadline.
    public mutating func insert(due: Int64, number: UInt64) {
        entries.append(Entry(due: due, number: number))
        var child = entries.count - 1
        while child > 0, entries[child].isBefore(entries[(child - 1) / 2]) {
            entries.swapAt(child, (child - 1) / 2)
            child = (child - 1) / 2
        }
    }

    /// Removes the earliest deadline, if there is one.
    public mutating func removeFirst() {
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
