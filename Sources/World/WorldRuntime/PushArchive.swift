import APNsRules
import Recording

/// The push records of a world, in the order of their numbers, which are those of their events.
///
/// The newest are in memory. Older ones are put away in files, block by block, by whoever takes the jobs of
/// ``nextJob()``, without the lock that guards this value; until that is done they stay in memory. Those that wait
/// for a device and those that change later are in memory as well, aside. A copy goes on showing what there was.
struct PushArchive: Sendable {
    /// Consecutive records, put away together.
    struct Block: Sendable {
        var records: [PushRecord] = []
        /// Whether a record has changed since somebody began to put the block away.
        var hasChanged = false
    }

    let bounds: PushBounds
    private let folder: String?
    /// The blocks in memory, oldest first; all but the last are full.
    private(set) var blocks: [Block] = []
    private var countInMemory = 0
    /// What was put away, oldest first; only the last file is written to, since others may be shared.
    private(set) var files: [BlockFile]
    /// Number of the newest record that was put away, or had to give way.
    private(set) var lastAway = 0
    /// Records that are put away, or had to give way, and are in memory nevertheless.
    private(set) var aside: [Int: PushRecord] = [:]
    /// Which of them the file does not have as they are now.
    private var unsaved: Set<Int> = []
    /// Counts how often records were taken out of ``aside``.
    private(set) var asideRevision = 0
    /// How many records had to give way.
    private(set) var evicted = 0
    /// Why the last of them had to.
    private(set) var evictedWhy: String?
    /// What is to be told of records that had to give way.
    private var notice: PushEvictions?
    private var isWriterAwake = false

    init(bounds: PushBounds = PushBounds(), folder: String? = nil) {
        self.bounds = bounds
        self.folder = folder
        files = [Self.file(bounds, folder)]
    }

    private static func file(_ bounds: PushBounds, _ folder: String?) -> BlockFile {
        BlockFile(folder: folder, maximumPages: bounds.maximumPages)
    }

    /// A world's record that begins with what is here, and does not change it.
    var branched: PushArchive {
        var copy = self
        copy.files = files.filter { $0.count > 0 } + [Self.file(bounds, folder)]
        copy.isWriterAwake = false
        return copy
    }

    /// What is left when all are removed: how many had given way.
    var emptied: PushArchive {
        var empty = PushArchive(bounds: bounds, folder: folder)
        empty.evicted = evicted
        return empty
    }

    /// Number of the newest record; 0 when there is none.
    var last: Int { blocks.last?.last ?? lastAway }

    /// Appends a record whose number is above all others.
    mutating func append(_ record: PushRecord) {
        if countInMemory >= bounds.inMemory + bounds.unwritten { giveWayInMemory() }
        if blocks.last.map({ $0.records.count >= bounds.block }) ?? true {
            blocks.append(Block())
            blocks[blocks.count - 1].records.reserveCapacity(bounds.block)
        }
        blocks[blocks.count - 1].records.append(record)
        countInMemory += 1
    }

    private mutating func giveWayInMemory() {
        guard let oldest = removeOldestBlock() else { return }
        evict(oldest.records.count, why: "they came faster than they could be written")
    }

    /// Puts back a record that was kept, or what was kept of it later; puts away what is too much at once.
    mutating func restore(_ record: PushRecord) {
        let number = Int(clamping: record.sequence)
        if number > last {
            append(record)
        } else if number > lastAway || aside[number] != nil {
            update(number) { $0 = record }
        } else {
            setAside(record)
            unsaved.insert(number)
        }
        if hasWork { putAway() }
    }

    /// The record of a number, as far as it is in memory.
    func find(_ number: Int) -> PushRecord? {
        if let record = aside[number] { return record }
        return place(number).map { blocks[$0.block].records[$0.index] }
    }

    /// Changes a record that is in memory.
    mutating func update(_ number: Int, _ change: (inout PushRecord) -> Void) {
        if var record = aside[number] {
            change(&record)
            aside[number] = record
            unsaved.insert(number)
        } else if let place = place(number) {
            change(&blocks[place.block].records[place.index])
            blocks[place.block].hasChanged = true
        }
    }

    /// Whether a record may be in a file alone.
    func isAway(_ number: Int) -> Bool { number > 0 && number <= lastAway && aside[number] == nil }

    /// Takes a record that was put away into memory.
    mutating func setAside(_ record: PushRecord) { aside[Int(clamping: record.sequence)] = record }

    /// The records that wait for their devices.
    var waiting: [PushRecord] {
        let old = aside.sorted { $0.key < $1.key }.map(\.value).filter(\.isWaiting)
        return old + blocks.flatMap { $0.records.filter(\.isWaiting) }
    }

