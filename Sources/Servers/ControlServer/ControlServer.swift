public import HTTPDaemon
import JSONValue
import Threads

/// The control API over HTTP: routing, bodies, errors, waiting and event streams.
///
/// What the calls do is in the routes' handlers; this knows nothing of worlds.
public final class ControlServer: Sendable {
    private let routes: [ControlRoute]
    private let gate: ControlGuard
    private let waiters: ChangeWaiters
    private let daemon: HTTPDaemon
    private let afterDurable: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// How soon a stream whose client lags behind is looked after again.
    private static let lagMilliseconds = 50

    /// A server of routes.
    ///
    /// - Parameters:
    ///   - routes: the table of calls.
    ///   - token: what every call must carry as a bearer token; nil when listening on loopback only.
    ///   - waiters: told of every change of what the routes show.
    ///   - daemon: serves the listeners whose requests come here.
    ///   - afterDurable: runs an action when all that was changed so far is on disk.
    public init(
        routes: [ControlRoute],
        token: String?,
        waiters: ChangeWaiters,
        daemon: HTTPDaemon,
        afterDurable: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { $0() }
    ) {
        self.routes = routes
        gate = ControlGuard(token: token)
        self.waiters = waiters
        self.daemon = daemon
        self.afterDurable = afterDurable
    }

    /// Answers one request, whose path may be told apart from the place where the API stands.
    public func handle(_ request: HTTPRequest, path: String? = nil) -> HTTPAction {
        do throws(ControlError) {
            let (route, parameters) = try route(for: request, path: path ?? request.path)
            try gate.check(isOpen: route.isOpen) { request.header($0) }
            let query = try query(of: request)
            try query.allow(only: route.parameters)
            let body = route.takesText ? ControlBody(JSONObject()) : try body(of: request)
            if route.takesText, request.bodyWasTooLarge { throw .badRequest("the body is too large") }
            if let members = route.membersOf(parameters) ?? route.members { try body.allow(only: members) }
            let reply = try route.handler(
                ControlRequest(
                    parameters: parameters,
                    query: query,
                    body: body,
                    text: route.takesText ? request.body : [],
                    lastEventID: request.header("Last-Event-ID"),
                    ifNoneMatch: request.header("If-None-Match")
                )
            )
            return action(for: reply, isOpen: route.isOpen)
        } catch {
            return .respond(response(to: error))
        }
    }

    private func route(
        for request: HTTPRequest,
        path: String
    ) throws(ControlError) -> (ControlRoute, [String: String]) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let method = request.method == "HEAD" ? "GET" : request.method
        var others: [String] = []
        for route in routes {
            guard let parameters = route.match(parts) else { continue }
            if route.method == method { return (route, parameters) }
            others.append(route.method)
        }
        try gate.check(isOpen: false) { request.header($0) }
        guard others.isEmpty else {
            throw ControlError(
                status: 405,
                code: "methodNotAllowed",
                message: "\(request.path) takes \(others.joined(separator: ", ")), not \(request.method)"
            )
        }
        throw .notFound("there is no \(request.method) \(request.path)")
    }

    private func query(of request: HTTPRequest) throws(ControlError) -> ControlQuery {
        var values: [String: String] = [:]
        for pair in request.query.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = PercentCoding.decode(parts[0], plusIsSpace: true)
            guard values[name] == nil else { throw .badRequest("\(name) occurs twice", field: name) }
            values[name] = parts.count > 1 ? PercentCoding.decode(parts[1], plusIsSpace: true) : ""
        }
        return ControlQuery(values)
    }

    private func body(of request: HTTPRequest) throws(ControlError) -> ControlBody {
        guard !request.bodyWasTooLarge else { throw .badRequest("the body is too large") }
        guard !request.body.isEmpty else { return ControlBody(JSONObject()) }
        do {
            guard case .object(let object) = try JSONValue(parsing: request.body) else {
                throw ControlError.badRequest("the body must be a JSON object")
            }
            return ControlBody(object)
        } catch let error as JSONError {
            throw .badRequest("the body is not JSON: \(error)")
        } catch {
            throw .badRequest("the body must be a JSON object")
        }
    }

    /// What answers a call; only what tells nothing of the world's state goes out before that is on disk.
    private func action(for reply: ControlReply, isOpen: Bool) -> HTTPAction {
        switch reply {
        case .waiting(let seconds, let ask):
            if let answer = ask(seconds == 0) { return durably(Self.response(json: answer)) }
            return .later { [self] replier in wait(seconds: seconds, ask: ask, replier: replier) }
        case .background(let work):
            return .later { [self] replier in perform(work, replier: replier) }
        case .download(let name, let write):
            let head = HTTPStreamHead(
                status: 200,
                headers: [
                    ("Content-Type", "application/octet-stream"), ("Cache-Control", "no-store"),
                    ("Content-Disposition", "attachment; filename=\"\(name)\""),
                ] + Self.securityHeaders,
                heartbeat: []
            )
            return .stream(head) { [self] stream in afterDurable { Self.send(stream, write) } }
        case .events(let after, let ask):
            let head = HTTPStreamHead(
                status: 200,
                headers: [("Content-Type", "text/event-stream"), ("Cache-Control", "no-store")]
                    + Self.securityHeaders
            )
            return .stream(head) { [self] stream in feed(stream, after: after, ask: ask) }
        case .json, .empty, .text, .file, .notModified:
            let response = Self.response(immediate: reply)
            return isOpen ? .respond(response) : durably(response)
        }
    }

    private func durably(_ response: HTTPResponse) -> HTTPAction {
        .later { [self] replier in afterDurable { replier.respond(response) } }
    }

    private func wait(seconds: Int, ask: @escaping @Sendable (Bool) -> JSONValue?, replier: HTTPReplier) {
        let call = WaitingCall(replier: replier, afterDurable: afterDurable, ask: ask)
        let milliseconds = seconds.multipliedReportingOverflow(by: 1000).partialValue
        daemon.after(milliseconds: milliseconds) { _ = call.look(timeIsOver: true) }
        waiters.add(
            { call.look(timeIsOver: false) },
            whenStopped: { [self] in call.end(with: response(to: Self.hasEnded)) }
        )
    }

    /// What those get who wait for something of a world that ends.
    private static let hasEnded = ControlError.notFound("the world has ended")

    private func perform(
        _ work: @escaping @Sendable () throws(ControlError) -> ControlReply,
        replier: HTTPReplier
    ) {
        do throws(ThreadError) {
            _ = try WorkerThread(name: "control") { [self] in
                do throws(ControlError) {
                    let response = Self.response(immediate: try work())
                    afterDurable { replier.respond(response) }
                } catch {
                    replier.respond(response(to: error))
                }
            }
        } catch {
            let busy = ControlError(status: 503, code: "busy", message: "too much is under way: \(error)")
            replier.respond(response(to: busy))
        }
    }

    private func feed(
        _ stream: HTTPStream,
        after: Int,
        ask: @escaping @Sendable (Int) -> ControlStreamPage
    ) {
        let cursor = StreamCursor(after: after)
        waiters.add(
            { [self] in
                switch cursor.advance(stream, ask) {
                case .hasAll: return false
                case .isGone: return true
                case .lags:
                    daemon.after(milliseconds: Self.lagMilliseconds) { [waiters] in waiters.changed() }
                    return false
                }
            },
            whenStopped: { stream.finish() }
        )
    }
}
