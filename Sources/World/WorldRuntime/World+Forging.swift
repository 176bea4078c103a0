import AdamantLedger
import AdamantModel
import Determinism
import Threads

extension World {
    /// Lets blocks be made as the settings say.
    func startForging() throws(WorldError) {
        let settings = withState { state, _ in state.forging }
        try forger.start(settings) { [weak self] turn in
            guard let self else { return }
            expireStoredPushes()
            withState { state, now in
                guard state.forging.mode == .interval else {
                    state.ledger.fillPools(now: now)
                    return
                }
                if turn.forges { _ = state.ledger.forge(now: now) }
                state.ledger.fillPools(now: now)
            }
        }
    }

    /// Changes when blocks are made.
    func changeForging(_ change: (inout ForgingSettings) -> Void) {
        let settings = withState { state, now in
            change(&state.forging)
            guard state.forging.mode == .instant else { return state.forging }
            // What waited for a block gets one now.
            repeat {
                state.ledger.fillPools(now: now)
            } while state.ledger.hasUnconfirmed && state.ledger.forge(now: now).numberOfTransactions > 0
            return state.forging
        }
        forger.change(settings)
    }

    /// Makes so many blocks at once; what is queued is moved on before each.
    func forge(blocks: Int) {
        for _ in 0..<blocks {
            withState { state, now in
                state.ledger.fillPools(now: now)
                _ = state.ledger.forge(now: now)
            }
        }
    }
}

extension Ledger {
    /// Whether something waits for the next block.
    fileprivate var hasUnconfirmed: Bool { (0..<nodeCount).contains { !unconfirmed(node: $0).isEmpty } }
}

/// The thread that turns the nodes' loop: pools are filled five times for each block.
///
/// A real node's loop turns each second and a block is due every five; both are scaled with the interval.
final class ForgingLoop: Sendable {
    /// One turn of the loop.
    struct Turn: Sendable {
        /// Whether a block is due.
        let forges: Bool
    }

    private struct State {
        var settings: ForgingSettings?
        var isStopped = false
        var nextTurn: Int64 = 0
        var count = 0
    }

    private static let turnsPerBlock = 5
    private static let shortestTurnMilliseconds = 10

    private let state = Condition(State())
    private let thread = Condition<WorkerThread?>(nil)

    /// Starts the loop.
    func start(_ settings: ForgingSettings, turn: @escaping @Sendable (Turn) -> Void) throws(WorldError) {
        change(settings)
        let state = state
        do throws(ThreadError) {
            let started = try WorkerThread(name: "forging") {
                while let next = Self.wait(state) { turn(next) }
            }
            thread.withLock { $0 = started }
        } catch {
            throw WorldError("blocks cannot be forged: \(error)")
        }
    }

    /// Begins a new interval under other settings.
    func change(_ settings: ForgingSettings) {
        state.update { state in
            state.settings = settings
            state.count = 0
            state.nextTurn = MachineClock.monotonicMilliseconds() + Self.turnMilliseconds(settings)
        }
    }

    /// Ends the loop and waits for its thread.
    func stop() {
        state.update { $0.isStopped = true }
        let running = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        running?.join()
    }

    /// Waits for the next turn; nil when the loop has been stopped.
    private static func wait(_ condition: Condition<State>) -> Turn? {
        condition.wait { state in
            if state.isStopped { return .ready(nil) }
            guard let settings = state.settings else { return .sleep(until: nil) }
            let now = MachineClock.monotonicMilliseconds()
            guard now >= state.nextTurn else { return .sleep(until: state.nextTurn) }
            let length = turnMilliseconds(settings)
            // After a stall the turns missed are skipped, not made up for.
            state.nextTurn = max(state.nextTurn + length, now)
            state.count += 1
            return .ready(Turn(forges: state.count % turnsPerBlock == 0))
        }
    }

    private static func turnMilliseconds(_ settings: ForgingSettings) -> Int64 {
        Int64(max(shortestTurnMilliseconds, settings.intervalMilliseconds / turnsPerBlock))
    }
}
