/// What the threads that append and the one that writes share.
struct LogState: Sendable {
    /// The number of the newest entry.
    private(set) var lastSeq: Int64
    private(set) var meta: [String: String]
    var isClosing = false
    private(set) var isFailed = false
    private var items: [LogFile.Item] = []
    private var actions: [@Sendable () -> Void] = []
    /// Whether the writer is at work on items that it took.
    private var isWriting = false

    /// What the writer takes at once.
    struct Batch: Sendable {
        let items: [LogFile.Item]
        let actions: [@Sendable () -> Void]
    }

    /// So many items are written without waiting for more.
    static let fullBatch = 256

    init(lastSeq: Int64, meta: [String: String]) {
        self.lastSeq = lastSeq
        self.meta = meta
    }

    /// Whether nothing is kept any more.
    private var isOver: Bool { isClosing || isFailed }

    /// Adds an entry; tells its number and whether the writer is to be woken.
    mutating func add(kind: Int, body: [UInt8]) -> (seq: Int64, wakes: Bool) {
        guard !isOver else { return (lastSeq, false) }
        lastSeq += 1
        items.append(.entry(WorldLog.Entry(seq: lastSeq, kind: kind, body: body)))
        return (lastSeq, items.count == 1 || items.count == Self.fullBatch)
    }

    /// Sets a text; tells whether the writer is to be woken.
    mutating func add(key: String, value: String) -> Bool {
        guard !isOver else { return false }
        meta[key] = value
        items.append(.meta(key: key, value: value))
        return items.count == 1 || items.count == Self.fullBatch
    }

    /// Adds an action; tells whether all is committed, so that it is not added but runs at once.
    mutating func add(action: @escaping @Sendable () -> Void) -> Bool {
        if isIdle, actions.isEmpty, !isFailed { return true }
        if !isFailed { actions.append(action) }
        return false
    }

    /// Whether all that was added is committed.
    var isIdle: Bool { items.isEmpty && !isWriting }

    /// Whether the writer has something to do at all.
    var hasWork: Bool { !items.isEmpty || !actions.isEmpty }

    /// Whether the writer should not wait for more.
    var isUrgent: Bool { isClosing || !actions.isEmpty || items.count >= Self.fullBatch }

    /// Hands the writer all there is.
    mutating func takeBatch() -> Batch {
        defer {
            items = []
            actions = []
            isWriting = true
        }
        return Batch(items: items, actions: actions)
    }

    /// The batch that was taken is committed.
    mutating func didWrite() {
        isWriting = false
    }

    /// Writing failed: nothing more is kept or acknowledged.
    mutating func fail() {
        isFailed = true
        isWriting = false
        items = []
        actions = []
    }
}
