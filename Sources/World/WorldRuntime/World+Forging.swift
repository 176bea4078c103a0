import AdamantLedger
import AdamantModel
import Determinism
import Threads

extension World {
    /// Lets blocks be made as the settings say.
    func startForging() throws(WorldError) {
        let settings = withState { state, _ in state.forging }
        try forger.start(settings, time: { [weak self] in self?.runningTime }) { [weak self] isBlockDue in
            guard let self else { return }
            expireStoredPushes()
            withState { state, now in
                guard state.forging.mode == .interval else {
                    state.ledger.fillPools(now: now)
                    return
                }
                if isBlockDue { _ = state.ledger.forge(now: now) }
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
        forger.change(settings, time: runningTime)
    }

    /// What the world's clock says; nil when it stands still.
    var runningTime: Timestamp? {
        withState { state, now in state.clock.frozenAt == nil ? now : nil }
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

/// The thread that turns the nodes' loop: pools are filled at each turn, a block is made at some.
final class ForgingLoop: Sendable {
    private struct State {
        var turns: ForgingTurns?
        var isStopped = false
    }

    private let state = Condition(State())
    private let thread = Condition<WorkerThread?>(nil)

    /// Starts the loop.
    ///
    /// - Parameters:
    ///   - settings: how fast blocks are made.
    ///   - time: what the world's clock says; nil when it stands still.
    ///   - turn: called on the loop's thread; told whether a block is due.
    /// - Throws: ``WorldError`` when there is no thread.
    func start(
        _ settings: ForgingSettings,
        time: @escaping @Sendable () -> Timestamp?,
        turn: @escaping @Sendable (_ isBlockDue: Bool) -> Void
    ) throws(WorldError) {
        change(settings, time: time())
        let state = state
        do throws(ThreadError) {
            let started = try WorkerThread(name: "forging") {
                while Self.waitForTurn(state) { turn(Self.take(state, time: time())) }
            }
            thread.withLock { $0 = started }
        } catch {
            throw WorldError("blocks cannot be forged: \(error)")
        }
    }

    /// Begins a new interval under other settings.
    func change(_ settings: ForgingSettings, time: Timestamp?) {
        state.update { state in
            state.turns = ForgingTurns(
                intervalMilliseconds: settings.intervalMilliseconds,
                now: MachineClock.monotonicMilliseconds(),
                time: time
            )
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

    /// Waits until a turn is due; false when the loop has been stopped.
    private static func waitForTurn(_ condition: Condition<State>) -> Bool {
        condition.wait { state in
            if state.isStopped { return .ready(false) }
            guard let due = state.turns?.due else { return .sleep(until: nil) }
            return MachineClock.monotonicMilliseconds() >= due ? .ready(true) : .sleep(until: due)
        }
    }

    private static func take(_ condition: Condition<State>, time: Timestamp?) -> Bool {
        condition.withLock { state in
            state.turns?.take(now: MachineClock.monotonicMilliseconds(), time: time) ?? false
        }
    }
}
