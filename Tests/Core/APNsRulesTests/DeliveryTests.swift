import Determinism
import Testing

@testable import APNsRules

/// Devices behind the gateway, on a clock that a test moves.
private struct Surroundings {
    static let second = Surroundings.token("a")

    var directory = DeviceDirectory()
    var settings = DeliverySettings()
    /// Checks no provider token, whose age would otherwise matter.
    var gateway = APNsGateway(settings: APNsSettings(credentials: .off))
    var generator = SeededGenerator(seed: 1)
    var now = Push.now
    private var last: Int64 = 0

    static func token(_ digit: Character) -> String { String(repeating: digit, count: 64) }

    init(_ change: (inout DeviceReach) -> Void = { _ in }) {
        directory.issue(Push.token, to: "d1")
        reach(change)
    }

    mutating func reach(_ change: (inout DeviceReach) -> Void) {
        var reach = DeviceReach(token: Push.token)
        change(&reach)
        directory.update("d1", reach)
    }

    /// Pushes and says what became of it; `+60` is an expiration so many seconds later.
    @discardableResult
    mutating func push(
        _ headers: [(name: String, value: String)] = [],
        token: String = Push.token,
        expiresIn seconds: Int64? = nil,
        body: String = #"{"aps":{"alert":"x"}}"#
    ) throws -> DeviceDirectory.Outcome? {
        var fields = headers
        if let seconds {
            fields.append(
                ("apns-expiration", String(seconds == 0 ? 0 : now.unixMilliseconds / 1000 + seconds))
            )
        }
        let push = Push(path: "/3/device/\(token)", headers: fields, body: Array(body.utf8))
        var record = push.receive(by: &gateway, at: now).record
        try #require(record.isAccepted)
        last += 1
        record.sequence = last
        return directory.deliver(record, now: now, settings: settings, generator: &generator)
    }

    mutating func background(expiresIn seconds: Int64? = nil) throws -> PushDelivery.State? {
        try push([("apns-push-type", "background"), ("apns-priority", "5")], expiresIn: seconds)?.delivery
            .state
    }

    mutating func due() -> [Int] { directory.takeDue(now: now, settings: settings).map(\.push) }

    mutating func advance(seconds: Int64) { now = now.adding(milliseconds: seconds * 1000) }

    var waiting: [Int] { directory.waiting.map(\.push) }
    var nextDue: Timestamp? { directory.nextDue(now: now, settings: settings) }
}

@Suite("APNs: what becomes of an accepted push")
struct DeliveryTests {
    @Test("reaches a device that can be reached, whatever its priority")
    func delivers() throws {
        var world = Surroundings()
        for priority in ["10", "5", "1"] {
            let outcome = try #require(try world.push([("apns-priority", priority)], expiresIn: 0))
            #expect(outcome.delivery.state == .delivered && outcome.isHandedOver)
            #expect(outcome.delivery.device == "d1")
        }
        #expect(try world.push(token: Surroundings.second) == nil, "nobody has this token")
    }

    @Test("is discarded for an ended token, a missing app, and an app that may show nothing")
    func discards() throws {
        var world = Surroundings { $0.token = Surroundings.second }
        #expect(try world.push()?.delivery.state == .discarded)
        world.reach { $0.token = nil }
        #expect(try world.push()?.delivery.why == "the app is no longer on the device")
        world.reach { $0.showsNotifications = false }
        let outcome = try world.push()
        #expect(outcome?.delivery.why == "notifications are switched off on the device")
        #expect(outcome?.isHandedOver == false)
    }

    @Test("waits for a device without a network, the latest alone")
    func stores() throws {
        var world = Surroundings { $0.isOnline = false }
        #expect(try world.push()?.delivery.state == .stored)
        let later = try #require(try world.push())
        #expect(later.replaces == 1 && !later.isDeferred)
        #expect(world.waiting == [2])
        #expect(world.due() == [])
        #expect(world.nextDue == nil)
        world.reach { _ in }
        #expect(world.due() == [2])
        #expect(world.waiting == [])
        #expect(world.due() == [])
    }

    @Test("what waits is for nobody once notifications are off, as soon as its device could be given it")
    func refusesWaiting() throws {
        var world = Surroundings { $0.isOnline = false }
        try world.push()
        world.reach {
            $0.isOnline = false
            $0.showsNotifications = false
        }
        func refused() -> [(push: Int, why: String)] {
            world.directory.takeRefused(now: world.now, settings: world.settings)
        }
        #expect(refused().isEmpty, "not before the device is there")
        world.reach { $0.showsNotifications = false }
        let taken = refused()
        #expect(taken.map(\.push) == [1])
        #expect(taken.map(\.why) == ["notifications are switched off on the device"])
        #expect(world.waiting.isEmpty && world.due().isEmpty)
    }

