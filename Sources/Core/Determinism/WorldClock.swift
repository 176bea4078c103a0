/// A world's clock: the machine's time plus an offset, or a moment at which it stands still.
///
/// It holds no clock of its own; whoever asks tells what the machine says.
public struct WorldClock: Equatable, Sendable {
    /// Milliseconds added to the machine's time while the clock runs.
    public private(set) var offsetMilliseconds: Int64
    /// Where the clock stands still; nil while it runs.
    public private(set) var frozenAt: Timestamp?

    /// A clock that runs with an offset, or stands still.
    public init(offsetMilliseconds: Int64 = 0, frozenAt: Timestamp? = nil) {
        self.offsetMilliseconds = offsetMilliseconds
        self.frozenAt = frozenAt
    }

    /// What this clock says when the machine says `machine`.
    public func now(machine: Timestamp) -> Timestamp {
        frozenAt ?? machine.adding(milliseconds: offsetMilliseconds)
    }

    /// Moves the clock, running or frozen, by so many milliseconds.
    public mutating func advance(milliseconds: Int64) {
        offsetMilliseconds = offsetMilliseconds.addingClamped(milliseconds)
        frozenAt = frozenAt?.adding(milliseconds: milliseconds)
    }

    /// Sets the clock to a moment; a frozen clock stays frozen there.
    public mutating func set(_ moment: Timestamp, machine: Timestamp) {
        offsetMilliseconds = moment.milliseconds.subtractingClamped(machine.milliseconds)
        if frozenAt != nil { frozenAt = moment }
    }

    /// Stops the clock where it is, or lets it run on from there.
    public mutating func setFrozen(_ frozen: Bool, machine: Timestamp) {
        if frozen {
            frozenAt = now(machine: machine)
        } else if let moment = frozenAt {
            offsetMilliseconds = moment.milliseconds.subtractingClamped(machine.milliseconds)
            frozenAt = nil
        }
    }
}
