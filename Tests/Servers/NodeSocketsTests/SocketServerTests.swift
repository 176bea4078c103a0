import FaultRules
import Foundation
import HTTPDaemon
import JSONValue
import SocketIORules
import Testing

@testable import NodeSockets

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Node sockets", .timeLimit(.minutes(5)))
struct SocketServerTests {
    /// The status, the fields and the body of an answer that is given at once.
    private func answer(
        _ node: TestNode,
        _ method: String,
        _ target: String,
        headers: [(String, String)] = [],
        body: String = ""
    ) throws -> HTTPResponse {
        let request = HTTPRequest(method: method, target: target, headers: headers, body: Array(body.utf8))
        guard case .respond(let response) = node.server.handle(request) else { throw NoAnswer() }
        return response
    }

    private struct NoAnswer: Error {}

    private func field(_ response: HTTPResponse, _ name: String) -> String? {
        response.headers.first { $0.0 == name }?.1
    }

    @Test(
        "refuses as Engine.IO does",
        arguments: [
            ("GET", "", 0, "Transport unknown"), ("GET", "transport=flash&EIO=4", 0, "Transport unknown"),
            ("GET", "transport=polling&sid=x", 1, "Session ID unknown"),
            ("POST", "transport=polling", 2, "Bad handshake method"),
            ("GET", "transport=websocket", 3, "Bad request"),
        ]
    )
    func refusals(method: String, query: String, code: Int64, message: String) throws {
        let node = try TestNode()
        let response = try answer(node, method, "/socket.io/?" + query)
        #expect(response.status == 400 && field(response, "Content-Type") == "application/json")
        #expect(
            String(decoding: response.body, as: UTF8.self) == #"{"code":\#(code),"message":"\#(message)"}"#
        )
        #expect(field(response, "Access-Control-Allow-Origin") == "*")
        #expect(node.backend.calls.map(\.status) == [400])
    }

    @Test("answers preflights, and nothing outside its path")
    func others() throws {
        let node = try TestNode()
        let preflight = try answer(
            node,
            "OPTIONS",
            "/socket.io/?EIO=4&transport=polling",
            headers: [("Access-Control-Request-Headers", "x-a")]
        )
        #expect(preflight.status == 204 && field(preflight, "Access-Control-Allow-Headers") == "x-a")
        for path in ["/", "/socket.io", "/api/node/status", "/SOCKET.IO/"] {
            #expect(try answer(node, "GET", path).status == 404)
        }
    }

    @Test("does not answer while it is switched off")
    func off() throws {
        let node = try TestNode()
        node.server.setOn(false)
        #expect(try answer(node, "GET", "/socket.io/?EIO=4&transport=polling").status == 404)
    }

    @Test("tells its world when the first listens and when the last leaves, and nothing between")
    func watching() async throws {
        let node = try TestNode()
        var sessions: [String] = []
        for _ in 0..<2 {
            let sid = try await open(node)
            sessions.append(sid)
            #expect(try await post(node, sid, "40") == "ok")
        }
        #expect(node.backend.watched.isEmpty && node.server.clientCount == 2)
        for sid in sessions { #expect(try await post(node, sid, #"42["types",[0]]"#) == "ok") }
        #expect(node.backend.watched == [true] && node.server.eventCount == 2)
        #expect(try await post(node, sessions[0], "1") == "ok")
        #expect(node.server.eventCount == 1)
        #expect(node.backend.watched == [true])
        node.server.disconnectAll()
        #expect(node.backend.watched == [true, false] && node.server.clientCount == 0)
    }

    @Test("ends sessions whose clients neither join nor answer")
    func timeouts() async throws {
        var settings = SocketSettings()
        settings.connectTimeoutMilliseconds = 20
        settings.pingIntervalMilliseconds = 20
        settings.pingTimeoutMilliseconds = 20
        let node = try TestNode(settings: settings)
        for _ in 0..<20 { _ = try await open(node) }
        while node.server.clientCount > 0 { try await Task.sleep(for: .milliseconds(5)) }
    }

    @Test("refuses a handshake where a rule says so")
    func fault() async throws {
        let node = try TestNode()
        try node.backend.change { faults in
            _ = try faults.add(["effect": ["kind": "socket-refuse"], "limit": 1], canReadSignals: false)
        }
        let response = try answer(node, "GET", "/socket.io/?EIO=4&transport=polling")
        #expect(response.status == 403)
        #expect(String(decoding: response.body, as: UTF8.self) == #"{"code":4,"message":"Forbidden"}"#)
        #expect(node.backend.calls.map(\.faultId) == ["f1"])
        _ = try await open(node)
    }

    /// Whatever else the machine does, no session ends by itself.
    private static var patient: SocketSettings {
        var settings = SocketSettings()
        settings.pingIntervalMilliseconds = 600_000
        settings.connectTimeoutMilliseconds = 600_000
        return settings
    }

    @Test("takes down what a GET was answered: 400 when another waits")
    func overlap() async throws {
        let node = try TestNode(settings: Self.patient)
        let sid = try await open(node)
        let request = URLRequest(url: try url(node, sid), timeoutInterval: 600)
        async let first = data(request)
        async let second = data(request)
        let answers = try await [first.1, second.1].compactMap { ($0 as? HTTPURLResponse)?.statusCode }
        #expect(answers.sorted() == [200, 400])
        #expect(node.backend.calls.map(\.status) == [200, 200, 400])
    }

    @Test("takes down what a handshake was answered: 503 when there are too many sessions")
    func full() async throws {
        let node = try TestNode()
        for number in 0..<SocketServer.maximumClients {
            let session = SocketSession(
                id: String(number),
                socketId: "",
                revision: .four,
                transport: .polling,
                settings: Self.patient
            )
            #expect(node.server.begin(session, dropsAfter: nil) { _ in })
        }
        let answer = try await data(URLRequest(url: url(node))).1 as? HTTPURLResponse
        #expect(answer?.statusCode == 503)
        #expect(node.backend.calls.map(\.status) == [503])
    }

    private func url(_ node: TestNode, _ sid: String? = nil) throws -> URL {
        let query = "EIO=4&transport=polling" + (sid.map { "&sid=" + $0 } ?? "")
        return try #require(URL(string: "http://127.0.0.1:\(node.port)/socket.io/?\(query)"))
    }

    /// Opens a session by polling.
    private func open(_ node: TestNode) async throws -> String {
        let (data, _) = try await data(URLRequest(url: url(node)))
        let text = String(decoding: data, as: UTF8.self)
        #expect(text.hasPrefix("0{"))
        return try #require(JSONValue(parsing: String(text.dropFirst()))["sid"]?.stringValue)
    }

    private func post(_ node: TestNode, _ sid: String, _ body: String) async throws -> String {
        var request = URLRequest(url: try url(node, sid))
        request.httpMethod = "POST"
        request.httpBody = Data(body.utf8)
        request.setValue("text/plain", forHTTPHeaderField: "Content-Type")
        return String(decoding: try await data(request).0, as: UTF8.self)
    }
}

private func data(_ request: URLRequest) async throws -> (Data, URLResponse) {
    try await URLSession.shared.data(for: request)
}
