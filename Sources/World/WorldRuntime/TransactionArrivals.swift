import AdamantModel
import Determinism
import Recording

/// Which transactions a world has seen, in the order in which they came.
struct TransactionArrivals: Sendable {
    /// The first sight of a transaction.
    struct Arrival: Sendable {
        /// Number of the event that told of it; in a reopened world, of what came before, its place.
        let seq: Int
        let id: Identifier
        let at: Timestamp
    }

    private var arrivals: [Arrival] = []
    private var places: [Identifier: UInt32] = [:]

    /// How many there are.
    var count: Int { arrivals.count }

    /// Number of the newest arrival; 0 when there is none.
    var last: Int { arrivals.last?.seq ?? 0 }

    /// Notes a transaction at its first sight.
    mutating func note(_ id: Identifier, seq: Int, at: Timestamp) {
        guard places[id] == nil else { return }
        places[id] = UInt32(clamping: arrivals.count)
        arrivals.append(Arrival(seq: max(seq, last), id: id, at: at))
    }

    /// When a transaction came; nil for one never seen.
    func find(_ id: Identifier) -> Arrival? {
        places[id].map { arrivals[Int($0)] }
    }

    /// Up to `limit` arrivals from a place on.
    func slice(from place: Int, limit: Int) -> ArraySlice<Arrival> { arrivals.dropFirst(place).prefix(limit) }

    /// The newest arrivals, oldest first.
    func newest(_ count: Int) -> ArraySlice<Arrival> { arrivals.suffix(count) }

    /// The number of the arrival at a place.
    func seq(at place: Int) -> Int? { arrivals.indices.contains(place) ? arrivals[place].seq : nil }

    /// The place of the first arrival after a number.
    func place(after seq: Int) -> Int { arrivals.partitioningIndex { $0.seq > seq } }
}
