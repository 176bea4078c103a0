import Foundation
import HTTPDaemon
import Synchronization
import Testing

@Suite("HTTP daemon: other protocols")
struct UpgradeTests {
    /// Sends a request to change the protocol with some bytes behind it, and shows what comes back.
    private static let upgrade = """
        import socket, sys
        def upgrade(port, behind=b'', fields=b'Connection: Upgrade\\r\\nUpgrade: echo\\r\\n', version=b'1.1'):
            s = socket.create_connection(('127.0.0.1', int(port)), timeout=10)
            s.sendall(b'GET / HTTP/' + version + b'\\r\\nHost: x\\r\\n' + fields + b'\\r\\n' + behind)
            data = b''
            try:
                while part := s.recv(65536): data += part
            except ConnectionResetError: return 'RST'
            return data.decode()

        """

    @Test("hands over the socket with what was sent behind the request, and closes it when told so")
    func handsOver() throws {
        let received = Mutex<[String]>([])
        let server = try Server { _ in
            .upgrade([("Upgrade", "echo"), ("X-Thing", "1")]) { socket in
                received.withLock { $0.append(String(decoding: socket.received, as: UTF8.self)) }
                _ = FileHandle(fileDescriptor: socket.descriptor, closeOnDealloc: false)
                    .writeAll("hello")
                socket.close()
                socket.close()
            }
        }
        let output = try python(
            Self.upgrade + "print(upgrade(sys.argv[1], b'abc')); print(upgrade(sys.argv[1]))",
            server.port
        )
        let answers = output.components(separatedBy: "HTTP/1.1 101 ").dropFirst()
        #expect(answers.count == 2)
        for answer in answers {
            let lines = answer.lowercased()
            #expect(lines.contains("upgrade: echo") && lines.contains("connection: upgrade"), "\(answer)")
            #expect(
                lines.contains("x-thing: 1") && lines.hasSuffix("hello") || lines.hasSuffix("hello\n"),
                "\(answer)"
            )
        }
        #expect(received.withLock { $0 } == ["abc", ""])
    }

    @Test("closes what was handed over and never closed when the server stops")
    func stopping() throws {
        let count = Counter()
        let server = try Server { _ in
            .upgrade([("Upgrade", "echo")]) { _ in count.raise() }
        }
        let listener = server.listener
        let client = Process()
        client.executableURL = URL(filePath: "/usr/bin/env")
        client.arguments = [
            "python3", "-c", Self.upgrade + "print('101' in upgrade(sys.argv[1]))", String(listener.port),
        ]
        let pipe = Pipe()
        client.standardOutput = pipe
        try client.run()
        while count.value == 0, client.isRunning { usleep(1000) }
        server.daemon.stop()
        client.waitUntilExit()
        #expect(String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) == "True\n")
    }

    @Test("ends the connection of a client that cannot change the protocol")
    func oldClient() throws {
        let server = try Server { _ in .upgrade([("Upgrade", "echo")]) { $0.close() } }
        let output = try python(
            Self.upgrade + "print(upgrade(sys.argv[1], version=b'1.0')[:12])",
            server.port
        )
        #expect(!output.contains("101"))
    }
}

extension FileHandle {
    fileprivate func writeAll(_ text: String) -> Bool { (try? write(contentsOf: Data(text.utf8))) != nil }
}
