import SQLiteDatabase
import TestSupport
import Testing

@Suite("SQLite")
struct SQLiteDatabaseTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var path: String { folder.path + "/test.sqlite" }

    private func rows(_ database: SQLiteDatabase, _ sql: String = "SELECT a FROM t ORDER BY a") throws
        -> [Int64]
    {
        var numbers: [Int64] = []
        try database.prepare(sql).forEachRow { numbers.append($0.integer(0)) }
        return numbers
    }

    @Test("all kinds of values come back as they were bound")
    func values() throws {
        let database = try SQLiteDatabase(path: ":memory:")
        try database.execute("CREATE TABLE t(n INT, s TEXT, b BLOB)")
        let insert = try database.prepare("INSERT INTO t VALUES(?, ?, ?)")
        let texts = ["", "é😀", "a\u{0}b"]
        let blobs: [[UInt8]] = [[], [0, 255], Array(repeating: 7, count: 100_000)]
        for (index, number) in [Int64.min, 0, .max].enumerated() {
            try insert.run([.integer(number), .text(texts[index]), .blob(blobs[index])])
        }
        try insert.run([.null, .null, .null])
        var found: [(Int64, String?, [UInt8])] = []
        try database.prepare("SELECT n, s, b FROM t ORDER BY rowid").forEachRow {
            found.append(($0.integer(0), $0.text(1), $0.blob(2)))
        }
        #expect(found.map(\.0) == [.min, 0, .max, 0])
        #expect(found.map(\.1) == texts + [nil])
        #expect(found.map(\.2) == blobs + [[]])
        let types = try database.prepare("SELECT group_concat(typeof(b)) FROM t").firstRow { $0.text(0) }
        #expect(types == "blob,blob,blob,null")
    }

    @Test("a transaction is kept whole or not at all")
    func transactions() throws {
        let database = try SQLiteDatabase(path: path)
        try database.execute("CREATE TABLE t(a INTEGER PRIMARY KEY)")
        try database.transaction { () throws(SQLiteError) in
            try database.execute("INSERT INTO t VALUES(1)")
            try database.execute("INSERT INTO t VALUES(2)")
        }
        let error = #expect(throws: SQLiteError.self) {
            try database.transaction { () throws(SQLiteError) in
                try database.execute("INSERT INTO t VALUES(3)")
                try database.execute("INSERT INTO t VALUES(1)")
            }
        }
        #expect(error?.primaryCode == 19, "a violated constraint")
        #expect(try rows(database) == [1, 2])
        #expect(try rows(SQLiteDatabase(path: path)) == [1, 2])
    }

    @Test("a second writer is told that the database is busy")
    func busy() throws {
        let (first, second) = (
            try SQLiteDatabase(path: path), try SQLiteDatabase(path: path, busyMilliseconds: 1)
        )
        try first.useWriteAheadLog(synchronous: .normal)
        try first.execute("CREATE TABLE t(a INTEGER PRIMARY KEY)")
        try first.execute("BEGIN IMMEDIATE")
        try first.execute("INSERT INTO t VALUES(1)")
        let error = #expect(throws: SQLiteError.self) { try second.execute("INSERT INTO t VALUES(2)") }
        #expect(error?.isBusy == true)
        #expect(try rows(second).isEmpty, "readers go on")
        try first.execute("COMMIT")
        try second.execute("INSERT INTO t VALUES(2)")
        #expect(try rows(first) == [1, 2])
    }

    @Test("journal mode, durability and version are as they were set")
    func settings() throws {
        do {
            let database = try SQLiteDatabase(path: path)
            try database.useWriteAheadLog(synchronous: .normal)
            try database.setUserVersion(7)
            #expect(try rows(database, "PRAGMA synchronous") == [1])
            try database.useWriteAheadLog(synchronous: .full)
            #expect(try rows(database, "PRAGMA synchronous") == [2])
        }
        let again = try SQLiteDatabase(path: path)
        #expect(try again.userVersion() == 7)
        #expect(try again.prepare("PRAGMA journal_mode").firstRow { $0.text(0) } == "wal")
    }

    @Test("a limit on the file is told as a full disk and what was there stays")
    func full() throws {
        let database = try SQLiteDatabase(path: path)
        try database.execute("CREATE TABLE t(a INTEGER PRIMARY KEY, b BLOB)")
        try database.setMaximumPages(8)
        let insert = try database.prepare("INSERT INTO t(b) VALUES(?)")
        let error = #expect(throws: SQLiteError.self) {
            for _ in 0..<100 { try insert.run([.blob(Array(repeating: 1, count: 4000))]) }
        }
        #expect(error?.isFull == true)
        let count = try rows(database, "SELECT count(*) FROM t").first ?? 0
        #expect(count > 0 && count < 100)
    }

    @Test("statements that are wrong, and a wrong number of values, are refused")
    func misuse() throws {
        let database = try SQLiteDatabase(path: ":memory:")
        #expect(throws: SQLiteError.self) { try database.execute("CREATE NONSENSE") }
        #expect(throws: SQLiteError.self) { try database.prepare("SELECT * FROM nothing") }
        #expect(throws: SQLiteError.self) { try database.prepare("") }
        let statement = try database.prepare("SELECT ?")
        #expect(throws: SQLiteError.self) { try statement.run([]) }
        #expect(throws: SQLiteError.self) { try statement.run([.null, .null]) }
        #expect(try statement.firstRow([.integer(4)]) { $0.integer(0) } == 4)
        #expect(try database.prepare("SELECT 1 WHERE 0").firstRow { $0.integer(0) } == nil)
    }

    @Test("a file that is no database, and a folder, are told apart from an empty file")
    func noDatabase() throws {
        #expect(throws: SQLiteError.self) { try SQLiteDatabase(path: folder.path) }
        let error = #expect(throws: SQLiteError.self) { try SQLiteDatabase(path: folder.path + "/none/file") }
        #expect(error?.description.hasPrefix("opening \(folder.path)/none/file: ") == true)
        let other = try SQLiteDatabase(path: path)
        #expect(try other.userVersion() == 0)
    }
}
