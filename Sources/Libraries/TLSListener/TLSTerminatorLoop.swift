import Polling
import Threads

/// The thread of a terminator: its connections, and what they wait for.
///
/// SAFETY: made on one thread and handed to the loop's, which alone touches it from then on.
@safe
final class TLSTerminatorLoop: @unchecked Sendable {
    private static let wakeKey: UInt64 = 0
    /// How often connections that wait for a client that says nothing are looked at.
    private static let sweepMilliseconds: Int64 = 1_000

    private let context: TLSContext
    private var poller: Poller
    private let owner: TLSTerminator
    private var connections: [UInt64: TerminatedConnection] = [:]
    /// Those that have more to move than one turn is for.
    private var busy: Set<UInt64> = []
    /// Those that will not wait for ever.
    private var timed: Set<UInt64> = []
    private var buffer = [UInt8](repeating: 0, count: TLSConnection.readSize)

    init(context: TLSContext, poller: Poller, owner: TLSTerminator) {
        self.context = context
        self.poller = poller
        self.owner = owner
    }

    /// Serves until stopped.
    func run() {
        poller.add(owner.wake.readEnd, key: Self.wakeKey, interest: .read)
        var ready: [PollEvent] = []
        var isLast = false
        var nextSweep = MachineClock.monotonicMilliseconds()
        while !isLast {
            let wait = busy.isEmpty ? (timed.isEmpty ? -1 : Self.sweepMilliseconds) : 0
            poller.wait(timeout: Int32(clamping: wait), ready: &ready)
            let now = MachineClock.monotonicMilliseconds()
            let waiting = busy
            busy.removeAll(keepingCapacity: true)
            for id in waiting { move(id, now: now) }
            for event in ready {
                if event.key == Self.wakeKey {
                    owner.wake.lower()
                } else {
                    move(event.key / 2, now: now)
                }
            }
            let news = owner.takeNews()
            for arrival in news.arrivals { add(arrival, now: now) }
            for id in news.resets { move(id, now: now) }
            isLast = news.isStopping
            if now >= nextSweep {
                sweep(now: now)
                nextSweep = now + Self.sweepMilliseconds
            }
        }
        for connection in connections.values { connection.conclude(&buffer) }
        poller.close()
    }

    private func add(_ arrival: TLSTerminator.Arrival, now: Int64) {
        let connection = TerminatedConnection(arrival, context: context)
        connections[connection.id] = connection
        move(connection.id, now: now)
    }

    private func move(_ id: UInt64, now: Int64) {
        guard let connection = connections[id] else { return }
        connection.move(&buffer, now: now)
        connection.update(&poller)
        if connection.isClosed {
            connections[id] = nil
            busy.remove(id)
            timed.remove(id)
            return
        }
        if connection.hasMore { busy.insert(id) }
        if connection.deadline == .max {
            timed.remove(id)
        } else {
            timed.insert(id)
        }
    }

    /// Ends what has waited too long for its client.
    private func sweep(now: Int64) {
        for id in timed {
            guard let connection = connections[id], connection.deadline <= now else { continue }
            connection.expire()
            move(id, now: now)
        }
    }
}
