import Determinism
import JSONValue
import Testing

@testable import APNsRules

@Suite("APNs: replies and records")
struct ReplyTests {
    @Test(
        "echoes apns-id byte for byte, even one that it refuses",
        arguments: [Push.id, Push.id.uppercased(), "x"]
    )
    func echoes(id: String) {
        #expect(Push(headers: [("apns-id", id)]).outcome().reply.apnsId == Array(id.utf8)[...])
    }

    @Test("makes an upper-case apns-id where there is none, another for each push")
    func makesId() {
        var gateway = APNsGateway()
        var generator = SeededGenerator(seed: 3)
        var seen: Set<String> = []
        for _ in 0..<50 {
            let outcome = gateway.receive(Push().request, now: Push.now, generator: &generator)
            let id = String(decoding: outcome.reply.apnsId, as: UTF8.self)
            #expect(id == id.uppercased() && id.utf8.count == 36 && Array(id.utf8)[14] == UInt8(ascii: "4"))
            #expect(APNsUUID(id)?.lowercased == id.lowercased())
            seen.insert(id)
        }
        #expect(seen.count == 50)
    }

    @Test("sends apns-unique-id on the sandbox alone, also with refusals")
    func sendsUniqueId() throws {
        #expect(Push().outcome().reply.uniqueId == nil)
        let sandbox = Push(topic: nil, environment: .sandbox).outcome().reply
        #expect(sandbox.status == 400)
        let id = String(decoding: try #require(sandbox.uniqueId), as: UTF8.self)
        #expect(id == id.lowercased() && APNsUUID(id) != nil)
    }

    @Test(
        "does what a fault says and records it",
        arguments: [
            (
                .reject(status: 418, reason: "Teapot", timestamp: APNsFaultTimestamp(.unixMilliseconds(5))),
                418,
                false
            ),
            (.reject(status: 400, reason: nil, timestamp: nil), 400, false), (.drop, 200, false),
            (.unanswered(isProcessed: false), nil, false), (.unanswered(isProcessed: true), nil, true),
            (.answered, 200, true),
        ] as [(APNsFault.Effect, Int?, Bool)]
    )
    func obeysFaults(effect: APNsFault.Effect, status: Int?, isAccepted: Bool) {
        let outcome = Push().outcome(fault: APNsFault(ruleId: "f1", effect: effect))
        #expect(outcome.record.status == status)
        #expect(outcome.record.isAccepted == isAccepted)
        #expect(outcome.record.json["verdict"]?["faultId"] == "f1")
        #expect(outcome.record.json["status"] == status.map { .int($0) } ?? .null)
        #expect((outcome.record.delivery?.state == .notDelivered) == !isAccepted)
    }

    @Test(
        "spells the timestamp of a fault",
        arguments: [
            (APNsFaultTimestamp(.unixMilliseconds(12)), "12"),
            (APNsFaultTimestamp(.secondsAgo(0)), "1790000000000"),
            (APNsFaultTimestamp(.secondsAgo(3600)), "1789996400000"),
            (APNsFaultTimestamp(.secondsAgo(-3600)), "1790003600000"),
            (APNsFaultTimestamp(.secondsAgo(.max)), "0"),
            (APNsFaultTimestamp(.secondsAgo(0), isInSeconds: true), "1790000000"),
            (APNsFaultTimestamp(.secondsAgo(0), isText: true), "\"1790000000000\""),
        ]
    )
    func spellsTimestamps(timestamp: APNsFaultTimestamp, text: String) {
        let effect = APNsFault.Effect.reject(status: 410, reason: "Unregistered", timestamp: timestamp)
        let reply = Push().outcome(fault: APNsFault(ruleId: "f1", effect: effect)).reply
        #expect(
            String(decoding: reply.body, as: UTF8.self)
                == #"{"reason":"Unregistered","timestamp":\#(text)}"#
        )
    }

