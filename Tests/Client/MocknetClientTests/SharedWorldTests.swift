import MocknetClient
import XCTest

/// How tests with XCTest share one world, which is put back before each.
final class SharedWorldTests: XCTestCase {
    private static let starting = Task { try await TestedWorld.start() }

    private func world() async throws -> MocknetWorld { try await Self.starting.value.world }

    override func setUp() async throws {
        try await world().reset()
    }

    override class func tearDown() {
        let ended = XCTestExpectation(description: "the world has ended")
        Task {
            try? await starting.value.stop()
            ended.fulfill()
        }
        XCTWaiter().wait(for: [ended], timeout: 10)
    }

    func testTransferReachesItsRecipient() async throws {
        let world = try await world()
        let before = try await world.account("bob")
        let id = try await world.sendTransfer(150_000_000, from: "alice", to: "bob")
        let state = try await world.transaction(id)
        XCTAssertEqual(state.state, "forged")
        let after = try await world.account("bob")
        XCTAssertEqual(UInt64(after.balance), UInt64(before.balance).map { $0 + 150_000_000 })
    }

    func testEveryTestBeginsAnew() async throws {
        let transactions = try await world().transactions()
        XCTAssertEqual(transactions.map(\.id), [])
    }
}
