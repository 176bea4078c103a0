import Files
import SQLiteDatabase
import Synchronization
import TestSupport
import Testing
import Threads

@testable import Recording

@Suite("The log of a world", .timeLimit(.minutes(1)))
struct WorldLogTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private var directory: String { folder.path + "/data" }

    /// Opens the log; a failure to write is a failed test.
    private func open() throws -> WorldLog {
        try WorldLog(directory: directory) { Issue.record("\($0)") }
    }

    private func entries(_ log: WorldLog, after seq: Int64 = 0) throws -> [WorldLog.Entry] {
        var entries: [WorldLog.Entry] = []
        try log.replay(after: seq) { entries.append($0) }
        return entries
    }

    /// Waits until all that was appended is committed.
    private func flush(_ log: WorldLog) {
        let done = Condition(false)
        log.afterCommitted { done.update { $0 = true } }
        #expect(done.wait(until: MachineClock.monotonicMilliseconds() + 20_000) { $0 ? true : nil } == true)
    }

    @Test("entries come back in their order, with their bytes, and numbering goes on")
    func reopening() throws {
        var expected: [WorldLog.Entry] = []
        for round in 0..<3 {
            let log = try open()
            #expect(try entries(log) == expected)
            #expect(log.lastSeq == Int64(expected.count))
            for number in 0..<1000 {
                let body = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: number % 50)
                let entry = WorldLog.Entry(seq: Int64(expected.count + 1), kind: round * 7 - 5, body: body)
                #expect(log.append(kind: entry.kind, body: body) == entry.seq)
                expected.append(entry)
            }
            log.close()
        }
        let log = try open()
        #expect(try entries(log, after: 2990) == Array(expected.dropFirst(2990)))
    }

    @Test("what is acknowledged is in the file at that moment")
    func acknowledged() throws {
        let log = try open()
        let path = directory + "/world.sqlite"
        for number in 1...50 as ClosedRange<Int64> {
            log.append(kind: 1, body: [1])
            flush(log)
            let other = try SQLiteDatabase(path: path)
            #expect(try other.prepare("SELECT count(*) FROM log").firstRow { $0.integer(0) } == number)
        }
    }

    @Test("acknowledgements keep the order of the calls, from within others too")
    func orderOfActions() throws {
        let log = try open()
        let order = Condition<[Int]>([])
        for number in 0..<200 {
            if number % 3 != 0 { log.append(kind: 0, body: []) }
            log.afterCommitted {
                order.update { $0.append(number) }
                if number == 199 { log.afterCommitted { order.update { $0.append(1000) } } }
            }
        }
        let all = order.wait(until: MachineClock.monotonicMilliseconds() + 20_000) {
            $0.last == 1000 ? $0 : nil
        }
        // Those that come when all is committed run at once, on the calling thread.
        #expect(all?.sorted() == Array(0..<200) + [1000])
    }

    @Test("with nothing to commit an action runs at once")
    func idle() throws {
        let log = try open()
        let ran = Mutex(false)
        log.afterCommitted { ran.withLock { $0 = true } }
        #expect(ran.withLock { $0 })
    }

    @Test("entries that nobody waits for are committed all the same")
    func unattended() throws {
        let log = try open()
        log.append(kind: 1, body: [1])
        let path = directory + "/world.sqlite"
        let deadline = MachineClock.monotonicMilliseconds() + 20_000
        var count: Int64 = 0
        while count == 0, MachineClock.monotonicMilliseconds() < deadline {
            let other = try SQLiteDatabase(path: path)
            count = try other.prepare("SELECT count(*) FROM log").firstRow { $0.integer(0) } ?? 0
        }
        #expect(count == 1)
    }

    @Test("eight threads append at once and nothing is lost or doubled")
    func threads() throws {
        let log = try open()
        let acknowledged = Condition(0)
        let threads = try (0..<8).map { thread in
            try WorkerThread(name: "appender") {
                for number in 0..<500 {
                    log.append(kind: thread, body: Array("\(number)".utf8))
                    log.afterCommitted { acknowledged.update { $0 += 1 } }
                }
            }
        }
        for thread in threads { thread.join() }
        let deadline = MachineClock.monotonicMilliseconds() + 20_000
        #expect(acknowledged.wait(until: deadline) { $0 == 4000 ? $0 : nil } == 4000)
        log.close()
        let found = try entries(open())
        #expect(found.map(\.seq) == Array(1...4000))
        for thread in 0..<8 {
            let bodies = found.filter { $0.kind == thread }.map { String(decoding: $0.body, as: UTF8.self) }
            #expect(bodies == (0..<500).map { "\($0)" })
        }
    }

    @Test("a directory is open once, until it is closed")
    func twoOpeners() throws {
        let log = try open()
        #expect(throws: WorldLogError.directoryInUse(directory: directory)) { try open() }
        log.close()
        let again = try open()
        again.close()
        again.close()
        #expect(again.append(kind: 1, body: []) == 0)
        #expect(try entries(open()).isEmpty)
    }

    @Test("a log that is let go without closing keeps all and frees the directory")
    func released() throws {
        do {
            let log = try open()
            log.append(kind: 3, body: [9])
        }
        #expect(try entries(open()) == [WorldLog.Entry(seq: 1, kind: 3, body: [9])])
    }

    @Test("texts about the world are kept, the last one set")
    func meta() throws {
        let log = try open()
        #expect(log.meta("seed") == nil)
        log.setMeta("seed", "7")
        log.setMeta("seed", "8")
        log.setMeta("version", "é\n")
        #expect(log.meta("seed") == "8")
        log.close()
        let again = try open()
        #expect(again.meta("seed") == "8")
        #expect(again.meta("version") == "é\n")
        #expect(again.meta("other") == nil)
    }

    @Test("a write that fails is told once, and nothing is acknowledged that is not kept")
    func failingWrites() throws {
        let failures = Condition<[WorldLogError]>([])
        let acknowledged = Condition<[Int64]>([])
        let log = try WorldLog(directory: directory, maximumPages: 12) { error in
            failures.update { $0.append(error) }
        }
        for _ in 0..<200 {
            let seq = log.append(kind: 1, body: Array(repeating: 1, count: 1000))
            log.afterCommitted { acknowledged.update { $0.append(seq) } }
            // One after the other, so that some are acknowledged before the limit is reached.
            let deadline = MachineClock.monotonicMilliseconds() + 20_000
            while MachineClock.monotonicMilliseconds() < deadline {
                if acknowledged.withLock({ $0.last == seq }) || failures.withLock({ !$0.isEmpty }) { break }
            }
        }
        log.close()
        let kept = acknowledged.withLock { $0 }
        #expect(failures.withLock { $0 }.count == 1)
        #expect(kept.count > 2 && kept.count < 200)
        #expect(kept == Array(1...Int64(kept.count)))
        let again = try entries(open())
        #expect(again.map(\.seq) == kept)
    }

    @Test("a log of another format, and what is no log, is refused with the reason")
    func foreignFiles() throws {
        try open().close()
        let path = directory + "/world.sqlite"
        try SQLiteDatabase(path: path).setUserVersion(99)
        #expect(throws: WorldLogError.unknownFormat(path: path, found: 99)) { try open() }
        try SQLiteDatabase(path: path).setUserVersion(0)
        #expect(throws: WorldLogError.unknownFormat(path: path, found: 0)) { try open() }
    }

    @Test("a file that is no database is refused as damaged")
    func garbage() throws {
        try Files.makeFolder(directory)
        try Files.write(Array(repeating: 0x41, count: 8192), to: directory + "/world.sqlite")
        let error = #expect(throws: WorldLogError.self) { try open() }
        guard case .damaged = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a directory that cannot be made is refused with the reason")
    func unusableDirectory() {
        let error = #expect(throws: WorldLogError.self) {
            try WorldLog(directory: "/dev/null/data") { Issue.record("\($0)") }
        }
        #expect(error?.description == "/dev/null: Not a directory")
    }

    @Test(
        "a log is refused whose numbers leave no room for further ones",
        arguments: [.max, .max / 2, -1] as [Int64]
    )
    func hostileNumbers(number: Int64) throws {
        try open().close()
        let database = try SQLiteDatabase(path: directory + "/world.sqlite")
        try database.prepare("INSERT INTO log(seq, kind, body) VALUES(?, 1, NULL)").run([.integer(number)])
        let error = #expect(throws: WorldLogError.self) { try open() }
        guard case .damaged? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
