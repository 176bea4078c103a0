import APNsRules
import Testing

@testable import APNsServer

@Suite("APNs server: what is wrong below the rules of pushes")
struct MalformedRequestTests {
    private static let token = String(repeating: "0123456789abcdef", count: 4)

    @Test("judges and records a device token with spaces and brackets, as old clients print it")
    func recordsPrintedTokens() throws {
        let running = try TestWorld.start()
        let reply = try running.world.python(
            """
            client = Client()
            for path in ['/3/device/<0123 abcd>', '/3/device/ab cd', '/ 3']: print(client.answer(client.push(path=path)))
            """
        )
        #expect(
            reply.output.split(separator: "\n") == [
                "400 BadDeviceToken", "400 BadDeviceToken", "404 BadPath",
            ]
        )
        #expect(running.world.records.map(\.request.pathText).first == "/3/device/<0123 abcd>")
        #expect(running.world.refusals.isEmpty)
    }

    /// A list of fields in Python, what becomes of it, and what is said of it.
    private static let lists: [(fields: String, outcome: String, why: String?)] = [
        ("base", "HEADERS 1 200 END", nil),
        ("base + [('x\\x01', '1')]", "RST", "the header 'x\u{1}' has a name that cannot be one"),
        ("base + [('x', 'a\\x01b')]", "RST", "the header 'x' has a value that cannot be one"),
        (
            "base + [('content-length', 'a\\x01')]", "RST",
            "the header 'content-length' has a value that cannot be one"
        ),
        ("base + [('host', 'a b')]", "RST", "the header 'host' has a value that cannot be one"),
        ("base[1:] + [('host', 'x')]", "RST", "the pseudo-header ':method' is missing"),
        ("[base[0]] + base[2:]", "RST", "the pseudo-header ':scheme' is missing"),
        ("base[:2] + base[3:]", "RST", "the pseudo-header ':path' is missing"),
        ("base[:3] + base[4:]", "RST", "neither ':authority' nor 'host' is there"),
        ("base[:3] + base[4:] + [('host', 'x')]", "HEADERS 1 200 END", nil),
        ("base[:3] + base[4:] + [('host', '')]", "RST", "the header 'host' is empty"),
        ("base[:2] + [(':path', '')] + base[3:]", "RST", "the header ':path' is empty"),
        ("base[:2] + [(':path', 'x')] + base[3:]", "RST", "':path' does not begin with '/'"),
        (
            "base[:2] + [(':path', '/\\n')] + base[3:]", "RST",
            "the header ':path' has a value that cannot be one"
        ),
        (
            "base[:1] + [(':scheme', '1')] + base[2:]", "RST",
            "the header ':scheme' has a value that cannot be one"
        ),
        ("base[:3] + base[2:]", "RST", "the header ':path' is there twice"),
        ("[(':status', '200')] + base", "RST", "the header ':status' is no pseudo-header"),
        ("[(':protocol', 'x')] + base", "RST", "the header ':protocol' is no pseudo-header"),
        ("base[1:] + base[:1]", "RST", "the header ':method' is behind an ordinary header"),
        ("[('x y', '1')] + base", "RST", "the header 'x y' has a name that cannot be one"),
        ("base + [('Apns-Id', '1')]", "RST", "the header 'Apns-Id' is not in lower case"),
        ("base + [('connection', 'close')]", "RST", "the header 'connection' has no meaning in HTTP/2"),
        ("base + [('keep-alive', '1')]", "RST", "the header 'keep-alive' has no meaning in HTTP/2"),
        (
            "base + [('proxy-connection', '1')]", "RST",
            "the header 'proxy-connection' has no meaning in HTTP/2"
        ),
        (
            "base + [('transfer-encoding', '1')]", "RST",
            "the header 'transfer-encoding' has no meaning in HTTP/2"
        ),
        ("base + [('upgrade', '1')]", "RST", "the header 'upgrade' has no meaning in HTTP/2"),
        ("base + [('te', 'gzip')]", "RST", "the header 'te' is not 'trailers'"),
        ("base + [('te', 'Trailers')]", "HEADERS 1 200 END", nil),
        ("base + [('content-length', '10')]", "HEADERS 1 200 END", nil),
        (
            "base + [('content-length', '9')]", "RST",
            "the body has not the length that 'content-length' says"
        ),
        (
            "base + [('content-length', '11')]", "RST",
            "the body has not the length that 'content-length' says"
        ),
        ("base + [('content-length', '-0')]", "RST", "the header 'content-length' is not a number"),
        (
            "base + [('content-length', '99999999999999999999')]", "RST",
            "the header 'content-length' is not a number"
        ),
        ("base + [('content-length', '10')] * 2", "RST", "the header 'content-length' is there twice"),
        ("[(':method', 'CONNECT')] + base[3:]", "HEADERS 1 405", nil),
        (
            "[(':method', 'CONNECT')] + base[1:]", "RST",
            "CONNECT has ':authority' and no other pseudo-header"
        ),
    ]

    @Test("resets the stream of a malformed header list, and says why", arguments: Self.lists)
    func resetsStreams(fields: String, outcome: String, why: String?) throws {
        let running = try TestWorld.start()
        let output = try running.world.python(
            """
            c = Raw()
            base = [(':method', 'POST'), (':scheme', 'https'), (':path', '/3/device/' + token), (':authority', 'localhost'),
                    ('authorization', c.auth), ('apns-topic', 'im.example')]
            head = hf.HeadersFrame(1, c.encoder.encode(\(fields)), flags=['END_HEADERS']).serialize()
            c.send(head + hf.DataFrame(1, b'{"aps":{}}', flags=['END_STREAM']).serialize())
            print(c.until('HEADERS', 'RST_STREAM'))
            c.next = 3; c.push(); print(c.until('HEADERS 3'))
            """
        ).output
        let isReset = outcome == "RST"
        #expect(
            output.split(separator: "\n").map(String.init)
                == [isReset ? "RST_STREAM 1 1" : outcome, "HEADERS 3 200 END"]
        )
        #expect(running.world.records.count == (isReset ? 1 : 2))
        #expect(running.world.refusals == (why.map { ["production 1: \($0)"] } ?? []))
    }

    @Test(
        "resets the stream of malformed trailers, and delivers nothing",
        arguments: [
            ("[(':path', '/')]", "True", "the header ':path' is among trailers"),
            ("[('content-length', '10')]", "True", "the header 'content-length' is among trailers"),
            ("[('x y', '1')]", "True", "the header 'x y' has a name that cannot be one"),
            ("[('X', '1')]", "True", "the header 'X' is not in lower case"),
            ("[('x', '1')]", "False", "trailers do not end the stream"),
        ]
    )
    func resetsTrailers(fields: String, ends: String, why: String) throws {
        let running = try TestWorld.start()
        let output = try running.world.python(
            """
            c = Raw(); head, _ = c.start()
            flags = ['END_HEADERS'] + (['END_STREAM'] if \(ends) else [])
            c.send(head + hf.DataFrame(1, b'{"aps":{}}').serialize() + hf.HeadersFrame(1, c.encoder.encode(\(fields)), flags=flags).serialize())
            print(c.until('HEADERS', 'RST_STREAM'))
            """
        ).output
        #expect(output == "RST_STREAM 1 1\n")
        #expect(running.world.records.isEmpty)
        #expect(running.world.refusals == ["production 1: \(why)"])
    }

    @Test("a reset stream is not delivered by what follows in the same bytes")
    func staysReset() throws {
        let running = try TestWorld.start()
        let output = try running.world.python(
            """
            c = Raw(); head, _ = c.start([('Upper', '1')])
            c.send(head + hf.HeadersFrame(1, c.encoder.encode([('x', '1')]), flags=['END_HEADERS', 'END_STREAM']).serialize())
            c.push(); c.until('HEADERS 3'); print(c.seen('RST', 'HEADERS'))
            """
        ).output
        #expect(output == "['RST_STREAM 1 1', 'HEADERS 3 200 END']\n")
        #expect(running.world.records.count == 1)
    }

    @Test("says why a handshake failed, and nothing of a client that says nothing")
    func tellsOfHandshakes() throws {
        let running = try TestWorld.start()
        let output = try running.world.python(
            """
            def said(data):
                s = socket.create_connection(('127.0.0.1', port), timeout=20); s.sendall(data); s.shutdown(socket.SHUT_WR)
                try:
                    while s.recv(65536): pass
                except ConnectionResetError: pass
            said(b''); said(b'')
            for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
                context = ssl.create_default_context(); context.maximum_version = version
                try: tls(context=context); print('trusted')
                except ssl.SSLCertVerificationError: print('not trusted')
            said(b'GET / HTTP/1.1\\r\\n\\r\\n'); said(b'PRI * HTTP/2.0\\r\\n\\r\\n'); said(b'\\x16\\x03\\x01\\x00')
            s = tls(); s.sendall(b'GET / HTTP/1.1\\r\\nhost: localhost\\r\\n\\r\\n')
            try:
                while s.recv(65536): pass
            except OSError: pass
            client = Client(); print(client.answer(client.push()))
            """
        ).output
        #expect(output == "not trusted\nnot trusted\n200\n")
        let distrust = "production: the client does not trust the certificate (alert unknown CA)"
        let refusals = running.world.refusals
        try #require(refusals.count == 6)
        #expect(refusals[0].hasPrefix(distrust) && refusals[1].hasPrefix(distrust))
        #expect(refusals[2] == "production: HTTP without TLS is not spoken here: use https")
        #expect(refusals[3].hasPrefix("production: the client does not speak TLS"))
        #expect(refusals[4].hasPrefix("production: the client ended the connection in the TLS handshake"))
        #expect(refusals[5].hasPrefix("production: this is no HTTP/2: "))
    }

    @Test("tells of a few refusals a second, and then how many it left out")
    func boundsRefusals() {
        var bound = RefusalBound()
        let told = (0..<25).map { _ in bound.take(now: 5_000) }
        #expect(told == Array(repeating: 0, count: 10) + Array(repeating: nil, count: 15))
        #expect(bound.take(now: 6_000) == 15)
        #expect(bound.take(now: 6_000) == 0)
    }
}
