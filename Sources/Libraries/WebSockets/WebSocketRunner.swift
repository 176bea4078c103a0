internal import Polling
internal import Threads

/// The loop's thread: all connections, and what they wait for.
///
/// SAFETY: made on one thread and handed to the loop's, which alone touches it from then on.
@safe final class WebSocketRunner: @unchecked Sendable {
    /// How long a client may take to answer a close frame.
    private static let closeMilliseconds: Int64 = 2_000
    /// How often connections that are closing are looked at.
    private static let sweepMilliseconds: Int32 = 100
    private static let wakeKey: UInt64 = 0
    private static let readBytes = 65_536

    private var poller: Poller
    private let loop: WebSocketLoop
    private var connections: [UInt64: WebSocketConnection] = [:]
    private var unflushed: [WebSocketConnection] = []
    private var closing: [UInt64: Int64] = [:]
    private var buffer = [UInt8](repeating: 0, count: readBytes)
    private var isStopped = false

    init(poller: Poller, loop: WebSocketLoop) {
        self.poller = poller
        self.loop = loop
    }

    /// Serves until stopped.
    func run() {
        poller.add(loop.signal.readEnd, key: Self.wakeKey, interest: .read)
        var ready: [PollEvent] = []
        while !isStopped {
            poller.wait(timeout: closing.isEmpty ? -1 : Self.sweepMilliseconds, ready: &ready)
            for event in ready where event.key != Self.wakeKey { handle(event) }
            if ready.contains(where: { $0.key == Self.wakeKey }) { loop.signal.lower() }
            runCommands()
            sweep()
        }
        for command in loop.end() {
            if case .adopt(let start) = command { start.onRelease() }
        }
        for connection in connections.values {
            connection.close(code: WebSocketConnection.goingAway)
            giveUp(connection)
        }
        poller.close()
    }

    private func handle(_ event: PollEvent) {
        guard let connection = connections[event.key] else { return }
        if event.isReadable, !connection.read(&buffer) { return giveUp(connection) }
        flush(connection)
    }

    /// Carries out what was asked for, and what that asks for.
    private func runCommands() {
        while true {
            let commands = loop.takeCommands()
            guard !commands.isEmpty else { return }
            for command in commands { carryOut(command) }
            let waiting = unflushed
            unflushed = []
            for connection in waiting {
                connection.isUnflushed = false
                if !connection.hasEnded { flush(connection) }
            }
        }
    }

    private func carryOut(_ command: WebSocketLoop.Command) {
        switch command {
        case .adopt(let start): adopt(start)
        case .text(let receivers, let text):
            for id in receivers { change(id) { $0.send(text: text) } }
        case .unframed(let id, let bytes): change(id) { $0.send(unframed: bytes) }
        case .close(let id, let code): change(id) { $0.close(code: code) }
        case .abort(let id):
            guard let connection = connections[id] else { return }
            connection.abort()
            end(connection)
        case .perform(let action): action()
        case .stop: isStopped = true
        }
    }

    private func adopt(_ start: WebSocketConnection.Start) {
        guard let connection = WebSocketConnection(start),
            poller.add(start.descriptor, key: start.socket.id, interest: .read)
        else {
            start.onRelease()
            start.onEvent(start.socket, .closed)
            return
        }
        connections[start.socket.id] = connection
        guard connection.receive(start.received) else { return giveUp(connection) }
        flush(connection)
    }

    private func change(_ id: UInt64, _ body: (WebSocketConnection) -> Void) {
        guard let connection = connections[id] else { return }
        body(connection)
        guard !connection.isFull else { return flush(connection) }
        guard !connection.isUnflushed else { return }
        connection.isUnflushed = true
        unflushed.append(connection)
    }

    private func flush(_ connection: WebSocketConnection) {
        guard connection.flush() else { return end(connection) }
        let interest: PollInterest = connection.isBehind ? [.read, .write] : .read
        if interest != connection.interest {
            connection.interest = interest
            poller.change(connection.descriptor, key: connection.id, interest: interest)
        }
        if connection.isClosing, closing[connection.id] == nil {
            closing[connection.id] = MachineClock.monotonicMilliseconds() + Self.closeMilliseconds
        }
    }

    /// Gives up clients that do not answer a close frame.
    private func sweep() {
        guard !closing.isEmpty else { return }
        let now = MachineClock.monotonicMilliseconds()
        for (id, due) in closing where due <= now {
            if let connection = connections[id] { end(connection) }
        }
    }

    /// Ends a connection that cannot go on, with the close frame that says why, if there is one.
    private func giveUp(_ connection: WebSocketConnection) {
        _ = connection.flush()
        end(connection)
    }

    private func end(_ connection: WebSocketConnection) {
        guard !connection.hasEnded else { return }
        poller.remove(connection.descriptor)
        connections[connection.id] = nil
        closing[connection.id] = nil
        connection.end()
    }
}
