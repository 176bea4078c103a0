import Foundation
import MocknetClient
import TestSupport
import Testing

@Suite("Starting and finding a world")
struct StartingTests {
    @Test("a program that does not start a world is an error with what it printed")
    func wrongArguments() async {
        let error = await #expect(throws: MocknetError.self) {
            try await TestedWorld.start(["--colour", "red"])
        }
        #expect(error?.description.contains("--colour") == true)
    }

    @Test("a world beyond loopback is called with its token")
    func token() async throws {
        let process = try await TestedWorld.start(["--listen", "0.0.0.0", "--control-token", "open-sesame"])
        defer { process.stop() }
        #expect(try await process.world.chain().height >= 1)
        let stranger = MocknetWorld(control: process.description.control)
        let error = await #expect(throws: MocknetError.self) { try await stranger.chain() }
        guard case .refused(401, _, _, _)? = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
    }

    @Test("the world of the environment is found")
    func attaching() async throws {
        let process = try await TestedWorld.start()
        defer { process.stop() }
        let environment = ["MOCKNET_CONTROL_URL": process.description.control.absoluteString]
        let world = try MocknetWorld.attach(environment: environment)
        #expect(try await world.describe().seed == 7)
    }

    @Test("an environment without a world is an error")
    func nothingToAttach() {
        #expect(
            throws: MocknetError.notStarted("MOCKNET_CONTROL_URL is not set; run this below: mocknet exec --")
        ) {
            try MocknetWorld.attach(environment: [:])
        }
        #expect(throws: MocknetError.self) {
            try MocknetWorld.attach(environment: ["MOCKNET_CONTROL_URL": "there"])
        }
    }

    @Test("stopping frees the world's ports")
    func stopping() async throws {
        let process = try await TestedWorld.start()
        process.stop()
        #expect(await !process.world.isReady())
    }
}
