import JSONValue

/// One client's session: Engine.IO, and Socket.IO with the default namespace above it.
///
/// A state machine: each input changes it and returns what is to be done, in order. Times are milliseconds of a clock
/// that never goes back.
/// - Source: engine.io:lib/socket.ts, lib/transports; socket.io:lib/client.ts
public struct SocketSession: Sendable {
    /// How packets travel.
    public enum Transport: String, Sendable {
        /// A GET that waits, and POSTs.
        case polling
        /// A WebSocket.
        case webSocket = "websocket"
    }

    /// What is to be done.
    public enum Output: Hashable, Sendable {
        /// Answer the GET that waits.
        case answerPoll([EnginePacket])
        /// Send a frame over the WebSocket in use.
        case frame(EnginePacket)
        /// Send a frame over the WebSocket that the client may go over to.
        case candidateFrame(EnginePacket)
        /// That WebSocket is the one in use from now on.
        case promoteCandidate
        /// Close that WebSocket.
        case closeCandidate
        /// Close the WebSocket in use.
        case closeTransport
        /// Break the transport: an RST.
        case abortTransport
        /// The session is no more; the last output.
        case ended
    }

    private enum Phase { case open, closing, closed }

    /// How long the client may take to fetch the packet that closes.
    ///
    /// - Source: engine.io:lib/transports/polling.ts (`closeTimeout`)
    private static let closeMilliseconds: Int64 = 30_000
    /// How often a GET is answered while the client goes over to a WebSocket.
    private static let checkMilliseconds: Int64 = 100

    /// Most packets that wait for a client which does not fetch them; a real node has no bound.
    private static let maximumPending = 10_000
    /// Most bytes of these packets; as many may wait for a client at a WebSocket.
    private static let maximumPendingBytes = 8 << 20

    /// The id that requests carry.
    public let id: String
    /// The revision of the protocol.
    public let revision: EngineRevision
    /// How packets travel now.
    public private(set) var transport: Transport
    /// What the client wants to hear of.
    public internal(set) var subscription = SocketSubscription()
    /// How many events the client has emitted, subscriptions that cannot be understood among them.
    public internal(set) var eventsTaken = 0
    /// Whether the client has joined the default namespace.
    public internal(set) var isJoined = false
    /// Whether the client is going over to a WebSocket, or has done so.
    public private(set) var hasCandidate = false

    let socketId: String
    let settings: SocketSettings
    var attachmentsDue = 0
    private var phase = Phase.open
    private var hasUpgraded = false
    private var pending: [EnginePacket] = []
    private var pendingBytes = 0
    private var isPollWaiting = false
    private var outputs: [Output] = []
    private var pingDue: Int64?
    private var timeoutDue: Int64?
    private var upgradeDue: Int64?
    private var checkDue: Int64?
    private var closeDue: Int64?
    private var dropDue: Int64?
    var joinDue: Int64?

    /// A session that has not been opened; the ids are unique.
    public init(
        id: String,
        socketId: String,
        revision: EngineRevision,
        transport: Transport,
        settings: SocketSettings
    ) {
        self.id = id
        self.socketId = socketId
        self.revision = revision
        self.transport = transport
        self.settings = settings
    }

    /// Whether a client may try to go over to a WebSocket.
    public var canUpgrade: Bool { phase == .open && transport == .polling && !hasCandidate && !hasUpgraded }

    /// Whether a transaction is to be told.
    public func wants(_ transaction: SubscribedTransaction) -> Bool {
        isJoined && subscription.wants(transaction)
    }

    /// When ``tick(now:)`` has something to do; nil for never.
    public var nextDue: Int64? {
        var earliest = Int64.max
        if let pingDue { earliest = min(earliest, pingDue) }
        if let timeoutDue { earliest = min(earliest, timeoutDue) }
        if let upgradeDue { earliest = min(earliest, upgradeDue) }
        if let checkDue { earliest = min(earliest, checkDue) }
        if let closeDue { earliest = min(earliest, closeDue) }
        if let dropDue { earliest = min(earliest, dropDue) }
        if let joinDue { earliest = min(earliest, joinDue) }
        return earliest == .max ? nil : earliest
    }

