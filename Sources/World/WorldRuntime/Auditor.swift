import AdamantLedger
import AdamantModel
import APNsRules
import AuditRules
import Determinism
import JSONValue
import NodeServer
import Synchronization
import Threads
import TraceRules

/// Lets the audit follow a world, behind its back: on a thread of its own, and when somebody asks.
final class Auditor: Sendable {
    /// A finding with the number of the event that tells of it.
    struct Numbered: Sendable {
        let seq: Int
        let finding: Finding
    }

    struct State {
        var audit: Audit
        /// Number of the newest event that was looked at.
        var event: Int
        /// Number of the newest call of a list that was looked at.
        var call = 0
        /// Events that had to give way before anybody looked at them.
        var unseen = 0
        var findings: [Numbered] = []
        /// When the service pushed, of all that was looked at since the process began.
        var pushTimes = PushTimes()
        /// Pushes of transactions that are still to be counted there.
        var untimed: [(id: Identifier, at: Timestamp)] = []
        var queries = ListQueries()
        var isWarm = false
    }

    /// How often the thread looks.
    private static let pauseMilliseconds: Int64 = 400

    private let state: Mutex<State>
    private let callers = Mutex<[(port: UInt16, client: String)]>([])
    private let isClosing = Condition(false)
    private let thread = Mutex<WorkerThread?>(nil)

    /// An auditor of a world that has just been made, or resumed.
    init(_ audit: Audit, event: Int) {
        state = Mutex(State(audit: audit, event: event))
    }

    deinit { close() }

    /// Starts the thread, which runs `work` at times.
    func start(_ work: @escaping @Sendable () -> Void) throws(ThreadError) {
        let isClosing = isClosing
        let started = try WorkerThread(name: "audit") {
            while isClosing.wait(
                until: MachineClock.monotonicMilliseconds() + Self.pauseMilliseconds,
                for: { $0 ? true : nil }
            ) == nil { work() }
        }
        thread.withLock { $0 = started }
    }

    /// Ends the thread.
    func close() {
        isClosing.update { $0 = true }
        let started = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        started?.join()
    }

    /// Changes what is known; one at a time.
    func withState<Result>(_ body: (inout State) -> Result) -> Result { state.withLock { body(&$0) } }

    /// Notes that something connected to a tripwire; cheap.
    func noteCaller(_ client: String, port: UInt16) {
        callers.withLock { if $0.count < Audit.mostFindings { $0.append((port, client)) } }
    }

    /// Who connected to tripwires since the last call.
    func takeCallers() -> [(port: UInt16, client: String)] {
        callers.withLock { callers in
            defer { callers = [] }
            return callers
        }
    }
}

/// The queries of calls as nodes read them, each text read once: pollers send the same again and again.
struct ListQueries: Sendable {
    private static let capacity = 256

    private struct Key: Hashable {
        let node: Int
        let path: String
        let query: String
    }

    private var known: [Key: TransactionQuery?] = [:]

    /// The query of a call.
    mutating func query(of entry: RequestArchive.Entry, profiles: [NodeProfile]) -> TransactionQuery? {
        let call = entry.call
        let key = Key(node: call.node, path: call.path, query: call.query)
        if let found = known[key] { return found }
        if known.count >= Self.capacity { known = [:] }
        let query = call.query(profile: profiles[call.node])
        known[key] = .some(query)
        return query
    }
}
