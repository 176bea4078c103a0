import AdamantModel
import Determinism

/// How long transactions took until the service pushed for them, by the world's clock.
struct PushTimes: Sendable {
    /// Blocks whose moments are remembered; a push for an older one is not counted.
    private static let remembered = 4096

    /// From a node's acceptance to the push.
    private(set) var sinceAcceptance = Histogram(.ways)
    /// From the block to the push.
    private(set) var sinceForging = Histogram(.ways)
    private var blocks: [Int: Timestamp] = [:]

    /// Takes note of when a block was forged.
    mutating func noteBlock(height: Int, at moment: Timestamp) {
        blocks[height] = moment
        blocks[height - Self.remembered] = nil
    }

    /// Counts a push for a transaction that was accepted at a moment, and is in the block of a height.
    mutating func notePush(at moment: Timestamp, accepted: Timestamp, height: Int?) {
        note(moment, since: accepted, in: \.sinceAcceptance)
        if let block = height.flatMap({ blocks[$0] }) { note(moment, since: block, in: \.sinceForging) }
    }

    /// A moment before the other was no wait for it: the service knew of the transaction by its socket.
    private mutating func note(
        _ moment: Timestamp,
        since start: Timestamp,
        in times: WritableKeyPath<PushTimes, Histogram>
    ) {
        let (length, isOverflow) = moment.milliseconds.subtractingReportingOverflow(start.milliseconds)
        guard !isOverflow, length >= 0 else { return }
        self[keyPath: times].note(milliseconds: length)
    }
}
