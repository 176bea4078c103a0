import Foundation
import JSONValue
import Testing

@Suite("Node: HTTP layer")
struct HTTPLayerTests {
    private static let notFound = #"{"success":false,"error":"API endpoint not found"}"#

    @Test("answers unknown paths as Express and the node's router do")
    func unknownPaths() throws {
        let expected: [(ClientRequest, Int, String)] = [
            (.get("/api/chats/nothing"), 500, Self.notFound),
            (.get("/api/chats"), 500, Self.notFound),
            (.post("/api/chats/get", [:]), 500, Self.notFound),
            (.get("/api/transactions/process"), 500, Self.notFound),
            (.post("/api/delegates/get", [:]), 500, Self.notFound),
            (.get("/api/chatrooms/abc"), 500, Self.notFound),
            (.get("/api/chatrooms"), 500, Self.notFound),
            (.post("/api/chatrooms/U1", [:]), 500, Self.notFound),
            (.get("/api/accounts/top"), 500, Self.notFound),
            (.get("/"), 404, Self.notFound),
            (.get("/index.html"), 404, Self.notFound),
            (.get("/api"), 404, Self.notFound),
            (.get("/API/nothing"), 404, Self.notFound),
        ]
        let world = try TestWorld()
        for ((request, status, body), answer) in zip(expected, try world.send(expected.map(\.0))) {
            #expect(answer.status == status, "\(request.path)")
            #expect(answer.body == body, "\(request.path)")
        }
    }

