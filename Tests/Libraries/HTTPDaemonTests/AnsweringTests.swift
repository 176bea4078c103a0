import Foundation
import HTTPDaemon
import Testing

@Suite("HTTP daemon: answering")
struct AnsweringTests {
    @Test("gives the handler method, path, query, fields and body as sent")
    func request() throws {
        let server = try Server { request in
            let fields = [
                request.method, request.target, request.path, request.query, request.header("x-thing") ?? "-",
                request.clientAddress, String(request.serverPort),
                String(decoding: request.body, as: UTF8.self),
            ]
            return .text(fields.joined(separator: "|"))
        }
        let output = try python(
            """
            import http.client, sys
            c = http.client.HTTPConnection('127.0.0.1', int(sys.argv[1]))
            c.request('PUT', '/a%20b/c?x=%31&y=2', 'hello', {'X-Thing': 'one'})
            r = c.getresponse(); print(r.status, r.getheader('content-type'), r.read().decode())
            """,
            server.port
        )
        #expect(
            output
                == "200 text/plain PUT|/a%20b/c?x=%31&y=2|/a b/c|x=%31&y=2|one|127.0.0.1|\(server.port)|hello"
        )
    }

    @Test("keeps a connection for many requests, chunked bodies among them")
    func keepAlive() throws {
        let server = try Server { .text(String($0.body.count)) }
        let output = try python(
            """
            import http.client, sys
            c = http.client.HTTPConnection('127.0.0.1', int(sys.argv[1])); c.connect(); s = c.sock
            for n in range(3):
                c.request('POST', '/', iter([b'ab'] * n), encode_chunked=True,
                          headers={'Transfer-Encoding': 'chunked'})
                print(c.getresponse().read().decode(), c.sock is s)
            c.request('HEAD', '/'); r = c.getresponse(); print(r.getheader('content-length'), r.read())
            """,
            server.port
        )
        #expect(output == "0 True\n2 True\n4 True\n1 b''")
    }

    @Test("says so when a body is too large, and lets the client read the answer")
    func largeBody() throws {
        let server = try Server(maximumBodyBytes: 1000) { .text("\($0.bodyWasTooLarge) \($0.body.count)") }
        let output = try python(
            """
            import http.client, sys
            for size in (1000, 1001, 3000000):
                c = http.client.HTTPConnection('127.0.0.1', int(sys.argv[1]))
                c.request('POST', '/', b'x' * size); print(c.getresponse().read().decode())
            """,
            server.port
        )
        #expect(output == "false 1000\ntrue 0\ntrue 0")
    }

    @Test("answers later from another thread, inline too, and only once")
    func later() throws {
        let server = try Server { request in
            .later { replier in
                let answer = HTTPResponse(status: 200, body: Array(request.path.utf8))
                if request.path == "/inline" {
                    replier.respond(answer)
                    replier.reset()
                } else {
                    Thread.detachNewThread {
                        replier.respond(answer)
                        replier.respond(HTTPResponse(status: 500))
                    }
                }
            }
        }
        let output = try python(
            """
            import http.client, sys
            c = http.client.HTTPConnection('127.0.0.1', int(sys.argv[1]))
            for path in ('/inline', '/thread', '/inline', '/thread'):
                c.request('GET', path); r = c.getresponse(); print(r.status, r.read().decode())
            """,
            server.port
        )
        #expect(output == "200 /inline\n200 /thread\n200 /inline\n200 /thread")
    }

    @Test("answers on ::1 where the machine has it")
    func ipv6() throws {
        let server: Server
        do {
            server = try Server(host: "::1") { .text($0.clientAddress) }
        } catch HTTPDaemonError.addressUnavailable {
            return
        }
        let output = try python(
            """
            import http.client, sys
            c = http.client.HTTPConnection('::1', int(sys.argv[1])); c.request('GET', '/')
            print(c.getresponse().read().decode())
            """,
            server.port
        )
        #expect(output == "::1")
    }

    @Test("serves many listeners and tells them apart")
    func listeners() throws {
        let daemon = try HTTPDaemon(threads: 2)
        defer { daemon.stop() }
        let ports = try (0..<20).map { number in
            try daemon.listen(host: "127.0.0.1", port: 0) { _ in .text(String(number)) }.port
        }
        let output = try python(
            """
            import http.client, sys
            for port in sys.argv[1].split(','):
                c = http.client.HTTPConnection('127.0.0.1', int(port)); c.request('GET', '/')
                print(c.getresponse().read().decode(), end=' ')
            """,
            ports.map(String.init).joined(separator: ",")
        )
        #expect(output == (0..<20).map(String.init).joined(separator: " "))
    }

    @Test("says when a port is in use")
    func portInUse() throws {
        let server = try Server { _ in .close }
        #expect(throws: HTTPDaemonError.portInUse(server.listener.port)) {
            try server.daemon.listen(host: "127.0.0.1", port: server.listener.port) { _ in .close }
        }
        #expect(throws: HTTPDaemonError.invalidHost("localhost")) {
            try server.daemon.listen(host: "localhost", port: 0) { _ in .close }
        }
    }
}
