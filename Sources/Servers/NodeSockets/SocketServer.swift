public import HTTPDaemon
public import SocketIORules
public import WebSockets
import Sodium
import Synchronization
import Threads

/// The Socket.IO server of one node, at its socket port and at its HTTP port.
///
/// - Source: adamant:modules/clientWs.js (socket.io 4.8 with `allowEIO3`, library defaults)
public final class SocketServer: Sendable {
    struct State: Sendable {
        var clients: [String: SocketClient] = [:]
        var listening = 0
        var isOn = true
        /// When the timer goes off next.
        var timerDue = Int64.max
        private var lastSent: (packet: EnginePacket, text: [UInt8])?

        /// A packet's text: one array for all sockets that an event goes to, not one for each.
        mutating func text(of packet: EnginePacket) -> [UInt8] {
            if let lastSent, lastSent.packet == packet { return lastSent.text }
            let text = packet.text
            lastSent = (packet, text)
            return text
        }
    }

    /// Most sessions at a time; a real node has no bound.
    static let maximumClients = 10_000
    private static let shortestTimerMilliseconds: Int64 = 5

    let backend: any SocketBackend
    let node: Int
    let name: String
    let settings: SocketSettings
    let loop: WebSocketLoop
    private let daemon: HTTPDaemon
    private let state = Mutex(State())

    /// The server of a node of a world, by its index.
    ///
    /// - Parameters:
    ///   - backend: decides about faults and is told who listens.
    ///   - node: the index.
    ///   - name: the name that fault rules match.
    ///   - loop: serves the WebSockets.
    ///   - daemon: has the listeners, and a timer.
    ///   - settings: times and sizes.
    public init(
        backend: any SocketBackend,
        node: Int,
        name: String,
        loop: WebSocketLoop,
        daemon: HTTPDaemon,
        settings: SocketSettings = SocketSettings()
    ) {
        self.backend = backend
        self.node = node
        self.name = name
        self.loop = loop
        self.daemon = daemon
        self.settings = settings
    }

    /// How many sessions there are.
    public var clientCount: Int { state.withLock(\.clients.count) }

    /// How many events those that are connected have emitted.
    public var eventCount: Int {
        state.withLock { $0.clients.values.reduce(0) { $0 + $1.session.eventsTaken } }
    }

    /// Whether clients are let in; switching it off ends all sessions.
    public func setOn(_ isOn: Bool) {
        state.withLock { $0.isOn = isOn }
        if !isOn { disconnectAll() }
    }

    /// Ends all sessions, as a node that is restarted.
    public func disconnectAll() {
        let ids = state.withLock { Array($0.clients.keys) }
        for id in ids { change(id) { session, now in session.close(now: now) + session.transportLost() } }
    }

    var isOn: Bool { state.withLock(\.isOn) }

    /// Lets a new client in, connected as `connect` says, and begins its session; false when there are too many.
    func begin(_ session: SocketSession, dropsAfter: Int64?, connect: (inout SocketClient) -> Void) -> Bool {
        state.withLock { state in
            guard state.clients.count < Self.maximumClients else { return false }
            var client = SocketClient(session)
            connect(&client)
            state.clients[session.id] = client
            update(&state, session.id) { session, now in session.open(now: now, dropsAfter: dropsAfter) }
            return true
        }
    }

    /// How the packets of a session travel; nil when there is none of this id.
    func transport(of id: String) -> SocketSession.Transport? {
        state.withLock { $0.clients[id]?.session.transport }
    }

    /// Lets a session take an input, and does what that asks for.
    func change(_ id: String, _ body: (inout SocketSession, Int64) -> [SocketSession.Output]) {
        state.withLock { update(&$0, id, body) }
    }

    /// The same with the client around the session.
    func changeClient(_ id: String, _ body: (inout SocketClient, Int64) -> [SocketSession.Output]) -> Bool {
        state.withLock { state in
            guard state.clients[id] != nil else { return false }
            updateClient(&state, id, body)
            return true
        }
    }

    /// Sends an event to the sessions that want it.
    func emit(_ packet: EnginePacket, where wants: (SocketSession) -> Bool) {
        state.withLock { state in
            // Changing what is walked would copy all of it.
            let ids = state.clients.compactMap { id, client in wants(client.session) ? id : nil }
            for id in ids { update(&state, id) { session, _ in session.emit(packet) } }
        }
    }

