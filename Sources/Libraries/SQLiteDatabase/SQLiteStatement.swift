import CSQLite

/// A value to bind to a place of a statement.
public enum SQLiteValue: Hashable, Sendable {
    /// No value.
    case null
    /// A number.
    case integer(Int64)
    /// Text.
    case text(String)
    /// Bytes.
    case blob([UInt8])
}

/// A prepared statement, used again for each run.
///
/// SAFETY: `handle` is finalized in `deinit`, before the database that `database` keeps open.
@safe public final class SQLiteStatement: @unchecked Sendable {
    /// The columns of the row that a statement stands at.
    ///
    /// SAFETY: only handed to a closure while the statement stands at the row.
    @safe public struct Row {
        fileprivate let handle: OpaquePointer

        /// The number in a column; 0 for what is none.
        public func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(handle, column) }

        /// The text in a column; nil for NULL.
        public func text(_ column: Int32) -> String? {
            guard unsafe sqlite3_column_type(handle, column) != SQLITE_NULL else { return nil }
            return String(decoding: blob(column), as: UTF8.self)
        }

        /// The bytes in a column; none for NULL.
        public func blob(_ column: Int32) -> [UInt8] {
            guard let start = unsafe sqlite3_column_blob(handle, column) else { return [] }
            let count = unsafe Int(sqlite3_column_bytes(handle, column))
            return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
        }
    }

    private let database: SQLiteDatabase
    private let handle: OpaquePointer
    private let sql: String

    init(database: SQLiteDatabase, handle: OpaquePointer, sql: String) {
        self.database = database
        unsafe self.handle = unsafe handle
        self.sql = sql
    }

    deinit { _ = unsafe sqlite3_finalize(handle) }

    /// Runs the statement with values for its places and drops its rows.
    public func run(_ values: [SQLiteValue] = []) throws(SQLiteError) {
        try forEachRow(values) { _ in }
    }

    /// Runs the statement and returns what `body` makes of the first row; nil when there is none.
    public func firstRow<Result>(_ values: [SQLiteValue] = [], _ body: (Row) -> Result) throws(SQLiteError)
        -> Result?
    {
        defer { _ = unsafe sqlite3_reset(handle) }
        try bind(values)
        return try step() ? body(unsafe Row(handle: handle)) : nil
    }

    /// Runs the statement and shows each row.
    public func forEachRow(_ values: [SQLiteValue] = [], _ body: (Row) -> Void) throws(SQLiteError) {
        defer { _ = unsafe sqlite3_reset(handle) }
        try bind(values)
        while try step() { body(unsafe Row(handle: handle)) }
    }

    private func step() throws(SQLiteError) -> Bool {
        switch unsafe sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw database.error(code, sql)
        }
    }

    private func bind(_ values: [SQLiteValue]) throws(SQLiteError) {
        let places = unsafe sqlite3_bind_parameter_count(handle)
        guard Int(places) == values.count else {
            throw SQLiteError(
                code: SQLITE_RANGE,
                operation: sql,
                message: "\(values.count) values for \(places) places"
            )
        }
        for (index, value) in values.enumerated() {
            try database.check(bind(value, at: Int32(index + 1)), sql)
        }
    }

    private func bind(_ value: SQLiteValue, at place: Int32) -> Int32 {
        // SQLITE_TRANSIENT: SQLite copies the bytes during the call.
        let copies = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null: return unsafe sqlite3_bind_null(handle, place)
        case .integer(let number): return unsafe sqlite3_bind_int64(handle, place, number)
        case .text(let text):
            let count = UInt64(text.utf8.count)
            return unsafe sqlite3_bind_text64(handle, place, text, count, copies, UInt8(SQLITE_UTF8))
        case .blob(let bytes):
            // An empty array has no address, and a blob without one would be NULL.
            guard !bytes.isEmpty else { return unsafe sqlite3_bind_zeroblob(handle, place, 0) }
            return unsafe sqlite3_bind_blob64(handle, place, bytes, UInt64(bytes.count), copies)
        }
    }
}
