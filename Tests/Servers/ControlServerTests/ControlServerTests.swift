import ControlServer
import Foundation
import HTTPClient
import HTTPDaemon
import JSONValue
import Synchronization
import Testing

/// A control server of a few routes on a free port.
final class RunningControl: Sendable {
    let daemon: HTTPDaemon
    let waiters: ChangeWaiters
    let base: String
    let counter = Mutex(0)
    /// How often an answer waited for the disk.
    let commits = Mutex(0)
    /// What the latest call that nothing ends by itself holds on to.
    let held = Mutex(Held())

    init(token: String? = nil) throws {
        let daemon = try HTTPDaemon(threads: 2)
        self.daemon = daemon
        waiters = ChangeWaiters { action in daemon.after(milliseconds: 0, action) }
        let handler = Mutex<(@Sendable (HTTPRequest) -> HTTPAction)?>(nil)
        let holder = HandlerHolder(handler.withLock { $0 })
        let listener = try daemon.listen(host: "127.0.0.1", port: 0) { holder.handle($0) }
        base = "http://127.0.0.1:\(listener.port)"
        let server = ControlServer(
            routes: routes,
            token: token,
            waiters: waiters,
            daemon: daemon,
            afterDurable: { [unowned self] action in
                daemon.after(milliseconds: 1) { [unowned self] in
                    commits.withLock { $0 += 1 }
                    action()
                }
            }
        )
        holder.set { server.handle($0) }
    }

    deinit {
        daemon.stop()
        waiters.stop()
    }

    func add() {
        counter.withLock { $0 += 1 }
        waiters.changed()
    }

    private var routes: [ControlRoute] {
        [
            ControlRoute("GET", "/v1/health", isOpen: true) { _ throws(ControlError) in .json(["ready": true])
            },
            ControlRoute("POST", "/v1/things/{name}", members: ["size"], parameters: ["dry"]) {
                request throws(ControlError) in
                let size = try request.body.integer("size", in: 1...10)
                return .json(
                    ["name": .string(request.parameter("name")), "size": size.map { .int($0) } ?? .null],
                    status: 201
                )
            },
            ControlRoute("GET", "/v1/count", parameters: ["wait", "atLeast"]) {
                [unowned self] request throws(ControlError) in
                let wait = try request.query.integer("wait", in: 0...60, default: 0)
                let least = try request.query.integer("atLeast", in: 0...100, default: 1)
                return .waiting(seconds: wait) { [unowned self] isOver in
                    let count = counter.withLock { $0 }
                    return isOver || count >= least ? ["count": .int(count)] : nil
                }
            },
            ControlRoute("GET", "/v1/never") { [unowned self] _ throws(ControlError) in
                let object = HeldObject()
                held.withLock { held in
                    held.count += 1
                    held.object = object
                }
                return .waiting(seconds: 600) { _ in withExtendedLifetime(object) { nil } }
            },
            ControlRoute("GET", "/v1/stream") { [unowned self] request throws(ControlError) in
                .events(after: request.lastEventID.flatMap { Int($0) } ?? 0) { [unowned self] after in
                    let count = counter.withLock { $0 }
                    let next = Array((after..<max(after, count)).prefix(2)).map { $0 + 1 }
                    return ControlStreamPage(
                        events: next.map { ControlStreamEvent(id: $0, data: ["n": .int($0)]) },
                        position: next.last ?? after,
                        hasMore: next.count == 2
                    )
                }
            },
        ]
    }
}

/// Something that a call holds on to.
final class HeldObject: Sendable {}

/// How many calls there were, and what the latest holds on to.
struct Held {
    var count = 0
    weak var object: HeldObject?
}

/// A handler that is known only after the port is.
final class HandlerHolder: Sendable {
    private let handler: Mutex<(@Sendable (HTTPRequest) -> HTTPAction)?>

    init(_ handler: (@Sendable (HTTPRequest) -> HTTPAction)?) { self.handler = Mutex(handler) }

    func set(_ new: @escaping @Sendable (HTTPRequest) -> HTTPAction) { handler.withLock { $0 = new } }

