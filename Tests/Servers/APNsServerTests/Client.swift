import Foundation
import OpenSSLCrypto
import TestSupport

/// A program that is not ours, run to its end.
struct ProgramResult {
    let status: Int32
    let output: String
}

/// Runs a program and takes what it prints on both streams.
func run(_ program: String, _ arguments: [String], input: String = "") throws -> ProgramResult {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    let (standardInput, output) = (Pipe(), Pipe())
    process.standardInput = standardInput
    process.standardOutput = output
    process.standardError = output
    try process.run()
    try? standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
    try? standardInput.fileHandleForWriting.close()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return ProgramResult(status: process.terminationStatus, output: String(decoding: data, as: UTF8.self))
}

/// The interpreter that has httpx, aioapns and h2: `MOCKNET_TEST_PYTHON`, which `scripts/test` sets.
private let interpreter =
    ProcessInfo.processInfo.environment["MOCKNET_TEST_PYTHON"]
    ?? Fixture.packageRoot + "/.build/test-python/bin/python"

let deviceToken = String(repeating: "0123456789abcdef", count: 4)
let payload = #"{"push-recipient":"U1","txn-id":"7","aps":{"alert":"x"}}"#

extension TestWorld {
    /// Runs a script, which finds `port`, `sandbox`, `ca`, `token` and `key` (a provider's, in PEM) defined.
    func python(_ script: String) throws -> ProgramResult {
        let head = """
            import sys
            port, sandbox = \(production), \(sandbox)
            ca, token = '\(authorityFile)', '\(deviceToken)'
            key = '''\(try P256PrivateKey().pem())'''

            """
        return try run(interpreter, ["-c", head + pythonPrelude + rawClient + script])
    }

    /// A provider token of this moment, signed by a key nobody knows.
    func providerToken() throws -> String {
        try python(
            "print(jwt.encode({'iss': 'TEAM123456',"
                + "'iat': int(time.time())}, key, 'ES256', {'kid': 'ABCDE12345'}))"
        )
        .output.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Runs curl with HTTP/2 against the production port.
    func curl(_ arguments: [String]) throws -> ProgramResult {
        try run(
            "/usr/bin/curl",
            ["-sS", "--http2", "--max-time", "20", "--cacert", authorityFile] + arguments
        )
    }

    /// curl's arguments for a correct push.
    func push(to path: String = "/3/device/" + deviceToken, host: String = "localhost") throws -> [String] {
        [
            "-i", "-H", "authorization: bearer \(try providerToken())", "-H", "apns-topic: im.example", "-d",
            payload,
            "https://\(host):\(production)\(path)",
        ]
    }
}

/// A bare HTTP/2 client over h2, for what finished clients cannot do.
private let pythonPrelude = """
    import socket, ssl, time, json, os, logging, jwt
    logging.disable(logging.CRITICAL)
    import h2.connection, h2.config, h2.events, h2.settings

    def bearer(): return 'bearer ' + jwt.encode({'iss': 'TEAM123456', 'iat': int(time.time())}, key, 'ES256', {'kid': 'ABCDE12345'})

    def tls(alpn=('h2',), name='localhost', to=None, session=None, context=None):
        context = context or ssl.create_default_context(cafile=ca)
        if alpn: context.set_alpn_protocols(list(alpn))
        raw = socket.create_connection(('127.0.0.1', to or port), timeout=20)
        return context.wrap_socket(raw, server_hostname=name, session=session)

    class Client:
        def __init__(self, **options):
            self.socket = tls(**options)
            self.h2 = h2.connection.H2Connection(h2.config.H2Configuration(validate_outbound_headers=False, normalize_outbound_headers=False))
            self.h2.initiate_connection()
            self.events = []
            self.flush()
        def flush(self): self.socket.sendall(self.h2.data_to_send())
        def headers(self, path=None, method='POST', extra=(), auth=None):
            return [(':method', method), (':scheme', 'https'), (':path', path or '/3/device/' + token), (':authority', 'localhost'),
                    ('authorization', auth or bearer()), ('apns-topic', 'im.example')] + list(extra)
        def push(self, body=b'{"aps":{}}', end=True, **options):
            stream = self.h2.get_next_available_stream_id()
            self.h2.send_headers(stream, self.headers(**options))
            if body: self.h2.send_data(stream, body, end_stream=end)
            elif end: self.h2.end_stream(stream)
            self.flush()
            return stream
        def read(self):
            data = self.socket.recv(65536)
            if not data: self.events.append(None)
            else: self.events += self.h2.receive_data(data)
            self.flush()
            return bool(data)
        def ending(self):
            # Below TLS, since Python's takes a RST for an orderly end.
            raw = socket.socket(fileno=os.dup(self.socket.fileno()))
            raw.settimeout(15)
            try:
                while raw.recv(65536): pass
                return 'EOF'
            except ConnectionResetError: return 'RST'
        def until(self, test, seconds=15):
            end = time.time() + seconds
            while time.time() < end:
                found = [e for e in self.events if test(e)]
                if found: return found[0]
                if None in self.events: break
                self.read()
            raise SystemExit('not seen; events: %r' % self.events)
        def answer(self, stream):
            self.until(lambda e: isinstance(e, (h2.events.StreamEnded, h2.events.StreamReset)) and e.stream_id == stream)
            status, body = None, b''
            for e in self.events:
                if isinstance(e, h2.events.ResponseReceived) and e.stream_id == stream: status = dict(e.headers).get(b':status', b'').decode()
                if isinstance(e, h2.events.DataReceived) and e.stream_id == stream: body += e.data
                if isinstance(e, h2.events.StreamReset) and e.stream_id == stream: return 'RST %d' % e.error_code
            return status + (' ' + json.loads(body)['reason'] if body else '')

    """
