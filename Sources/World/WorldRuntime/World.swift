import AdamantLedger
public import AdamantModel
import APNsServer
import ControlServer
import Determinism
import FaultRules
import HTTPDaemon
public import JSONValue
public import NodeServer
import Recording
import Synchronization
import SystemCryptography
import Threads

/// One network: a ledger with its nodes, APNs, devices, faults, clock and seed.
///
/// All of its state is behind one lock, so that there is one order of events; servers, timers and drivers
/// take it, let the core decide, and act after they have let go.
public final class World: Sendable {
    /// Its id in the process: `default` for the first, `w1`, `w2`, … for those made later.
    public let id: String
    /// What it was started with; where a kept world goes on, with what that was made with.
    public let configuration: WorldConfiguration
    /// The seed of all its draws.
    public let seed: UInt64
    /// The primitives of the ADAMANT formats.
    public let cryptography: any Cryptography = SystemCryptography()

    let state: Condition<WorldState>
    /// The other worlds of the process, with what all share.
    let worlds: FurtherWorlds
    let waiters: ChangeWaiters
    let log: WorldLog?
    let parties: Parties
    let settings: WorldSettings
    /// What a reset goes back to; nil for a fresh state.
    let beginning: LogReplay.Beginning?
    /// Differs from that of any earlier run of the world, so that no draw of a party is repeated.
    let generation: Int
    let listeners = Mutex(Listeners())
    let requests = Mutex(RequestArchive())
    /// How long APNs took for its answers.
    let pushAnswers = Mutex(Histogram(.answers))
    let attempts = Mutex(PostAttempts())
    let forger = ForgingLoop()
    let pushWriter = PushWriter()
    let auditor: Auditor
    /// Held while the world is begun anew, which takes a while.
    let resetting = Mutex(())
    private let faultNeedsFlags = Atomic<UInt8>(0)
    private let newestEventNumber = Atomic<Int>(0)
    private let nodeStatuses: Mutex<[NodeStatus]>
    private let failureNote: FailureNote

    /// Threads that serve HTTP; a process is made for machines of two cores.
    private static let serverThreads = 2
    /// The id of the first world of a process.
    static let firstId = "default"

    /// Makes the first world of a process, or resumes the one of a data directory; nothing listens yet.
    ///
    /// - Parameters:
    ///   - configuration: how it starts.
    ///   - form: how `POST /v1/worlds` is read.
    ///   - scenarioService: plays scenarios for `POST /v1/scenarios/run`; nil where nobody does.
    /// - Throws: ``WorldError`` when the directory is in use or contradicts the configuration, when an account's
    ///   passphrase is none, or when the machine gives no thread.
    public convenience init(
        _ configuration: WorldConfiguration,
        furtherWorlds form: WorldForm = .standard,
        scenarioService: ScenarioService? = nil
    ) throws(WorldError) {
        let daemon: HTTPDaemon
        do throws(HTTPDaemonError) {
            daemon = try HTTPDaemon(threads: Self.serverThreads)
        } catch {
            throw WorldError("the HTTP server cannot be started: \(error)")
        }
        let worlds = FurtherWorlds(daemon: daemon, form: form, scenarioService: scenarioService)
        try self.init(configuration, id: Self.firstId, in: worlds)
    }

