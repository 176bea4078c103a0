import JSONValue
import TestSupport
import Testing
import WorldRuntime

@Suite("World: what becomes of pushes")
struct DeliveryTests {
    private static let topic = "com.example.alerts"

    /// A world with a device of a service that alerts its own users: no account, no node.
    private static func world(clock: String? = nil) throws -> (RunningWorld, token: String) {
        let running = try RunningWorld()
        try running.patch("/v1/apns", ["credentials": "off"])
        if let clock { try running.patch("/v1/clock", ["now": .string(clock), "frozen": true]) }
        let device = try running.post("/v1/devices", ["topic": .string(topic)], status: 201)
        return (running, device.text("token"))
    }

    private static func alert(_ body: String, _ members: JSONObject = JSONObject()) -> JSONValue {
        var aps = JSONObject([("alert", ["title": "Pump 3", "body": .string(body)]), ("sound", "default")])
        for member in members.members { aps.append(member.key, member.value) }
        return .object(aps)
    }

    private static func banners(_ running: RunningWorld, atLeast count: Int) throws -> [JSONValue] {
        let list = { try running.get("/v1/devices/d1")["banners"]?.arrayValue ?? [] }
        #expect(try running.eventually { try list().count >= count })
        return try list()
    }

    private static func pushes(_ running: RunningWorld) throws -> [JSONValue] {
        try running.list("pushes", "/v1/pushes").map { $0["delivery"] ?? .null }
    }

    @Test("a service without accounts and nodes gets a token and sees what its user sees")
    func generalService() throws {
        let (running, token) = try Self.world()
        let sent = try running.push(token, topic: Self.topic, aps: Self.alert("Pressure"))
        #expect(sent.status == 200)
        let banner = try #require(try Self.banners(running, atLeast: 1).first)
        #expect(banner["lines"] == ["Pump 3", "Pressure"])
        #expect(banner["silent"] == false)
        let push = try #require(try running.list("pushes", "/v1/pushes").first)
        #expect(banner["pushId"] == push["id"])
        #expect(push["verdict"]?["lints"] == [])
        #expect(push["delivery"]?["presentation"]?["place"] == "banner")
        #expect(push["delivery"]?["presentation"]?["at"] == banner["at"])
        #expect(try running.list("requests", "/v1/requests").isEmpty, "it asked no node")
    }

