import CSQLite

/// A connection to a database file, for one thread at a time.
///
/// SAFETY: `handle` is opened in `init` and closed in `deinit`. The connection is opened in SQLite's serialised
/// mode, so that handing it from one thread to another needs no more than the lock that orders them.
@safe public final class SQLiteDatabase: @unchecked Sendable {
    /// How a committed transaction is brought to the disk.
    public enum Synchronous: String, Sendable {
        /// Survives a killed process.
        case normal = "NORMAL"
        /// Survives a power cut.
        case full = "FULL"
    }

    let handle: OpaquePointer

    /// Opens a file, and makes it when it is not there.
    ///
    /// - Parameters:
    ///   - path: the file, or `:memory:`.
    ///   - busyMilliseconds: how long a call waits for another connection.
    /// - Throws: ``SQLiteError``; a file that is no database is often noticed only by the first statement.
    public init(path: String, busyMilliseconds: Int = 0) throws(SQLiteError) {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_EXRESCODE
        let code = unsafe sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle = unsafe handle else {
            let message = unsafe Self.message(handle, code)
            unsafe sqlite3_close_v2(handle)
            throw SQLiteError(code: code, operation: "opening \(path)", message: message)
        }
        unsafe self.handle = unsafe handle
        unsafe sqlite3_busy_timeout(handle, Int32(clamping: busyMilliseconds))
    }

    deinit { unsafe sqlite3_close_v2(handle) }

    /// Runs statements that give no rows, or whose rows are not wanted.
    public func execute(_ sql: String) throws(SQLiteError) {
        try check(unsafe sqlite3_exec(handle, sql, nil, nil, nil), sql)
    }

    /// Prepares one statement.
    public func prepare(_ sql: String) throws(SQLiteError) -> SQLiteStatement {
        var statement: OpaquePointer?
        try check(unsafe sqlite3_prepare_v2(handle, sql, -1, &statement, nil), sql)
        guard let statement = unsafe statement else {
            throw SQLiteError(code: SQLITE_MISUSE, operation: sql, message: "no statement")
        }
        return unsafe SQLiteStatement(database: self, handle: statement, sql: sql)
    }

    /// Runs a body in one transaction, which is committed at its end and rolled back when it throws.
    public func transaction<Result>(_ body: () throws(SQLiteError) -> Result) throws(SQLiteError) -> Result {
        try execute("BEGIN IMMEDIATE")
        do {
            let result = try body()
            try execute("COMMIT")
            return result
        } catch {
            // Some failures have rolled back already; the first error is the one to tell.
            try? execute("ROLLBACK")
            throw error
        }
    }

    /// Appends writes to a journal of their own, which makes them cheap and keeps readers going.
    public func useWriteAheadLog(synchronous: Synchronous) throws(SQLiteError) {
        let mode = try prepare("PRAGMA journal_mode=WAL").firstRow { $0.text(0) ?? "" } ?? ""
        guard mode == "wal" || mode == "memory" else {
            throw SQLiteError(
                code: SQLITE_ERROR,
                operation: "choosing the write-ahead log",
                message: "the mode is \(mode)"
            )
        }
        try execute("PRAGMA synchronous=\(synchronous.rawValue)")
    }

    /// A number that the application keeps in the file.
    public func userVersion() throws(SQLiteError) -> Int64 {
        try prepare("PRAGMA user_version").firstRow { $0.integer(0) } ?? 0
    }

    /// Sets the number that the application keeps in the file.
    public func setUserVersion(_ version: Int32) throws(SQLiteError) {
        try execute("PRAGMA user_version=\(version)")
    }

    /// Limits the size of the file; a write beyond it fails as on a full disk.
    public func setMaximumPages(_ pages: Int32) throws(SQLiteError) {
        try execute("PRAGMA max_page_count=\(pages)")
    }

    /// Throws the connection's error unless a call gave `SQLITE_OK`.
    func check(_ code: Int32, _ operation: String) throws(SQLiteError) {
        guard code == SQLITE_OK else { throw error(code, operation) }
    }

    /// The connection's newest error.
    func error(_ code: Int32, _ operation: String) -> SQLiteError {
        SQLiteError(code: code, operation: operation, message: unsafe Self.message(handle, code))
    }

    private static func message(_ handle: OpaquePointer?, _ code: Int32) -> String {
        let text = unsafe handle.map { unsafe sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
        return unsafe text.map { unsafe String(cString: $0) } ?? ""
    }
}
