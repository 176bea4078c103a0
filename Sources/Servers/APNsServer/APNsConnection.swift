import APNsRules
import FaultRules
import HTTP2Session
import TLSListener
import Threads

/// One client's connection: HTTP/2 between the TLS listener and the backend, on the loop thread.
final class APNsConnection {
    private enum Phase {
        /// No ALPN: the first bytes tell whether this is HTTP/2.
        case undecided([UInt8])
        case http2
        /// Nothing the client sends matters any more.
        case ended
    }

    /// A judged push; on the heap what few have.
    struct Answer: Sendable {
        let stream: Int32
        let reply: APNsReply
        let fault: PushFault?
    }

    /// The fault that strikes a push.
    final class PushFault: Sendable {
        let decision: FaultDecision

        init(_ decision: FaultDecision) { self.decision = decision }
    }

    unowned let connection: TLSConnection
    private let id: TLSConnectionID
    private let backend: any APNsBackend
    private let shared: APNsShared
    private let listener: TLSListener?
    private let transport: APNsTransport
    private let environment: APNsEnvironment
    let settings: APNsSettings
    private var phase: Phase
    private(set) var session: HTTP2Session?
    private var plainOutput: [UInt8] = []
    /// Judged and not yet answered: what one read brought waits together for the disk.
    private var judged: [Answer] = []
    private var isReceiving = false
    /// When what is being read came, by the machine's monotonic clock in nanoseconds.
    private var cameAt: Int64 = 0
    /// Pushes that were answered since that was last noted.
    private var answered = 0
    /// What the header lists that the session remembers were read as, each at its block's place.
    private var heads: [(block: HTTP2HeaderBlock, head: APNsRequestHead)?]
    /// The fields of the answer being sent; kept for its memory.
    private var fields: [HTTP2ResponseField] = []
    /// The highest stream whose push was judged.
    var lastProcessed: Int32 = 0
    private var requests = 0
    /// When the latest push came, or the connection was opened.
    private(set) var lastRequestAt: Int64
    /// When the client last sent anything.
    private(set) var lastReceivedAt: Int64
    /// Refusals so far, those of bad device tokens counted twice.
    var errors = 0
    /// The limit of streams that is announced behind the answers that are ready.
    var owedLimit: UInt32?
    /// What faults have made of the connection; nil while none has.
    var trouble: ConnectionTrouble?

    init(_ connection: TLSConnection, shared: APNsShared) {
        let facts = connection.facts
        let opened = shared.connectionOpened(port: connection.localPort)
        self.connection = connection
        id = connection.id
        backend = shared.backend
        self.shared = shared
        listener = opened.listener
        let isSandboxName = facts?.serverName.map { APNsNames.sandbox.contains($0.lowercased()) } ?? false
        environment = isSandboxName ? .sandbox : opened.environment
        settings = backend.gatewaySettings
        lastReceivedAt = connection.now
        transport = APNsTransport(
            connection: opened.number,
            peer: connection.peerAddress,
            localPort: Int(connection.localPort),
            tlsVersion: facts?.version ?? "",
            cipher: facts?.cipher ?? "",
            alpn: Self.name(facts?.applicationProtocol),
            serverName: facts?.serverName,
            isResumed: facts?.isResumed ?? false,
            clientCertificate: facts?.clientCertificate.flatMap(shared.certificates.read)
        )
        phase = .undecided([])
        heads = Array(repeating: nil, count: HTTP2HeaderBlock.places)
        lastRequestAt = connection.now
        if backend.hasFaults, let decision = backend.decide(FaultRequest(transport, environment: environment))
        {
            let isOver = strikeOpening(decision)
            if isOver { phase = .ended }
        }
        if case .undecided = phase, facts?.applicationProtocol == .http2 { begin() }
        watchIdleness()
    }

    private static func name(_ selected: TLSApplicationProtocol?) -> String? {
        switch selected {
        case .http2: "h2"
        case .http1: "http/1.1"
        case .none?, nil: nil
        }
    }

