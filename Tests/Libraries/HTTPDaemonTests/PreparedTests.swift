import Foundation
import HTTPDaemon
import Testing

@Suite("HTTP daemon: answers that are given again")
struct PreparedTests {
    @Test(
        "a prepared answer is sent whole each time, to many at once, by HEAD too",
        arguments: [10, 300_000]
    )
    func again(bytes: Int) throws {
        var answer = HTTPResponse(
            status: 203,
            headers: [("Content-Type", "text/plain"), ("X-Thing", "one")],
            body: (0..<bytes).map { UInt8(ascii: "a") + UInt8($0 % 26) }
        )
        answer.prepare()
        #expect(answer.isPrepared)
        let prepared = answer
        let server = try Server { _ in .respond(prepared) }
        let output = try python(
            """
            import concurrent.futures, http.client, string, sys
            size = int(sys.argv[2])
            whole = (string.ascii_lowercase * (size // 26 + 1))[:size].encode()
            def ask(method):
                c = http.client.HTTPConnection('127.0.0.1', int(sys.argv[1]))
                told = []
                for _ in range(5):
                    c.request(method, '/'); r = c.getresponse(); body = r.read()
                    told.append((r.status, r.getheader('x-thing'), int(r.getheader('content-length')) == size,
                                 body == (whole if method == 'GET' else b'')))
                return told
            with concurrent.futures.ThreadPoolExecutor(8) as pool:
                print({one for told in pool.map(ask, ['GET'] * 8 + ['HEAD']) for one in told})
            """,
            server.port,
            String(bytes)
        )
        #expect(output == "{(203, 'one', True, True)}")
    }

    @Test("an answer that is changed after it was prepared is sent as it is then")
    func changed() throws {
        var answer = HTTPResponse(status: 200, body: Array(repeating: 65, count: 100_000))
        answer.prepare()
        answer.status = 202
        answer.headers.append(("X-Thing", "two"))
        answer.body = Array("short".utf8)
        #expect(!answer.isPrepared)
        let sent = answer
        let server = try Server { _ in .respond(sent) }
        let output = try python(
            """
            import http.client, sys
            c = http.client.HTTPConnection('127.0.0.1', int(sys.argv[1]))
            c.request('GET', '/'); r = c.getresponse(); print(r.status, r.getheader('x-thing'), r.read().decode())
            """,
            server.port
        )
        #expect(output == "202 two short")
    }
}
