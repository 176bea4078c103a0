import Testing
import Threads

@testable import HTTPClient

@Suite("HTTP client")
struct HTTPClientTests {
    let server: PythonServer

    init() throws {
        server = try PythonServer()
    }

    @Test("sends method, headers and body as given and adds none of its own")
    func sendsExactly() throws {
        let response = try HTTPClient().send(
            HTTPClientRequest(
                method: "POST",
                url: server.url("/echo"),
                headers: [("x-one", "1"), ("X-Empty", "")],
                body: Array("{}".utf8)
            )
        )
        let text = String(decoding: response.body, as: UTF8.self)
        #expect(
            text
                == "POST /echo HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\nx-one: 1\nX-Empty:\nContent-Length: 2\n\n{}"
        )
        #expect(response.status == 200)
        #expect(response.httpVersion == "1.1")
    }

    @Test("keeps the headers of the final answer only, trimmed")
    func readsHeaders() throws {
        let response = try HTTPClient().send(HTTPClientRequest(url: server.url("/early")))
        #expect(response.header("x-late") == "two words")
        #expect(response.header("X-Early") == nil)
    }

    @Test("uses a connection again, and a fresh one where that is asked for")
    func reusesConnections() throws {
        let client = HTTPClient()
        func connection(fresh: Bool) throws -> String? {
            let request = HTTPClientRequest(url: server.url("/echo"), usesFreshConnection: fresh)
            return try client.send(request).header("x-connection")
        }
        #expect(try connection(fresh: false) == "1")
        #expect(try connection(fresh: false) == "1")
        #expect(try connection(fresh: true) == "2")
        #expect(try connection(fresh: false) == "1")
    }

    @Test("tells a reset and an early end from other failures", arguments: ["/reset", "/close", "/half"])
    func tellsReset(path: String) {
        #expect(throws: HTTPClientError.connectionReset) {
            try HTTPClient().send(HTTPClientRequest(url: server.url(path)))
        }
    }

    @Test("sends a request once, also on a connection that was used before", arguments: ["GET", "POST"])
    func sendsOnce(method: String) throws {
        let client = HTTPClient()
        #expect(try client.send(HTTPClientRequest(url: server.url("/echo"))).header("x-connection") == "1")
        #expect(throws: HTTPClientError.connectionReset) {
            try client.send(HTTPClientRequest(method: method, url: server.url("/reset")))
        }
        let resets = try client.send(HTTPClientRequest(url: server.url("/resets")))
        #expect(String(decoding: resets.body, as: UTF8.self) == "1")
    }

    @Test("tells a refused connection")
    func tellsRefused() throws {
        let port = try #require(try FreePort.find())
        #expect(throws: HTTPClientError.connectionRefused) {
            try HTTPClient().send(HTTPClientRequest(url: "http://127.0.0.1:\(port)/"))
        }
    }

    @Test("gives up on an answer that does not come in time")
    func tellsTimeout() {
        #expect(throws: HTTPClientError.timedOut) {
            try HTTPClient().send(HTTPClientRequest(url: server.url("/hang"), timeoutMilliseconds: 100))
        }
    }

    @Test("refuses an answer beyond its limit")
    func refusesLarge() {
        let client = HTTPClient(options: .init(maximumResponseBytes: 4999))
        #expect(throws: HTTPClientError.tooLarge(limitBytes: 4999)) {
            try client.send(HTTPClientRequest(url: server.url("/big")))
        }
    }

    @Test("refuses a header or URL with a line break", arguments: ["a\r\nb", "a\u{0}b"])
    func refusesInjection(text: String) {
        for request in [
            HTTPClientRequest(url: server.url("/echo"), headers: [("x", text)]),
            HTTPClientRequest(url: server.url("/" + text)),
        ] {
            #expect(throws: HTTPClientError.self) { try HTTPClient().send(request) }
        }
    }

    @Test("runs requests side by side and answers in their order")  // five only answers to five at once
    func runsInParallel() throws {
        let paths = ["/five", "/echo", "/five", "/reset", "/five", "/five", "/five"]
        let results = HTTPClient().sendAll(paths.map { HTTPClientRequest(url: server.url($0)) })
        #expect(results.count == paths.count)
        for (path, result) in zip(paths, results) {
            switch path {
            case "/five": #expect(try String(decoding: result.get().body, as: UTF8.self) == "five")
            case "/reset": #expect(throws: HTTPClientError.connectionReset) { try result.get() }
            default: #expect(try result.get().status == 200)
            }
        }
    }

    @Test("hands over a stream piece by piece and ends it when the receiver has enough")
    func streams() throws {
        var text = ""
        let response = try HTTPClient().stream(HTTPClientRequest(url: server.url("/events"))) {
            status,
            bytes in
            text += "\(status) " + String(decoding: bytes, as: UTF8.self)
            return true
        }
        #expect(response.status == 200)
        #expect(text == "200 data: 0\n\n200 data: 1\n\n200 data: 2\n\n")
        #expect(throws: HTTPClientError.cancelled) {
            try HTTPClient().stream(HTTPClientRequest(url: server.url("/events"))) { _, _ in false }
        }
    }

    @Test("ends what is under way at once when it is cancelled, and everything later")
    func cancels() throws {
        let client = HTTPClient()
        let url = server.url("/hang")
        let ended = Condition<HTTPClientError?>(nil)
        let waiting = try WorkerThread(name: "test") {
            do throws(HTTPClientError) { _ = try client.send(HTTPClientRequest(url: url)) } catch {
                ended.update { $0 = error }
            }
        }
        _ = try HTTPClient().send(HTTPClientRequest(url: server.url("/hanging")))
        let clock = ContinuousClock()
        let start = clock.now
        client.cancel()
        waiting.join()
        #expect(ended.withLock { $0 } == .cancelled)
        #expect(clock.now - start < .seconds(5))
        #expect(throws: HTTPClientError.cancelled) { try client.send(HTTPClientRequest(url: url)) }
    }
}