    /// Whether some session fits.
    func hasClient(where fits: (SocketSession) -> Bool) -> Bool {
        state.withLock { $0.clients.values.contains { fits($0.session) } }
    }

    /// Runs a closure for each session that fits.
    func forEachClient(where fits: (SocketSession) -> Bool, _ body: (SocketClient) -> Void) {
        state.withLock { state in
            for client in state.clients.values where fits(client.session) { body(client) }
        }
    }

    /// Runs a closure later, on the timer's thread.
    func after(milliseconds: Int, _ action: @escaping @Sendable () -> Void) {
        daemon.after(milliseconds: milliseconds, action)
    }
}

extension SocketServer {
    private func update(
        _ state: inout State,
        _ id: String,
        _ body: (inout SocketSession, Int64) -> [SocketSession.Output]
    ) {
        updateClient(&state, id) { client, now in body(&client.session, now) }
    }

    private func updateClient(
        _ state: inout State,
        _ id: String,
        _ body: (inout SocketClient, Int64) -> [SocketSession.Output]
    ) {
        guard var client = state.clients.removeValue(forKey: id) else { return }
        let listened = client.session.listens
        let now = MachineClock.monotonicMilliseconds()
        // A client that has left its GET is gone; the daemon notices that, and nobody else.
        let hasLeft = client.poll?.replier.isDecided ?? false
        let outputs = hasLeft ? client.session.transportLost() : body(&client, now)
        if hasLeft { client.poll = nil }
        for output in outputs { perform(output, &client, &state) }
        if outputs.last != .ended { state.clients[id] = client }
        note(listened, client.session.listens, &state)
        if let due = client.session.nextDue { arm(&state, due: due, now: now) }
    }

    private func perform(
        _ output: SocketSession.Output,
        _ client: inout SocketClient,
        _ state: inout State
    ) {
        switch output {
        case .answerPoll(let packets):
            guard let poll = client.poll else { return }
            client.poll = nil
            let body = EnginePayload.encode(packets, revision: client.session.revision)
            poll.replier.respond(SocketAnswer.payload(body, coding: poll.coding))
        case .frame(let packet): client.socket?.send(text: state.text(of: packet))
        case .candidateFrame(let packet): client.candidate?.send(text: packet.text)
        case .promoteCandidate:
            client.socket = client.candidate
            client.candidate = nil
        case .closeCandidate:
            client.candidate?.close()
            client.candidate = nil
        case .closeTransport: client.socket?.close()
        case .abortTransport:
            client.socket?.abort()
            client.poll?.replier.reset()
            client.poll = nil
        case .ended: break
        }
    }

    /// Tells the world when the first begins to listen, and when the last stops.
    private func note(_ before: Bool, _ after: Bool, _ state: inout State) {
        guard before != after else { return }
        state.listening += after ? 1 : -1
        if after, state.listening == 1 { backend.watch(node: node, true) }
        if !after, state.listening == 0 { backend.watch(node: node, false) }
    }

    private func arm(_ state: inout State, due: Int64, now: Int64) {
        guard due < state.timerDue else { return }
        let wait = max(due - now, Self.shortestTimerMilliseconds)
        state.timerDue = now + wait
        after(milliseconds: Int(clamping: wait)) { [weak self] in self?.tick() }
    }

    /// Lets each session do what is due.
    private func tick() {
        state.withLock { state in
            let now = MachineClock.monotonicMilliseconds()
            guard state.timerDue <= now else { return }
            state.timerDue = .max
            var next = Int64.max
            for (id, client) in state.clients {
                guard let due = client.session.nextDue else { continue }
                if due > now {
                    next = min(next, due)
                } else {
                    update(&state, id) { session, now in session.tick(now: now) }
                }
            }
            if next != .max { arm(&state, due: next, now: now) }
        }
    }
}

extension SocketServer {
    /// An id that nobody can guess, and that no other run gives: clients of before must not be taken for those of now.
    ///
    /// - Source: base64id (15 bytes in the alphabet of URLs)
    static func newId() -> String { Sodium.base64(Sodium.randomBytes(15), variant: .urlWithoutPadding) }
}
