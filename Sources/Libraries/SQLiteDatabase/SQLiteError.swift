import CSQLite

/// A call into SQLite that failed.
public struct SQLiteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The extended result code.
    public let code: Int32
    /// What was tried.
    public let operation: String
    /// What SQLite says about it.
    public let message: String

    /// The primary result code, as in `SQLITE_FULL`.
    public var primaryCode: Int32 { code & 0xFF }

    /// Whether another connection holds the database.
    public var isBusy: Bool { primaryCode == SQLITE_BUSY || primaryCode == SQLITE_LOCKED }

    /// Whether the disk, or the limit set for the file, has no room left.
    public var isFull: Bool { primaryCode == SQLITE_FULL }

    /// Whether the file is no database, or a damaged one.
    public var isDamaged: Bool { primaryCode == SQLITE_CORRUPT || primaryCode == SQLITE_NOTADB }

    /// What was tried and why it failed, for people.
    public var description: String { "\(operation): \(message) (SQLite \(code))" }
}