    @Test("an ended token goes on answering 200 to nobody for the time that is set")
    func oldToken() throws {
        let (running, token) = try Self.world(clock: "2026-01-01T12:00:00.000Z")
        try running.patch("/v1/apns", ["oldTokenSeconds": 600])
        let new = try running.post("/v1/devices/d1/reinstall").text("token")
        #expect(try running.push(token, topic: Self.topic).status == 200)
        let delivery = try #require(try Self.pushes(running).first)
        #expect(delivery["state"] == "discarded")
        #expect(delivery["why"] == "the device has another token by now")
        try running.post("/v1/clock/advance", ["seconds": 599])
        #expect(try running.push(token, topic: Self.topic).status == 200)
        try running.post("/v1/clock/advance", ["seconds": 1])
        let gone = try running.push(token, topic: Self.topic)
        #expect(gone.status == 410)
        #expect(gone.json == ["reason": "Unregistered", "timestamp": 1_767_269_400_000])
        #expect(try running.push(new, topic: Self.topic).status == 200)
        let lost = try running.get("/v1/devices/d1")["notShown"]?.arrayValue
        #expect(lost?.map { $0["why"] ?? .null } == Array(repeating: delivery["why"] ?? .null, count: 2))
        #expect(
            lost?.map { $0["pushSeq"] ?? .null }
                == (try running.list("pushes", "/v1/pushes?limit=2").map { $0["seq"] ?? .null })
        )
    }

    @Test("a lot of the seed adds to that time")
    func oldTokenByLot() throws {
        func end() throws -> String {
            let (running, token) = try Self.world(clock: "2026-01-01T12:00:00.000Z")
            try running.patch("/v1/apns", ["oldTokenSeconds": 60, "oldTokenJitterSeconds": 86_400])
            try running.post("/v1/devices/d1/uninstall")
            let tokens = try running.list("tokens", "/v1/apns/tokens")
            return try #require(tokens.first { $0.text("token") == token }).text("since")
        }
        let one = try end()
        #expect(try one == end())
        #expect(one >= "2026-01-01T12:01:00.000Z")
        #expect(one <= "2026-01-02T12:01:00.000Z")
    }

    @Test("a token that expires answers ExpiredToken, and the device has another")
    func expiredToken() throws {
        let (running, token) = try Self.world()
        let after = try running.post("/v1/devices/d1/expire-token")
        let answer = try running.push(token, topic: Self.topic)
        #expect(answer.status == 410)
        #expect(answer.json["reason"] == "ExpiredToken")
        #expect(after.text("token") != token)
        #expect(try running.push(after.text("token"), topic: Self.topic).status == 200)
    }

    @Test("a token's environment can be set by hand")
    func environment() throws {
        let running = try RunningWorld()
        let path = "/v1/apns/tokens/\(someToken())"
        let set = try running.ok("PUT", path, ["state": "active", "environment": "sandbox"])
        #expect(set["environment"] == "sandbox")
        #expect(try running.push(someToken()).json["reason"] == "BadDeviceToken")
        #expect(try running.push(someToken(), path: "sandbox").status == 200)
    }

    @Test("an alarm and its all-clear under one collapse id are one notification")
    func collapses() throws {
        let (running, token) = try Self.world()
        for (number, text) in ["alarm", "all clear"].enumerated() {
            let headers = [(name: "apns-collapse-id", value: "pump-3")]
            _ = try running.push(token, topic: Self.topic, headers: headers, aps: Self.alert(text))
            _ = try Self.banners(running, atLeast: number + 1)
        }
        let event = try #require(try running.events("push.collapsed").first)
        let deliveries = try Self.pushes(running)
        #expect(deliveries.map { $0["state"] ?? .null } == ["collapsed", "delivered"])
        #expect(deliveries[0]["why"] == event["data"]?["why"])
        #expect(deliveries.map { $0["presentation"]?["place"] ?? .null } == ["banner", "banner"])
        let device = try running.get("/v1/devices/d1")
        #expect(device["banners"]?.arrayValue?.map { $0["replacedAt"] == .null } == [false, true])
        #expect(device["groups"]?.arrayValue?.map { $0["lines"] ?? .null } == [["Pump 3", "all clear"]])
        #expect(try running.list("pushes", "/v1/pushes?delivery=collapsed").count == 1)
    }

    @Test("what waited is discarded where notifications were switched off meanwhile")
    func deniesWaiting() throws {
        let (running, token) = try Self.world()
        try running.post("/v1/devices/d1/offline")
        #expect(try running.push(token, topic: Self.topic, aps: Self.alert("alarm")).status == 200)
        try running.post("/v1/devices/d1/deny")
        #expect(try Self.pushes(running).map { $0["state"] ?? .null } == ["stored"])
        try running.post("/v1/devices/d1/online")
        let delivery = try #require(try Self.pushes(running).first)
        #expect(delivery["state"] == "discarded")
        #expect(delivery["why"] == "notifications are switched off on the device")
        #expect(try running.events("push.discarded").count == 1)
        #expect(try running.get("/v1/devices/d1")["banners"] == [])
    }

    @Test("in quiet hours only the critical is shown, and the record says why not the rest")
    func quiet() throws {
        let (running, token) = try Self.world(clock: "2026-01-01T23:00:00.000Z")
        let quiet = try running.post("/v1/devices/d1/quiet", ["from": "22:00", "to": "07:00"])
        #expect(quiet["quietHours"] == ["from": "22:00", "to": "07:00"])
        for (number, level) in ["active", "critical"].enumerated() {
            let members = JSONObject([("interruption-level", .string(level))])
            _ = try running.push(token, topic: Self.topic, aps: Self.alert(level, members))
            _ = try Self.banners(running, atLeast: number + 1)
        }
        let banners = try Self.banners(running, atLeast: 2)
        #expect(banners.map { $0["listed"] ?? .null } == [true, false])
        #expect(banners.map { $0["silent"] ?? .null } == [true, false])
        let presentations = try Self.pushes(running).map { $0["presentation"] ?? .null }
        #expect(presentations.map { $0["place"] ?? .null } == ["list", "banner"])
        #expect(presentations[0]["why"] == "quiet hours from 22:00 to 07:00")
        #expect(try running.events("device.banner-listed").count == 1)
        try running.post("/v1/clock/advance", ["seconds": 28_800])
        _ = try running.push(token, topic: Self.topic, aps: Self.alert("morning"))
        #expect(try Self.banners(running, atLeast: 3).last?["listed"] == false)
        #expect(try running.post("/v1/devices/d1/quiet-off")["quietHours"] == .null)
    }

    @Test("background pushes are let through three times an hour, and the newest of the rest on time")
    func throttles() throws {
        let (running, token) = try Self.world(clock: "2026-01-01T12:00:00.000Z")
        let push = {
            let headers = [(name: "apns-priority", value: "5")]
            let aps: JSONValue = ["content-available": 1]
            _ = try running.push(token, topic: Self.topic, type: "background", headers: headers, aps: aps)
        }
        for _ in 0..<5 { try push() }
        let states = { try Self.pushes(running).map { $0.text("state") } }
        #expect(try states() == ["delivered", "delivered", "delivered", "replaced", "throttled"])
        try running.post("/v1/clock/advance", ["seconds": 3600])
        #expect(try states().last == "delivered")
        #expect(
            try running.eventually {
                try Self.pushes(running).last?["presentation"]?["why"] == "nothing to show"
            }
        )
        try running.post("/v1/devices/d1/force-quit")
        try push()
        #expect(try states().last == "discarded")
        try running.post("/v1/devices/d1/launch")
        for _ in 0..<3 { try push() }
        #expect(try states().last == "throttled")
        try running.post("/v1/devices/d1/launch")
        #expect(try states().last == "delivered", "opening the app brings it")
        try push()
        #expect(try states().last == "throttled")
        try running.post("/v1/devices/d1/kill")
        #expect(try states().last == "discarded", "its end throws it away")
    }

    @Test("a throttled push comes when the hour is over on a clock that runs")
    func throttledComesByItself() throws {
        let (running, token) = try Self.world()
        try running.patch("/v1/apns", ["backgroundPerHour": 1])
        for _ in 0..<2 {
            let aps: JSONValue = ["content-available": 1]
            _ = try running.push(token, topic: Self.topic, type: "background", aps: aps)
        }
        try running.post("/v1/clock/advance", ["seconds": 3599])
        #expect(try running.events("push.delivered").count == 1)
    }

    @Test("a device that saves power gets what is not urgent later, the latest alone")
    func savesPower() throws {
        let (running, token) = try Self.world()
        #expect(try running.post("/v1/devices/d1/save-power")["savingPower"] == true)
        for priority in ["10", "5", "5"] {
            let headers = [(name: "apns-priority", value: priority)]
            _ = try running.push(token, topic: Self.topic, headers: headers, aps: Self.alert(priority))
        }
        let states = { try Self.pushes(running).map { $0.text("state") } }
        #expect(try states() == ["delivered", "replaced", "stored"])
        try running.post("/v1/devices/d1/full-power")
        #expect(try states().last == "delivered")
        #expect(try Self.banners(running, atLeast: 2).count == 2)
    }

    @Test("too many pushes for one token are refused with 429")
    func tooMany() throws {
        let (running, token) = try Self.world(clock: "2026-01-01T12:00:00.000Z")
        try running.patch("/v1/apns", ["tokenRequestsPerSecond": 0.5, "tokenRequestsBurst": 2])
        let statuses = try (0..<3).map { _ in try running.push(token, topic: Self.topic).status }
        #expect(statuses == [200, 200, 429])
        #expect(try running.list("pushes", "/v1/pushes?reason=TooManyRequests").count == 1)
        try running.post("/v1/clock/advance", ["seconds": 2])
        #expect(try running.push(token, topic: Self.topic).status == 200)
    }

    @Test("which push stays stored can be left to the lot")
    func storedByLot() throws {
        let (running, token) = try Self.world()
        try running.patch("/v1/apns", ["storedChoice": "random"])
        try running.post("/v1/devices/d1/offline")
        for _ in 0..<12 { _ = try running.push(token, topic: Self.topic) }
        let states = try Self.pushes(running).map { $0.text("state") }
        #expect(states.count { $0 == "stored" } == 1)
        #expect(states.count { $0 == "replaced" } + states.count { $0 == "discarded" } == 11)
        #expect(states.contains("discarded"))
    }

    @Test("what is set, and what waits and was shown, is there again when the world is opened again")
    func reopens() throws {
        let folder = try TemporaryFolder()
        let settings: JSONValue = [
            "oldTokenSeconds": 5, "oldTokenJitterSeconds": 6, "tokenRequestsPerSecond": 1.5,
            "tokenRequestsBurst": 9, "backgroundPerHour": 0, "powerSavingSeconds": 7,
            "storedChoice": "random",
        ]
        var shown: JSONValue = .null
        do {
            let running = try RunningWorld { $0.dataDirectory = folder.path }
            try running.patch("/v1/apns", settings)
            let device = try running.post("/v1/devices", ["topic": .string(Self.topic)], status: 201)
            let token = device.text("token")
            _ = try running.push(token, topic: Self.topic, aps: Self.alert("shown"))
            _ = try Self.banners(running, atLeast: 1)
            #expect(
                try running.eventually { try Self.pushes(running).first?["presentation"]?["at"] != nil }
            )
            try running.post("/v1/devices/d1/offline")
            _ = try running.push(token, topic: Self.topic, aps: Self.alert("stored"))
            shown = try #require(try Self.pushes(running).first)
        }
        let running = try RunningWorld { $0.dataDirectory = folder.path }
        let apns = try running.get("/v1/apns")
        for (name, value) in settings.objectValue?.members.map({ ($0.key, $0.value) }) ?? [] {
            #expect(apns[name] == value, "\(name)")
        }
        #expect(try Self.pushes(running).first == shown)
        try running.post("/v1/devices/d1/online")
        #expect(try Self.banners(running, atLeast: 2).last?["lines"] == ["Pump 3", "stored"])
    }

    @Test("a push can be had as a file for the iOS Simulator, with the bundle it is for")
    func simulatorFile() throws {
        let (running, token) = try Self.world()
        let aps = Self.alert("Pressure")
        _ = try running.push(token, topic: Self.topic + ".voip", type: "voip", aps: aps)
        let id = try #require(try running.list("pushes", "/v1/pushes").first).text("id")
        let file = try running.call("GET", "/v1/pushes/\(id)/apns")
        #expect(file.json == ["Simulator Target Bundle": .string(Self.topic), "aps": aps])
        let name = file.headers.first { $0.name.lowercased() == "content-disposition" }?.value
        #expect(name?.contains(".apns") == true)
    }

    @Test("an extension whose node does not answer in its time leaves the alert as it came")
    func extensionTime() throws {
        let running = try RunningWorld()
        let device = try running.post(
            "/v1/devices",
            ["name": "phone", "owner": "alice", "extensionMilliseconds": 300],
            status: 201
        )
        let rule: JSONValue = [
            "target": "node", "match": ["path": "/api/transactions/get"],
            "effect": ["kind": "timeout", "when": "before", "seconds": 60],
        ]
        try running.post("/v1/faults", rule, status: 201)
        let aps: JSONValue = [
            "alert": ["loc-key": "NotificationsService.NewMessage.BodySingle"], "mutable-content": 1,
        ]
        let owner = device.text("owner")
        _ = try running.push(device.text("token"), transaction: "12345", recipient: owner, aps: aps)
        let banner = try #require(try Self.banners(running, atLeast: 1).first)
        #expect(banner["body"] == "You have a new message")
        #expect(banner["fallback"] == true)
        #expect(banner["why"] == "no node answered in 300 ms")
        #expect(try running.events("fault.fired").count == 1, "it did ask")
    }

    @Test("the token stays the device's when another account signs in, and pushes are then the other's")
    func otherOwner() throws {
        let running = try RunningWorld { $0.forging = .instant }
        let before = try running.post("/v1/devices", ["name": "phone", "owner": "alice"], status: 201)
        try running.post("/v1/devices/phone/sign-out")
        let after = try running.post("/v1/devices/phone/sign-in", ["account": "bob"])
        #expect(after["token"] == before["token"])
        #expect(after["owner"] != before["owner"])
        let rows = try running.list("rows", "/v1/registry")
        #expect(rows.map { $0["address"] ?? .null } == [after["owner"] ?? .null])
        #expect(try running.push(before.text("token")).status == 200)
        #expect(try Self.banners(running, atLeast: 1).count == 1)
    }
}
