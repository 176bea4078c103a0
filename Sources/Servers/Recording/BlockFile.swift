import Files
import SQLiteDatabase
import Synchronization

/// Blocks of numbered entries in a file of this process alone, which is gone with it, however it ends.
///
/// Each block has columns, in which entries are looked for without reading the blocks themselves. An entry that
/// changes later is written beside its block, and read in place of what the block has. Nothing survives: there is
/// no waiting for the disk.
public final class BlockFile: Sendable {
    /// Entries that are put away together.
    public struct Block: Sendable {
        /// Numbers of the first and the last entry.
        public let numbers: ClosedRange<Int64>
        /// How many entries there are.
        public let count: Int
        /// Columns by their numbers, from 0 on.
        public let columns: [[UInt8]]
        /// All entries.
        public let body: [UInt8]

        /// A block.
        public init(numbers: ClosedRange<Int64>, count: Int, columns: [[UInt8]], body: [UInt8]) {
            self.numbers = numbers
            self.count = count
            self.columns = columns
            self.body = body
        }
    }

    /// Where a block lies.
    public struct Place: Hashable, Sendable {
        /// Numbers of the first and the last entry.
        public let numbers: ClosedRange<Int64>
        /// How many entries there are.
        public let count: Int
        let row: Int64
        let columns: Int
    }

    /// A change of an entry.
    public struct Change: Hashable, Sendable {
        /// The entry's number.
        public let number: Int64
        /// The entry.
        public let body: [UInt8]

        /// A change.
        public init(number: Int64, body: [UInt8]) {
            self.number = number
            self.body = body
        }
    }

    private struct State {
        var tables: BlockTables?
        /// All blocks, oldest first.
        var places: [Place] = []
        var count = 0
        var hasChanges = false
        var lastRow: Int64 = 0
    }

    private let state = Mutex(State())
    private let folder: String?
    private let maximumPages: Int32?

    /// A file that is made with its first block.
    ///
    /// - Parameters:
    ///   - folder: where it lies; nil for where the system has temporary files.
    ///   - maximumPages: limits it to so many pages; nil for the room on the disk.
    public init(folder: String? = nil, maximumPages: Int32? = nil) {
        self.folder = folder
        self.maximumPages = maximumPages
    }

    /// How many entries it holds.
    public var count: Int { state.withLock { $0.count } }

    /// Appends a block whose numbers are above all others.
    ///
    /// - Throws: ``WorldLogError``; what was there is there still, and nothing else.
    public func append(_ block: Block) throws(WorldLogError) {
        try withTables { tables, state throws(WorldLogError) in
            try tables.insert(block, row: state.lastRow + 1)
            state.lastRow += 1
            state.places.append(
                Place(
                    numbers: block.numbers,
                    count: block.count,
                    row: state.lastRow,
                    columns: block.columns.count
                )
            )
            state.count += block.count
        }
    }

    /// Notes that entries have changed.
    public func write(_ changes: [Change]) throws(WorldLogError) {
        try withTables { tables, state throws(WorldLogError) in
            try tables.write(changes)
            state.hasChanges = true
        }
    }

    /// Removes the oldest block; the number of its entries, 0 when there is none.
    public func removeOldest() throws(WorldLogError) -> Int {
        try withTables { tables, state throws(WorldLogError) in
            guard let place = state.places.first else { return 0 }
            try tables.remove(place)
            state.places.removeFirst()
            state.count -= place.count
            return place.count
        }
    }

    /// The blocks with entries of these numbers, oldest first.
    public func places(of numbers: ClosedRange<Int64>) -> [Place] {
        state.withLock { state in
            let first = state.places.partitioningIndex { $0.numbers.upperBound >= numbers.lowerBound }
            let end = state.places.partitioningIndex { $0.numbers.lowerBound > numbers.upperBound }
            return first < end ? Array(state.places[first..<end]) : []
        }
    }

    /// Shows a column of each of some blocks that follow one another, oldest first, with the index of the block.
    public func forEachColumn(
        _ column: Int,
        of places: ArraySlice<Place>,
        _ body: (_ index: Int, _ column: [UInt8]) -> Void
    ) throws(WorldLogError) {
        guard let first = places.first, let last = places.last else { return }
        try withTables { tables, _ throws(WorldLogError) in
            try tables.forEachColumn(column, rows: first.row...last.row) { row, bytes in
                // Rows are numbered without gaps.
                body(places.startIndex + Int(row - first.row), bytes)
            }
        }
    }

    /// The body of a block; nil when it has been removed.
    public func body(of place: Place) throws(WorldLogError) -> [UInt8]? {
        try withTables { tables, _ throws(WorldLogError) in try tables.body(row: place.row) }
    }

    /// The changes of entries of these numbers in their order.
    public func changes(of numbers: ClosedRange<Int64>) throws(WorldLogError) -> [Change] {
        guard state.withLock({ $0.hasChanges }) else { return [] }
        return try withTables { tables, _ throws(WorldLogError) in try tables.changes(of: numbers) }
    }

    private func withTables<Result>(
        _ body: (BlockTables, inout State) throws(WorldLogError) -> Result
    ) throws(WorldLogError) -> Result {
        try state.withLock { state throws(WorldLogError) -> Result in
            if let tables = state.tables { return try body(tables, &state) }
            let tables = try BlockTables(folder: folder, maximumPages: maximumPages)
            state.tables = tables
            return try body(tables, &state)
        }
    }
}
