import AdamantLedger
import AdamantModel
import Determinism
import HTTPDaemon

/// What nodes have accepted and not yet told the others.
struct PendingRelays: Sendable {
    private var last = 0
    private var waiting: [Int: (id: Identifier, node: Int)] = [:]

    /// Notes what a node is to relay; tells its number.
    mutating func add(_ id: Identifier, from node: Int) -> Int {
        last += 1
        waiting[last] = (id, node)
        return last
    }

    /// Takes what was noted under a number; nil when the world has begun anew since.
    mutating func take(_ number: Int) -> (id: Identifier, node: Int)? { waiting.removeValue(forKey: number) }

    /// Forgets all; numbers go on.
    mutating func removeAll() { waiting = [:] }
}

extension World {
    /// Lets a node that keeps what it accepted for a while relay a transaction after that time.
    func relayLater(_ id: Identifier, from node: Int, in state: inout WorldState) {
        let wait = state.ledger.profiles[node].situation.relayMilliseconds
        guard wait > 0, state.ledger.nodeCount > 1 else { return }
        let number = state.relays.add(id, from: node)
        daemon.after(milliseconds: wait) { [weak self] in self?.relay(number) }
    }

    /// Relays what waits on one node alone: what a kept world had not relayed when it was stopped, or a snapshot when it was taken.
    func relayWhatWaits() {
        withState { state, now in
            for (id, node) in state.ledger.unrelayed {
                guard state.ledger.profiles[node].situation.relayMilliseconds == 0 else {
                    relayLater(id, from: node, in: &state)
                    continue
                }
                relay(id, from: node, in: &state, now: now)
            }
        }
    }

    private func relay(_ number: Int) {
        withState { state, now in
            guard let (id, node) = state.relays.take(number) else { return }
            relay(id, from: node, in: &state, now: now)
        }
    }

    private func relay(_ id: Identifier, from node: Int, in state: inout WorldState, now: Timestamp) {
        state.ledger.relay(id, from: node, now: now, timestampsCheckedAt: timestampsCheckedAt(now))
    }
}
