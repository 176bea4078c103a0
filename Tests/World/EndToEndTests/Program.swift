import Foundation
import TestSupport

/// A program that a test runs; what it prints goes to files in a folder of its own.
final class Program: Sendable {
    /// How a program ended: its exit status (128 + n after signal n) and what it printed.
    struct Ending: Sendable {
        let status: Int32
        let output: String
        let errors: String
    }

    /// Thrown when something does not come about in time.
    struct TimedOut: Error, CustomStringConvertible {
        let description: String
    }

    /// How long it may take to see that a world has stopped: that takes milliseconds, and 2 s at the most, but the
    /// tests beside it may keep the machine busy.
    static let stopSeconds: Double = 20

    private let process: Process
    private let outputFile: URL
    private let errorsFile: URL
    private let name: String

    /// Starts a program, found on the PATH unless it is a path.
    init(_ program: String, _ arguments: [String], environment: [String: String] = [:], in folder: Folder)
        throws
    {
        let number = UUID().uuidString
        outputFile = folder.url.appending(path: "\(number).out")
        errorsFile = folder.url.appending(path: "\(number).err")
        name = ([program] + arguments).joined(separator: " ")
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.currentDirectoryURL = folder.url
        process.environment = Self.inherited.merging(environment) { _, new in new }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try Self.create(outputFile)
        process.standardError = try Self.create(errorsFile)
        try process.run()
    }

    /// The environment of the tests without the settings of a world that a developer may have set.
    private static var inherited: [String: String] {
        var environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("MOCKNET_") }
        environment["PATH", default: "/usr/bin:/bin"] += ":/usr/sbin:/sbin"
        return environment
    }

    private static func create(_ file: URL) throws -> FileHandle {
        try Data().write(to: file)
        return try FileHandle(forWritingTo: file)
    }

    /// What it has printed so far.
    var output: String { (try? String(contentsOf: outputFile, encoding: .utf8)) ?? "" }

    /// What it has printed on standard error so far.
    var errors: String { (try? String(contentsOf: errorsFile, encoding: .utf8)) ?? "" }

    var isRunning: Bool { process.isRunning }

    var processIdentifier: Int32 { process.processIdentifier }

    /// Sends a signal, if it still runs.
    func signal(_ number: Int32) {
        if process.isRunning { kill(process.processIdentifier, number) }
    }

    /// Waits until it has ended; what runs longer is killed, and that is an error.
    func ending(within seconds: Double = 60) async throws -> Ending {
        do {
            try await waitUntil("'\(name)' ends", within: seconds) { !self.process.isRunning }
        } catch {
            signal(SIGKILL)
            throw TimedOut(description: "\(error); it printed: \(output)\(errors)")
        }
        let signalled = process.terminationReason == .uncaughtSignal
        let status = process.terminationStatus + (signalled ? 128 : 0)
        return Ending(status: status, output: output, errors: errors)
    }
}

/// Runs a program to its end.
func run(
    _ program: String,
    _ arguments: [String],
    environment: [String: String] = [:],
    within seconds: Double = 60
) async throws -> Program.Ending {
    let folder = try Folder()
    let program = try Program(program, arguments, environment: environment, in: folder)
    return try await program.ending(within: seconds)
}

/// Waits for a condition, with a limit.
func waitUntil(
    _ what: String,
    within seconds: Double = 10,
    _ condition: () async throws -> Bool
) async throws {
    let clock = ContinuousClock()
    let end = clock.now + .seconds(seconds)
    while try await !condition() {
        guard clock.now < end else { throw Program.TimedOut(description: "not within \(seconds) s: \(what)") }
        try await Task.sleep(for: .milliseconds(5))
    }
}

/// A temporary folder, removed with its last use.
final class Folder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "mocknet-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of the folder.
    var path: String { url.path }

    /// The path of a file in it.
    func path(_ name: String) -> String { url.appending(path: name).path }

    /// Writes a file and tells its path.
    func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: url.appending(path: name))
        return path(name)
    }
}
