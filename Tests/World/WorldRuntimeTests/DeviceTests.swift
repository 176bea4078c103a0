import JSONValue
import Testing
import WorldRuntime

@Suite("World: devices")
struct DeviceTests {
    @Test("a device with an owner signs in and registers, and is shown as promised")
    func registers() throws {
        let running = try RunningWorld { $0.nodeCount = 2 }
        let device = try running.post(
            "/v1/devices",
            ["name": "phone", "behaviour": "ordered", "owner": "alice", "nodes": ["beta"]],
            status: 201
        )
        for member in [
            "id", "name", "token", "owner", "behaviour", "online", "notifications", "believesRegistered",
            "queuedRemovals", "lastDeliveredAt", "lostSinceDelivery", "banners",
        ] {
            #expect(device[member] != nil, "\(member)")
        }
        #expect(device["id"] == "d1")
        #expect(device["behaviour"] == "ordered")
        #expect(device["believesRegistered"] == true)
        #expect(try running.list("requests", "/v1/requests?node=alpha").isEmpty, "it knows beta alone")
        #expect(try running.get("/v1/registry")["rows"] == [])
        try running.post("/v1/chain/forge")
        let registry = try running.get("/v1/registry")
        let row = try #require(registry["rows"]?.arrayValue?.first)
        #expect(registry["addresses"] == 1)
        #expect(row.members.prefix(5) == ["address", "token", "provider", "since", "transactionId"])
        #expect(row["token"] == device["token"])
        #expect(row["address"] == device["owner"])
        #expect(row["provider"] == "apns")
        #expect(try running.get("/v1/devices/phone") == running.get("/v1/devices/d1"))
        #expect(try running.list("devices", "/v1/devices").count == 1)
    }

    @Test("an account without a balance does not register, and the device says why")
    func zero() throws {
        let running = try RunningWorld()
        let device = try running.post("/v1/devices", ["owner": "zero"], status: 201)
        #expect(device["believesRegistered"] == false)
        #expect(device.text("problem").contains("0 ADM"))
    }

    @Test("signs out and in, is ended and launched")
    func lifecycle() throws {
        let running = try RunningWorld()
        try running.post("/v1/devices", ["name": "phone", "owner": "alice"], status: 201)
        try running.post("/v1/chain/forge")
        let out = try running.post("/v1/devices/phone/sign-out")
        #expect(out["owner"] == .null)
        try running.post("/v1/chain/forge")
        #expect(try running.get("/v1/registry")["rows"] == [])
        let other = try running.post("/v1/devices/phone/sign-in", ["account": "bob"])
        #expect(other["token"] == out["token"], "the token stays the device's")
        #expect(try running.post("/v1/devices/phone/kill")["running"] == false)
        #expect(try running.post("/v1/devices/phone/launch")["running"] == true)
        #expect(try running.post("/v1/devices/phone/deny")["notifications"] == false)
        #expect(try running.post("/v1/devices/phone/allow")["notifications"] == true)
        #expect(try running.post("/v1/devices/phone/notifications-off")["notifications"] == false)
        #expect(try running.post("/v1/devices/phone/notifications-push")["notifications"] == true)
        for kind in ["device.signed-in", "device.signed-out", "device.killed", "device.launched"] {
            let event = try #require(try running.events(kind).first)
            #expect(event["data"]?["device"] == "d1", "\(kind)")
        }
    }

    @Test(
        "another token ends the one before",
        arguments: ["reinstall", "restore", "rotate-token", "uninstall"]
    )
    func tokens(action: String) throws {
        let running = try RunningWorld()
        let before = try running.post("/v1/devices", ["name": "phone", "owner": "alice"], status: 201)
        try running.post("/v1/devices/phone/offline")
        _ = try running.push(before.text("token"))
        try running.post("/v1/devices/phone/online")
        let after = try running.post("/v1/devices/phone/\(action)")
        #expect(after["token"] != before["token"])
        #expect(after["token"]?.stringValue?.utf8.count == (action == "uninstall" ? nil : 64))
        let old = try running.push(before.text("token"))
        #expect(old.status == 410)
        #expect(old.json["reason"] == "Unregistered")
        if action == "uninstall" {
            #expect(after["installed"] == false)
            #expect(try running.list("tokens", "/v1/apns/tokens").count == 1)
            #expect(try running.call("POST", "/v1/devices/phone/launch", [:]).status == 409)
        } else {
            #expect(try running.push(after.text("token")).status == 200)
            let wrong = try running.push(after.text("token"), path: "sandbox")
            #expect(wrong.json["reason"] == "BadDeviceToken")
        }
    }

