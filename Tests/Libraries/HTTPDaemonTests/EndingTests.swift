import Foundation
import HTTPDaemon
import Synchronization
import Testing

/// Opens a connection, sends a request, and tells how it ended: a body, `EOF` or `RST`.
private let end = """
    import socket, sys
    def end(port, path='/', wait=5):
        try:
            s = socket.create_connection(('127.0.0.1', int(port)), timeout=wait)
            s.sendall(b'GET ' + path.encode() + b' HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n')
            data = s.recv(65536)
            return data.split(b'\\r\\n\\r\\n')[-1].decode() if data else 'EOF'
        except ConnectionResetError: return 'RST'
        except ConnectionRefusedError: return 'REFUSED'
        except socket.timeout: return 'TIMEOUT'

    """

@Suite("HTTP daemon: ending connections")
struct EndingTests {
    @Test("resets with an RST and closes with a FIN, at once and later")
    func resetAndClose() throws {
        let server = try Server { request in
            switch request.path {
            case "/reset": .reset
            case "/close": .close
            case "/later/reset": .later { $0.reset() }
            case "/later/close": .later { $0.close() }
            default: .text("fine")
            }
        }
        let output = try python(
            end
                + "for p in ('/reset', '/close', '/later/reset', '/later/close', '/'): print(end(sys.argv[1], p))",
            server.port
        )
        #expect(output == "RST\nEOF\nRST\nEOF\nfine")
    }

    @Test("resets later, after the connection waited")
    func resetAfterWaiting() throws {
        let daemon = try HTTPDaemon(threads: 1)
        defer { daemon.stop() }
        let listener = try daemon.listen(host: "127.0.0.1", port: 0) { request in
            .later { replier in
                daemon.after(milliseconds: 30) {
                    request.path == "/reset" ? replier.reset() : replier.close()
                }
            }
        }
        let output = try python(
            end + "print(end(sys.argv[1], '/reset'), end(sys.argv[1], '/close'))",
            String(listener.port)
        )
        #expect(output == "RST EOF")
    }

    @Test("refuses, swallows and serves again, on the same port")
    func modes() throws {
        let server = try Server { _ in .text("fine") }
        let kept = try python(end + "print(end(sys.argv[1]))", server.port)
        server.listener.setMode(.refuse)
        let refused = try python(end + "print(end(sys.argv[1]))", server.port)
        server.listener.setMode(.blackHole)
        let swallowed = try python(end + "print(end(sys.argv[1], wait=0.3))", server.port)
        server.listener.setMode(.normal)
        let served = try python(end + "print(end(sys.argv[1]))", server.port)
        #expect([kept, refused, swallowed, served] == ["fine", "REFUSED", "TIMEOUT", "fine"])
    }

    @Test("resets the connections it has when it begins to refuse")
    func refuseResetsLive() throws {
        let server = try Server { _ in .text("fine") }
        let listener = server.listener
        let control = try server.daemon.listen(host: "127.0.0.1", port: 0) { _ in
            listener.setMode(.refuse)
            return .text("done")
        }
        let output = try python(
            end + """
                s = socket.create_connection(('127.0.0.1', int(sys.argv[1])), timeout=5)
                s.sendall(b'GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n'); s.recv(1000)
                end(sys.argv[2])
                try: print(s.recv(1000))
                except ConnectionResetError: print('RST')
                """,
            server.port,
            String(control.port)
        )
        #expect(output == "RST")
    }

