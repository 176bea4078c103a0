import JSONValue
import Testing

@testable import SocketIORules

@Suite("Socket.IO session")
struct SessionTests {
    private static func session(
        _ revision: EngineRevision = .four,
        _ transport: SocketSession.Transport = .webSocket
    ) -> Driver {
        Driver(
            SocketSession(
                id: "engine",
                socketId: "socket",
                revision: revision,
                transport: transport,
                settings: SocketSettings()
            )
        )
    }

    /// A session whose client has joined.
    private static func joined(_ revision: EngineRevision = .four) -> Driver {
        let session = Self.session(revision)
        _ = session.open(now: 0)
        if revision == .four { _ = session.send("40") }
        return session
    }

    @Test("opens and lets the client in, revision 4")
    func opening() {
        let session = Self.session()
        let open =
            #"0{"sid":"engine","upgrades":[],"pingInterval":25000,"pingTimeout":20000,"maxPayload":1000000}"#
        #expect(session.open(now: 0).texts == [open])
        #expect(!session.isJoined)
        #expect(session.send("40").texts == [#"40{"sid":"socket"}"#])
        #expect(session.isJoined)
    }

    @Test("lets a client of revision 3 in unasked, at its second GET")
    func openingThree() {
        let session = Self.session(.three, .polling)
        let first = session.open(now: 0)
        #expect(first.count == 1 && first.texts[0].contains(#""upgrades":["websocket"]"#))
        #expect(session.isJoined)
        #expect(session.poll().1.texts == ["40"])
    }

    @Test("answers a GET when there is something, not before")
    func polling() {
        let session = Self.session(.four, .polling)
        _ = session.open(now: 0)
        #expect(session.poll().1 == [])
        #expect(session.post("40").texts == [#"40{"sid":"socket"}"#])
        #expect(session.emit(SocketSession.event("newTrans", [123, 125])) == [])
        #expect(session.poll().1.texts == [#"42["newTrans",{}]"#])
    }

    @Test("ends when two GETs wait at a time")
    func overlap() {
        let session = Self.session(.four, .polling)
        _ = session.open(now: 0)
        _ = session.poll()
        let (isTaken, outputs) = session.poll()
        #expect(!isTaken && outputs == [.answerPoll([.close]), .ended])
    }

    @Test("pings a client of revision 4, and ends when it does not answer")
    func pinging() {
        let session = Self.joined()
        #expect(session.nextDue == 25_000)
        #expect(session.tick(now: 24_999) == [])
        #expect(session.tick(now: 25_000) == [.frame(.ping([]))])
        #expect(session.nextDue == 45_000)
        #expect(session.send("3", now: 30_000) == [])
        #expect(session.nextDue == 55_000)
        #expect(session.tick(now: 55_000).texts == ["2"])
        #expect(session.tick(now: 75_000) == [.closeTransport, .ended])
    }

    @Test("answers pings of revision 3, and ends without them")
    func pinged() {
        let session = Self.joined(.three)
        #expect(session.send("2", now: 30_000).texts == ["3"])
        #expect(session.tick(now: 74_999) == [])
        #expect(session.tick(now: 75_000).last == .ended)
    }

    @Test(
        "ends at a heartbeat in the wrong direction",
        arguments: [("2", EngineRevision.four), ("3", .three)]
    )
    func wrongDirection(text: String, revision: EngineRevision) {
        let session = Self.joined(revision)
        #expect(session.send(text) == [.closeTransport, .ended])
    }

    @Test("goes over to a WebSocket")
    func upgrade() {
        let session = Self.session(.four, .polling)
        _ = session.open(now: 0)
        #expect(session.poll().1 == [])
        #expect(session.canUpgrade)
        session.candidateOpened(now: 0)
        #expect(!session.canUpgrade)
        #expect(session.candidate("2probe") == [.candidateFrame(.pong(Array("probe".utf8)))])
        #expect(session.tick(now: 100) == [.answerPoll([.noop])])
        #expect(session.candidate("5") == [.promoteCandidate])
        #expect(session.transport == .webSocket && !session.canUpgrade)
        #expect(session.send("40").texts == [#"40{"sid":"socket"}"#])
    }

    @Test("what waits goes out over the new transport, once")
    func flushing() {
        let session = Self.session(.three, .polling)
        _ = session.open(now: 0)
        session.candidateOpened(now: 0)
        #expect(session.candidate("5") == [.promoteCandidate, .frame(.message([48]))])
    }

    @Test("gives up a WebSocket that is not used in time, or says something else")
    func upgradeFails() {
        let session = Self.session(.four, .polling)
        _ = session.open(now: 0)
        session.candidateOpened(now: 0)
        #expect(session.tick(now: 10_000) == [.closeCandidate])
        #expect(session.canUpgrade)
        session.candidateOpened(now: 0)
        #expect(session.candidate("40") == [.closeCandidate])
        session.candidateOpened(now: 0)
        session.candidateLost()
        #expect(session.canUpgrade && session.transport == .polling)
    }

    @Test("refuses a namespace that is not there and goes on")
    func unknownNamespace() {
        let session = Self.joined()
        #expect(session.send("40/admin,").texts == [#"44/admin,{"message":"Invalid namespace"}"#])
        #expect(session.isJoined)
    }

    @Test(
        "ends at what is out of place",
        arguments: ["4x", "42[]", "40", "42/admin,[\"x\"]", "44{}", "x", "451-[\"x\"]|42[\"y\"]"]
    )
    func outOfPlace(texts: String) {
        let session = Self.joined()
        var outputs: [SocketSession.Output] = []
        for text in texts.split(separator: "|") { outputs = session.send(String(text)) }
        #expect(outputs == [.closeTransport, .ended])
    }

