import Determinism
import JSONValue
import Simulators
import Testing

@Suite("Device: what becomes of notifications")
struct NotificationTests {
    /// A device of an app without a service, at half past ten in the evening.
    private static var phone: Phone {
        var phone = Phone { $0.service = nil }
        phone.now = Timestamp(rfc3339: "2026-01-01T22:30:00.000Z")!
        return phone
    }

    private static func payload(_ body: String, _ members: String = "") -> String {
        #"{"aps":{"alert":{"title":"Pump 3","body":"\#(body)"},"sound":"default"\#(members)}}"#
    }

    @Test(
        "in quiet hours only what is urgent is shown, the rest is listed silently",
        arguments: [
            ("", true), (#","interruption-level":"active""#, true), (#","interruption-level":"loud""#, true),
            (#","interruption-level":"time-sensitive""#, false),
            (#","interruption-level":"critical""#, false),
        ]
    )
    func quiets(members: String, isListed: Bool) throws {
        var phone = Self.phone
        try phone.do(.quiet(QuietHours(from: "22:00", to: "07:00")))
        phone.receive(Self.payload("hot", members))
        let banner = try #require(phone.snapshot.banners.first)
        #expect(banner.listed == isListed)
        #expect(banner.silent == isListed)
        #expect(banner.why == (isListed ? "quiet hours from 22:00 to 07:00" : nil))
        #expect(phone.events.last?.kind == (isListed ? "device.banner-listed" : "device.banner-shown"))
        try phone.do(.quiet(nil))
        phone.receive(Self.payload("hot", members))
        #expect(phone.snapshot.banners.last?.listed == false)
    }

    @Test(
        "quiet hours begin and end on the minute, over midnight too",
        arguments: [
            ("22:00", "07:00", "22:00:00", true), ("22:00", "07:00", "21:59:59", false),
            ("22:00", "07:00", "00:00:00", true), ("22:00", "07:00", "06:59:59", true),
            ("22:00", "07:00", "07:00:00", false), ("09:30", "17:00", "09:29:59", false),
            ("09:30", "17:00", "09:30:00", true), ("09:30", "17:00", "17:00:00", false),
        ]
    )
    func hours(from: String, to: String, time: String, isQuiet: Bool) throws {
        let hours = try #require(QuietHours(from: from, to: to))
        for day in ["1969-12-31", "2026-01-01"] {
            let moment = try #require(Timestamp(rfc3339: "\(day)T\(time).000Z"))
            #expect(hours.contains(moment) == isQuiet)
        }
    }

    @Test(
        "what are no quiet hours are none",
        arguments: [
            ("22:00", "22:00"), ("24:00", "07:00"), ("22:60", "07:00"), ("2:00", "07:00"), ("", ""),
            ("22:00:00", "07:00"), ("٢٢:00", "07:00"), ("-1:00", "07:00"), ("22.00", "07.00"),
        ]
    )
    func refusesHours(from: String, to: String) {
        #expect(QuietHours(from: from, to: to) == nil)
    }

    @Test("a passive notification is listed, and one of priority 1 wakes no screen")
    func lists() {
        var phone = Self.phone
        phone.receive(Self.payload("a", #","interruption-level":"passive""#))
        phone.receive(Self.payload("b"), priority: 1)
        phone.receive(Self.payload("c"), priority: 5)
        #expect(phone.snapshot.banners.map(\.listed) == [true, true, false])
        #expect(
            phone.snapshot.banners.map(\.why) == [
                "its interruption level is passive", "priority 1 never wakes a device", nil,
            ]
        )
    }

    @Test("a collapse id takes the place of what is shown, not of what was replaced, nor of others")
    func collapses() {
        var phone = Self.phone
        phone.receive(Self.payload("alarm"), collapseId: "pump")
        phone.receive(Self.payload("other"), collapseId: "door")
        phone.receive(Self.payload("plain"))
        phone.receive(Self.payload("all clear"), collapseId: "pump")
        phone.receive(Self.payload("all clear again"), collapseId: "pump")
        let banners = phone.snapshot.banners
        #expect(banners.map { $0.replacedAt != nil } == [true, false, false, true, false])
        let replaced = phone.events.compactMap { event -> [Int?]? in
            guard case .bannerReplaced(let banner, let later) = event else { return nil }
            return [banner.push?.number, later?.number]
        }
        #expect(replaced == [[1, 4], [4, 5]])
    }

    @Test("notifications of one thread are one group, that with the newest first")
    func groups() {
        var phone = Self.phone
        phone.receive(Self.payload("1", #","thread-id":"pumps""#))
        phone.receive(Self.payload("2"))
        phone.receive(Self.payload("3", #","thread-id":"doors""#), collapseId: "a")
        phone.receive(Self.payload("4", #","thread-id":"pumps""#))
        phone.receive(Self.payload("5", #","thread-id":"doors""#), collapseId: "a")
        let groups = phone.snapshot.json["groups"]?.arrayValue ?? []
        #expect(groups.map { $0["threadId"] ?? .null } == ["doors", "pumps", .null])
        #expect(groups.map { $0["count"]?.intValue } == [1, 2, 1])
        #expect(
            groups.map { $0["lines"] ?? .null } == [["Pump 3", "5"], ["Pump 3", "4"], ["Pump 3", "2"]]
        )
    }

    @Test("a locked phone shows a line of the title and a line of the text")
    func lines() {
        var phone = Self.phone
        phone.receive(Self.payload(String(repeating: "x", count: 60)))
        #expect(phone.snapshot.banners.first?.lines == ["Pump 3", String(repeating: "x", count: 39) + "…"])
        #expect(phone.snapshot.banners.first?.body?.count == 60)
    }

    @Test("of each push of which nothing is shown, the reason is kept")
    func notShown() throws {
        var phone = Self.phone
        phone.receive(#"{"aps":{"content-available":1},"txn-id":"7"}"#)
        try phone.do(.deny)
        phone.receive(Self.payload("x"))
        try phone.do(.offline)
        phone.receive(Self.payload("x"))
        let name = PushName(id: "p", number: 9)
        phone.device.noteLost(
            UnshownPush(at: phone.now, push: name, transactionId: "8", why: "its time was over")
        )
        try phone.do(.uninstall)
        phone.receive(Self.payload("x"))
        #expect(
            phone.snapshot.notShown.map(\.why) == [
                "nothing to show", "notifications are switched off", "no network", "its time was over",
                "the app is not installed",
            ]
        )
        #expect(phone.snapshot.notShown.map { $0.push?.number } == [1, 2, 3, 9, 4])
        #expect(phone.snapshot.notShown.first?.transactionId == "7")
        #expect(phone.snapshot.banners.isEmpty)
        for _ in 0..<200 { phone.receive("{}") }
        #expect(phone.snapshot.notShown.count == Device.maximumUnshown)
    }

    @Test("the user's end of the app lasts until it is opened, or installed again")
    func forceQuit() throws {
        var phone = Self.phone
        try phone.do(.forceQuit)
        #expect(phone.snapshot.isForceQuit && !phone.snapshot.isRunning)
        phone.receive(Self.payload("x"))
        #expect(phone.snapshot.banners.count == 1, "an alert is shown all the same")
        try phone.do(.launch)
        #expect(!phone.snapshot.isForceQuit)
        try phone.do(.forceQuit)
        try phone.do(.reinstall(token: token(2)))
        #expect(!phone.snapshot.isForceQuit)
        try phone.do(.uninstall)
        #expect(throws: DeviceRefusal.self) { try phone.do(.forceQuit) }
    }

    @Test("all of it is there again after a restart")
    func keeps() throws {
        var phone = Self.phone
        try phone.do(.quiet(QuietHours(from: "22:00", to: "07:00")))
        try phone.do(.savePower(true))
        phone.receive(Self.payload("a", #","thread-id":"t""#), collapseId: "c")
        phone.receive(Self.payload("b"), collapseId: "c")
        phone.receive("{}")
        try phone.do(.forceQuit)
        let again = try #require(
            Device(
                stateJSON: phone.device.stateJSON,
                seed: 1,
                generation: 2,
                cryptography: Keys.cryptography
            )
        )
        #expect(again.snapshot.json == phone.snapshot.json)
        #expect(again.snapshot.banners == phone.snapshot.banners)
    }

    @Test(
        "a number of lost pushes that cannot be counted on from is forgotten",
        arguments: [.max, .min, -1] as [Int64]
    )
    func boundsLost(kept: Int64) throws {
        var state = try #require(Self.phone.device.stateJSON.objectValue)
        state["lostSinceDelivery"] = .int(kept)
        var device = try #require(
            Device(stateJSON: .object(state), seed: 1, generation: 2, cryptography: Keys.cryptography)
        )
        device.noteLost(UnshownPush(at: .epoch, push: nil, transactionId: nil, why: "lost"))
        #expect(device.snapshot.lostSinceDelivery == 1)
    }
}
