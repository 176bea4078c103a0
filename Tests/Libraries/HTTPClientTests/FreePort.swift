import Foundation

/// A port of loopback at which nobody listens.
enum FreePort {
    static func find() throws -> Int? {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c",
            "import socket; s = socket.socket(); s.bind(('127.0.0.1', 0)); print(s.getsockname()[1])",
        ]
        process.standardOutput = output
        try process.run()
        process.waitUntilExit()
        let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        return Int(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
}