    @Test("ends when an event comes before the client has joined, or nothing for too long")
    func unjoined() {
        let session = Self.session()
        _ = session.open(now: 0)
        #expect(session.send(#"42["address","U1"]"#).last == .ended)
        let silent = Self.session()
        _ = silent.open(now: 0)
        _ = silent.tick(now: 25_000)
        _ = silent.send("3", now: 25_001)
        #expect(silent.tick(now: 45_000).last == .ended)
    }

    @Test("forgets what a client wanted when it leaves the namespace")
    func leaving() {
        let session = Self.joined()
        _ = session.send(#"42["types",[0]]"#)
        #expect(session.listens)
        #expect(session.send("41") == [])
        #expect(!session.listens && session.emit(SocketSession.event("x", [])) == [])
        #expect(session.send("40").texts == [#"40{"sid":"socket"}"#])
    }

    @Test("takes the attachments of an event that no node knows")
    func attachments() {
        let session = Self.joined()
        #expect(session.send(#"451-["address",{"_placeholder":true,"num":0}]"#) == [])
        #expect(session.send([1, 2]) == [])
        #expect(session.send(#"42["types",[0]]"#) == [] && session.listens)
    }

    @Test("breaks so long after its handshake as a fault says")
    func dropping() {
        let session = Self.session()
        _ = session.open(now: 5, dropsAfter: 1000)
        #expect(session.tick(now: 1004) == [])
        #expect(session.tick(now: 1005).prefix(1) == [.abortTransport])
    }

    @Test("closes a polling client by a packet, at once or at its next GET")
    func closing() {
        let waiting = Self.session(.four, .polling)
        _ = waiting.open(now: 0)
        _ = waiting.poll()
        #expect(waiting.post("4x").texts == ["1"])
        let absent = Self.session(.four, .polling)
        _ = absent.open(now: 0)
        #expect(absent.post("4x") == [])
        #expect(absent.poll().1 == [.answerPoll([.noop, .close]), .ended])
    }

    @Test("lets go of a client that says that it closes")
    func clientCloses() {
        let session = Self.session(.four, .polling)
        _ = session.open(now: 0)
        _ = session.poll()
        let outputs = session.post("1")
        #expect(outputs == [.answerPoll([.noop]), .ended])
    }

    @Test("drops a client that never fetches what it asked for")
    func bound() {
        let session = Self.session(.three, .polling)
        _ = session.open(now: 0)
        var last: SocketSession.Output?
        for _ in 0...10_000 where last == nil { last = session.emit(.message([50])).last }
        #expect(last == .ended)
    }

    @Test("drops a client that leaves many bytes, though in few packets")
    func boundOfBytes() {
        let session = Self.session(.three, .polling)
        _ = session.open(now: 0)
        let large = EnginePacket.message([UInt8](repeating: 50, count: 1 << 20))
        for _ in 0..<7 { #expect(session.emit(large) == []) }
        #expect(session.poll().1.texts.count == 8)
        for _ in 0..<7 { #expect(session.emit(large) == [], "what was fetched counts no more") }
        #expect(session.emit(large).last == .ended)
    }

    @Test("repeats the name of an unknown namespace, but not one that no client has")
    func longNames() throws {
        let session = Self.session(.four, .polling)
        _ = session.open(now: 0)
        let name = "/" + String(repeating: "é", count: 511)
        let texts = [name, name + "é", "/" + String(repeating: "x", count: 990_000)]
        for text in texts { #expect(session.post("40\(text),") == []) }
        let answers = session.poll().1.texts
        #expect(answers.count == 3)
        #expect(answers.first == #"44\#(name),{"message":"Invalid namespace"}"#)
        #expect(answers.dropFirst().allSatisfy { $0.utf8.count < 1100 })
    }
}

/// A session that expectations can change.
private final class Driver {
    private var session: SocketSession

    init(_ session: SocketSession) { self.session = session }

    var isJoined: Bool { session.isJoined }
    var listens: Bool { session.listens }
    var canUpgrade: Bool { session.canUpgrade }
    var transport: SocketSession.Transport { session.transport }
    var nextDue: Int64? { session.nextDue }

    func open(now: Int64, dropsAfter: Int64? = nil) -> [SocketSession.Output] {
        session.open(now: now, dropsAfter: dropsAfter)
    }

    func poll() -> (Bool, [SocketSession.Output]) { session.poll() }

    func post(_ text: String) -> [SocketSession.Output] {
        session.post(Array(text.utf8), isBinary: false, now: 0, knowsBlocks: true)
    }

    func send(_ text: String, now: Int64 = 0) -> [SocketSession.Output] {
        session.frame(Array(text.utf8), isText: true, now: now, knowsBlocks: true)
    }

    func send(_ bytes: [UInt8]) -> [SocketSession.Output] {
        session.frame(bytes, isText: false, now: 0, knowsBlocks: true)
    }

    func candidateOpened(now: Int64) { session.candidateOpened(now: now) }
    func candidateLost() { session.candidateLost() }

    func candidate(_ text: String) -> [SocketSession.Output] {
        session.candidateFrame(Array(text.utf8), isText: true, now: 0)
    }

    func emit(_ packet: EnginePacket) -> [SocketSession.Output] { session.emit(packet) }
    func tick(now: Int64) -> [SocketSession.Output] { session.tick(now: now) }
}

extension [SocketSession.Output] {
    /// The packets sent, as text.
    fileprivate var texts: [String] {
        flatMap { output -> [String] in
            switch output {
            case .answerPoll(let packets): packets.map { String(decoding: $0.text, as: UTF8.self) }
            case .frame(let packet), .candidateFrame(let packet):
                [String(decoding: packet.text, as: UTF8.self)]
            default: []
            }
        }
    }
}