    @Test("a collapse id does not make room for a second one that waits")
    func storesOne() throws {
        var world = Surroundings { $0.isOnline = false }
        try world.push([("apns-collapse-id", "a")])
        #expect(try world.push([("apns-collapse-id", "b")])?.replaces == 1)
    }

    @Test(
        "waits no longer than its expiration allows",
        arguments: [
            (0, false, 0), (-5, false, 0), (60, true, 59), (nil, true, 30 * 86_400),
            (40 * 86_400, true, 30 * 86_400),
        ]
            as [(Int64?, Bool, Int64)]
    )
    func expires(seconds: Int64?, isStored: Bool, life: Int64) throws {
        var world = Surroundings { $0.isOnline = false }
        let push = Push(
            headers: seconds.map { seconds in
                let expiration = seconds == 0 ? 0 : Push.now.unixMilliseconds / 1000 + seconds
                return [("apns-expiration", String(expiration))]
            } ?? []
        )
        let record = push.outcome().record
        let outcome = world.directory.deliver(
            record,
            now: world.now,
            settings: world.settings,
            generator: &world.generator
        )
        #expect(outcome?.delivery.state == (isStored ? .stored : .discarded))
        guard isStored else { return }
        world.advance(seconds: life)
        #expect(!DeviceDirectory.isExpired(record, now: world.now))
        world.advance(seconds: 1)
        #expect(DeviceDirectory.isExpired(record, now: world.now))
    }

    @Test("by lot, the earlier one stays where one waits already, and the seed decides")
    func storesByLot() throws {
        func states(seed: UInt64) throws -> [PushDelivery.State?] {
            var world = Surroundings { $0.isOnline = false }
            world.settings.storedChoice = .random
            world.generator = SeededGenerator(seed: seed)
            return try (0..<20).map { _ in try world.push()?.delivery.state }
        }
        let one = try states(seed: 1)
        #expect(try one == states(seed: 1))
        #expect(try one != states(seed: 2))
        #expect(one.first == .stored)
        #expect(one.contains(.discarded))
    }

    @Test("waits on a device that saves power unless its priority is 10")
    func savesPower() throws {
        var world = Surroundings { $0.isSavingPower = true }
        #expect(try world.push()?.delivery.state == .delivered)
        let low = try #require(try world.push([("apns-priority", "5")]))
        #expect(low.delivery.state == .stored)
        #expect(low.delivery.why == "the device saves power, and the priority is 5")
        #expect(try world.push([("apns-priority", "1")])?.replaces == 2, "there is room for one")
        #expect(try world.push([("apns-priority", "5")], expiresIn: 0)?.delivery.state == .discarded)
        #expect(try world.push()?.delivery.state == .delivered)
        #expect(world.due() == [])
        world.advance(seconds: 86_400)
        #expect(world.due() == [], "until it saves no more")
        world.reach { _ in }
        #expect(world.due() == [3])
    }

    @Test("what a device that saves power lets wait comes when the time set for it is over")
    func savesPowerForATime() throws {
        var world = Surroundings { $0.isSavingPower = true }
        world.settings.powerSavingSeconds = 900
        #expect(try world.push([("apns-priority", "5")])?.isDeferred == true)
        #expect(world.nextDue == world.now.adding(milliseconds: 900_000))
        world.advance(seconds: 899)
        #expect(world.due() == [])
        world.advance(seconds: 1)
        #expect(world.due() == [1])
    }

    @Test("a push of priority 10 that waited for the network comes also while the device saves power")
    func comesOnline() throws {
        var world = Surroundings { $0.isOnline = false }
        try world.push()
        world.reach { $0.isSavingPower = true }
        #expect(world.due() == [1])
    }

    @Test("three background pushes an hour are let through, and the newest of the others comes later")
    func throttles() throws {
        var world = Surroundings()
        for _ in 0..<3 {
            #expect(try world.background() == .delivered)
            world.advance(seconds: 60)
        }
        #expect(try world.background() == .throttled)
        #expect(try world.push([("apns-push-type", "background")])?.replaces == 4)
        #expect(try world.push()?.delivery.state == .delivered, "alerts are not counted")
        #expect(world.nextDue == Push.now.adding(milliseconds: 3_600_000))
        #expect(world.due() == [])
        world.advance(seconds: 3600 - 180)
        #expect(world.due() == [5])
        #expect(try world.background() == .throttled, "it has counted")
        world.advance(seconds: 60)
        #expect(world.due() == [7])
    }

    @Test("a clock that is set back does not throttle for ever")
    func clockBack() throws {
        var world = Surroundings()
        for _ in 0..<3 { _ = try world.background() }
        world.advance(seconds: -86_400)
        #expect(try world.background() == .delivered)
    }

