import FaultRules
public import HTTPDaemon
import SocketIORules
import WebSockets

/// What the query and the fields of a request say to Engine.IO.
private struct SocketRequest: Sendable {
    /// - Source: Node's querystring (`maxKeys`)
    private static let maximumParameters = 1000

    let transport: SocketSession.Transport?
    let id: String?
    let revision: EngineRevision
    let asksForSocket: Bool

    init(_ request: HTTPRequest) {
        var parameters: [String: String] = [:]
        for (name, value) in PercentCoding.pairs(request.query, limit: Self.maximumParameters) {
            // A repeated one is an array to the real server, and never fits.
            parameters[name] = parameters[name] == nil ? value : ","
        }
        transport = parameters["transport"].flatMap(SocketSession.Transport.init)
        id = parameters["sid"].flatMap { $0.isEmpty ? nil : $0 }
        revision = EngineRevision(parameter: parameters["EIO"])
        let connection = request.header("Connection")?.lowercased() ?? ""
        asksForSocket = connection.contains("upgrade") && request.header("Upgrade") != nil
    }
}

extension SocketServer {
    private static let pathPrefix = "/socket.io/"

    /// Whether a request is one for Socket.IO; others at the node's HTTP port are the node's.
    public func isResponsible(for request: HTTPRequest) -> Bool {
        request.target.utf8.starts(with: Self.pathPrefix.utf8) && isOn
    }

    /// Answers a request at the socket port, where there is nothing but Socket.IO.
    public func handle(_ request: HTTPRequest) -> HTTPAction {
        guard isResponsible(for: request) else { return .respond(HTTPResponse(status: 404)) }
        let asked = SocketRequest(request)
        if request.method == "OPTIONS", !asked.asksForSocket {
            let wanted = request.header("Access-Control-Request-Headers").flatMap { $0.isEmpty ? nil : $0 }
            return answer(SocketAnswer.preflight(requested: wanted), request)
        }
        do throws(EngineError) {
            return try serve(asked, request)
        } catch {
            return answer(SocketAnswer.refusal(error, asksForSocket: asked.asksForSocket), request)
        }
    }

    /// - Source: engine.io:lib/server.ts (`verify`)
    private func serve(_ asked: SocketRequest, _ request: HTTPRequest) throws(EngineError) -> HTTPAction {
        guard let transport = asked.transport else { throw .unknownTransport }
        guard let id = asked.id else {
            guard request.method == "GET" else { throw .badHandshakeMethod }
            guard (transport == .webSocket) == asked.asksForSocket else { throw .badRequest }
            return try begin(asked, transport, request)
        }
        guard let present = self.transport(of: id) else { throw .unknownSession }
        guard !asked.asksForSocket else {
            guard transport == .webSocket, request.method == "GET" else { throw .badRequest }
            return openSocket(request, faultId: nil) { [self] in offer($0, to: id) }
        }
        // A WebSocket's session takes no plain requests; the real server lets them hang.
        guard present == .polling, transport == .polling else { throw .badRequest }
        switch request.method {
        case "GET": return poll(id, request)
        case "POST": return post(id, request)
        default: return answer(SocketAnswer.empty(status: 500), request)
        }
    }

    /// Begins a session, unless a fault forbids it.
    private func begin(_ asked: SocketRequest, _ transport: SocketSession.Transport, _ request: HTTPRequest)
        throws(EngineError) -> HTTPAction
    {
        let decision = fate
        var dropsAfter: Int64?
        switch decision?.effect {
        case .socketRefuse?:
            let refusal = SocketAnswer.refusal(.forbidden, asksForSocket: asked.asksForSocket)
            let delay = decision?.delayMilliseconds ?? 0
            return answer(refusal, request, faultId: decision?.ruleId, delay: delay)
        case .socketDrop(let seconds)?: dropsAfter = Int64(seconds) * 1000
        default: break
        }
        let session = SocketSession(
            id: Self.newId(),
            socketId: asked.revision == .four ? Self.newId() : "",
            revision: asked.revision,
            transport: transport,
            settings: settings
        )
        let drop = dropsAfter
        guard transport == .polling else {
            return openSocket(request, faultId: decision?.ruleId) { [self] upgraded in
                connect(upgraded, session, dropsAfter: drop)
            }
        }
        let coding = coding(for: request)
        return .later { [self] replier in
            let isIn = begin(session, dropsAfter: drop) { client in
                record(request, status: 200, faultId: decision?.ruleId)
                client.poll = WaitingPoll(replier: replier, coding: coding)
            }
            guard !isIn else { return }
            refuse(SocketAnswer.empty(status: 503), request, replier, faultId: decision?.ruleId)
        }
    }

