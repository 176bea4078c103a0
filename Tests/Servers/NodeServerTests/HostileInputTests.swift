import AdamantModel
import JSONValue
import Testing

@Suite("Node: hostile input")
struct HostileInputTests {
    @Test("answers or closes on malformed requests and serves afterwards")
    func malformed() throws {
        let world = try TestWorld()
        let output = try python(
            """
            import random, socket, sys, http.client
            port = int(sys.argv[1]); random.seed(7)
            seeds = [
                b'GET /api/node/status HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n',
                b'POST /api/chats/process HTTP/1.1\\r\\nHost: x\\r\\nContent-Type: application/json\\r\\n'
                b'Content-Length: 40\\r\\n\\r\\n{"transaction":{"signature":"","type":8}}',
                b'POST /api/states/get HTTP/1.1\\r\\nHost: x\\r\\nContent-Type: application/json\\r\\n'
                b'Transfer-Encoding: chunked\\r\\n\\r\\n5\\r\\n{"a":\\r\\n2\\r\\n1}\\r\\n0\\r\\n\\r\\n',
                b'GET /api/transactions?limit=1&and:type=8&orderBy=timestamp:desc HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n',
            ]
            odd = [b'', b'\\r\\n', b'\\0' * 100, b'GET', b'GET / HTTP/9.9\\r\\n\\r\\n', b'GET  /  HTTP/1.1\\r\\n\\r\\n',
                   b'GET /' + b'a' * 100000 + b' HTTP/1.1\\r\\n\\r\\n',
                   b'GET / HTTP/1.1\\r\\n' + b'X: y\\r\\n' * 20000 + b'\\r\\n',
                   b'POST / HTTP/1.1\\r\\nContent-Length: 99999999999999999999\\r\\n\\r\\n',
                   b'POST / HTTP/1.1\\r\\nContent-Length: -1\\r\\n\\r\\n',
                   b'POST / HTTP/1.1\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\nFFFFFFFFFFFFFFFF\\r\\n',
                   b'GET http:// HTTP/1.1\\r\\n\\r\\n', b'GET http://x?y HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n',
                   b'GET %%%zz?%=%&&=&a=%f HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n', b'OPTIONS * HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n',
                   b'GET /api/chats/get?' + b'a=1&' * 3000 + b' HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n',
                   b'GET /api/transactions?limit=-99999999999999999999&offset=1e400 HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n',
                   b'\\x16\\x03\\x01\\x02\\x00\\x01\\x00\\x01\\xfc\\x03\\x03']
            def mutate(data):
                data = bytearray(data)
                for _ in range(random.randint(1, 6)):
                    at = random.randrange(len(data) + 1)
                    kind = random.randrange(3)
                    if kind == 0: data[at:at] = random.randbytes(random.randint(1, 4))
                    elif kind == 1: del data[at:at + random.randint(1, 4)]
                    elif at < len(data): data[at] = random.randrange(256)
                return bytes(data)
            hung = 0
            for data in odd + [mutate(random.choice(seeds)) for _ in range(1500)]:
                s = socket.create_connection(('127.0.0.1', port), timeout=10)
                try:
                    s.sendall(data); s.shutdown(socket.SHUT_WR)
                    while s.recv(65536): pass
                except (ConnectionResetError, BrokenPipeError, OSError) as e:
                    if isinstance(e, socket.timeout): hung += 1; print(data[:200])
                s.close()
            c = http.client.HTTPConnection('127.0.0.1', port); c.request('GET', '/api/blocks/getHeight')
            print(hung, c.getresponse().status)
            """,
            String(world.port)
        )
        #expect(String(decoding: output, as: UTF8.self) == "0 200\n")
    }

    @Test("lives with odd JSON in bodies and odd values in queries")
    func oddValues() throws {
        let values = [
            "null", "true", "[]", "{}", "0", "-1", "1e308", "1e400", "\"\"", "\"U\"", "9223372036854775808",
            "\"\\ud800\"", String(repeating: "[", count: 600),
        ]
        let names = [
            "type", "amount", "timestamp", "timestampMs", "senderPublicKey", "recipientId", "asset",
            "signature",
            "signSignature", "id", "fee", "senderId", "requesterPublicKey",
        ]
        let world = try TestWorld(version: "0.10")
        var base = world.chat("{}").postedJSON.objectValue?.members ?? []
        base.removeAll { _ in false }
        var requests: [ClientRequest] = []
        for name in names {
            for value in values {
                let members = base.filter { $0.key != name }.map { "\"\($0.key)\":\($0.value.text)" }
                let body =
                    "{\"transaction\":{" + (members + ["\"\(name)\":\(value)"]).joined(separator: ",") + "}}"
                requests.append(.post("/api/chats/process", body))
                requests.append(.post("/api/states/get", "{\"\(name)\":\(value)}"))
            }
        }
        for text in ["1e400", "-0", "99999999999999999999999", "0x", "%00", "%ff%fe", "a%5B%5D", "U%3A"] {
            for name in [
                "limit", "offset", "fromHeight", "type", "senderId", "types", "keyIds", "isIn", "and:or:x",
            ] {
                requests.append(.get("/api/transactions?\(name)=\(text)"))
                requests.append(.get("/api/chats/get?\(name)=\(text)"))
                requests.append(.get("/api/states/get?\(name)=\(text)"))
            }
        }
        requests.append(
            .get("/api/transactions?fromUnixTime=-9223372036854775808&and:fromUnixTime=1504371600")
        )
        let answers = try world.send(requests)
        #expect(answers.allSatisfy { $0.failure.isEmpty && [200, 500].contains($0.status) })
        #expect(try world.send(.get("/api/blocks/getHeight")).status == 200)
    }
}
