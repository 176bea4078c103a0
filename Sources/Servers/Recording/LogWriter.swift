import Threads

/// The work of a log's thread: takes what has gathered, commits it, and acknowledges it.
struct LogWriter: Sendable {
    let file: LogFile
    let state: Condition<LogState>
    let onFailure: @Sendable (WorldLogError) -> Void

    /// So long entries wait for more when nobody waits for them.
    private static let gatherMilliseconds: Int64 = 5

    /// Runs until the log is closed or writing fails.
    func run() {
        while let batch = nextBatch() {
            do throws(WorldLogError) {
                if !batch.items.isEmpty { try file.write(batch.items) }
            } catch {
                state.withLock { $0.fail() }
                onFailure(error)
                return
            }
            // Actions before `didWrite`: one that is added meanwhile must not overtake these.
            for action in batch.actions { action() }
            state.withLock { $0.didWrite() }
        }
    }

    /// Waits for work; nil when the log is closed and all is written.
    private func nextBatch() -> LogState.Batch? {
        var since: Int64?
        return state.wait { state in
            guard state.hasWork else { return state.isClosing ? .ready(nil) : .sleep(until: nil) }
            let now = MachineClock.monotonicMilliseconds()
            let deadline = (since ?? now) + Self.gatherMilliseconds
            if state.isUrgent || now >= deadline { return .ready(state.takeBatch()) }
            since = since ?? now
            return .sleep(until: deadline)
        }
    }
}