    /// Whether some event could concern it.
    public var listens: Bool { isJoined && !subscription.isEmpty }

    /// Answers the request that began it; `dropsAfter` milliseconds later the connection breaks.
    public mutating func open(now: Int64, dropsAfter: Int64? = nil) -> [Output] {
        dropDue = dropsAfter.map { now &+ $0 }
        isPollWaiting = transport == .polling
        let upgrades: JSONValue = transport == .polling ? ["websocket"] : []
        let handshake: JSONValue = [
            "sid": .string(id), "upgrades": upgrades,
            "pingInterval": .int(settings.pingIntervalMilliseconds),
            "pingTimeout": .int(settings.pingTimeoutMilliseconds),
            "maxPayload": .int(settings.maximumPayloadBytes),
        ]
        send(.open(handshake.bytes))
        switch revision {
        case .three:
            awaitPing(now)
            join()
        case .four:
            pingDue = now &+ settings.pingIntervalMilliseconds
            joinDue = now &+ settings.connectTimeoutMilliseconds
        }
        return taken()
    }

    /// A GET has come; false in the first part when another waits already, which ends the session.
    public mutating func poll() -> (isTaken: Bool, [Output]) {
        guard !isPollWaiting else {
            end()
            return (false, taken())
        }
        isPollWaiting = true
        flush()
        if phase == .closing, isPollWaiting { pending.append(.noop) }
        finishClosing()
        return (true, taken())
    }

    /// A body has been posted.
    public mutating func post(_ body: [UInt8], isBinary: Bool, now: Int64, knowsBlocks: Bool) -> [Output] {
        guard !isBinary || revision == .three else {
            end()
            return taken()
        }
        for packet in EnginePayload.decode(body, revision: revision, isBinary: isBinary) {
            if packet == .close {
                // The client leaves: its own GET, if there is one, is let go.
                if isPollWaiting { answerPoll([.noop]) }
                end()
                break
            }
            receive(packet, now: now, knowsBlocks: knowsBlocks)
        }
        return taken()
    }

    /// A message has come over the WebSocket in use.
    public mutating func frame(_ bytes: [UInt8], isText: Bool, now: Int64, knowsBlocks: Bool) -> [Output] {
        receive(frame(bytes, isText: isText), now: now, knowsBlocks: knowsBlocks)
        return taken()
    }

    /// A WebSocket for this session has been opened.
    public mutating func candidateOpened(now: Int64) {
        hasCandidate = true
        upgradeDue = now &+ settings.upgradeTimeoutMilliseconds
    }

    /// A message has come over that WebSocket.
    public mutating func candidateFrame(_ bytes: [UInt8], isText: Bool, now: Int64) -> [Output] {
        guard hasCandidate else { return [] }
        switch frame(bytes, isText: isText) {
        case .ping(EnginePacket.probe):
            outputs.append(.candidateFrame(.pong(EnginePacket.probe)))
            checkDue = now &+ Self.checkMilliseconds
        case .upgrade where phase != .closed:
            if isPollWaiting { answerPoll([.close]) }
            forgetCandidate()
            hasUpgraded = true
            transport = .webSocket
            timeoutDue = revision == .three ? timeoutDue : nil
            outputs.append(.promoteCandidate)
            flush()
            finishClosing()
        default:
            forgetCandidate()
            outputs.append(.closeCandidate)
        }
        return taken()
    }

    /// That WebSocket has been closed by the client.
    public mutating func candidateLost() { forgetCandidate() }

    /// The WebSocket in use, or the client behind the GET that waited, has gone.
    public mutating func transportLost() -> [Output] {
        isPollWaiting = false
        end()
        return taken()
    }

    /// Ends the session from this side.
    public mutating func close(now: Int64) -> [Output] {
        closeOrderly(now: now)
        return taken()
    }

    /// Sends an event of the default namespace, as ``eventText(_:_:)`` made it.
    public mutating func emit(_ event: EnginePacket) -> [Output] {
        guard isJoined else { return [] }
        send(event)
        return taken()
    }