    private func begin() {
        session = try? HTTP2Session(
            settings: trouble?.settings ?? firstSettings,
            deviations: trouble?.deviations,
            delegate: self
        )
        phase = session == nil ? .ended : .http2
        if session == nil { connection.closeAfterOutput() }
        trouble?.takeBegin()?()
    }

    private var firstSettings: HTTP2Settings {
        var first = HTTP2Settings()
        if settings.streams == .apple, transport.clientCertificate == nil {
            first.maximumConcurrentStreams = 1
        }
        return first
    }

    /// Turns away a client that chose no protocol, in HTTP/2, since that is what it speaks.
    private func refuseMissingALPN() {
        begin()
        let why = "ALPN is required: offer h2"
        session?.goAway(lastStream: 0, errorCode: Self.inadequateSecurity, debugData: Array(why.utf8))
        turnAway(why)
        end()
    }

    private func turnAway(_ why: String, stream: Int32? = nil) {
        shared.turnAway(ClientRefusal(transport, environment: environment, stream: stream, why: why))
    }

    func end() {
        phase = .ended
        connection.closeAfterOutput()
    }

    /// Decides by the first bytes of a client without ALPN, or with `http/1.1`.
    private func decide(_ bytes: [UInt8]) {
        let isPrefix = zip(bytes, HTTP1Refusal.preface).allSatisfy { $0 == $1 }
        if isPrefix, bytes.count < HTTP1Refusal.decisiveBytes {
            phase = .undecided(bytes)
        } else if isPrefix, settings.alpn == .required {
            refuseMissingALPN()
        } else if isPrefix {
            begin()
            process(bytes.span)
        } else {
            if HTTP1Refusal.looksLikeRequest(bytes) {
                plainOutput = HTTP1Refusal.response
                turnAway("HTTP/1.1 is not spoken here: use HTTP/2")
            }
            end()
        }
    }

    private func process(_ bytes: Span<UInt8>) {
        guard let session else { return }
        isReceiving = true
        cameAt = MachineClock.monotonicNanoseconds()
        do {
            try session.receive(bytes)
        } catch {
            turnAway("this is no HTTP/2: \(error.text)")
            // What nghttp2 has to say about it is still sent.
            end()
        }
        sendJudged()
        isReceiving = false
    }

    /// What a header list tells, read anew only when its block is a new one.
    private func head(of block: HTTP2HeaderBlock) -> APNsRequestHead {
        if let known = heads[block.place], known.block === block { return known.head }
        let head = APNsRequestHead(APNsHeaders(bytes: block.bytes, count: block.count))
        heads[block.place] = (block, head)
        return head
    }

    // MARK: - Answers

    private func sendJudged() {
        guard !judged.isEmpty else { return }
        let answers = judged
        judged.removeAll(keepingCapacity: true)
        backend.afterDurable { [listener, id, cameAt] in
            listener?.perform(on: id) { handler in
                (handler as? APNsConnection)?.carryOut(answers, cameAt: cameAt)
            }
        }
    }

    private func carryOut(_ answers: [Answer], cameAt: Int64) {
        for answer in answers {
            let delay = answer.fault?.decision.delayMilliseconds ?? 0
            if delay > 0 {
                connection.after(milliseconds: delay) { [weak self] in
                    self?.carryOut(answer)
                    self?.noteAnswers(cameAt: cameAt)
                }
            } else {
                carryOut(answer)
            }
        }
        noteAnswers(cameAt: cameAt)
    }

    private func noteAnswers(cameAt: Int64) {
        guard answered > 0 else { return }
        backend.noteAnswers(answered, after: MachineClock.monotonicNanoseconds() - cameAt)
        answered = 0
    }

    private func carryOut(_ answer: Answer) {
        guard let session else { return }
        if let fault = answer.fault {
            strike(fault.decision.effect, answer, on: session)
        } else {
            respond(answer, on: session)
        }
        if !isReceiving { connection.outputIsReady() }
    }