    // MARK: - Putting away

    /// Whether something is to be put away.
    private var hasWork: Bool {
        !unsaved.isEmpty || blocks.count > 1 && countInMemory >= bounds.inMemory + bounds.block
    }

    /// Whether whoever puts away has to be woken; then that counts as done.
    mutating func takeWakeUp() -> Bool {
        guard hasWork, !isWriterAwake else { return false }
        isWriterAwake = true
        return true
    }

    /// What is to be written next; nil when there is nothing any more.
    mutating func nextJob() -> PushJob? {
        guard hasWork, let file = files.last else {
            isWriterAwake = false
            return nil
        }
        if !unsaved.isEmpty {
            let changed = unsaved.sorted().prefix(bounds.block).compactMap { aside[$0] }
            return PushJob(file: file, bounds: bounds, records: changed, isBlock: false)
        }
        blocks[0].hasChanged = false
        return PushJob(file: file, bounds: bounds, records: blocks[0].records, isBlock: true)
    }

    /// Takes note of a job that was done, or not.
    mutating func finish(_ job: PushJob, _ outcome: PushJob.Outcome) {
        // Otherwise all has been removed since.
        guard files.last === job.file else { return }
        if job.isBlock { finishBlock(job, outcome) } else { finishChanges(job, outcome) }
        evict(outcome.evicted, why: "the record holds no more than \(bounds.inFile)")
    }

    private mutating func finishBlock(_ job: PushJob, _ outcome: PushJob.Outcome) {
        guard let first = job.records.first, blocks.first?.records.first?.sequence == first.sequence,
            let block = removeOldestBlock()
        else { return }
        if let failure = outcome.failure { return evict(block.records.count, why: failure) }
        guard block.hasChanged else { return }
        for (written, record) in zip(job.records, block.records) where written.delivery != record.delivery {
            setAside(record)
            unsaved.insert(Int(clamping: record.sequence))
        }
    }

    private mutating func finishChanges(_ job: PushJob, _ outcome: PushJob.Outcome) {
        for written in job.records {
            let number = Int(clamping: written.sequence)
            guard let record = aside[number], record.delivery == written.delivery else { continue }
            unsaved.remove(number)
            // What could not be written stays, so that it is shown as it is.
            if outcome.failure == nil, !record.isWaiting {
                aside[number] = nil
                asideRevision += 1
            }
        }
    }

    private mutating func removeOldestBlock() -> Block? {
        guard let block = blocks.first, let last = block.records.last else { return nil }
        blocks.removeFirst()
        countInMemory -= block.records.count
        lastAway = Int(clamping: last.sequence)
        for record in block.records where record.isWaiting { setAside(record) }
        return block
    }

    /// Does all jobs here and now.
    mutating func putAway() {
        while let job = nextJob() { finish(job, job.run()) }
    }

    private mutating func evict(_ count: Int, why: String) {
        guard count > 0 else { return }
        evicted += count
        if evictedWhy != why { notice = PushEvictions(count: evicted, why: why) }
        evictedWhy = why
    }

    /// What has to be told: that records begin to give way, and why; once for each reason.
    mutating func takeNotice() -> PushEvictions? {
        guard notice != nil else { return nil }
        defer { notice = nil }
        return notice
    }

    /// Where the record of a number lies in memory.
    private func place(_ number: Int) -> (block: Int, index: Int)? {
        guard number > lastAway else { return nil }
        let block = blocks.partitioningIndex { $0.last >= number }
        guard block < blocks.count else { return nil }
        let records = blocks[block].records
        let index = records.partitioningIndex { $0.sequence >= number }
        guard index < records.count, records[index].sequence == Int64(number) else { return nil }
        return (block, index)
    }
}

/// Bounds of a world's record of pushes, in records.
package struct PushBounds: Sendable {
    /// How many of the newest stay in memory.
    package var inMemory = 100_000
    /// How many more may be in memory until they are written; then the oldest give way.
    package var unwritten = 100_000
    /// How many are put away together.
    package var block = 256
    /// How many a file holds; then the oldest give way.
    package var inFile = 5_000_000
    /// Pages of 16 KiB that a file may have; nil for the room on the disk.
    package var maximumPages: Int32?

    /// The bounds of every world.
    package init() {}
}

/// That records had to give way.
struct PushEvictions: Sendable {
    /// How many by now.
    let count: Int
    let why: String
}

extension PushArchive.Block {
    /// Number of the newest record; 0 when there is none.
    var last: Int { records.last.map { Int(clamping: $0.sequence) } ?? 0 }
}

extension PushRecord {
    /// Whether it waits for its device.
    var isWaiting: Bool { delivery.map { $0.state == .stored || $0.state == .throttled } ?? false }
}
