public import Determinism

/// When a node's loop turns, and which of its turns make a block.
///
/// The real loop turns each second and makes a block at its first turn in a slot of five seconds. So does this one as
/// long as the world's clock runs; under another block interval a turn lasts a fifth of that, and each fifth one makes
/// a block. What a stall made the loop miss is not made up for.
/// - Source: adamant:modules/delegates.js (`forge`), helpers/slots.js
public struct ForgingTurns: Sendable {
    /// When the next turn is due, in milliseconds of a clock that only goes forward.
    public private(set) var due: Int64
    private let turnMilliseconds: Int64
    private let followsSlots: Bool
    /// Turns since the last block.
    private var count: Int64 = 0
    /// The slot of the turn before; nil when the world's clock stood still.
    private var slot: Int64?

    private static let turnsPerBlock: Int64 = 5
    private static let shortestTurnMilliseconds: Int64 = 10
    /// Clocks that round differently must not see a turn before its slot.
    private static let marginMilliseconds: Int64 = 2

    /// Turns that begin now.
    ///
    /// - Parameters:
    ///   - intervalMilliseconds: from block to block.
    ///   - now: milliseconds of a clock that only goes forward.
    ///   - time: what the world's clock says; nil when it stands still.
    public init(intervalMilliseconds: Int, now: Int64, time: Timestamp?) {
        let interval = Int64(intervalMilliseconds)
        turnMilliseconds = max(Self.shortestTurnMilliseconds, interval / Self.turnsPerBlock)
        followsSlots = interval == Timestamp.slotSeconds * 1000
        due = now.addingClamped(turnMilliseconds)
        _ = follow(time, now: now)
    }

    /// Takes a turn; whether it makes a block.
    public mutating func take(now: Int64, time: Timestamp?) -> Bool {
        due = max(due.addingClamped(turnMilliseconds), now)
        count += 1
        let isDue = follow(time, now: now) ?? (count >= Self.turnsPerBlock)
        if isDue { count = 0 }
        return isDue
    }

    /// Goes by the slots of the world's clock: whether another one has begun; nil when that is not known.
    private mutating func follow(_ time: Timestamp?, now: Int64) -> Bool? {
        let before = slot
        slot = followsSlots ? time?.slot : nil
        guard let slot, let time else { return nil }
        let turn = time.milliseconds.flooredDivision(by: turnMilliseconds)
        let sinceTurn = time.milliseconds - turn * turnMilliseconds
        due = now.addingClamped(turnMilliseconds - sinceTurn + Self.marginMilliseconds)
        return before.map { $0 != slot }
    }
}