    func handle(_ request: HTTPRequest) -> HTTPAction {
        handler.withLock { $0 }?(request) ?? .close
    }
}

@Suite("Control server")
struct ControlServerTests {
    private let client = HTTPClient(options: .init(timeoutMilliseconds: 10_000))

    private func call(
        _ method: String,
        _ url: String,
        headers: [(name: String, value: String)] = [],
        body: String? = nil
    ) throws -> (status: Int, json: JSONValue) {
        let response = try client.send(
            HTTPClientRequest(method: method, url: url, headers: headers, body: body.map { Array($0.utf8) })
        )
        return (response.status, (try? JSONValue(parsing: response.body)) ?? .null)
    }

    @Test("what tells of the world's state, read or changed, is on disk before it is told")
    func durability() throws {
        let control = try RunningControl()
        control.add()
        let calls: [(String, String)] = [
            ("POST", "/v1/things/a"), ("GET", "/v1/count"), ("GET", "/v1/count?wait=5"),
            ("GET", "/v1/count?wait=1&atLeast=2"),
        ]
        for (index, (method, path)) in calls.enumerated() {
            #expect(try call(method, control.base + path).status < 300)
            #expect(control.commits.withLock { $0 } == index + 1, "\(method) \(path)")
        }
        #expect(try call("GET", control.base + "/v1/health").status == 200)
        #expect(control.commits.withLock { $0 } == calls.count, "health tells nothing that could be lost")
    }

