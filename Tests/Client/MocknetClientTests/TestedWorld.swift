import Foundation
import MocknetClient
import TestSupport

/// The program that the tests start.
enum TestedWorld {
    static let executable = URL(
        fileURLWithPath: ProcessInfo.processInfo.environment["MOCKNET_BINARY"]
            ?? Fixture.packageRoot + "/.build/debug/mocknet"
    )

    /// A world in which what is sent is in a block at once.
    static func start(_ arguments: [String] = []) async throws -> MocknetProcess {
        try await MocknetProcess.start(
            executable: executable,
            arguments: ["--seed", "7", "--forging", "instant"] + arguments
        )
    }
}