    /// Makes one of the worlds of a process.
    init(_ configuration: WorldConfiguration, id: String, in worlds: FurtherWorlds) throws(WorldError) {
        self.id = id
        self.worlds = worlds
        let failure = FailureNote()
        failureNote = failure
        let storage = try WorldStorage(configuration) { failure.set($0) }
        let configuration = try storage.resumed(by: configuration)
        self.configuration = configuration
        settings = try WorldSettings(
            configuration,
            keptSeed: storage.seed,
            cryptography: SystemCryptography()
        )
        seed = settings.seed
        log = storage.log
        let resumed = try storage.resume(settings: settings, cryptography: SystemCryptography())
        parties = Parties(kept: resumed.parties)
        beginning = resumed.beginning
        generation = resumed.generation
        state = Condition(resumed.state)
        nodeStatuses = Mutex(resumed.state.nodes.map(NodeStatus.init))
        requests.withLock { $0.clock = resumed.state.clock }
        auditor = Auditor(
            Self.freshAudit(configuration, settings, height: resumed.state.ledger.height),
            event: resumed.state.journal.last
        )
        newestEventNumber.store(resumed.state.journal.last, ordering: .releasing)
        let daemon = worlds.daemon
        waiters = ChangeWaiters { action in daemon.after(milliseconds: 0, action) }
        do throws(ThreadError) {
            try pushWriter.start { [weak self] in self?.putAwayPushes() }
        } catch {
            throw WorldError("pushes cannot be recorded: \(error)")
        }
    }

    /// Why the world cannot go on, for one because its disk is full; nothing is acknowledged from then on.
    public var failure: WorldError? { failureNote.error }

    /// What every control call but health must carry; nil on loopback without one.
    public var controlToken: String? { settings.controlToken }

    /// What the control API and the ready file say of the world.
    ///
    /// It holds the passphrases of the test network, and no control token.
    public var description: JSONValue { worldJSON }

    /// What serves HTTP in the process.
    var daemon: HTTPDaemon { worlds.daemon }

    /// Whether it is the first world of its process, which owns the control port.
    var isFirst: Bool { id == Self.firstId }

    /// When this process began with the world, by the machine's clock: another after each start.
    let startedAt = Timestamp(unixMilliseconds: MachineClock.unixMilliseconds())

    /// What the machine's clock says.
    var machineNow: Timestamp { Timestamp(unixMilliseconds: MachineClock.unixMilliseconds()) }

    /// Reads or changes the state, with what the world's clock says.
    ///
    /// What the ledger did is put into the journal, and noted for the disk, before the lock is let go.
    func withState<Result, Failure: Error>(
        _ body: (inout WorldState, Timestamp) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let machine = machineNow
        var hasChanged = false
        defer { if hasChanged { waiters.changed() } }
        return try state.withLock { state throws(Failure) in
            let before = state.journal.last
            defer {
                settle(&state, now: state.clock.now(machine: machine))
                hasChanged = state.journal.last != before
                if hasChanged { newestEventNumber.store(state.journal.last, ordering: .releasing) }
            }
            return try body(&state, state.clock.now(machine: machine))
        }
    }

    /// Number of the newest event, for which the servers need not take the lock.
    var newestEvent: Int { newestEventNumber.load(ordering: .acquiring) }

    /// What fault rules look at, so that the servers need not take the lock while there are none.
    public var faultNeeds: (any: Bool, transactionFacts: Bool, insideSignals: Bool) {
        let flags = faultNeedsFlags.load(ordering: .acquiring)
        return (flags & 1 != 0, flags & 2 != 0, flags & 4 != 0)
    }

    /// What a node reports of itself, for which the servers need not take the lock either.
    public func status(node: Int) -> NodeStatus { nodeStatuses.withLock { $0[node] } }

    /// Takes note of changed fault rules and nodes.
    func refreshServerView() {
        withState { state, _ in
            let flags: UInt8 =
                (state.faults.isEmpty ? 0 : 1) | (state.faults.needsTransactionFacts ? 2 : 0)
                | (state.faults.looksInsideSignals ? 4 : 0)
            faultNeedsFlags.store(flags, ordering: .releasing)
            let statuses = state.nodes.map(NodeStatus.init)
            nodeStatuses.withLock { $0 = statuses }
        }
    }
}

/// Why a world cannot go on, noted on any thread.
private final class FailureNote: Sendable {
    private let note = Mutex<WorldError?>(nil)

    var error: WorldError? { note.withLock { $0 } }

    func set(_ error: WorldError) {
        note.withLock { $0 = $0 ?? error }
    }
}
