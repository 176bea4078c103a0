import APNsRules
import Recording
import Threads

// The record of pushes beyond the memory it is given.

extension World {
    /// Puts away what is too much for memory; on a thread of its own.
    func putAwayPushes() {
        while let job = state.withLock({ $0.pushes.nextJob() }) {
            let outcome = job.run()
            withState { state, _ in state.pushes.finish(job, outcome) }
        }
    }

    /// Takes the record of a push into memory that has been put away, so that it can be changed.
    func recall(_ push: Int) {
        while true {
            let archive = state.withLock { $0.pushes.isAway(push) ? $0.pushes : nil }
            // One that cannot be read cannot be changed either; whoever lists pushes is told so.
            guard let archive, let record = try? archive.findAway(push) else { return }
            let isDone = state.withLock { state in
                // Otherwise it may have been changed and put away again in between.
                guard state.pushes.asideRevision == archive.asideRevision else { return false }
                if state.pushes.isAway(push) { state.pushes.setAside(record) }
                return true
            }
            if isDone { return }
        }
    }
}
