import Files
import Synchronization
import Threads

/// The durable log of a world: numbered entries in one directory that one process at a time has open.
///
/// Appending is cheap and keeps the order of the calls; a thread of its own commits what has gathered. What is
/// committed survives a killed process, though not a power cut.
public final class WorldLog: Sendable {
    /// One entry of the log.
    public struct Entry: Hashable, Sendable {
        /// Its number: 1 and up, without gaps.
        public let seq: Int64
        /// What the body means, as whoever appended it has it.
        public let kind: Int
        /// What was appended.
        public let body: [UInt8]
    }

    private let state: Condition<LogState>
    /// Nil when closed.
    private let file: Mutex<LogFile?>
    private let lock: FileLock
    private let thread: WorkerThread

    /// Opens the log of a directory, and makes both when they are not there.
    ///
    /// - Parameters:
    ///   - directory: holds the log and its lock.
    ///   - maximumPages: limits the file to so many pages of 4096 bytes; nil for the room on the disk.
    ///   - onFailure: called once, on the log's thread, when writing fails; what was not committed by then is
    ///     never acknowledged.
    /// - Throws: ``WorldLogError``.
    public init(
        directory: String,
        maximumPages: Int32? = nil,
        onFailure: @escaping @Sendable (WorldLogError) -> Void
    ) throws(WorldLogError) {
        lock = try Self.lock(directory)
        let file = try LogFile(path: directory + "/world.sqlite", maximumPages: maximumPages)
        let state = Condition(LogState(lastSeq: try file.lastSeq(), meta: try file.meta()))
        self.state = state
        self.file = Mutex(file)
        do {
            thread = try WorkerThread(name: "world log") {
                LogWriter(file: file, state: state, onFailure: onFailure).run()
            }
        } catch {
            throw .storageFailed(reason: "\(directory): \(error)")
        }
    }

    deinit { close() }

    /// The number of the newest entry; 0 when there is none.
    public var lastSeq: Int64 { state.withLock { $0.lastSeq } }

    /// Shows the entries after a number in their order; call it before the first ``append(kind:body:)``.
    public func replay(after seq: Int64 = 0, _ body: (Entry) -> Void) throws(WorldLogError) {
        guard let file = file.withLock({ $0 }) else { return }
        try file.replay(after: seq, body)
    }

    /// A text that describes the world as a whole.
    public func meta(_ key: String) -> String? {
        state.withLock { $0.meta[key] }
    }

    /// Sets a text that describes the world as a whole; it is committed like an entry.
    public func setMeta(_ key: String, _ value: String) {
        let wakes = state.withLock { $0.add(key: key, value: value) }
        if wakes { state.signal() }
    }

    /// Appends an entry and returns its number; after a failure or ``close()`` nothing is kept.
    @discardableResult
    public func append(kind: Int, body: [UInt8]) -> Int64 {
        let (seq, wakes) = state.withLock { $0.add(kind: kind, body: body) }
        if wakes { state.signal() }
        return seq
    }

    /// Runs an action once all that was appended before is committed; never when that failed.
    ///
    /// It runs on the log's thread, in the order of the calls, or at once on this one when all is committed.
    public func afterCommitted(_ action: @escaping @Sendable () -> Void) {
        let runsNow = state.withLock { $0.add(action: action) }
        if runsNow { action() } else { state.signal() }
    }

    /// How soon it is looked again whether all is written.
    private static let commitCheckMilliseconds: Int64 = 5

    /// Waits until all that was appended before is committed.
    public func commit() throws(WorldLogError) {
        let isCommitted = state.wait { state -> ConditionStep<Bool> in
            if state.isFailed { return .ready(false) }
            if state.isIdle { return .ready(true) }
            return .sleep(until: MachineClock.monotonicMilliseconds() + Self.commitCheckMilliseconds)
        }
        guard isCommitted else { throw .storageFailed(reason: "what was to be kept cannot be written") }
    }

    /// Commits what was appended, stops the thread and frees the directory; a second call does nothing.
    ///
    /// Not to be called from an action of ``afterCommitted(_:)`` or from `onFailure`.
    public func close() {
        state.update { $0.isClosing = true }
        thread.join()
        file.withLock { $0 = nil }
        lock.release()
    }

    private static func lock(_ directory: String) throws(WorldLogError) -> FileLock {
        do throws(FileError) {
            try Files.makeFolder(directory)
            if let lock = try FileLock(path: directory + "/lock") { return lock }
        } catch {
            throw .directoryUnusable(reason: error.description)
        }
        throw .directoryInUse(directory: directory)
    }
}
