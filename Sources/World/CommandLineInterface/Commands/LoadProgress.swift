import POSIX

/// How far a load has come: a bar on a terminal, otherwise a line for each tenth.
final class LoadProgress {
    private let total: Int
    private let context: CommandContext
    private let isTerminal: Bool
    private var shown = -1

    private static let width = 30

    init(total: Int, _ context: CommandContext, isTerminal: Bool = StandardStream.error.isTerminal) {
        self.total = max(1, total)
        self.context = context
        self.isTerminal = isTerminal
    }

    /// Shows where the load is, if that is news.
    func show(_ tally: LedgerLoad.Tally, milliseconds: Int64) {
        let rate = Int64(tally.sent) * 1000 / max(1, milliseconds)
        let note =
            "\(tally.sent) of \(total) messages, \(rate) a second, \(tally.sent - tally.accepted) refused"
        let steps = isTerminal ? 1000 : 10
        let step = tally.sent * steps / total
        guard step != shown else { return }
        shown = step
        guard isTerminal else { return context.tell("mocknet: \(note)") }
        let full = tally.sent * Self.width / total
        let bar = String(repeating: "#", count: full) + String(repeating: ".", count: Self.width - full)
        context.error("\r[\(bar)] \(note)\u{1B}[K")
    }

    /// Leaves the bar's line.
    func end() {
        if isTerminal, shown >= 0 { context.error("\n") }
    }
}
