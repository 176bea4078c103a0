import Files
import SQLiteDatabase

/// The database of a ``BlockFile``, for one thread at a time.
final class BlockTables: Sendable {
    private let name: String
    private let database: SQLiteDatabase
    private let insertBody: SQLiteStatement
    private let insertColumn: SQLiteStatement
    private let insertChange: SQLiteStatement
    private let selectBody: SQLiteStatement
    private let selectColumns: SQLiteStatement
    private let selectChanges: SQLiteStatement

    /// The rows of a column begin at its number times this.
    private static let columnStride: Int64 = 1 << 40

    /// Makes a database whose file has no name any more.
    init(folder: String?, maximumPages: Int32?) throws(WorldLogError) {
        // Without a name SQLite itself takes a temporary file, which it removes from its folder at once.
        let path = folder.map { $0 + "/pushes.sqlite" } ?? ""
        name = folder ?? "a temporary file"
        if folder != nil { try Self.remove(path) }
        let database = try Self.reporting(name) { () throws(SQLiteError) in
            let database = try SQLiteDatabase(path: path)
            try database.execute("PRAGMA page_size=16384")
            if let maximumPages { try database.setMaximumPages(maximumPages) }
            // What a transaction changes can be taken back from memory: that is enough for a file without a future.
            try database.execute("PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=MEMORY")
            try database.execute("PRAGMA synchronous=OFF; PRAGMA cache_size=-4096")
            try database.execute("CREATE TABLE body(block INTEGER PRIMARY KEY, entries BLOB)")
            try database.execute("CREATE TABLE part(place INTEGER PRIMARY KEY, numbers BLOB)")
            try database.execute("CREATE TABLE change(entry INTEGER PRIMARY KEY, body BLOB)")
            return database
        }
        self.database = database
        (insertBody, insertColumn, insertChange) = try Self.reporting(name) { () throws(SQLiteError) in
            (
                try database.prepare("INSERT INTO body(block, entries) VALUES(?, ?)"),
                try database.prepare("INSERT INTO part(place, numbers) VALUES(?, ?)"),
                try database.prepare("INSERT OR REPLACE INTO change(entry, body) VALUES(?, ?)")
            )
        }
        (selectBody, selectColumns, selectChanges) = try Self.reporting(name) { () throws(SQLiteError) in
            (
                try database.prepare("SELECT entries FROM body WHERE block = ?"),
                try database.prepare(
                    "SELECT place, numbers FROM part WHERE place BETWEEN ? AND ? ORDER BY place"
                ),
                try database.prepare(
                    "SELECT entry, body FROM change WHERE entry BETWEEN ? AND ? ORDER BY entry"
                )
            )
        }
        if folder != nil { try Self.remove(path) }
    }

    private static func remove(_ path: String) throws(WorldLogError) {
        do throws(FileError) {
            try Files.remove(path)
        } catch {
            throw .directoryUnusable(reason: error.description)
        }
    }

    /// Writes a block, or nothing of it.
    func insert(_ block: BlockFile.Block, row: Int64) throws(WorldLogError) {
        try transaction { () throws(SQLiteError) in
            try insertBody.run([.integer(row), .blob(block.body)])
            for (number, column) in block.columns.enumerated() {
                try insertColumn.run([.integer(Int64(number) * Self.columnStride + row), .blob(column)])
            }
        }
    }

    /// Writes changes, or none of them.
    func write(_ changes: [BlockFile.Change]) throws(WorldLogError) {
        try transaction { () throws(SQLiteError) in
            for change in changes {
                try insertChange.run([.integer(change.number), .blob(change.body)])
            }
        }
    }

    /// Removes a block with all that belongs to it.
    func remove(_ place: BlockFile.Place) throws(WorldLogError) {
        try transaction { () throws(SQLiteError) in
            try database.prepare("DELETE FROM body WHERE block = ?").run([.integer(place.row)])
            let removeColumn = try database.prepare("DELETE FROM part WHERE place = ?")
            for number in 0..<place.columns {
                try removeColumn.run([.integer(Int64(number) * Self.columnStride + place.row)])
            }
            try database.prepare("DELETE FROM change WHERE entry BETWEEN ? AND ?").run([
                .integer(place.numbers.lowerBound), .integer(place.numbers.upperBound),
            ])
        }
    }

    /// Shows the column of some rows in their order.
    func forEachColumn(
        _ column: Int,
        rows: ClosedRange<Int64>,
        _ body: (_ row: Int64, _ column: [UInt8]) -> Void
    ) throws(WorldLogError) {
        let start = Int64(column) * Self.columnStride
        try Self.reporting(name) { () throws(SQLiteError) in
            try selectColumns.forEachRow([
                .integer(start + rows.lowerBound), .integer(start + rows.upperBound),
            ]) { row in body(row.integer(0) - start, row.blob(1)) }
        }
    }

    /// The body of a row's block.
    func body(row: Int64) throws(WorldLogError) -> [UInt8]? {
        try Self.reporting(name) { () throws(SQLiteError) in
            try selectBody.firstRow([.integer(row)]) { $0.blob(0) }
        }
    }

    /// The changes of entries of these numbers in their order.
    func changes(of numbers: ClosedRange<Int64>) throws(WorldLogError) -> [BlockFile.Change] {
        try Self.reporting(name) { () throws(SQLiteError) in
            var changes: [BlockFile.Change] = []
            try selectChanges.forEachRow([.integer(numbers.lowerBound), .integer(numbers.upperBound)]) {
                row in
                changes.append(BlockFile.Change(number: row.integer(0), body: row.blob(1)))
            }
            return changes
        }
    }

    private func transaction(_ body: () throws(SQLiteError) -> Void) throws(WorldLogError) {
        try Self.reporting(name) { () throws(SQLiteError) in try database.transaction(body) }
    }

    private static func reporting<Result>(
        _ name: String,
        _ body: () throws(SQLiteError) -> Result
    ) throws(WorldLogError) -> Result {
        do {
            return try body()
        } catch {
            throw .storageFailed(reason: "\(name): \(error)")
        }
    }
}