    /// Answers a GET when there is something to tell.
    private func poll(_ id: String, _ request: HTTPRequest) -> HTTPAction {
        let coding = coding(for: request)
        return .later { [self] replier in
            var isTaken = false
            let isThere = changeClient(id) { client, _ in
                let (taken, outputs) = client.session.poll()
                isTaken = taken
                if taken {
                    record(request, status: 200)
                    client.poll = WaitingPoll(replier: replier, coding: coding)
                }
                return outputs
            }
            if !isThere {
                refuse(SocketAnswer.refusal(.unknownSession, asksForSocket: false), request, replier)
            } else if !isTaken {
                refuse(SocketAnswer.empty(status: 400), request, replier)
            }
        }
    }

    private func refuse(
        _ response: HTTPResponse,
        _ request: HTTPRequest,
        _ replier: HTTPReplier,
        faultId: String? = nil
    ) {
        record(request, status: response.status, faultId: faultId)
        replier.respond(response)
    }

    /// Takes the packets of a POST.
    private func post(_ id: String, _ request: HTTPRequest) -> HTTPAction {
        guard !request.bodyWasTooLarge, request.body.count <= settings.maximumPayloadBytes else {
            return answer(SocketAnswer.empty(status: 413), request)
        }
        let isBinary = request.header("Content-Type") == "application/octet-stream"
        let knowsBlocks = backend.knowsBlocks(node: node)
        var refuses = false
        change(id) { session, now in
            refuses = isBinary && session.revision == .four
            return session.post(request.body, isBinary: isBinary, now: now, knowsBlocks: knowsBlocks)
        }
        // The real server closes the session in that case and never answers.
        return answer(refuses ? SocketAnswer.empty(status: 400) : SocketAnswer.taken, request)
    }

    /// Completes a WebSocket's handshake.
    ///
    /// - Source: ws:lib/websocket-server.js (`handleUpgrade`)
    private func openSocket(
        _ request: HTTPRequest,
        faultId: String?,
        _ start: @escaping @Sendable (UpgradedSocket) -> Void
    ) -> HTTPAction {
        func refuse(_ message: String) -> HTTPAction {
            answer(SocketAnswer.socketRefusal(message), request, faultId: faultId)
        }
        guard request.header("Upgrade")?.lowercased() == "websocket" else {
            return refuse("Invalid Upgrade header")
        }
        guard let key = request.header("Sec-WebSocket-Key"), Self.isKey(key),
            let headers = SocketAnswer.acceptance(key: key)
        else { return refuse("Missing or invalid Sec-WebSocket-Key header") }
        guard ["8", "13"].contains(request.header("Sec-WebSocket-Version")) else {
            return refuse("Missing or invalid Sec-WebSocket-Version header")
        }
        record(request, status: 101, faultId: faultId)
        return .upgrade(headers, start)
    }

    /// 22 characters of Base64 and `==`.
    private static func isKey(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        return bytes.count == 24 && bytes.suffix(2).elementsEqual("==".utf8)
            && bytes.prefix(22).allSatisfy { byte in
                switch byte {
                case 48...57, 65...90, 97...122, UInt8(ascii: "+"), UInt8(ascii: "/"): true
                default: false
                }
            }
    }

    private func coding(for request: HTTPRequest) -> ContentCoding? {
        request.header("Accept-Encoding").flatMap { ContentCoding(accepted: $0) }
    }

    private func answer(
        _ response: HTTPResponse,
        _ request: HTTPRequest,
        faultId: String? = nil,
        delay: Int = 0
    ) -> HTTPAction {
        record(request, status: response.status, faultId: faultId)
        guard delay > 0 else { return .respond(response) }
        return .later { replier in replier.after(milliseconds: delay) { replier.respond(response) } }
    }

    private func record(_ request: HTTPRequest, status: Int, faultId: String? = nil) {
        backend.record(
            SocketCall(
                node: node,
                client: request.clientAddress,
                agent: request.header("User-Agent"),
                method: request.method,
                path: request.path,
                query: request.query,
                status: status,
                faultId: faultId
            )
        )
    }

    /// What the fault rules have for a handshake.
    private var fate: FaultDecision? {
        guard backend.hasFaults else { return nil }
        var facts = FaultRequest(target: .node)
        facts.occasion = .socketHandshake
        facts.node = name
        return backend.decide(facts)
    }
}
