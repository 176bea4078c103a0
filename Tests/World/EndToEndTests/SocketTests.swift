import Foundation
import JSONValue
import TestSupport
import Testing

/// A release of python-socketio in a Python of its own.
enum SocketIOClient: String, CaseIterable, Sendable {
    /// Speaks Engine.IO 4.
    case five = "5"
    /// Speaks Engine.IO 3.
    case four = "4"

    /// The Python that `scripts/test` installed it in; nil outside of it.
    var python: String? { ProcessInfo.processInfo.environment["MOCKNET_TEST_SOCKETIO_\(rawValue)"] }
}

@Suite(
    "Sockets with clients of others",
    .timeLimit(.minutes(3)),
    .enabled(if: SocketIOClient.allCases.allSatisfy { $0.python != nil }, "needs the Pythons of scripts/test")
)
struct SocketTests {
    @Test(
        "python-socketio hears what it subscribed to: both transports, upgrade, TLS, faults, switching",
        arguments: SocketIOClient.allCases
    )
    func socketIO(client: SocketIOClient) async throws {
        // Pools are filled with each block, not by the loop in between, which would tell of some transactions earlier.
        let world = try await RunningWorld(["--forging", "manual", "--block-interval", "1h", "--node-tls"])
        _ = try await Mocknet.client("sockets.py", [world.control], python: client.python, within: 120)
    }

    @Test("sockets of a node that lags tell what it knows, and forks are told without repeats")
    func moves() async throws {
        let world = try await RunningWorld([
            "--forging", "manual", "--block-interval", "1h", "--nodes", "2", "--node-version", "0.10",
        ])
        _ = try await Mocknet.client(
            "socket_moves.py",
            [world.control],
            python: SocketIOClient.five.python,
            within: 120
        )
    }

    @Test("websocket-client's bad frames and handshakes end themselves alone; 500 sockets are cheap")
    func frames() async throws {
        let world = try await RunningWorld(["--forging", "manual"])
        _ = try await Mocknet.client(
            "socket_frames.py",
            [world.control, String(world.program.processIdentifier)],
            python: SocketIOClient.five.python,
            within: 120
        )
    }

    @Test("a world with open sockets stops by itself, and tells them goodbye")
    func stopping() async throws {
        let world = try await RunningWorld()
        let listening = try await Mocknet.client(
            "socket_goodbye.py",
            [world.control, String(world.program.processIdentifier)],
            python: SocketIOClient.five.python
        )
        #expect(listening.output.contains("goodbye"))
        let ending = try await world.program.ending(within: 20)
        #expect(ending.status == 0, "\(ending.errors)")
    }
}
