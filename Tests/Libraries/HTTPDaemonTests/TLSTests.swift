import Foundation
import HTTPDaemon
import Synchronization
import Testing

/// Makes a certificate for 127.0.0.1 with the openssl program and prints it and its key.
private let makeIdentity = """
    import subprocess, sys, tempfile, os
    with tempfile.TemporaryDirectory() as d:
        c, k = os.path.join(d, 'c'), os.path.join(d, 'k')
        subprocess.run(['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256',
            '-nodes', '-days', '2', '-subj', '/CN=test', '-addext', 'subjectAltName=IP:127.0.0.1',
            '-keyout', k, '-out', c], check=True, stderr=subprocess.DEVNULL)
        print(open(c).read() + 'SPLIT' + open(k).read())

    """

/// Calls a path by TLS, trusting one certificate; tells a body, or how the connection ended.
private let call = """
    import socket, ssl, sys
    context = ssl.create_default_context(cadata=sys.argv[2])
    context.set_alpn_protocols(['h2', 'http/1.1'])
    def connect(host='127.0.0.1'):
        raw = socket.create_connection(('127.0.0.1', int(sys.argv[1])), timeout=5)
        return context.wrap_socket(raw, server_hostname=host)
    def read(s, path):
        s.sendall(b'GET ' + path.encode() + b' HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n')
        data = b''
        while b'\\r\\n\\r\\n' not in data or not data.split(b'\\r\\n\\r\\n', 1)[1]:
            part = s.recv(65536)
            if not part: return 'EOF'
            data += part
        return data.split(b'\\r\\n\\r\\n', 1)[1].decode()
    def end(path, fields=b'', records=None):
        # Python's own TLS sockets take a reset for an end.
        raw = socket.create_connection(('127.0.0.1', int(sys.argv[1])), timeout=5)
        coming, going = ssl.MemoryBIO(), ssl.MemoryBIO()
        tls = context.wrap_bio(coming, going, server_hostname='127.0.0.1')
        shakes, data = True, b''
        while True:
            try:
                if shakes:
                    tls.do_handshake()
                    shakes = False
                    tls.write(b'GET ' + path.encode() + b' HTTP/1.1\\r\\nHost: x\\r\\n' + fields + b'\\r\\n')
                while True:
                    part = tls.read(65536)
                    if not part: return 'EOF'
                    data += part
                    if records is not None: records.append(len(part))
                    body = data.split(b'\\r\\n\\r\\n', 1)
                    if len(body) == 2 and body[1] and records is None: return body[1].decode()
            except ssl.SSLWantReadError: pass
            except ssl.SSLZeroReturnError: return 'EOF'
            if going.pending: raw.sendall(going.read())
            try: part = raw.recv(65536)
            except ConnectionResetError: return 'RST'
            if not part: return 'EOF'
            coming.write(part)

    """

@Suite("HTTP daemon: TLS")
struct TLSTests {
    private static let identity = Result { () throws -> TLSIdentity in
        let parts = try python(makeIdentity).components(separatedBy: "SPLIT")
        return TLSIdentity(
            certificatePEM: try #require(parts.first),
            keyPEM: try #require(parts.last) + "\n"
        )
    }

    private func serve(
        _ script: String,
        handler: @escaping @Sendable (HTTPRequest) -> HTTPAction
    ) throws -> String {
        let identity = try Self.identity.get()
        let daemon = try HTTPDaemon(threads: 2)
        defer { daemon.stop() }
        try daemon.useTLS(identity)
        let listener = try daemon.listen(host: "127.0.0.1", port: 0, isSecure: true, handler: handler)
        return try python(call + script, String(listener.port), identity.certificatePEM)
    }

    @Test("answers at once and later, with the client's address, many times on one connection")
    func answers() throws {
        let output = try serve("s = connect(); print([read(s, p) for p in ('/a', '/later', '/b')])") {
            request in
            let text = request.path + " " + request.clientAddress
            return request.path == "/later"
                ? .later { $0.respond(HTTPResponse(status: 200, body: Array(text.utf8))) } : .text(text)
        }
        #expect(output == "['/a 127.0.0.1', '/later 127.0.0.1', '/b 127.0.0.1']")
    }

    @Test("resets with an RST, at once and later, and closes without one")
    func ends() throws {
        let paths = "('/reset', '/later/reset', '/close', '/later/close', '/')"
        let output = try serve("print([end(p) for p in \(paths)])") { request in
            switch request.path {
            case "/reset": .reset
            case "/later/reset": .later { $0.reset() }
            case "/close": .close
            case "/later/close": .later { $0.close() }
            default: .text("fine")
            }
        }
        #expect(output == "['RST', 'RST', 'EOF', 'EOF', 'fine']")
    }

    @Test("shrugs off plain HTTP, garbage and a handshake that is never finished")
    func survivesStrangers() throws {
        let script = """
            for junk in (b'GET / HTTP/1.1\\r\\n\\r\\n', b'\\x16\\x03\\x01\\xff\\xff', b'\\x00' * 5000):
                s = socket.create_connection(('127.0.0.1', int(sys.argv[1])), timeout=5); s.sendall(junk)
            print(end('/'))
            """
        #expect(try serve(script) { _ in .text("fine") } == "fine")
    }

    @Test("sends a stream piece by piece")
    func streams() throws {
        let output = try serve("print(end('/'))") { _ in
            .stream(HTTPStreamHead()) { stream in
                _ = stream.send(Array("piece".utf8))
                stream.finish()
            }
        }
        #expect(output.contains("piece"))
    }

