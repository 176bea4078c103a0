import MocknetClient
import Testing

/// How a service's or an app's tests use the library with Swift Testing.
@Suite("A test of a notification service")
struct StoryTests {
    @Test("a message to a registered device is pushed and shown")
    func messageIsShown() async throws {
        let process = try await TestedWorld.start(["--ans", "as-deployed"])
        defer { process.stop() }
        let world = process.world
        try await world.changeNotificationService(pollSeconds: 0.05)

        let phone = try await world.makeDevice("phone", owner: "bob")
        #expect(phone.believesRegistered)
        try await world.pollNotificationService()
        let id = try await world.sendMessage("Lunch at noon?", from: "alice", to: "bob")
        let push = try await world.waitForPush(PushFilter(token: phone.token, transactionId: id))

        #expect(push.status == 200)
        #expect(push.recipient == phone.owner)
        #expect(push.headers["apns-topic"] == "im.adamant.adamant-messenger")
        #expect(push.payload["aps"]?["mutable-content"]?.integerValue == 1)
        let banner = try await world.waitForBanner(on: "phone")
        #expect(banner.body == "Lunch at noon?")
        let error = await #expect(throws: MocknetError.self) {
            try await world.waitForBanner(on: "phone", containing: "Dinner", seconds: 1)
        }
        #expect(error == .timedOut("no such banner within 1 s; phone showed “Lunch at noon?”"))
    }

    @Test("a push that does not come is an error that tells what did")
    func missingPushIsTold() async throws {
        let process = try await TestedWorld.start()
        defer { process.stop() }
        let error = await #expect(throws: MocknetError.self) {
            try await process.world.waitForPush(PushFilter(status: 410), seconds: 1)
        }
        #expect(error == .timedOut("0 of 1 pushes within 1 s; APNs got: nothing"))
    }
}
