import AdamantLedger
import AdamantModel
import Determinism
import FaultRules
import HTTPDaemon
import JSONValue
import Threads

/// One request on its way through a node: its body, its fate, its handler, its answer.
struct NodeExchange: Sendable {
    /// How long a request that the real node never answers is kept waiting.
    private static let silenceMilliseconds = 120_000

    /// What has become of a request.
    enum Outcome: Sendable {
        case answer(Answer)
        /// Answered when what was accepted is on disk.
        case accepted(Answer, transactionId: String)
        case silence
    }

    var server: NodeServer
    let request: HTTPRequest
    let status: NodeStatus
    let match: RouteTable.Match
    private let body: Result<JSONValue, RequestBodyError>
    let submission: Submission?
    /// Which post of the same signed bytes it is; nil where nothing was posted.
    private let attempt: Int?
    private let begun = MachineClock.monotonicNanoseconds()

    /// Reads a request.
    init(server: NodeServer, request: HTTPRequest, status: NodeStatus, match: RouteTable.Match) {
        self.server = server
        self.request = request
        self.status = status
        self.match = match
        body = Self.body(of: request)
        submission = Self.submission(body, match, server.backend.cryptography)
        attempt = submission?.id.map { server.backend.countPost(of: $0) }
    }

    private static func body(of request: HTTPRequest) -> Result<JSONValue, RequestBodyError> {
        guard request.method != "GET" || !request.body.isEmpty else { return .success([:]) }
        return Result { () throws(RequestBodyError) in try RequestBody.parse(request) }
    }

    private static func submission(
        _ body: Result<JSONValue, RequestBodyError>,
        _ match: RouteTable.Match,
        _ cryptography: any Cryptography
    ) -> Submission? {
        guard case .route(let route) = match, let endpoint = route.submission, case .success(let body) = body
        else { return nil }
        return Submission(body: body, endpoint: endpoint, cryptography: cryptography)
    }

    private var backend: any NodeBackend { server.backend }

    /// Asks for the request's fate, and answers.
    func run() -> HTTPAction {
        let needs = backend.faultNeeds
        if needs.any, let decision = decision(needs) { return apply(decision) }
        return shared() ?? send(outcome(), faultId: nil)
    }

    /// The answer to a list call, as it was given to somebody else a moment ago.
    private func shared() -> HTTPAction? {
        guard case .route(let route) = match, route.isShareable, request.method == "GET",
            request.body.isEmpty,
            !request.bodyWasTooLarge
        else { return nil }
        let key = AnswerCache.Key(target: request.target, coding: Answer.coding(for: request))
        let validity = self.validity
        var response = server.cache.answer(key, validity)
        var height = route.isPrefix ? nil : validity.height
        if response == nil {
            guard case .answer(let answer) = outcome() else { return nil }
            height = answer.height
            let made = answer.packed(key.coding)
            if validity == self.validity { server.cache.keep(made, key, validity) }
            response = made
        }
        return response.map { response in
            let response = Answer.unlessKnown(response, to: request)
            record(response.status, faultId: nil, height: height)
            return whenKept(response)
        }
    }

    private var validity: AnswerCache.Validity {
        backend.withLedger { ledger, now in
            AnswerCache.Validity(
                version: ledger.version,
                height: ledger.height,
                second: now.epochSeconds,
                status: status
            )
        }
    }

    private func decision(_ needs: (any: Bool, transactionFacts: Bool, insideSignals: Bool)) -> FaultDecision?
    {
        var facts = FaultRequest(target: .node)
        facts.node = status.name
        facts.method = request.method
        facts.path = request.path
        if let submission {
            facts.transactionType = submission.type
            facts.chatType = submission.chatType
            facts.sender = submission.sender?.text
            facts.recipient = submission.recipient
            facts.transactionId = submission.id?.description
            facts.attempt = attempt
            if needs.insideSignals, submission.chatType == Int(Transaction.ChatKind.signal),
                let signal = backend.signalPlaintext(of: submission)
            {
                facts.signalAction = signal.action
                facts.token = signal.token
            }
        }
        return backend.decide(facts)
    }

    /// What the node does with the request.
    func outcome() -> Outcome {
        if request.method == "OPTIONS" {
            let headers = request.header("Access-Control-Request-Headers").flatMap { $0.isEmpty ? nil : $0 }
            return .answer(Answer(status: 204, kind: .preflight(allowedHeaders: headers), body: []))
        }
        switch body {
        case .failure(let error):
            return .answer(.failure("API error: " + error.message, status: 500, kind: .parserError))
        case .success(let body):
            return routed(body)
        }
    }

    private func routed(_ body: JSONValue) -> Outcome {
        if status.profile.situation.isLoading {
            switch match.whileLoading {
            case .served: break
            case .refused: return .answer(.refusal("Blockchain is loading", second: server.second))
            case .failed: return .answer(.failure("Blockchain is loading", status: 500))
            }
        }
        switch match {
        case .route(let route): return handled(route, body)
        case .unknownEndpoint: return .answer(.failure("API endpoint not found", status: 500))
        case .disabled, .outside: return .answer(.failure("API endpoint not found", status: 404))
        case .unknownGroup:
            let page = ErrorPages.cannot(request.routedMethod, String(request.rawPath))
            return .answer(Answer(status: 404, kind: .page, body: page))
        }
    }

