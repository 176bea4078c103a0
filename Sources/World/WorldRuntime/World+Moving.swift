import AdamantLedger
import AdamantModel
import ControlServer
import Determinism
import JSONValue

extension World {
    /// Plays a fork: what gave way, what took its place, and what waits for a later block.
    func reorganize(_ form: ReorganizationForm) throws(ControlError) -> JSONValue {
        try withState { state, now throws(ControlError) in
            let purpose = "reorg after \(state.reversals.revertedBlocks) blocks"
            var generator = SeededGenerator(seed: seed, purpose: purpose)
            do throws(ReorganizationError) {
                let outcome = try state.ledger.reorganize(form.reorganization, now: now, using: &generator)
                return [
                    "height": .int(state.ledger.height),
                    "reverted": .array(outcome.reverted.map(Self.facts(of:))),
                    "forged": .array(outcome.forged.map(Self.facts(of:))),
                    "waiting": .array(outcome.waiting.map { .string($0.description) }),
                ]
            } catch {
                throw ControlError(error, height: state.ledger.height)
            }
        }
    }

    /// Takes a snapshot.
    func takeSnapshot(name: String?) throws(ControlError) -> JSONValue {
        if let name { try Self.check(name) }
        return try withState { state, now throws(ControlError) in
            if let name, let other = state.snapshots.find(name) {
                throw .conflict("the name '\(name)' is taken by the snapshot \(other.id)")
            }
            guard let snapshot = state.takeSnapshot(id: state.snapshots.nextId, name: name, at: now) else {
                throw .conflict("there are \(WorldSnapshots.capacity) snapshots, which is as many as can be")
            }
            state.keep(.snapshot, snapshot.kept)
            state.journal.append(.snapshotTaken, at: now, data: snapshot.json)
            return snapshot.json
        }
    }

    /// Goes back to a snapshot, or over to its branch.
    func revert(to idOrName: String) throws(ControlError) -> JSONValue {
        // What is on its way between nodes is that of the pools gone back to.
        defer { relayWhatWaits() }
        return try withState { state, now throws(ControlError) in
            let snapshot = try state.findSnapshot(idOrName)
            let before = state.ledger
            state.revert(to: snapshot)
            state.relays.removeAll()
            state.keep(.reverted, Array(snapshot.id.utf8))
            let common = before.commonHeight(with: state.ledger)
            for height in stride(from: before.height, to: common, by: -1) {
                guard let block = before.block(height: height) else { continue }
                state.journal.append(.blockReverted, at: now, data: Self.facts(of: block))
            }
            var data = snapshot.json.objectValue ?? JSONObject()
            data.append("from", .int(before.height))
            data.append("commonHeight", .int(common))
            state.journal.append(.snapshotReverted, at: now, data: .object(data))
            return .object(data)
        }
    }

    /// Forgets a snapshot.
    func removeSnapshot(_ idOrName: String) throws(ControlError) {
        try withState { state, now throws(ControlError) in
            let snapshot = try state.findSnapshot(idOrName)
            _ = state.snapshots.remove(snapshot.id)
            state.keep(.snapshotRemoved, Array(snapshot.id.utf8))
            state.journal.append(.snapshotRemoved, at: now, data: snapshot.json)
        }
    }

    /// Longest name of a snapshot, in bytes.
    private static let longestName = 100

    private static func check(_ name: String) throws(ControlError) {
        guard (1...longestName).contains(name.utf8.count) else {
            throw .invalid("name", "name must be of 1 to \(longestName) bytes")
        }
        let digits = name.utf8.dropFirst()
        guard
            name.utf8.first != UInt8(ascii: "s") || digits.isEmpty
                || !digits.allSatisfy({ (48...57).contains($0) })
        else { throw .invalid("name", "name must not look like an id, such as '\(name)'") }
    }
}

extension WorldState {
    /// The snapshot of an id or a name.
    fileprivate func findSnapshot(_ idOrName: String) throws(ControlError) -> WorldSnapshot {
        guard let snapshot = snapshots.find(idOrName) else {
            throw .notFound("there is no snapshot '\(idOrName)'")
        }
        return snapshot
    }
}
