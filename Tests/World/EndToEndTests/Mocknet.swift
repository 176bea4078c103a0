import Foundation
import JSONValue
import TestSupport
import Testing

/// The built binary, and the tools it is tested with.
enum Mocknet {
    /// The release binary that `scripts/test` names, or the one that was built beside the tests.
    static let binary: String =
        ProcessInfo.processInfo.environment["MOCKNET_BINARY"] ?? Fixture.packageRoot + "/.build/debug/mocknet"

    /// The Python that has the clients of others; nil outside of `scripts/test`.
    static let python: String? = ProcessInfo.processInfo.environment["MOCKNET_TEST_PYTHON"]

    /// Whether the tests that take minutes run too.
    static let isLong = ProcessInfo.processInfo.environment["MOCKNET_LONG"] != nil

    /// Runs the binary to its end.
    static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        within seconds: Double = 60
    ) async throws -> Program.Ending {
        try await EndToEndTests.run(binary, arguments, environment: environment, within: seconds)
    }

    /// Runs one of the Python clients to its end, and fails with what it printed unless it succeeds.
    static func client(
        _ script: String,
        _ arguments: [String],
        python: String? = Mocknet.python,
        within seconds: Double = 60,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> Program.Ending {
        let python = try #require(python, sourceLocation: sourceLocation)
        let path = Fixture.packageRoot + "/Tests/World/EndToEndTests/clients/" + script
        let ending = try await EndToEndTests.run(
            python,
            [path] + arguments,
            environment: ["PYTHONDONTWRITEBYTECODE": "1"],
            within: seconds
        )
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)", sourceLocation: sourceLocation)
        return ending
    }
}

extension Trait where Self == ConditionTrait {
    /// Needs the Python clients that `scripts/test` installs.
    static var withPythonClients: Self {
        .enabled(if: Mocknet.python != nil, "needs the Python of scripts/test (MOCKNET_TEST_PYTHON)")
    }
}

/// A world that runs in a process of its own; it ends with the test.
final class RunningWorld: Sendable {
    /// What the ready file said.
    let addresses: JSONValue
    let program: Program
    let folder: Folder

    /// The path of the ready file.
    var worldFile: String { folder.path("ready.json") }

    /// Starts `up` on free ports and waits until every port answers.
    init(
        _ arguments: [String] = [],
        seed: Int? = 7,
        environment: [String: String] = [:]
    ) async throws {
        let folder = try Folder()
        let ready = folder.path("ready.json")
        let drawn = seed.map { ["--seed", String($0)] } ?? []
        let standard = ["up", "--port-base", "0", "--ready-file", ready] + drawn
        let program = try Program(Mocknet.binary, standard + arguments, environment: environment, in: folder)
        do {
            try await waitUntil("the world is ready", within: 20) {
                guard program.isRunning else {
                    throw Program.TimedOut(
                        description: "ended instead of starting: \(program.output)\(program.errors)"
                    )
                }
                return FileManager.default.fileExists(atPath: ready)
            }
        } catch {
            program.signal(SIGKILL)
            throw error
        }
        addresses = try JSONValue(parsing: String(contentsOfFile: ready, encoding: .utf8))
        self.program = program
        self.folder = folder
    }

    deinit {
        program.signal(SIGTERM)
    }

    /// The address of a node.
    func node(_ index: Int = 0) throws -> String {
        let nodes = try #require(addresses["nodes"]?.arrayValue)
        return try #require(nodes[index]["url"]?.stringValue)
    }

    var control: String { addresses["control"]?.stringValue ?? "" }
    var apns: String { addresses["apns"]?["production"]?.stringValue ?? "" }
    var sandbox: String { addresses["apns"]?["sandbox"]?.stringValue ?? "" }
    var certificateAuthority: String { addresses["caFile"]?.stringValue ?? "" }

    /// The address of an account by its name.
    func address(_ name: String) throws -> String {
        let accounts = try #require(addresses["accounts"]?.arrayValue)
        let account = try #require(accounts.first { $0["name"]?.stringValue == name })
        return try #require(account["address"]?.stringValue)
    }

    /// A call of the control API, by curl.
    func call(
        _ method: String,
        _ path: String,
        _ body: JSONValue? = nil,
        expecting status: Int = 200,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> JSONValue {
        let answer = try await curl(control + path, method: method, body: body)
        #expect(answer.status == status, "\(method) \(path): \(answer.body)", sourceLocation: sourceLocation)
        return try JSONValue(parsing: answer.body.isEmpty ? "null" : answer.body)
    }
}

/// An answer that curl got.
struct CurlAnswer: Sendable {
    let status: Int
    let body: String
}

/// A request by curl; fails when there is no answer.
func curl(_ url: String, method: String = "GET", body: JSONValue? = nil) async throws -> CurlAnswer {
    var arguments = ["-sS", "--max-time", "30", "-X", method, "-w", "\n%{http_code}", url]
    if let body {
        arguments += ["-H", "Content-Type: application/json", "--data-binary", body.text]
    }
    let ending = try await run("curl", arguments)
    #expect(ending.status == 0, "curl \(url): \(ending.errors)")
    let lines = ending.output.split(separator: "\n", omittingEmptySubsequences: false)
    let status = try #require(lines.last.flatMap { Int($0) })
    return CurlAnswer(status: status, body: lines.dropLast().joined(separator: "\n"))
}