    private func handled(_ route: Route, _ body: JSONValue) -> Outcome {
        let call = Call(
            path: request.path,
            parameters: route.method == .get
                ? QueryString.parameters(request.query) : body.objectValue ?? JSONObject(),
            profile: status.profile,
            status: status,
            submission: submission
        )
        do throws(NodeRefusal) {
            switch try route.handler(server, call) {
            case .success(let body): return .answer(.success(body))
            case .list(let body, let digest, let height):
                return .answer(
                    Answer(status: 200, kind: .json, body: body, digest: digest, height: height)
                )
            case .accepted(let body, let id): return .accepted(.success(body), transactionId: id)
            case .plain(let status, let text):
                return .answer(Answer(status: status, kind: .json, body: Array(text.utf8)))
            case .silence: return .silence
            }
        } catch {
            guard !error.isException else {
                return .answer(.failure("API error: " + error.message, status: 500))
            }
            return .answer(.refusal(error.message, second: server.second))
        }
    }

    /// Sends what became of the request, `delay` milliseconds later.
    func send(_ outcome: Outcome, faultId: String?, delay: Int = 0) -> HTTPAction {
        guard let response = response(of: outcome, faultId: faultId, delay: delay) else {
            return delayed(.close, by: Self.silenceMilliseconds)
        }
        return whenKept(response, delay: delay)
    }

    /// What is sent of what became of the request, which is taken down; nil for nothing.
    func response(of outcome: Outcome, faultId: String?, delay: Int) -> HTTPResponse? {
        switch outcome {
        case .answer(let answer):
            let response = answer.response(to: request)
            record(response.status, faultId: faultId, height: answer.height, delay: delay)
            return response
        case .accepted(let answer, let id):
            record(answer.status, faultId: faultId, transactionId: id, delay: delay)
            return answer.response(to: request)
        case .silence:
            record(nil, faultId: faultId)
            return nil
        }
    }

    /// Answers once all that the answer may tell of will survive the process, reads included.
    func whenKept(_ response: HTTPResponse, delay: Int = 0) -> HTTPAction {
        guard backend.isKept else { return delayed(.respond(response), by: delay) }
        return whenDurable(delay: delay) { $0.respond(response) }
    }

    /// Answers by a closure once all that was accepted is on disk, and some time later.
    func whenDurable(delay: Int, _ answer: @escaping @Sendable (HTTPReplier) -> Void) -> HTTPAction {
        let exchange = self
        return .later { replier in
            exchange.backend.afterDurable {
                if exchange.backend.isKept { exchange.backend.note(exchange.time(delay: delay)) }
                guard delay > 0 else { return answer(replier) }
                replier.after(milliseconds: delay) { answer(replier) }
            }
        }
    }

    /// Does something now or later.
    func delayed(_ action: HTTPAction, by milliseconds: Int) -> HTTPAction {
        guard milliseconds > 0 else { return action }
        return .later { replier in
            replier.after(milliseconds: milliseconds) {
                switch action {
                case .respond(let response): replier.respond(response)
                case .reset: replier.reset()
                case .stream(let head, let start): replier.stream(head, start)
                case .close, .later, .upgrade: replier.close()
                }
            }
        }
    }

    /// How long the call has taken, with what is added to it.
    private func time(delay milliseconds: Int) -> CallTime {
        let (delay, isLong) = Int64(milliseconds).multipliedReportingOverflow(by: 1_000_000)
        let (sum, isLonger) = (MachineClock.monotonicNanoseconds() - begun).addingReportingOverflow(delay)
        var group = RouteGroup.other
        if case .route(let route) = match { group = route.group }
        return CallTime(
            node: server.node,
            group: group,
            isPost: request.method == "POST",
            nanoseconds: isLong || isLonger ? .max : sum
        )
    }

    /// Takes the call down; without a status it is never answered.
    func record(
        _ status: Int?,
        faultId: String?,
        transactionId: String? = nil,
        height: Int? = nil,
        delay: Int = 0
    ) {
        var id = transactionId ?? submission?.id?.description
        if id == nil, case .route(let route) = match, route.path == "/api/transactions/get" {
            id = QueryString.parameters(request.query)["id"]?.stringValue
        }
        var isList = false
        if case .route(let route) = match { isList = route.isShareable && !route.isPrefix }
        backend.record(
            NodeCall(
                node: server.node,
                client: request.clientAddress,
                agent: request.header("User-Agent"),
                method: request.method,
                path: request.path,
                query: request.query,
                status: status,
                faultId: faultId,
                transactionId: id,
                isList: isList,
                height: height,
                attempt: attempt
            ),
            took: status == nil || backend.isKept ? nil : time(delay: delay)
        )
    }
}