    @Test("moves bodies of any size both ways, while a client that reads nothing keeps nobody waiting")
    func largeBodies() throws {
        let script = """
            import http.client, os
            body, told = os.urandom(1_500_000), []
            lazy = connect()
            lazy.sendall(b'GET /large HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n')
            c = http.client.HTTPSConnection('127.0.0.1', int(sys.argv[1]), context=context, timeout=30)
            for _ in range(3):
                c.request('POST', '/echo', body); told.append(c.getresponse().read() == body)
            size = 0
            while size < 8_000_000: size += len(lazy.recv(65536))
            print(told, size < 8_001_000)
            """
        var large = HTTPResponse(status: 200, body: Array(repeating: 65, count: 8_000_000))
        large.prepare()
        let answer = large
        let output = try serve(script) { request in
            .respond(request.path == "/large" ? answer : HTTPResponse(status: 200, body: request.body))
        }
        #expect(output == "[True, True, True] True")
    }

    private static let upgrade = "b'Connection: Upgrade\\r\\nUpgrade: echo\\r\\n'"

    @Test("hands over a socket whose messages come whole, and whose end may be an RST")
    func upgrades() throws {
        let script = """
            pieces = []
            print(end('/message', \(Self.upgrade), pieces), sum(pieces) > 10_000, len(pieces) <= 3,
                end('/abort', \(Self.upgrade)))
            """
        let output = try serve(script) { request in
            let aborts = request.path == "/abort"
            return .upgrade([("Upgrade", "echo")]) { socket in
                if aborts {
                    socket.abort()
                } else {
                    let file = FileHandle(fileDescriptor: socket.descriptor, closeOnDealloc: false)
                    try? file.write(contentsOf: Array(repeating: 65, count: 10_000))
                }
                socket.close()
                socket.abort()
            }
        }
        #expect(output == "EOF True True RST")
    }

    /// What a script prints of a server that answers `/large`, never another path, and refuses from `/refuse` on.
    private func outputAtRefusal(_ script: String) throws -> String {
        let refusing = Mutex<HTTPListener?>(nil)
        let identity = try Self.identity.get()
        let daemon = try HTTPDaemon(threads: 2)
        defer { daemon.stop() }
        try daemon.useTLS(identity)
        let listener = try daemon.listen(host: "127.0.0.1", port: 0, isSecure: true) { request in
            switch request.path {
            case "/refuse": refusing.withLock { $0?.setMode(.refuse) }
            case "/large":
                return .respond(HTTPResponse(status: 200, body: Array(repeating: 65, count: 16_000_000)))
            default: break
            }
            return .later { _ in }
        }
        refusing.withLock { $0 = listener }
        defer { refusing.withLock { $0 = nil } }
        return try python(call + script, String(listener.port), identity.certificatePEM)
    }

    @Test("notices a client that leaves while it waits, and resets those it has when it begins to refuse")
    func leaving() throws {
        let script = """
            s = connect()
            s.settimeout(30)
            s.sendall(b'GET /never HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n')
            s.unwrap()
            print('left', end('/refuse'))
            """
        #expect(try outputAtRefusal(script) == "left RST")
    }

    @Test("resets a client at once, though it takes nothing of a long answer")
    func resetsWhoReadsNothing() throws {
        // While one client reads all, the other's answer fills what there is of buffers.
        let script = """
            import select
            lazy = connect()
            lazy.sendall(b'GET /large HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n')
            eager, size = connect(), 0
            eager.settimeout(60)
            eager.sendall(b'GET /large HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n')
            while size < 16_000_000: size += len(eager.recv(65536))
            told, poll = end('/refuse'), select.poll()
            poll.register(lazy.fileno(), 0)
            print(told, [events & select.POLLERR != 0 for _, events in poll.poll(40_000)])
            """
        #expect(try outputAtRefusal(script) == "RST [True]")
    }

    @Test("sends what an upgraded socket was given before the server stops")
    func stopping() throws {
        let isUpgraded = Counter()
        let identity = try Self.identity.get()
        let daemon = try HTTPDaemon(threads: 2)
        try daemon.useTLS(identity)
        let listener = try daemon.listen(host: "127.0.0.1", port: 0, isSecure: true) { _ in
            .upgrade([("Upgrade", "echo")]) { socket in
                let file = FileHandle(fileDescriptor: socket.descriptor, closeOnDealloc: false)
                try? file.write(contentsOf: Array("goodbye".utf8))
                isUpgraded.raise()
            }
        }
        let client = Process()
        client.executableURL = URL(filePath: "/usr/bin/env")
        client.arguments = [
            "python3", "-c", call + "all = []; print(end('/', \(Self.upgrade), all), sum(all) > 50)",
            String(listener.port), identity.certificatePEM,
        ]
        let pipe = Pipe()
        client.standardOutput = pipe
        try client.run()
        while isUpgraded.value == 0, client.isRunning { usleep(1000) }
        daemon.stop()
        client.waitUntilExit()
        let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(output == "EOF True\n")
    }

    @Test("needs a certificate, and one that goes with its key")
    func refuses() throws {
        let daemon = try HTTPDaemon(threads: 1)
        defer { daemon.stop() }
        #expect(throws: HTTPDaemonError.unusableIdentity) {
            _ = try daemon.listen(host: "127.0.0.1", port: 0, isSecure: true) { _ in .close }
        }
        #expect(throws: HTTPDaemonError.unusableIdentity) {
            try daemon.useTLS(TLSIdentity(certificatePEM: "nothing", keyPEM: "nothing"))
        }
        try daemon.useTLS(Self.identity.get())
    }
}