    @Test("any number of background pushes is let through where no number is set")
    func throttlesNot() throws {
        var world = Surroundings()
        world.settings.backgroundPerHour = 0
        for _ in 0..<10 { #expect(try world.background() == .delivered) }
    }

    @Test("a background push is for nobody once the user has ended the app, an alert is")
    func forceQuit() throws {
        var world = Surroundings { $0.isForceQuit = true }
        #expect(try world.background() == .discarded)
        #expect(try world.push()?.delivery.state == .delivered)
    }

    @Test(
        "a push without a type is a background push when it only wakes the app",
        arguments: [
            (#"{"aps":{"content-available":1}}"#, true),
            (#"{"aps":{"content-available":1,"badge":1}}"#, false),
            (#"{"aps":{"content-available":0}}"#, false), (#"{"x":1}"#, false),
            (#"{"aps":{"content-available":1,"alert":"x"}}"#, false),
        ]
    )
    func knowsBackground(body: String, isBackground: Bool) {
        #expect(Push(body: Array(body.utf8)).outcome().record.isBackground == isBackground)
        let typed = Push(headers: [("apns-push-type", "alert")], body: Array(body.utf8))
        #expect(!typed.outcome().record.isBackground)
    }

    @Test("what waits can be taken away, and waits again after a restart")
    func resumes() throws {
        var world = Surroundings { $0.isOnline = false }
        try world.push()
        let taken = [(2, "d1"), (1, "d2"), (1, "d1")].map { world.directory.take($0.0, of: $0.1) }
        #expect(taken == [false, false, true])
        #expect(world.waiting == [])
        for (number, state) in [(7, PushDelivery.State.stored), (8, .throttled), (9, .delivered)] {
            var record = Push().outcome().record
            record.sequence = Int64(number)
            record.delivery = PushDelivery(state, device: "d1", at: Push.now)
            world.directory.resume(record)
        }
        #expect(world.waiting == [7, 8])
        #expect(world.directory.takeHeld(of: "d1") == 8)
        #expect(world.directory.takeAll(of: "d1") == [7])
        #expect(world.waiting == [])
    }
}

@Suite("APNs: too many pushes for one token")
struct TokenRateTests {
    private static func gateway(perSecond: Double, burst: Int64) -> APNsGateway {
        var settings = APNsSettings()
        settings.delivery.tokenRequestsPerSecond = perSecond
        settings.delivery.tokenRequestsBurst = burst
        return APNsGateway(settings: settings)
    }

    @Test("answers 429 beyond the burst, until time has passed, for that token alone")
    func limits() {
        var gateway = Self.gateway(perSecond: 2, burst: 3)
        for _ in 0..<3 { #expect(Push().receive(by: &gateway).answer == "200") }
        let refused = Push().receive(by: &gateway)
        #expect(refused.answer == "429 TooManyRequests")
        #expect(refused.record.verdict.rule == .tokenRate)
        #expect(refused.record.delivery?.state == .notDelivered)
        let upper = Push(path: "/3/device/\(Push.token.uppercased())").receive(by: &gateway)
        #expect(upper.answer == "429 TooManyRequests", "it is the same token")
        let other = Push(path: "/3/device/\(String(repeating: "a", count: 64))")
        #expect(other.receive(by: &gateway).answer == "200")
        let later = Push.now.adding(milliseconds: 499)
        #expect(Push().receive(by: &gateway, at: later).answer == "429 TooManyRequests")
        #expect(Push().receive(by: &gateway, at: later.adding(milliseconds: 1)).answer == "200")
        #expect(Push().receive(by: &gateway, at: later.adding(milliseconds: 1)).answer != "200")
    }

    @Test("counts no push that is refused anyway, nor one that a fault keeps from being processed")
    func countsAccepted() {
        var gateway = Self.gateway(perSecond: 0.001, burst: 1)
        #expect(Push(topic: nil).receive(by: &gateway).answer == "400 MissingTopic")
        let fault = APNsFault(
            ruleId: "f1",
            effect: .reject(status: 503, reason: "Shutdown", timestamp: nil)
        )
        _ = Push().receive(by: &gateway, fault: fault)
        #expect(Push().receive(by: &gateway).answer == "200")
        #expect(Push().receive(by: &gateway).answer == "429 TooManyRequests")
    }

    @Test("is off until asked for")
    func isOff() {
        var gateway = APNsGateway()
        for _ in 0..<200 { #expect(Push().receive(by: &gateway).answer == "200") }
    }

    @Test("forgets tokens rather than to grow without end")
    func isBounded() {
        var rates = TokenRates()
        var settings = DeliverySettings()
        settings.tokenRequestsPerSecond = 1
        settings.tokenRequestsBurst = 1
        for number in 0..<40_000 {
            let isLeft = rates.take("\(number)", now: Push.now, settings: settings)
            #expect(isLeft)
        }
    }
}
