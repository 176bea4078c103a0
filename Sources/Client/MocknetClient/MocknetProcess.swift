#if os(macOS) || os(Linux)
    public import Foundation

    /// A world in a process of its own, on free ports; it ends with the last use of this.
    public final class MocknetProcess: Sendable {
        /// The world that runs in it.
        public let world: MocknetWorld
        /// Its addresses, accounts and keys, as they were when it was ready.
        public let description: WorldDescription
        private let process: Process
        private let folder: URL

        /// Starts `mocknet up` and waits until every port answers.
        ///
        /// - Parameters:
        ///   - executable: the program; without one, `MOCKNET_EXECUTABLE` of the environment, else `mocknet` on the `PATH`.
        ///   - arguments: further flags of `mocknet up`, such as `["--nodes", "3", "--seed", "7"]`.
        ///   - timeout: the longest wait.
        /// - Returns: the process, whose world answers on every port.
        /// - Throws: ``MocknetError/notStarted(_:)`` with what the program printed.
        public static func start(
            executable: URL? = nil,
            arguments: [String] = [],
            timeout: Duration = .seconds(30)
        ) async throws -> MocknetProcess {
            let folder = FileManager.default.temporaryDirectory
                .appendingPathComponent("mocknet-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            do {
                return try await start(executable, arguments, timeout, in: folder)
            } catch {
                try? FileManager.default.removeItem(at: folder)
                throw error
            }
        }

        private static func start(
            _ executable: URL?,
            _ arguments: [String],
            _ timeout: Duration,
            in folder: URL
        ) async throws -> MocknetProcess {
            let ready = folder.appendingPathComponent("ready.json")
            let output = folder.appendingPathComponent("output")
            try Data().write(to: output)
            let handle = try FileHandle(forWritingTo: output)
            let process = Process()
            let environment = ProcessInfo.processInfo.environment
            let program = executable?.path ?? environment["MOCKNET_EXECUTABLE"] ?? "mocknet"
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            process.arguments = [program, "up", "--port-base", "0", "--ready-file", ready.path] + arguments
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = handle
            process.standardError = handle
            try process.run()
            let clock = ContinuousClock()
            let end = clock.now + timeout
            do {
                while !FileManager.default.fileExists(atPath: ready.path) {
                    guard process.isRunning, clock.now < end else {
                        let printed = (try? String(contentsOf: output, encoding: .utf8)) ?? ""
                        throw MocknetError.notStarted("'\(program) up' did not become ready: \(printed)")
                    }
                    try await Task.sleep(for: .milliseconds(5))
                }
                let description = try JSONDecoder().decode(
                    WorldDescription.self,
                    from: Data(contentsOf: ready)
                )
                let given = arguments.firstIndex(of: "--control-token").map { arguments[($0 + 1)...].first }
                let world = MocknetWorld(control: description.control, token: given ?? nil)
                return MocknetProcess(world, description, process, folder)
            } catch {
                if process.isRunning { process.terminate() }
                throw error
            }
        }

        private init(
            _ world: MocknetWorld,
            _ description: WorldDescription,
            _ process: Process,
            _ folder: URL
        ) {
            self.world = world
            self.description = description
            self.process = process
            self.folder = folder
        }

        /// Ends the process, and waits for its end.
        public func stop() {
            if process.isRunning {
                process.terminate()
                process.waitUntilExit()
            }
            try? FileManager.default.removeItem(at: folder)
        }

        deinit {
            if process.isRunning { process.terminate() }
            try? FileManager.default.removeItem(at: folder)
        }
    }
#endif
