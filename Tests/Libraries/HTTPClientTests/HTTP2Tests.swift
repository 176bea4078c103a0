import Foundation
import Testing

@testable import HTTPClient

/// `nghttpd` on a port of loopback, with a certificate of its own; ends when released.
private final class HTTP2Server: Sendable {
    static let isAvailable = ["nghttpd", "openssl"].allSatisfy { run("command", ["-v", $0]) }

    let port: Int
    let folder: String
    private let process = Process()

    init() throws {
        folder = NSTemporaryDirectory() + "mocknet-http2-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"]
        let key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1"]
        for name in ["server", "other"] {
            let files = ["-keyout", "\(folder)/\(name).key", "-out", "\(folder)/\(name).pem"]
            _ = Self.run("openssl", ["req", "-x509"] + key + subject + files)
        }
        try Data("hello".utf8).write(to: URL(filePath: folder + "/file"))
        port = try #require(try FreePort.find())
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [
            "nghttpd", "-d", folder, "\(port)", folder + "/server.key", folder + "/server.pem",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        let client = HTTPClient()
        for _ in 0..<1000 {
            do throws(HTTPClientError) {
                _ = try client.send(HTTPClientRequest(url: "http://127.0.0.1:\(port)/"))
                break
            } catch  where error == .connectionRefused {
                continue
            } catch { break }
        }
    }

    deinit {
        // Its threads may have come with SIGTERM blocked.
        kill(process.processIdentifier, SIGKILL)
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func run(_ tool: String, _ arguments: [String]) -> Bool {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "\"$0\" \"$@\"", tool] + arguments
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }
}

@Suite("HTTP client: HTTP/2 over TLS", .enabled(if: HTTP2Server.isAvailable))
struct HTTP2Tests {
    @Test("speaks HTTP/2 with a server whose authority it was given, many requests at once")
    func speaksHTTP2() throws {
        let server = try HTTP2Server()
        let client = HTTPClient(options: .init(caFile: server.folder + "/server.pem", httpVersion: .http2))
        let request = HTTPClientRequest(url: "https://127.0.0.1:\(server.port)/file")
        for isFresh in [false, true] {
            var request = request
            request.usesFreshConnection = isFresh
            let results = client.sendAll(Array(repeating: request, count: 20))
            for result in results {
                let response = try result.get()
                #expect(response.status == 200)
                #expect(response.httpVersion == "2")
                #expect(response.body == Array("hello".utf8))
            }
        }
    }

    @Test("hands over each answer with its place")
    func handsOver() throws {
        let server = try HTTP2Server()
        let client = HTTPClient(options: .init(caFile: server.folder + "/server.pem", httpVersion: .http2))
        let urls = ["file", "none", "file"].map { "https://127.0.0.1:\(server.port)/\($0)" }
        var statuses: [Int: Int] = [:]
        client.sendAll(urls.map { HTTPClientRequest(url: $0) }) { index, result in
            statuses[index] = (try? result.get())?.status
        }
        #expect(statuses == [0: 200, 1: 404, 2: 200])
    }

    @Test("refuses a server whose authority it was not given")
    func refusesUnknown() throws {
        let server = try HTTP2Server()
        let client = HTTPClient(options: .init(caFile: server.folder + "/other.pem", httpVersion: .http2))
        do throws(HTTPClientError) {
            _ = try client.send(HTTPClientRequest(url: "https://127.0.0.1:\(server.port)/file"))
            Issue.record("trusted")
        } catch {
            guard case .tls = error else {
                Issue.record("\(error)")
                return
            }
        }
    }
}
