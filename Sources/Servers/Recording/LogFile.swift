import SQLiteDatabase

/// The file of a log, for one thread at a time.
final class LogFile: Sendable {
    /// The format that this version reads and writes; 1 had a genesis block without delegates.
    static let format: Int32 = 2

    /// What waits to be written.
    enum Item: Sendable {
        case entry(WorldLog.Entry)
        case meta(key: String, value: String)
    }

    private let path: String
    private let database: SQLiteDatabase
    private let insertEntry: SQLiteStatement
    private let insertMeta: SQLiteStatement

    /// Opens the file; a new one gets its tables.
    init(path: String, maximumPages: Int32?) throws(WorldLogError) {
        self.path = path
        let database = try Self.reporting(path) { () throws(SQLiteError) in
            let database = try SQLiteDatabase(path: path, busyMilliseconds: 2000)
            if let maximumPages { try database.setMaximumPages(maximumPages) }
            return database
        }
        try Self.prepare(database, path: path)
        self.database = database
        (insertEntry, insertMeta) = try Self.reporting(path) { () throws(SQLiteError) in
            (
                try database.prepare("INSERT INTO log(seq, kind, body) VALUES(?, ?, ?)"),
                try database.prepare("INSERT OR REPLACE INTO meta(key, value) VALUES(?, ?)")
            )
        }
    }

    private static func prepare(_ database: SQLiteDatabase, path: String) throws(WorldLogError) {
        let found = try reporting(path) { () throws(SQLiteError) in
            try database.useWriteAheadLog(synchronous: .normal)
            let tables = try database.prepare("SELECT count(*) FROM sqlite_master").firstRow { $0.integer(0) }
            guard tables == 0, try database.userVersion() == 0 else { return try database.userVersion() }
            try database.transaction { () throws(SQLiteError) in
                try database.execute("CREATE TABLE log(seq INTEGER PRIMARY KEY, kind INT, body BLOB)")
                try database.execute("CREATE TABLE meta(key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID")
                try database.setUserVersion(format)
            }
            return Int64(format)
        }
        guard found == Int64(format) else { throw .unknownFormat(path: path, found: found) }
    }

    /// The number of the newest entry; 0 when there is none.
    func lastSeq() throws(WorldLogError) -> Int64 {
        let last = try Self.reporting(path) { () throws(SQLiteError) in
            try database.prepare("SELECT max(seq) FROM log").firstRow { $0.integer(0) } ?? 0
        }
        guard (0..<Int64.max / 2).contains(last) else {
            throw .damaged(path: path, reason: "no entry can have the number \(last)")
        }
        return last
    }

    /// All that was set by key.
    func meta() throws(WorldLogError) -> [String: String] {
        try Self.reporting(path) { () throws(SQLiteError) in
            var meta: [String: String] = [:]
            try database.prepare("SELECT key, value FROM meta").forEachRow { row in
                if let key = row.text(0), let value = row.text(1) { meta[key] = value }
            }
            return meta
        }
    }

    /// Shows the entries after a number in their order.
    func replay(after seq: Int64, _ body: (WorldLog.Entry) -> Void) throws(WorldLogError) {
        try Self.reporting(path) { () throws(SQLiteError) in
            let rows = try database.prepare("SELECT seq, kind, body FROM log WHERE seq > ? ORDER BY seq")
            try rows.forEachRow([.integer(seq)]) { row in
                let kind = Int(truncatingIfNeeded: row.integer(1))
                body(WorldLog.Entry(seq: row.integer(0), kind: kind, body: row.blob(2)))
            }
        }
    }

    /// Commits items together, or none of them.
    func write(_ items: [Item]) throws(WorldLogError) {
        try Self.reporting(path) { () throws(SQLiteError) in
            try database.transaction { () throws(SQLiteError) in
                for item in items {
                    switch item {
                    case .entry(let entry):
                        try insertEntry.run([
                            .integer(entry.seq), .integer(Int64(entry.kind)), .blob(entry.body),
                        ])
                    case .meta(let key, let value): try insertMeta.run([.text(key), .text(value)])
                    }
                }
            }
        }
    }

    private static func reporting<Result>(
        _ path: String,
        _ body: () throws(SQLiteError) -> Result
    ) throws(WorldLogError) -> Result {
        do {
            return try body()
        } catch {
            let reason = error.description
            throw error.isDamaged
                ? .damaged(path: path, reason: reason) : .storageFailed(reason: "\(path): \(reason)")
        }
    }
}
