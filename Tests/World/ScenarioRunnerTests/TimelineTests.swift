import JSONValue
import ScenarioRunner
import Testing

@Suite("Timeline")
struct TimelineTests {
    private static let token = String(repeating: "ab", count: 32)

    private static func event(
        _ kind: String,
        _ data: JSONValue,
        node: JSONValue = nil,
        at: JSONValue = "2026-01-01T00:00:00.000Z"
    ) -> JSONValue {
        [
            "seq": 1, "at": at, "kind": .string(kind), "node": node, "transactionId": "77", "faultId": "f1",
            "data": data,
        ]
    }

    private static let world: JSONValue = [
        "accounts": [["name": "alice", "address": "U1"], ["name": "bob", "address": "U2"]],
        "ans": ["address": "U3"],
    ]
    private static let phone: JSONValue = ["id": "d1", "name": "phone", "token": .string(token)]

    static let sentences: [(String, JSONValue, JSONValue, String)] = [
        (
            "transaction.accepted", ["kind": "signal", "sender": "U1", "recipient": "U3"], "beta",
            "beta            takes a signal from alice to ans: 77"
        ),
        (
            "transaction.refused", ["kind": "message", "sender": "U9", "error": "no"], "alpha",
            "alpha           refuses a message from U9: no"
        ),
        ("transaction.held", [:], "alpha", "alpha           holds 77 back"),
        ("transaction.released", [:], "alpha", "alpha           lets 77 go"),
        ("transaction.dropped", ["reason": "late"], "alpha", "alpha           drops 77: late"),
        (
            "block.forged", ["height": 5, "transactions": 1], nil,
            "ledger          block 5 with 1 transaction"
        ),
        (
            "block.forged", ["height": 5, "transactions": 2], nil,
            "ledger          block 5 with 2 transactions"
        ),
        ("fault.fired", ["name": "lost", "effect": "reset"], "alpha", "alpha           FAULT lost: reset"),
        ("fault.fired", ["name": nil, "effect": "reset"], nil, "apns            FAULT f1: reset"),
        (
            "push.received", ["status": 200, "token": .string(token), "delivery": "stored"], nil,
            "apns            answers 200 to a push for phone, which is stored"
        ),
        (
            "push.received", ["status": 410, "reason": "Unregistered", "token": .string(token)], nil,
            "apns            answers 410 Unregistered to a push for phone"
        ),
        (
            "push.received", ["status": nil, "token": .string(String(repeating: "c", count: 64))], nil,
            "apns            gets a push for cccccccc…, and no answer is sent"
        ),
        (
            "push.delivered", ["token": .string(token)], nil,
            "apns            hands over the push that waited for phone"
        ),
        (
            "push.expired", ["token": .string(token), "why": "too late"], nil,
            "apns            throws away the push that waited for phone: too late"
        ),
        ("clock.changed", ["text": "it is noon"], nil, "clock           it is noon"),
        ("world.reset", [:], nil, "world           begins anew"),
        ("ans.started", [:], nil, "ans             is started"),
        ("ans.stopped", [:], nil, "ans             is stopped"),
        (
            "ans.polled", ["poller": "SignalsPoller", "count": 2], "alpha",
            "ans             finds 2 signals at alpha"
        ),
        (
            "ans.poll-failed", ["poller": "ChatPoller", "reason": "x"], nil,
            "ans             cannot poll for messages: x"
        ),
        (
            "ans.died", ["poller": "TransferPoller", "reason": "x"], nil,
            "ans             polls for transfers no more: x"
        ),
        (
            "ans.registered", ["token": .string(token), "address": "U1"], nil,
            "ans             registers phone for alice"
        ),
        (
            "ans.removed", ["token": .string(token), "address": "U1"], nil,
            "ans             removes phone of alice"
        ),
        ("ans.signal-ignored", ["reason": "x"], nil, "ans             ignores a signal: x"),
        (
            "ans.pushed", ["token": .string(token), "answer": "503", "willRetry": true], nil,
            "ans             pushed 77 to phone: 503, and will try again"
        ),
        (
            "ans.token-dropped", ["token": .string(token), "reason": "410"], nil,
            "ans             drops the token of phone: 410"
        ),
        ("device.launched", ["device": "d1"], nil, "phone           is launched"),
        ("device.killed", ["device": "d1"], nil, "phone           is killed"),
        ("device.signed-in", ["device": "d1"], nil, "phone           is signed in"),
        ("device.sign-in-failed", ["device": "d1", "reason": "x"], nil, "phone           cannot sign in: x"),
        ("device.signed-out", ["device": "d1"], nil, "phone           is signed out"),
        (
            "device.registration-skipped", ["device": "d1", "reason": "x"], nil,
            "phone           does not register: x"
        ),
        (
            "device.signal-accepted", ["device": "d1", "action": "add"], nil,
            "phone           had its add accepted"
        ),
        (
            "device.signal-failed", ["device": "d1", "action": "remove", "reason": "x", "queued": true], nil,
            "phone           remove failed (x), kept for another try"
        ),
        (
            "device.signal-failed", ["device": "d1", "action": "add", "reason": "x", "queued": false], nil,
            "phone           add failed (x), forgotten"
        ),
        (
            "device.signal-dropped", ["device": "d1", "action": "remove", "reason": "x"], nil,
            "phone           drops its kept remove: x"
        ),
        ("device.push-received", ["device": "d1"], nil, "phone           receives a push"),
        (
            "device.push-discarded", ["device": "d1", "reason": "x"], nil,
            "phone           discards a push: x"
        ),
        ("device.text-unavailable", ["device": "d1", "reason": "x"], nil, "phone           has no text: x"),
        (
            "device.transaction-fetched", ["device": "d1"], nil,
            "phone           fetches the transaction from a node"
        ),
        (
            "device.banner-shown", ["device": "d1", "title": "T", "body": "B"], nil,
            "phone           shows “T: B”"
        ),
        (
            "device.banner-shown", ["device": "d1", "title": nil, "body": "B"], nil,
            "phone           shows “B”"
        ),
    ]

