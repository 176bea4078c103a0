import APNsRules
import FaultRules
import HTTP2Session
import TLSListener

/// One client's connection: HTTP/2 between the TLS listener and the backend, on the loop thread.
final class APNsConnection {
    private enum Phase {
        /// No ALPN: the first bytes tell whether this is HTTP/2.
        case undecided([UInt8])
        case http2
        /// Nothing the client sends matters any more.
        case ended
    }

    private struct Answer: Sendable {
        let stream: Int32
        let reply: APNsReply
    }

    private unowned let connection: TLSConnection
    private let id: TLSConnectionID
    private let backend: any APNsBackend
    private let listener: TLSListener?
    private let transport: APNsTransport
    private let environment: APNsEnvironment
    private var phase: Phase
    private var session: HTTP2Session?
    private var plainOutput: [UInt8] = []
    /// Judged and not yet answered: what one read brought waits together for the disk.
    private var judged: [Answer] = []
    private var isReceiving = false
    /// What the header lists that the session remembers were read as, each at its block's place.
    private var heads: [(block: HTTP2HeaderBlock, head: APNsRequestHead)?]
    /// The fields of the answer being sent; kept for its memory.
    private var fields: [HTTP2ResponseField] = []
    /// Requests on higher streams are passed over, since a fault has cut them off.
    private var lastStream = Int32.max
    private var lastProcessed: Int32 = 0
    private var closesWhenAnswered = false

    init(_ connection: TLSConnection, shared: APNsShared) {
        let facts = connection.facts
        let opened = shared.connectionOpened(port: connection.localPort)
        self.connection = connection
        id = connection.id
        backend = shared.backend
        listener = opened.listener
        let isSandboxName = facts?.serverName.map { APNsNames.sandbox.contains($0.lowercased()) } ?? false
        environment = isSandboxName ? .sandbox : opened.environment
        transport = APNsTransport(
            connection: opened.number,
            peer: connection.peerAddress,
            localPort: Int(connection.localPort),
            tlsVersion: facts?.version ?? "",
            cipher: facts?.cipher ?? "",
            alpn: Self.name(facts?.applicationProtocol),
            serverName: facts?.serverName,
            isResumed: facts?.isResumed ?? false,
            clientCertificate: facts?.clientCertificate
        )
        phase = .undecided([])
        heads = Array(repeating: nil, count: HTTP2HeaderBlock.places)
        if facts?.applicationProtocol == .http2 { begin() }
    }

    private static func name(_ selected: TLSApplicationProtocol?) -> String? {
        switch selected {
        case .http2: "h2"
        case .http1: "http/1.1"
        case .none?, nil: nil
        }
    }

    private func begin() {
        session = try? HTTP2Session(settings: HTTP2Settings(), delegate: self)
        phase = session == nil ? .ended : .http2
        if session == nil { connection.closeAfterOutput() }
    }

    private func end() {
        phase = .ended
        connection.closeAfterOutput()
    }

    /// Decides by the first bytes of a client without ALPN, or with `http/1.1`.
    private func decide(_ bytes: [UInt8]) {
        let isPrefix = zip(bytes, HTTP1Refusal.preface).allSatisfy { $0 == $1 }
        if isPrefix, bytes.count < HTTP1Refusal.decisiveBytes {
            phase = .undecided(bytes)
        } else if isPrefix {
            begin()
            process(bytes.span)
        } else {
            if HTTP1Refusal.looksLikeRequest(bytes) { plainOutput = HTTP1Refusal.response }
            end()
        }
    }

    private func process(_ bytes: Span<UInt8>) {
        guard let session else { return }
        isReceiving = true
        do {
            try session.receive(bytes)
        } catch {
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
        backend.afterDurable { [listener, id] in
            listener?.perform(on: id) { handler in
                (handler as? APNsConnection)?.carryOut(answers)
            }
        }
    }

    private func carryOut(_ answers: [Answer]) {
        for answer in answers {
            if answer.reply.delayMilliseconds > 0 {
                connection.after(milliseconds: answer.reply.delayMilliseconds) { [weak self] in
                    self?.carryOut(answer)
                }
            } else {
                carryOut(answer)
            }
        }
    }

    private func carryOut(_ answer: Answer) {
        guard let session else { return }
        switch answer.reply.action {
        case .answer: respond(answer, on: session)
        case .reset:
            connection.flush()
            connection.reset()
        case .timeout(let seconds):
            let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
            connection.after(milliseconds: overflow ? .max : milliseconds) { [weak self] in self?.end() }
        case .answerAndGoAway(let frame):
            respond(answer, on: session)
            goAway(frame, on: session, lastStream: max(answer.stream, lastProcessed))
            closesWhenAnswered = true
            closeIfAnswered(session)
        case .goAway(let frame):
            goAway(frame, on: session, lastStream: lastProcessed)
            end()
        }
        if !isReceiving { connection.outputIsReady() }
    }

    private func respond(_ answer: Answer, on session: HTTP2Session) {
        let reply = answer.reply
        fields.removeAll(keepingCapacity: true)
        fields.append(HTTP2ResponseField("apns-id", reply.apnsId))
        if let uniqueId = reply.uniqueId {
            fields.append(HTTP2ResponseField("apns-unique-id", uniqueId[...]))
        }
        if !reply.body.isEmpty { fields.append(Self.contentType) }
        session.respond(
            to: answer.stream,
            status: reply.status == 200 ? Self.ok : Array(String(reply.status).utf8)[...],
            fields: fields,
            body: reply.body
        )
    }

    private func goAway(_ frame: APNsGoAway, on session: HTTP2Session, lastStream: Int32) {
        let last = frame.lastStream ?? lastStream
        let reason = frame.reason.map { APNsReply.body(reason: $0, timestamp: nil) }
        self.lastStream = min(self.lastStream, last)
        session.goAway(lastStream: last, errorCode: frame.code, debugData: reason ?? [])
    }

    private func closeIfAnswered(_ session: HTTP2Session) {
        if closesWhenAnswered, session.openRequests == 0 { end() }
    }

    private static let ok = Array("200".utf8)[...]
    private static let contentType = HTTP2ResponseField(
        "content-type",
        Array("application/json".utf8)[...],
        recurs: true
    )
}

extension APNsConnection: TLSConnectionHandler {
    func receive(_ bytes: Span<UInt8>) {
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
        } catch {
            end()
        }
        closeIfAnswered(session)
        if buffer.isEmpty, session.isFinished { end() }
    }

    func connectionClosed() {
        phase = .ended
        session = nil
    }
}

extension APNsConnection: HTTP2SessionDelegate {
    func received(_ request: HTTP2Request) {
        guard request.stream <= lastStream else { return }
        let push = APNsRequest(
            head: head(of: request.headers),
            body: request.body,
            bodyCount: request.bodyCount,
            environment: environment,
            stream: request.stream,
            transport: transport
        )
        let decision = backend.hasFaults ? backend.decide(FaultRequest(push)) : nil
        let reply = backend.receive(push, fault: decision.flatMap { APNsFault($0) })
        judged.append(Answer(stream: request.stream, reply: reply))
        switch reply.action {
        case .answer, .timeout: lastProcessed = max(lastProcessed, request.stream)
        case .answerAndGoAway(let frame):
            lastProcessed = max(lastProcessed, request.stream)
            if reply.delayMilliseconds == 0 { lastStream = frame.lastStream ?? lastProcessed }
        case .reset, .goAway: if reply.delayMilliseconds == 0 { lastStream = 0 }
        }
    }

    func closed(stream: Int32) {}
}