    @Test("stops while connections wait, stream, idle and hang half-way")
    func stopping() throws {
        let daemon = try HTTPDaemon(threads: 2)
        let waiting = Mutex(0)
        let listener = try daemon.listen(host: "127.0.0.1", port: 0) { request in
            if request.path == "/count" { return .text(String(waiting.withLock { $0 })) }
            if request.path == "/stop" {
                Thread.detachNewThread { daemon.stop() }
                return .later { _ in waiting.withLock { $0 += 1 } }
            }
            if request.path == "/stream" {
                return .stream(HTTPStreamHead()) { _ in waiting.withLock { $0 += 1 } }
            }
            return .later { _ in waiting.withLock { $0 += 1 } }
        }
        let output = try python(
            end + """
                import time
                port = int(sys.argv[1]); kept = []
                for n in range(20):
                    for text in (b'GET /later HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n', b'', b'GET /half HTTP',
                                 b'GET /stream HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n'):
                        s = socket.create_connection(('127.0.0.1', port), timeout=5); s.sendall(text)
                        kept.append(s)
                while int(end(port, '/count')) < 40: pass
                end(port, '/stop')
                def last(s):
                    try:
                        while s.recv(1000): pass
                        return 'ended'
                    except ConnectionResetError: return 'ended'
                    except socket.timeout: return 'open'
                print(set(last(s) for s in kept))
                """,
            String(listener.port)
        )
        #expect(output == "{'ended'}")
        daemon.stop()
    }

    @Test("streams pieces, notices a client that left, and ends when told")
    func streams() throws {
        let closed = Mutex(false)
        let daemon = try HTTPDaemon(threads: 1)
        defer { daemon.stop() }
        let listener = try daemon.listen(host: "127.0.0.1", port: 0) { request in
            if request.path == "/closed" { return .text(String(closed.withLock { $0 })) }
            return .stream(HTTPStreamHead(headers: [("Content-Type", "text/event-stream")])) { stream in
                stream.onClose { if request.path == "/endless" { closed.withLock { $0 = true } } }
                @Sendable func next(_ number: Int) {
                    daemon.after(milliseconds: 1) {
                        guard stream.send(Array("piece \(number)\n".utf8)) else { return }
                        if number == 50, request.path == "/fifty" {
                            stream.finish()
                        } else {
                            next(number + 1)
                        }
                    }
                }
                next(1)
            }
        }
        let output = try python(
            end + """
                import http.client
                c = http.client.HTTPConnection('127.0.0.1', int(sys.argv[1]), timeout=5); c.request('GET', '/fifty')
                r = c.getresponse(); text = r.read().decode()
                print(r.getheader('content-type'), text == ''.join('piece %d\\n' % n for n in range(1, 51)))
                s = socket.create_connection(('127.0.0.1', int(sys.argv[1])), timeout=5)
                s.sendall(b'GET /endless HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n'); s.recv(100); s.close()
                while end(sys.argv[1], '/closed') != 'true': pass
                print('noticed')
                """,
            String(listener.port)
        )
        #expect(output == "text/event-stream True\nnoticed")
    }

    @Test("drops a stream whose client does not read")
    func backpressure() throws {
        let dropped = Mutex(false)
        let server = try Server { request in
            if request.path == "/dropped" { return .text(String(dropped.withLock { $0 })) }
            return .stream(HTTPStreamHead()) { stream in
                Thread.detachNewThread {
                    let piece = [UInt8](repeating: 120, count: 100_000)
                    while stream.send(piece) {}
                    dropped.withLock { $0 = true }
                }
            }
        }
        let output = try python(
            end + """
                s = socket.create_connection(('127.0.0.1', int(sys.argv[1])), timeout=5)
                s.sendall(b'GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n')
                while end(sys.argv[1], '/dropped') != 'true': pass
                print('dropped')
                """,
            server.port
        )
        #expect(output == "dropped")
    }

    @Test("lets go of a waiting connection whose client has left")
    func clientLeaves() throws {
        let ended = Mutex(false)
        let server = try Server { request in
            if request.path == "/ended" { return .text(String(ended.withLock { $0 })) }
            return .later { replier in
                Thread.detachNewThread {
                    while !replier.isDecided { usleep(10_000) }
                    ended.withLock { $0 = true }
                }
            }
        }
        let output = try python(
            end + """
                print(end(sys.argv[1], '/', wait=0.2))
                while end(sys.argv[1], '/ended') != 'true': pass
                print('noticed')
                """,
            server.port
        )
        #expect(output == "TIMEOUT\nnoticed")
    }
}