    /// Does what is due by now.
    public mutating func tick(now: Int64) -> [Output] {
        if isDue(dropDue, now) {
            outputs.append(.abortTransport)
            isPollWaiting = false
            end()
        }
        if isDue(timeoutDue, now) || isDue(closeDue, now) { end() }
        if isDue(upgradeDue, now) {
            forgetCandidate()
            outputs.append(.closeCandidate)
        }
        if isDue(checkDue, now) {
            checkDue = now &+ Self.checkMilliseconds
            if isPollWaiting { answerPoll([.noop]) }
        }
        if isDue(pingDue, now) {
            pingDue = nil
            timeoutDue = now &+ settings.pingTimeoutMilliseconds
            send(.ping([]))
        }
        if isDue(joinDue, now) {
            joinDue = nil
            closeOrderly(now: now)
        }
        return taken()
    }

    /// The packet of an event, the same for all sessions.
    public static func event(_ name: String, _ payload: [UInt8]) -> EnginePacket {
        .message(SocketPacket.event(name, payload))
    }
}

extension SocketSession {
    private func isDue(_ due: Int64?, _ now: Int64) -> Bool { due.map { $0 <= now } ?? false }

    private mutating func taken() -> [Output] {
        defer { outputs = [] }
        return outputs
    }

    private func frame(_ bytes: [UInt8], isText: Bool) -> EnginePacket? {
        switch revision {
        case .three: EnginePayload.packet(bytes[...], isText: isText)
        case .four: isText ? EnginePacket(text: bytes[...]) : .binary
        }
    }

    private mutating func receive(_ packet: EnginePacket?, now: Int64, knowsBlocks: Bool) {
        guard phase == .open else { return }
        switch (packet, revision) {
        case (.ping, .three):
            awaitPing(now)
            send(.pong([]))
        case (.pong, .four):
            timeoutDue = nil
            pingDue = now &+ settings.pingIntervalMilliseconds
        case (.message(let text), _): receive(message: text, now: now, knowsBlocks: knowsBlocks)
        case (.binary, _): receiveBinary(now: now)
        case (.ping, .four), (.pong, .three), (nil, _): end()
        case (.open, _), (.close, _), (.upgrade, _), (.noop, _): break
        }
    }

    private mutating func awaitPing(_ now: Int64) {
        timeoutDue = now &+ settings.pingIntervalMilliseconds &+ settings.pingTimeoutMilliseconds
    }

    mutating func send(_ packet: EnginePacket) {
        guard phase == .open else { return }
        let bytes = pendingBytes + packet.byteCount
        guard pending.count < Self.maximumPending, bytes <= Self.maximumPendingBytes else { return end() }
        pending.append(packet)
        pendingBytes = bytes
        flush()
    }

    private mutating func flush() {
        guard phase != .closed, !pending.isEmpty else { return }
        switch transport {
        case .polling:
            guard isPollWaiting, phase == .open else { return }
            answerPoll(pending)
        case .webSocket: outputs += pending.map(Output.frame)
        }
        pending = []
        pendingBytes = 0
    }

    private mutating func answerPoll(_ packets: [EnginePacket]) {
        isPollWaiting = false
        outputs.append(.answerPoll(packets))
    }

    private mutating func forgetCandidate() {
        hasCandidate = false
        upgradeDue = nil
        checkDue = nil
    }

    /// Closes once what was sent before has gone out.
    mutating func closeOrderly(now: Int64) {
        guard phase == .open else { return }
        phase = .closing
        pingDue = nil
        timeoutDue = nil
        closeDue = now &+ Self.closeMilliseconds
        finishClosing()
    }

    private mutating func finishClosing() {
        guard phase == .closing else { return }
        if transport == .polling {
            guard isPollWaiting else { return }
            answerPoll(pending + [.close])
        }
        end()
    }

    private mutating func end() {
        guard phase != .closed else { return }
        if isPollWaiting { answerPoll([.close]) }
        phase = .closed
        if hasCandidate { outputs.append(.closeCandidate) }
        forgetCandidate()
        if transport == .webSocket { outputs.append(.closeTransport) }
        (pingDue, timeoutDue, closeDue, dropDue, joinDue) = (nil, nil, nil, nil, nil)
        isJoined = false
        outputs.append(.ended)
    }
}