    @Test("a refused action leaves the tokens as they were")
    func refused() throws {
        let running = try RunningWorld()
        try running.post("/v1/devices", ["name": "phone"], status: 201)
        try running.post("/v1/devices/phone/uninstall")
        let tokens = try running.list("tokens", "/v1/apns/tokens")
        #expect(try running.call("POST", "/v1/devices/phone/rotate-token", [:]).status == 409)
        #expect(try running.list("tokens", "/v1/apns/tokens") == tokens)
    }

    @Test("a push for an offline device waits, the later one in its place, and arrives when it is online")
    func stored() throws {
        let running = try RunningWorld()
        let device = try running.post("/v1/devices", ["name": "phone", "owner": "alice"], status: 201)
        let token = device.text("token")
        try running.post("/v1/devices/phone/offline")
        for _ in 1...2 { #expect(try running.push(token).status == 200) }
        #expect(try running.push(token, expiration: "0").status == 200)
        #expect(try running.push(token, expiration: "1000000000").status == 200)
        let states = { try running.list("pushes", "/v1/pushes").map { $0["delivery"]?.text("state") ?? "" } }
        #expect(try states() == ["replaced", "stored", "discarded", "discarded"])
        #expect(try running.get("/v1/devices/phone")["lostSinceDelivery"] == 3)
        try running.post("/v1/devices/phone/online")
        #expect(try states() == ["replaced", "delivered", "discarded", "discarded"])
        #expect(try running.eventually { try running.get("/v1/devices/phone")["lostSinceDelivery"] == 0 })
        #expect(try !running.get("/v1/devices/phone").text("lastDeliveredAt").isEmpty)
        #expect(try running.events("push.delivered").first?["data"]?["device"] == "d1")
    }

    @Test("a push whose time is over before its device is online has expired")
    func expired() throws {
        let running = try RunningWorld()
        let device = try running.post("/v1/devices", ["name": "phone", "owner": "alice"], status: 201)
        try running.post("/v1/devices/phone/offline")
        let now = Int64(try #require(try running.get("/v1/clock")["epochSeconds"]?.intValue)) + 1_504_371_600
        _ = try running.push(device.text("token"), expiration: String(now + 600))
        #expect(try running.list("pushes", "/v1/pushes?delivery=stored").count == 1)
        try running.post("/v1/clock/advance", ["seconds": 601])
        #expect(try running.list("pushes", "/v1/pushes?delivery=expired").count == 1)
        try running.post("/v1/devices/phone/online")
        let after = try running.get("/v1/devices/phone")
        #expect(after["lostSinceDelivery"] == 1)
        #expect(after["banners"] == [])
    }

    @Test("a device that shows nothing discards, with success for the sender")
    func silenced() throws {
        let running = try RunningWorld()
        let device = try running.post("/v1/devices", ["name": "phone", "owner": "alice"], status: 201)
        try running.post("/v1/devices/phone/deny")
        #expect(try running.push(device.text("token")).status == 200)
        let push = try #require(try running.list("pushes", "/v1/pushes?delivery=discarded").first)
        #expect(push["delivery"]?["device"] == "d1")
        #expect(push["delivery"]?.text("why").contains("switched off") == true)
    }

    @Test("a device without ADAMANT has a topic and an environment of its own")
    func plain() throws {
        let running = try RunningWorld()
        let device = try running.post(
            "/v1/devices",
            ["topic": "com.example.alerts", "environment": "sandbox"],
            status: 201
        )
        #expect(device["topic"] == "com.example.alerts")
        #expect(device["notifications"] == true, "it has no switch of its own")
        let token = try #require(try running.list("tokens", "/v1/apns/tokens").first)
        #expect(token["topic"] == "com.example.alerts")
        #expect(token["environment"] == "sandbox")
        #expect(
            try running.push(device.text("token"), path: "sandbox").json["reason"] == "DeviceTokenNotForTopic"
        )
    }

    @Test("devices of the configuration are there from the start, and errors in them name them")
    func configured() throws {
        let running = try RunningWorld { $0.devices = [["name": "one", "owner": "alice"], ["name": "two"]] }
        #expect(try running.list("devices", "/v1/devices").map { $0.text("name") } == ["one", "two"])
        let error = #expect(throws: WorldError.self) {
            _ = try RunningWorld { $0.devices = [["name": "one"], ["owner": "nobody"]] }
        }
        #expect(error?.exitCode == 64)
        #expect(error?.message.hasPrefix("device 2 of the configuration: ") == true)
    }
}