    func respond(_ answer: Answer, on session: HTTP2Session, form: AnswerForm? = nil) {
        if let trouble, answer.stream > trouble.lastAnswered {
            trouble.passedOver.insert(answer.stream)
            return
        }
        answered &+= 1
        let reply = answer.reply
        fields.removeAll(keepingCapacity: true)
        if !reply.body.isEmpty { fields.append(Self.contentType) }
        fields.append(HTTP2ResponseField(reply.isBroadcast ? "apns-request-id" : "apns-id", reply.apnsId))
        if let uniqueId = reply.uniqueId {
            fields.append(HTTP2ResponseField("apns-unique-id", uniqueId[...]))
        }
        let status = reply.status == 200 ? Self.ok : Array(String(reply.status).utf8)[...]
        if let form {
            respond(answer, on: session, status: status, fields: fields, form: form)
        } else {
            session.respond(to: answer.stream, status: status, fields: fields, body: reply.body)
        }
        if settings.streams == .apple || settings.dropsStreams {
            adjustLimit(after: reply.status, on: session)
        }
        if settings.errorLimit > 0, reply.status != 200 { countError(reply) }
    }

    /// INADEQUATE_SECURITY of RFC 9113.
    private static let inadequateSecurity: UInt32 = 12

    private static let ok = Array("200".utf8)[...]
    private static let contentType = HTTP2ResponseField(
        "content-type",
        Array("application/json".utf8)[...],
        recurs: true
    )
}

extension APNsConnection: TLSConnectionHandler {
    func receive(_ bytes: Span<UInt8>) {
        lastReceivedAt = connection.now
        switch phase {
        case .http2: process(bytes)
        case .undecided(var known):
            for index in bytes.indices { known.append(bytes[index]) }
            decide(known)
        case .ended: break
        }
    }

    func appendOutput(to buffer: inout [UInt8]) {
        if !plainOutput.isEmpty {
            buffer.append(contentsOf: plainOutput)
            plainOutput = []
        }
        guard let session else { return }
        do {
            try session.appendOutput(to: &buffer)
            if buffer.isEmpty, let limit = owedLimit {
                owedLimit = nil
                session.setMaximumConcurrentStreams(limit)
                try session.appendOutput(to: &buffer)
            }
        } catch {
            end()
        }
        if let trouble { endIfAnswered(session, trouble) }
        if buffer.isEmpty, session.isFinished { end() }
    }

    func connectionClosed() {
        phase = .ended
        session = nil
    }

    /// - Source: `{"reason":"Shutdown"}` with NO_ERROR, as seen from Apple (codedge-llc/pigeon#89).
    func listenerStops() {
        guard case .http2 = phase else { return }
        var form = GoAwayForm()
        form.data = .reason("Shutdown")
        goAway(form, from: nil, isGraceful: false)
    }
}

extension APNsConnection: HTTP2SessionDelegate {
    func received(_ request: HTTP2Request) {
        requests &+= 1
        let idle = lastReceivedAt - lastRequestAt
        lastRequestAt = lastReceivedAt
        if let trouble, !admit(request.stream, trouble) { return }
        let push = APNsRequest(
            head: head(of: request.headers),
            body: request.body,
            bodyCount: request.bodyCount,
            environment: environment,
            stream: request.stream,
            transport: transport
        )
        let decision =
            backend.hasFaults
            ? backend.decide(FaultRequest(push, number: requests, idleMilliseconds: Int(clamping: idle)))
            : nil
        let fault = decision.flatMap { APNsFault($0, stream: request.stream) }
        let reply = backend.receive(push, fault: fault)
        judged.append(Answer(stream: request.stream, reply: reply, fault: decision.map { PushFault($0) }))
        if let decision {
            foresee(decision, stream: request.stream)
        } else {
            lastProcessed = max(lastProcessed, request.stream)
        }
    }

    func malformed(stream: Int32, why: String) { turnAway(why, stream: stream == 0 ? nil : stream) }

    func closed(stream: Int32) { trouble?.passedOver.remove(stream) }

    func received(bytes: Int, of stream: Int32) { openWindowLater(bytes, of: stream) }
}