    @Test("answers an unknown group with Express's page")
    func unknownGroup() throws {
        let world = try TestWorld()
        let answer = try world.send(.get("/api/nothing?x=1"))
        #expect(answer.status == 404)
        #expect(answer.header("Content-Type") == "text/html; charset=utf-8")
        #expect(answer.header("Content-Security-Policy") == "default-src 'none'")
        #expect(answer.header("X-Content-Type-Options") == "nosniff")
        #expect(
            answer.body == """
                <!DOCTYPE html>
                <html lang="en">
                <head>
                <meta charset="utf-8">
                <title>Error</title>
                </head>
                <body>
                <pre>Cannot GET /api/nothing</pre>
                </body>
                </html>

                """
        )
        let markup = try world.send(ClientRequest(method: "PUT", path: "/api/x/<script>'\"&"))
        #expect(markup.body.contains("<pre>Cannot PUT /api/x/&lt;script&gt;&#39;&quot;&amp;</pre>"))
    }

    @Test("keeps switched-off groups at 404 from 0.10 on")
    func disabledGroups() throws {
        let paths = ["/api/signatures", "/api/multisignatures/x", "/api/transactions/multisignatures/get"]
        let new = try TestWorld(version: "0.10").send(paths.map { .get($0) })
        #expect(new.map(\.status) == [404, 404, 404])
        #expect(new.map(\.body) == Array(repeating: Self.notFound, count: 3))
        #expect(try TestWorld().send(paths.map { .get($0) }).map(\.status) == [500, 500, 500])
    }

    @Test("sends the header fields of the node")
    func fields() throws {
        let answer = try TestWorld().send(.get("/api/blocks/getHeight"))
        let expected = [
            "X-Powered-By": "Express", "Access-Control-Allow-Origin": "*",
            "Access-Control-Allow-Credentials": "true", "Content-Type": "application/json; charset=utf-8",
            "Vary": "Accept-Encoding", "X-Frame-Options": "DENY",
            "Content-Security-Policy": "frame-ancestors 'none'",
            "Content-Length": String(answer.body.utf8.count),
        ]
        for (name, value) in expected { #expect(answer.header(name) == value, "\(name)") }
        let tag = try #require(answer.header("ETag"))
        #expect(tag.wholeMatch(of: /W\/"[0-9a-f]+-[A-Za-z0-9+\/]{27}"/) != nil)
    }

    @Test("matches paths without regard to case, with one slash at the end")
    func paths() throws {
        let world = try TestWorld()
        let paths = [
            "/api/chats/get", "/API/Chats/GET/", "/api/chats/get/?limit=5", "/api/blocks/GETHEIGHT",
            "/api/chats/get//", "/api/ch%61ts/get",
        ]
        #expect(try world.send(paths.map { .get($0) }).map(\.status) == [200, 200, 200, 200, 500, 404])
    }

    @Test("goes by the method that a POST names in a field, and by none of another method's")
    func methodOverride() throws {
        let world = try TestWorld()
        func call(_ method: String, _ path: String, as name: String) -> ClientRequest {
            let headers = ["X-HTTP-Method-Override": name, "Content-Type": "application/json"]
            return ClientRequest(method: method, path: path, headers: headers, body: "{}")
        }
        let answers = try world.send([
            call("POST", "/api/chats/process", as: "PUT"),
            call("POST", "/api/chats/process", as: "delete"),
            call("POST", "/api/blocks/getHeight", as: "GET"),
            call("POST", "/api/nothing", as: "PATCH"),
            call("PUT", "/api/blocks/getHeight", as: "GET"),
            call("POST", "/api/chats/process", as: "NOTHING"),
        ])
        #expect(answers.map(\.status) == [500, 500, 200, 404, 500, 200])
        #expect(answers[0].body == Self.notFound && answers[1].body == Self.notFound)
        #expect(answers[2].body.contains("\"height\":"))
        #expect(answers[3].body.contains("<pre>Cannot PATCH /api/nothing</pre>"))
    }

    @Test("reads a body behind a byte order mark")
    func byteOrderMark() throws {
        let world = try TestWorld()
        let plain = try world.send(.post("/api/accounts/new", "{\"publicKey\":\"x\"}"))
        let marked = try world.send(.post("/api/accounts/new", "\u{FEFF}{\"publicKey\":\"x\"}"))
        #expect(plain.status == 200 && marked.status == 200 && marked.body == plain.body)
    }

    @Test("answers a preflight on any path")
    func preflight() throws {
        let answers = try TestWorld().send([
            ClientRequest(
                method: "OPTIONS",
                path: "/api/chats/process",
                headers: [
                    "Origin": "http://localhost", "Access-Control-Request-Method": "POST",
                    "Access-Control-Request-Headers": "content-type,x-thing",
                ]
            ),
            ClientRequest(method: "OPTIONS", path: "/anything"),
        ])
        #expect(answers.map(\.status) == [204, 204])
        #expect(answers[0].header("Access-Control-Allow-Methods") == "GET,HEAD,PUT,PATCH,POST,DELETE")
        #expect(answers[0].header("Access-Control-Allow-Headers") == "content-type,x-thing")
        #expect(answers[0].header("Access-Control-Allow-Origin") == "*")
        #expect(answers[0].header("Vary") == "Access-Control-Request-Headers")
        #expect(answers[0].header("Content-Length") == "0")
        #expect(answers[1].header("Access-Control-Allow-Headers") == nil)
    }

    @Test("answers 304 to a client that knows the answer, until it changes")
    func notModified() throws {
        let world = try TestWorld()
        for path in ["/api/node/status", "/api/transactions"] {
            let tag = try #require(try world.send(.get(path)).header("ETag"))
            let known = ["If-None-Match": "\"x\", \(tag)"]
            let same = try world.send(.get(path, known))
            #expect(same.status == 304)
            #expect(same.body.isEmpty)
            #expect(same.header("ETag") == tag)
            #expect(same.header("Content-Type") == nil)
            #expect(try world.send(.get(path, ["If-None-Match": "*"])).status == 304)
            let fresh = ["If-None-Match": tag, "Cache-Control": "no-cache"]
            #expect(try world.send(.get(path, fresh)).status == 200)
            world.forge()
            #expect(try world.send(.get(path, known)).status == 200)
        }
    }

    @Test("packs bodies from 1 kB on for clients that accept it")
    func packing() throws {
        let world = try TestWorld()
        let plain = try world.body("/api/transactions")
        let expected: [(String, String?)] = [
            ("gzip, deflate", "gzip"), ("deflate", "deflate"), ("gzip;q=0, deflate", "deflate"),
            ("*", "gzip"),
            ("br", nil), ("identity", nil), ("gzip;q=0", nil),
        ]
        let answers = try world.send(expected.map { .get("/api/transactions", ["Accept-Encoding": $0.0]) })
        for ((accepted, coding), answer) in zip(expected, answers) {
            #expect(answer.header("Content-Encoding") == coding, "\(accepted)")
            #expect(answer.body == plain)
        }
        let small = try world.send(.get("/api/blocks/getHeight", ["Accept-Encoding": "gzip"]))
        #expect(small.header("Content-Encoding") == nil)
    }

    @Test("answers HEAD like GET, without the body")
    func head() throws {
        let world = try TestWorld()
        let answers = try world.send([
            ClientRequest(method: "HEAD", path: "/api/transactions"), .get("/api/transactions"),
        ])
        #expect(answers[0].body.isEmpty)
        #expect(answers[0].header("Content-Length") == answers[1].header("Content-Length"))
    }

    @Test(
        "refuses bodies that its parsers cannot read, on any path",
        arguments: [
            ("{", "application/json", "Unexpected end of input in JSON at position 1"),
            ("{a", "application/json", "Unexpected token a in JSON at position 1"),
            ("\"text\"", "application/json", "Unexpected token \" in JSON at position 0"),
            (" 5", "application/json; charset=utf-8", "Unexpected token 5 in JSON at position 1"),
            ("{}", "application/json; charset=latin1", "unsupported charset \"LATIN1\""),
            ("a=1", "application/x-www-form-urlencoded; charset=utf-16", "unsupported charset \"UTF-16\""),
        ]
    )
    func malformed(body: String, type: String, error: String) throws {
        let posts = ["/api/chats/process", "/api/nothing"].map { ClientRequest.post($0, body, type: type) }
        for answer in try TestWorld().send(posts) {
            #expect(answer.status == 500)
            #expect(
                answer.body == #"{"success":false,"error":"# + JSONValue.string("API error: " + error).text
                    + "}"
            )
            #expect(answer.header("X-Frame-Options") == nil)
            #expect(answer.header("Access-Control-Allow-Origin") == "*")
        }
    }

    @Test("refuses a body above 2 MB and takes one of exactly 2 MB")
    func large() throws {
        let world = try TestWorld()
        let filler = String(repeating: "x", count: (2 << 20) - #"{"a":""}"#.count)
        let answers = try world.send([
            .post("/api/chats/process", #"{"a":"\#(filler)x"}"#),
            .post("/api/chats/process", #"{"a":"\#(filler)"}"#),
            .post("/api/chats/process", #"{"a":"\#(filler)x"}"#, type: "text/plain"),
        ])
        let missing =
            #"{"success":false,"nodeTimestamp":275000100,"error":"Expected type object but found type undefined"}"#
        #expect(answers.map(\.status) == [500, 200, 200])
        #expect(answers[0].body == #"{"success":false,"error":"API error: request entity too large"}"#)
        #expect(answers[1].body == missing)
        #expect(answers[2].body == missing)
    }

    @Test("treats bodies of other types as absent")
    func otherTypes() throws {
        let body = #"{"transaction":{"signature":"00"}}"#
        let answers = try TestWorld().send([
            .post("/api/chats/process", body, type: "text/plain"),
            ClientRequest(method: "POST", path: "/api/chats/process", body: body),
            .post("/api/chats/process", body),
            .post(
                "/api/chats/process",
                "transaction%5Bsignature%5D=00&transaction[asset][chat][type]=1",
                type: "application/x-www-form-urlencoded"
            ),
            .post("/api/chats/process", #"{"transaction":"text"}"#), .post("/api/chats/process", "[]"),
        ]).map(\.body)
        let start = #"{"success":false,"nodeTimestamp":275000100,"error":"#
        let undefined = start + #""Expected type object but found type undefined"}"#
        let signature = start + #""Object didn't pass validation for format signature: 00"}"#
        #expect(
            answers == [
                undefined, undefined, signature, signature,
                start + #""Expected type object but found type string"}"#, undefined,
            ]
        )
    }

    @Test("reads packed bodies")
    func packedBodies() throws {
        let world = try TestWorld()
        let output = try python(
            """
            import gzip, http.client, sys
            def post(data, coding):
                c = http.client.HTTPConnection('127.0.0.1', int(sys.argv[1]))
                c.request('POST', '/api/states/get', data,
                          {'Content-Type': 'application/json', 'Content-Encoding': coding})
                print(c.getresponse().read().decode())
            post(gzip.compress(b'{"limit":0}'), 'gzip')
            post(gzip.compress(b'{"a":"' + b'x' * 3000000 + b'"}'), 'gzip')
            post(b'nonsense', 'gzip')
            post(b'{}', 'br')
            """,
            String(world.port)
        )
        #expect(
            String(decoding: output, as: UTF8.self) == """
                {"success":false,"nodeTimestamp":275000100,"error":"Value 0 is less than minimum 1"}
                {"success":false,"error":"API error: request entity too large"}
                {"success":false,"error":"API error: incorrect header check"}
                {"success":false,"error":"API error: unsupported content encoding \\"br\\""}

                """
        )
    }

    @Test("is answered by curl in the same words")
    func curl() throws {
        let world = try TestWorld()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "curl", "-s", "--compressed", "-H", "Content-Type: application/json",
            "http://127.0.0.1:\(world.port)/api/blocks/getHeight",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let body = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(body == #"{"success":true,"nodeTimestamp":275000100,"height":1}"#)
    }
}
