import Synchronization

/// How far one event stream has been fed; feeds are not interleaved.
final class StreamCursor: Sendable {
    private let position: Mutex<Int>

    init(after: Int) {
        position = Mutex(after)
    }

    /// Asks for what is new and sends it; true when the stream is gone.
    func advance(
        _ ask: (Int) -> [ControlStreamEvent],
        send: ([ControlStreamEvent]) -> Bool
    ) -> Bool {
        position.withLock { position in
            let events = ask(position)
            guard let last = events.last else { return false }
            position = last.id
            return !send(events)
        }
    }
}

/// A flag that exactly one caller gets to set.
final class OnceFlag: Sendable {
    private let flag = Atomic(false)

    var isClaimed: Bool { flag.load(ordering: .acquiring) }

    func claim() -> Bool {
        flag.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
    }
}