    @Test("an event is a sentence with the names of those it is about", arguments: sentences)
    func tells(kind: String, data: JSONValue, node: JSONValue, sentence: String) {
        var timeline = Timeline(world: Self.world, devices: [Self.phone])
        #expect(timeline.lines([Self.event(kind, data, node: node)]) == ["+0.000s  " + sentence])
    }

    @Test("what only matters to programs has no line")
    func silent() {
        var timeline = Timeline()
        let silent = [
            Self.event("block.forged", ["height": 2, "transactions": 0]),
            Self.event("transaction.forged", [:]),
            Self.event("device.unheard-of", [:]), Self.event("ans.unheard-of", [:]), Self.event("else", [:]),
            [:],
        ]
        #expect(timeline.lines(silent).isEmpty)
    }

    @Test("survives events of any shape")
    func anyShape() {
        var timeline = Timeline()
        let lines = timeline.lines([
            ["kind": "push.received", "data": ["token": .string(Self.token), "status": 200]], [:], "x",
            ["kind": 7, "data": []],
        ])
        #expect(lines == ["+0.000s  apns            answers 200 to a push for abababab…"])
    }

    @Test("counts from the first event, across midnight, and anew when told so")
    func counts() {
        var timeline = Timeline()
        let times: [JSONValue] = [
            "2026-01-01T23:59:59.900Z", "2026-01-02T00:00:01.150Z", "2026-01-01T23:59:59.000Z",
        ]
        let events = times.map { Self.event("world.reset", [:], at: $0) }
        #expect(timeline.lines(events).map { $0.prefix(7) } == ["+0.000s", "+1.250s", "+0.000s"])
        timeline.restart()
        #expect(timeline.lines([events[1]]).map { $0.prefix(7) } == ["+0.000s"])
    }
}
