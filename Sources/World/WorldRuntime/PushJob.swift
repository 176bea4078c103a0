import APNsRules
import Recording

/// Records to be put away, or changes of some that are; done without any lock.
struct PushJob: Sendable {
    /// What came of it.
    struct Outcome: Sendable {
        /// Why it could not be written.
        var failure: String?
        /// How many older records had to give way in the file.
        var evicted = 0
    }

    let file: BlockFile
    let bounds: PushBounds
    let records: [PushRecord]
    /// Whether it is a block, and not changes.
    let isBlock: Bool

    /// Writes it.
    func run() -> Outcome {
        var outcome = Outcome()
        do throws(WorldLogError) {
            if isBlock { try append() } else { try file.write(records.map(BlockFile.Change.init)) }
        } catch {
            outcome.failure = "\(error)"
            return outcome
        }
        // What cannot be removed now is tried again after the next block.
        while file.count > bounds.inFile, let removed = try? file.removeOldest(), removed > 0 {
            outcome.evicted += removed
        }
        return outcome
    }

    private func append() throws(WorldLogError) {
        guard let first = records.first, let last = records.last else { return }
        try file.append(
            BlockFile.Block(
                numbers: first.sequence...last.sequence,
                count: records.count,
                columns: PushKey.allCases.map { $0.column(of: records) },
                body: PushBlock(records).bytes
            )
        )
    }
}

extension BlockFile.Change {
    fileprivate init(_ record: PushRecord) {
        self.init(number: record.sequence, body: PushBlock([record]).bytes)
    }
}