    @Test("routes a call with its segment, query and body")
    func routes() throws {
        let control = try RunningControl()
        let (status, json) = try call("POST", control.base + "/v1/things/a%20b?dry=1", body: #"{"size": 3}"#)
        #expect(status == 201)
        #expect(json == ["name": "a b", "size": 3])
    }

    @Test(
        "refuses what it does not know, naming the field",
        arguments: [
            ("POST", "/v1/things/x", #"{"seize":3}"#, 422, "seize"),
            ("POST", "/v1/things/x", #"{"size":"3"}"#, 422, "size"),
            ("POST", "/v1/things/x", #"{"size":11}"#, 422, "size"),
            ("POST", "/v1/things/x", #"{"size":1.5}"#, 422, "size"),
            ("POST", "/v1/things/x?wet=1", "{}", 400, "wet"),
            ("POST", "/v1/things/x?dry=1&dry=2", "{}", 400, "dry"),
            ("GET", "/v1/count?wait=-1", "", 400, "wait"),
            ("GET", "/v1/count?wait=99999999999999999999", "", 400, "wait"),
        ]
    )
    func refuses(method: String, path: String, body: String, status: Int, field: String) throws {
        let control = try RunningControl()
        let answer = try call(method, control.base + path, body: body.isEmpty ? nil : body)
        #expect(answer.status == status)
        #expect(answer.json["error"]?["field"]?.stringValue == field)
        #expect(answer.json["error"]?["message"]?.stringValue?.isEmpty == false)
    }

    @Test(
        "tells unreadable bodies, unknown paths and wrong methods apart",
        arguments: [
            ("POST", "/v1/things/x", "{", 400, "badRequest"),
            ("POST", "/v1/things/x", "[]", 400, "badRequest"),
            ("GET", "/v1/nothing", "", 404, "notFound"), ("GET", "/v1/things/x", "", 405, "methodNotAllowed"),
            ("POST", "/v1/things/", "{}", 404, "notFound"),
        ]
    )
    func tellsApart(method: String, path: String, body: String, status: Int, code: String) throws {
        let control = try RunningControl()
        let answer = try call(method, control.base + path, body: body.isEmpty ? nil : body)
        #expect(answer.status == status)
        #expect(answer.json["error"]?["code"]?.stringValue == code)
    }

    @Test(
        "refuses foreign hosts and pages of other origins",
        arguments: [
            ("Host", "evil.example"), ("Host", "localhost.evil.example:36600"),
            ("Host", "127.0.0.1.evil.example"),
            ("Origin", "http://evil.example"), ("Origin", "null"), ("Sec-Fetch-Site", "cross-site"),
            ("Sec-Fetch-Site", "same-site"),
        ]
    )
    func refusesForeign(name: String, value: String) throws {
        let control = try RunningControl()
        let answer = try call("GET", control.base + "/v1/count", headers: [(name, value)])
        #expect(answer.status == 403)
    }

    @Test("a link from elsewhere leads to what is open, and to nothing else")
    func takesLinks() throws {
        let control = try RunningControl()
        let link = [
            (name: "Sec-Fetch-Site", value: "cross-site"), (name: "Sec-Fetch-Mode", value: "navigate"),
        ]
        #expect(try call("GET", control.base + "/v1/health", headers: link).status == 200)
        #expect(try call("GET", control.base + "/v1/count", headers: link).status == 403)
        let rebound = link + [(name: "Host", value: "evil.example")]
        #expect(try call("GET", control.base + "/v1/health", headers: rebound).status == 403)
    }

    @Test("takes loopback names and its own origin", arguments: ["localhost:1", "127.0.0.5", "[::1]:36600"])
    func takesLoopback(host: String) throws {
        let control = try RunningControl()
        let headers = [(name: "Host", value: host), (name: "Origin", value: "http://" + host)]
        #expect(try call("GET", control.base + "/v1/count", headers: headers).status == 200)
    }

    @Test("asks for its token on every call but health")
    func asksForToken() throws {
        let control = try RunningControl(token: "s3cret")
        #expect(try call("GET", control.base + "/v1/count").status == 401)
        #expect(try call("GET", control.base + "/v1/nothing").status == 401)
        #expect(
            try call("GET", control.base + "/v1/count", headers: [("Authorization", "Bearer s3creT")]).status
                == 401
        )
        #expect(try call("GET", control.base + "/v1/health").status == 200)
        let headers = [
            (name: "Authorization", value: "bearer s3cret"), (name: "Host", value: "sandbox.example"),
        ]
        #expect(try call("GET", control.base + "/v1/count", headers: headers).status == 200)
    }

    @Test("a waiting list answers as soon as there is enough, and at the latest when the time is over")
    func waits() throws {
        let control = try RunningControl()
        #expect(try call("GET", control.base + "/v1/count?wait=1&atLeast=1").json == ["count": 0])
        control.daemon.after(milliseconds: 50) { control.add() }
        #expect(try call("GET", control.base + "/v1/count?wait=60&atLeast=1").json == ["count": 1])
    }

    @Test("a waiting call ends when its client has left")
    func clientLeaves() throws {
        let control = try RunningControl()
        let hasty = HTTPClient(options: .init(timeoutMilliseconds: 200))
        while control.held.withLock({ $0.count == 0 }) {
            #expect(throws: HTTPClientError.self) {
                _ = try hasty.send(HTTPClientRequest(url: control.base + "/v1/never"))
            }
        }
        let end = ContinuousClock.now + .seconds(60)
        while control.held.withLock({ $0.object != nil }), ContinuousClock.now < end {
            control.add()
            usleep(10_000)
        }
        #expect(control.held.withLock { $0.object == nil })
    }

    @Test("a stream resumes after the last event a client has seen")
    func streams() throws {
        let control = try RunningControl()
        for _ in 1...3 { control.add() }
        let seen = Mutex("")
        let stream = HTTPClient(options: .init(timeoutMilliseconds: 10_000))
        control.daemon.after(milliseconds: 50) { control.add() }
        _ = try? stream.stream(
            HTTPClientRequest(url: control.base + "/v1/stream", headers: [("Last-Event-ID", "2")])
        ) { _, bytes in
            seen.withLock { text in
                text += String(decoding: bytes, as: UTF8.self)
                return !text.contains("id: 4\n")
            }
        }
        let text = seen.withLock { $0 }
        #expect(text.contains("id: 3\ndata: {\"n\":3}\n\n"))
        #expect(!text.contains("id: 2\n"))
    }
}