    @Test("answers a rejected push as scripted and tells what it would have said")
    func rejects() {
        let effect = APNsFault.Effect.reject(
            status: 410,
            reason: "Unregistered",
            timestamp: APNsFaultTimestamp(.unixMilliseconds(12))
        )
        let outcome = Push(topic: nil).outcome(fault: APNsFault(ruleId: "f1", effect: effect))
        #expect(
            String(decoding: outcome.reply.body, as: UTF8.self)
                == #"{"reason":"Unregistered","timestamp":12}"#
        )
        #expect(outcome.record.verdict.rule == .fault)
        #expect(outcome.record.verdict.alsoWouldHave.rules == [.topicMissing])
    }

    @Test("still refuses under a fault that only loses the answer")
    func losesRefusal() {
        let outcome = Push(topic: nil).outcome(
            fault: APNsFault(ruleId: "f1", effect: .unanswered(isProcessed: true))
        )
        #expect(outcome.record.verdict.rule == .topicMissing)
        #expect(outcome.record.status == nil)
        #expect(!outcome.record.isAccepted)
    }

    @Test("shows a record in the shape of the control API")
    func shows() throws {
        var gateway = APNsGateway()
        gateway.setState(DeviceTokenState(.unregistered, since: Push.now), ofToken: Push.token)
        let push = Push(headers: [
            ("apns-id", Push.id), ("apns-priority", "10"), ("accept", "a"), ("accept", "b"),
        ])
        var record = push.receive(by: &gateway).record
        record.sequence = 42
        let json = record.json
        #expect(
            json.objectValue?.keys == [
                "seq", "id", "receivedAt", "environment", "connection", "stream", "token", "headers",
                "payload",
                "payloadBytes", "status", "reason", "timestamp", "apnsId", "apnsUniqueId", "verdict",
                "provider",
                "transactionId", "recipient", "delivery", "transport",
            ]
        )
        #expect(json["seq"] == 42)
        #expect(json["receivedAt"] == "2026-09-21T14:13:20.000Z")
        #expect(json["environment"] == "production")
        #expect(json["token"]?.stringValue == Push.token)
        #expect(json["headers"]?["apns-topic"]?.stringValue == Push.topic)
        #expect(json["headers"]?["accept"] == "a, b")
        #expect(json["payload"]?["push-recipient"] == "U1")
        #expect(json["payloadBytes"]?.intValue == Int64(push.body.count))
        #expect(json["status"] == 410)
        #expect(json["reason"] == "Unregistered")
        #expect(json["timestamp"] == 1_790_000_000_000)
        #expect(json["apnsId"]?.stringValue == Push.id)
        #expect(json["verdict"]?["rule"] == "token.unregistered")
        #expect(json["verdict"]?["alsoWouldHave"] == [])
        #expect(json["provider"]?["keyId"] == "ABCDE12345")
        #expect(json["provider"]?["issuedAt"] == "2026-09-21T14:13:20.000Z")
        #expect(json["transactionId"] == "7")
        #expect(json["recipient"] == "U1")
        #expect(json["delivery"]?["state"] == "notDelivered")
        #expect(json["payloadBase64"] == nil)
        #expect(
            record.detailedJSON["payloadBase64"]
                == "eyJwdXNoLXJlY2lwaWVudCI6IlUxIiwidHhuLWlkIjoiNyIsImFwcyI6eyJhbGVydCI6IngifX0="
        )
    }

    @Test("survives being stored", arguments: [true, false])
    func stores(isSandbox: Bool) throws {
        let fault = APNsFault(ruleId: "f9", effect: .unanswered(isProcessed: true))
        var push = Push(
            headers: [("apns-collapse-id", "\u{E9}")],
            environment: isSandbox ? .sandbox : .production
        )
        push.body += [0x0A, 0xFF]
        push.bodyCount = 70_000
        push.clientCertificate = isSandbox ? .sample() : nil
        var record = push.outcome(fault: isSandbox ? fault : nil).record
        record.sequence = 5
        record.delivery = PushDelivery(.stored, device: "d1", at: Push.now, why: "offline")
        let restored = try #require(PushRecord(stored: record.stored))
        #expect(restored.detailedJSON == record.detailedJSON)
        #expect(restored.isProcessed == record.isProcessed && restored.isAnswered == record.isAnswered)
        #expect(restored.stored == record.stored)
        #expect(PushRecord(stored: Array("{}".utf8)) == nil)
        #expect(PushRecord(stored: Array(record.stored.dropLast())) == nil)
    }

    @Test("filters by each member")
    func filters() {
        let record = Push(path: "/3/device/\(Push.token.uppercased())", headers: [("apns-priority", "x")])
            .outcome()
            .record
        let same: [(inout PushFilter) -> Void] = [
            { $0.token = Push.token.uppercased() }, { $0.recipient = "U1" }, { $0.transactionId = "7" },
            { $0.topic = Push.topic }, { $0.status = 400 }, { $0.reason = "BadPriority" },
            { $0.delivery = .notDelivered },
            { [id = record.apnsId] in $0.apnsId = String(decoding: id, as: UTF8.self).lowercased() },
        ]
        let other: [(inout PushFilter) -> Void] = [
            { $0.token = "00" }, { $0.recipient = "U2" }, { $0.transactionId = "8" }, { $0.topic = "x" },
            { $0.status = 200 }, { $0.reason = "BadTopic" }, { $0.delivery = .delivered },
            { $0.apnsId = Push.id },
        ]
        #expect(PushFilter().matches(record))
        for set in same {
            var filter = PushFilter()
            set(&filter)
            #expect(filter.matches(record))
        }
        for set in other {
            var filter = PushFilter()
            set(&filter)
            #expect(!filter.matches(record))
        }
    }

    @Test(
        "notes what is odd without refusing it",
        arguments: [
            (nil, nil, #"{"aps":{"badge":1}}"#, ["no apns-push-type"]),
            ("alert", nil, #"{"aps":{"alert":{"title":"x"}}}"#, []), ("alert", nil, #"{"x":1}"#, ["no aps"]),
            ("mdm", nil, #"{"mdm":"x"}"#, []), ("alert", nil, #"{"aps":1}"#, ["aps is not an object"]),
            ("alert", nil, #"{"aps":{}}"#, ["push type alert with nothing visible"]),
            (
                "background", nil, #"{"aps":{"content-available":1}}"#,
                ["push type background needs priority 5", "content-available alone with priority 10"]
            ),
            ("background", "5", #"{"aps":{"content-available":1}}"#, []),
            (
                "background", "5", #"{"aps":{"badge":1}}"#, ["push type background with something visible"]
            ),
            ("voip", nil, #"{"aps":{"badge":1}}"#, ["push type voip does not go with the topic"]),
            (
                "alert", nil, #"{"aps":{"badge":1,"mutable-content":1}}"#,
                ["mutable-content without alert text"]
            ),
            (
                "alert", nil, #"{"aps":{"alert":{"title-loc-key":"x","loc-key":"x"},"mutable-content":1}}"#,
                []
            ),
            (
                "alert", nil, #"{"aps":{"badge":1,"mine":1,"interruption-level":"loud"},"apns-id":1}"#,
                ["header apns-id in the payload", "unknown member mine in aps", "unknown interruption-level"]
            ),
            (
                "alert", nil, #"{"aps":{"alert":{"title":1},"badge":"2","sound":{"volume":3}}}"#,
                [
                    "alert without a title", "badge is not an integer", "alert title is not a string",
                    "sound volume not between 0 and 1",
                ]
            ),
            (
                "alert", nil, #"{"aps":{"alert":7,"sound":1}}"#,
                [
                    "alert without a title", "alert is neither a string nor an object",
                    "sound is neither a string nor an object",
                ]
            ),
            (
                "alert", nil, #"{"aps":{"badge":1,"sound":{"name":1,"critical":2,"volume":"x"}}}"#,
                [
                    "sound name is not a string", "sound critical is neither 0 nor 1",
                    "sound volume not between 0 and 1",
                ]
            ),
            ("alert", nil, #"{"aps":{"badge":1,"sound":{"name":"a","critical":1,"volume":0.5}}}"#, []),
            (
                "alert", nil,
                #"{"aps":{"badge":1,"thread-id":1,"category":{},"target-content-id":[],"relevance-score":"1"}}"#,
                [
                    "relevance-score is not a number", "thread-id is not a string",
                    "category is not a string", "target-content-id is not a string",
                ]
            ),
            (
                "alert", nil,
                #"{"aps":{"alert":{"title":"x","launch-image":1,"loc-args":"a","title-loc-args":[1]}}}"#,
                [
                    "alert launch-image is not a string", "alert title-loc-args is not an array of strings",
                    "alert loc-args is not an array of strings",
                ]
            ),
            (
                "alert", nil, #"{"aps":{"alert":{"title":"x","loc-args":["a"],"title-loc-args":[]}}}"#, []
            ),
            (
                "alert", nil, #"{"aps":{"badge":1,"mutable-content":"1","content-available":true}}"#,
                ["content-available is not the number 1", "mutable-content is not the number 1"]
            ),
            (
                "alert", nil, #"{"aps":{"badge":1},"mine":{"x":[{"apns-topic":1}]}}"#,
                ["header apns-topic in the payload"]
            ),
        ] as [(String?, String?, String, [String])]
    )
    func lints(type: String?, priority: String?, payload: String, lints: [String]) {
        var headers: [(name: String, value: String)] = []
        if let type { headers.append(("apns-push-type", type)) }
        if let priority { headers.append(("apns-priority", priority)) }
        let outcome = Push(headers: headers, body: Array(payload.utf8)).outcome()
        #expect(outcome.answer == "200")
        #expect(outcome.record.lints == lints)
    }

    @Test("notes odd headers")
    func lintsHeaders() {
        let outcome = Push(
            headers: [
                ("apns-push-type", "alert"), ("apns-id", Push.id.uppercased()), ("apns-expiration", "1000"),
            ]
        ).outcome()
        #expect(
            outcome.record.lints == [
                "apns-id in upper case", "apns-expiration is in the past", "alert without a title",
            ]
        )
        let twice = Push(headers: [
            ("apns-push-type", "alert"), ("apns-x", "1"), ("apns-x", "1"), ("apns-x", "1"),
            ("authorization", "a"), ("x", "1"), ("x", "1"),
        ])
        #expect(
            twice.outcome().record.lints == [
                "header apns-x more than once", "header authorization more than once",
                "alert without a title",
            ]
        )
    }
}
