public import Determinism

/// Lets each transaction pass once in one to two minutes.
///
/// - Source: adamant:modules/clientWs.js (ids are forgotten each minute when older than one)
public struct RepeatFilter: Sendable {
    private static let periodMilliseconds: Int64 = 60_000

    private var period: Int64?
    private var current: Set<UInt64> = []
    private var previous: Set<UInt64> = []

    /// A filter that lets everything pass.
    public init() {}

    /// Whether an id has not passed for a while; it has from now on.
    public mutating func passes(_ id: UInt64, now: Timestamp) -> Bool {
        turn(now)
        guard !previous.contains(id) else { return false }
        return current.insert(id).inserted
    }

    /// Forgets what passed long ago; it does not matter whether the clock went on or was set back.
    private mutating func turn(_ now: Timestamp) {
        let period = now.milliseconds / Self.periodMilliseconds
        guard period != self.period else { return }
        let isNext = self.period.map { ($0 - period).magnitude == 1 } ?? false
        previous = isNext ? current : []
        current = []
        self.period = period
    }
}
