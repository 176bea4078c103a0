import Determinism
import JSONValue

/// What the draws and the numbers of a world go on from.
struct WorldCounters: Sendable {
    /// State of the generator of all draws that are not of a purpose of their own.
    let generator: UInt64
    let revertedBlocks: UInt64
    let lastSnapshot: Int
    let lastHeld: Int
    /// Number of the newest event.
    let lastEvent: Int
}

extension WorldCounters {
    /// The row of a log.
    var kept: [UInt8] {
        let json: JSONValue = [
            "generator": .string(String(generator)), "revertedBlocks": .string(String(revertedBlocks)),
            "lastSnapshot": .int(lastSnapshot), "lastHeld": .int(lastHeld), "lastEvent": .int(lastEvent),
        ]
        return json.bytes
    }

    /// The counters of a row.
    init?(kept json: JSONValue) {
        guard let generator = json["generator"]?.stringValue.flatMap({ UInt64($0) }),
            let revertedBlocks = json["revertedBlocks"]?.stringValue.flatMap({ UInt64($0) }),
            let lastSnapshot = json["lastSnapshot"]?.countValue,
            let lastHeld = json["lastHeld"]?.countValue, let lastEvent = json["lastEvent"]?.countValue
        else { return nil }
        self.init(
            generator: generator,
            revertedBlocks: revertedBlocks,
            lastSnapshot: lastSnapshot,
            lastHeld: lastHeld,
            lastEvent: lastEvent
        )
    }
}

extension WorldState {
    /// What a copy of the world goes on from.
    var counters: WorldCounters {
        WorldCounters(
            generator: generator.state,
            revertedBlocks: reversals.revertedBlocks,
            lastSnapshot: snapshots.last,
            lastHeld: held.last,
            lastEvent: journal.last
        )
    }

    /// Goes on as the world does whose counters these are; events apart.
    mutating func goOn(from counters: WorldCounters) {
        generator = SeededGenerator(seed: counters.generator)
        reversals.revertedBlocks = counters.revertedBlocks
        snapshots.last = max(snapshots.last, counters.lastSnapshot)
        held.last = max(held.last, counters.lastHeld)
    }
}
