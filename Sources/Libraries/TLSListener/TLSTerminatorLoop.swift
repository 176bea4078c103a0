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
    private var lastID: UInt64 = 0
    /// Those that have more to move than one turn is for.
    private var busy: [TerminatedConnection] = []
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
            for connection in waiting { move(connection, now: now) }
            for event in ready {
                if event.key == Self.wakeKey {
                    owner.wake.lower()
                } else if let connection = connections[event.key / 2] {
                    move(connection, now: now)
                }
            }
            let arrived = owner.takeArrivals()
            for arrival in arrived.arrivals { add(arrival, now: now) }
            isLast = arrived.isLast
            if now >= nextSweep {
                sweep(now: now)
                nextSweep = now + Self.sweepMilliseconds
            }
        }
        for connection in connections.values { connection.conclude(&buffer) }
        poller.close()
    }

    private func add(_ arrival: TLSTerminator.Arrival, now: Int64) {
        lastID += 1
        let connection = TerminatedConnection(id: lastID, arrival: arrival, context: context)
        connections[lastID] = connection
        move(connection, now: now)
    }

    private func move(_ connection: TerminatedConnection, now: Int64) {
        guard connections[connection.id] != nil else { return }
        connection.move(&buffer, now: now)
        connection.update(&poller)
        if connection.isClosed {
            connections[connection.id] = nil
            timed.remove(connection.id)
            return
        }
        if connection.hasMore { busy.append(connection) }
        if connection.deadline == .max {
            timed.remove(connection.id)
        } else {
            timed.insert(connection.id)
        }
    }

    /// Ends what has waited too long for its client.
    private func sweep(now: Int64) {
        for id in timed {
            guard let connection = connections[id], connection.deadline <= now else { continue }
            connection.expire()
            move(connection, now: now)
        }
    }
}
