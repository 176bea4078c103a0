import JSONValue
import ScenarioRunner
import Testing

@Suite("Timeline")
struct TimelineTests {
    private let world: JSONValue = [
        "accounts": [["name": "alice", "address": "U1"]], "ans": ["address": "U2"],
    ]

    @Test("tells events by name, with seconds since the first")
    func names() {
        var timeline = Timeline(world: world, devices: [["id": "d1", "name": "phone", "token": "ab12"]])
        let lines = timeline.lines([
            [
                "at": "2026-01-01T00:00:00.000Z", "kind": "transaction.accepted", "node": "alpha",
                "transactionId": "77", "data": ["kind": "signal", "sender": "U1", "recipient": "U2"],
            ],
            [
                "at": "2026-01-01T00:00:01.250Z", "kind": "push.received", "node": nil,
                "data": ["token": "ab12", "status": 410, "reason": "Unregistered"],
            ],
        ])
        #expect(
            lines == [
                "+0.000s  alpha           takes a signal from alice to ans: 77",
                "+1.250s  apns            answers 410 Unregistered to a push for phone",
            ]
        )
    }

    @Test("leaves out what tells nothing, such as an empty block")
    func emptyBlock() {
        var timeline = Timeline()
        let block: JSONValue = [
            "at": "2026-01-01T00:00:00.000Z", "kind": "block.forged",
            "data": ["height": 2, "transactions": 0],
        ]
        #expect(timeline.lines([block]).isEmpty)
    }

    @Test("cuts tokens of strangers and survives events of any shape")
    func strangers() {
        var timeline = Timeline()
        let token = String(repeating: "a", count: 64)
        let lines = timeline.lines([
            ["kind": "push.received", "data": ["token": .string(token), "status": 200]], [:], "x",
            ["kind": 7, "data": []],
        ])
        #expect(lines == ["+0.000s  apns            answers 200 to a push for aaaaaaaa…"])
    }
}
