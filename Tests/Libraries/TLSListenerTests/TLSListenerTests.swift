import Foundation
import OpenSSLCrypto
import Testing

@testable import TLSListener

/// A server's certificate; slow to make, and alike for all tests.
private let identity = Result {
    let now = Int64(Date().timeIntervalSince1970)
    return try CertificateAuthority(name: "Test", validFrom: now - 60, days: 2)
        .makeServerIdentity(
            name: "test",
            dnsNames: [],
            ipAddresses: ["127.0.0.1"],
            validFrom: now - 60,
            days: 1
        )
}

/// What serves connections that say nothing.
private final class Mute: TLSConnectionHandler {
    func receive(_ bytes: Span<UInt8>) {}
    func appendOutput(to buffer: inout [UInt8]) {}
    func connectionClosed() {}
    func listenerStops() {}
}

/// A loop that no thread runs, and clients of it that connect and wait for their end.
private final class IdleLoop {
    let loop: TLSLoop
    private let socket: ServerSocket
    private let client = Process()
    private let output = Pipe()

    init(clients: Int) throws {
        let identity = try identity.get()
        loop = try TLSLoop(
            shared: TLSLoopQueue(),
            context: TLSContext(
                certificatePEM: identity.certificatePEM,
                keyPEM: identity.keyPEM,
                negotiates: true
            ),
            maximumConnections: clients,
            handshakeStall: { _ in nil },
            makeHandler: { _ in Mute() }
        )
        socket = try ServerSocket(host: "127.0.0.1", port: 0, tunnels: nil)
        client.executableURL = URL(filePath: "/usr/bin/env")
        let script = """
            import socket, sys
            all = [socket.create_connection(('127.0.0.1', int(sys.argv[1])), 60) for _ in range(int(sys.argv[2]))]
            def end(s):
                try: return s.recv(1)
                except ConnectionResetError: return 'RST'
            print([end(s) for s in all])
            """
        client.arguments = ["python3", "-c", script, String(socket.port), String(clients)]
        client.standardOutput = output
        try client.run()
    }

    deinit {
        socket.close()
        loop.stop()
        loop.run()
    }

    /// The socket of the next client.
    func accept() throws -> Int32 {
        while client.isRunning {
            if let (descriptor, _) = socket.accept() { return descriptor }
            usleep(1000)
        }
        throw CancellationError()
    }

    func serve(_ descriptor: Int32) throws -> TLSConnection {
        try #require(loop.serve(descriptor, peer: "", of: socket))
    }

    /// How the clients' connections ended, in order.
    func ends() -> String {
        client.waitUntilExit()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }
}

@Suite("TLS listener", .timeLimit(.minutes(5)))
struct TLSListenerTests {
    @Test("resetting a connection that has ended leaves alone who has its descriptor by then")
    func resetsNobodyElse() throws {
        // Another test may be faster to take the number.
        for _ in 0..<100 {
            let clients = try IdleLoop(clients: 2)
            let connection = try clients.serve(try clients.accept())
            let other = try clients.accept()
            connection.close()
            let successor = fcntl(other, F_DUPFD_CLOEXEC, connection.socket)
            close(other)
            guard successor == connection.socket else {
                close(successor)
                continue
            }
            connection.reset()
            close(successor)
            #expect(clients.ends() == "[b'', b'']")
            return
        }
        Issue.record("no descriptor came again")
    }

    @Test("a connection with more to read stands once in the list of those that are read again")
    func readsAgainOnce() throws {
        let clients = try IdleLoop(clients: 1)
        let connection = try clients.serve(try clients.accept())
        for _ in 0..<3 { clients.loop.readAgain(connection) }
        #expect(clients.loop.unread.count == 1)
        connection.reset()
        #expect(clients.ends() == "['RST']")
    }

    @Test("takes no port after its end, and keeps none")
    func listensNoMore() throws {
        let identity = try identity.get()
        func makeListener() throws -> TLSListener {
            try TLSListener(certificatePEM: identity.certificatePEM, keyPEM: identity.keyPEM) { _ in Mute() }
        }
        let stopped = try makeListener()
        let port = try stopped.listen(host: "127.0.0.1", port: 0)
        stopped.stop()
        let error = #expect(throws: TLSListenerError.self) {
            _ = try stopped.listen(host: "127.0.0.1", port: port)
        }
        #expect(error?.code == .stopped)
        let other = try makeListener()
        #expect(try other.listen(host: "127.0.0.1", port: port) == port)
        other.stop()
    }

    @Test("closes a socket that comes while it ends")
    func listensTooLate() throws {
        let clients = try IdleLoop(clients: 0)
        let late = try ServerSocket(host: "127.0.0.1", port: 0, tunnels: nil)
        clients.loop.stop()
        clients.loop.add(late)
        let again = try ServerSocket(host: "127.0.0.1", port: late.port, tunnels: nil)
        again.close()
        #expect(clients.ends() == "[]")
    }

    @Test("gives back what came too late for the loop")
    func actionsTooLate() throws {
        let queue = try TLSLoopQueue()
        #expect(queue.perform { _ in })
        #expect(queue.loopEnded().count == 1)
        #expect(!queue.perform { _ in })
        #expect(queue.takeActions().isEmpty)
    }
}
