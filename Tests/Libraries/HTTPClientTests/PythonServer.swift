import Foundation

/// A raw-socket HTTP/1.1 server in a Python process; ends when released.
final class PythonServer: Sendable {
    private static let script = """
        import socket, struct, sys, threading, time
        listener = socket.create_server(("127.0.0.1", 0))
        print(listener.getsockname()[1], flush=True)

        def body(connection, number, text, extra=""):
            data = text.encode()
            head = f"HTTP/1.1 200 OK\\r\\nX-Connection: {number}\\r\\n{extra}Content-Length: {len(data)}\\r\\n\\r\\n"
            connection.sendall(head.encode() + data)

        def serve(connection, number):
            reader = connection.makefile("rb")
            while True:
                line = reader.readline().decode()
                if not line: return
                path, headers, length = line.split(" ")[1], [], 0
                while (header := reader.readline().decode().rstrip("\\r\\n")):
                    headers.append(header)
                    if header.lower().startswith("content-length:"): length = int(header.split(":")[1])
                sent = reader.read(length).decode()
                if path == "/resets": body(connection, number, str(len(resets)))
                if path == "/reset":
                    resets.append(number)
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                    reader.close(); connection.close(); return
                if path == "/close":
                    connection.shutdown(socket.SHUT_RDWR); return
                if path == "/half":
                    connection.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Length: 100\\r\\n\\r\\nhalf")
                    connection.shutdown(socket.SHUT_RDWR); return
                if path == "/hang": hanging.set(); time.sleep(60)
                if path == "/hanging": hanging.wait(); body(connection, number, "yes")
                if path == "/five": five.wait(); body(connection, number, "five")
                if path == "/big": body(connection, number, "x" * 5000)
                if path == "/early":
                    connection.sendall(b"HTTP/1.1 100 Continue\\r\\nX-Early: 1\\r\\n\\r\\n")
                    body(connection, number, "late", "X-Late:  two words \\r\\n")
                if path == "/events":
                    connection.sendall(b"HTTP/1.1 200 OK\\r\\nContent-Type: text/event-stream\\r\\n\\r\\n")
                    for index in range(3):
                        connection.sendall(f"data: {index}\\n\\n".encode()); time.sleep(0.02)
                    if "endless" not in sent: connection.shutdown(socket.SHUT_RDWR); return
                    time.sleep(60)
                if path == "/echo": body(connection, number, line + "\\n".join(headers) + "\\n\\n" + sent)

        def guarded(connection, number):
            try: serve(connection, number)
            except OSError: pass

        resets = []
        hanging = threading.Event()
        five = threading.Barrier(5)
        count = 0
        threading.Thread(target=lambda: (sys.stdin.read(), __import__("os")._exit(0)), daemon=True).start()
        while True:
            connection, _ = listener.accept()
            count += 1
            threading.Thread(target=guarded, args=(connection, count), daemon=True).start()
        """

    let port: Int
    private let process: Process
    /// The server ends when this is closed.
    private let input: Pipe

    init() throws {
        process = Process()
        input = Pipe()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["python3", "-c", Self.script]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        port = Int(line.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    }

    deinit { process.terminate() }

    func url(_ path: String) -> String { "http://127.0.0.1:\(port)\(path)" }
}
