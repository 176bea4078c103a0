import FaultRules
import JSONValue
import Testing

@Suite("Faults: sockets")
struct SocketFaultTests {
    private func handshake(node: String = "alpha") -> FaultRequest {
        var request = FaultRequest(target: .node)
        request.occasion = .socketHandshake
        request.node = node
        return request
    }

    private func event(_ name: String = "newTrans", node: String = "alpha") -> FaultRequest {
        var request = FaultRequest(target: .node)
        request.occasion = .socketEvent
        request.node = node
        request.event = name
        guard name == "newTrans" else { return request }
        request.transactionType = 8
        request.chatType = 1
        request.sender = "U12345"
        request.recipient = "U67890"
        request.transactionId = "777"
        return request
    }

    @Test(
        "reads the effects at handshakes",
        arguments: [
            (#"{"kind": "socket-refuse"}"#, FaultEffect.socketRefuse),
            (#"{"kind": "socket-drop", "seconds": 0}"#, .socketDrop(seconds: 0)),
            (#"{"kind": "socket-drop", "seconds": 30}"#, .socketDrop(seconds: 30)),
        ]
    )
    func handshakes(effect: String, expected: FaultEffect) throws {
        var book = try book(#"{"effect": \#(effect)}"#)
        #expect(book.decide(handshake())?.effect == expected)
        #expect(book.decide(event()) == nil)
        #expect(book.decide(signal()) == nil)
    }

    @Test(
        "reads the effects at events",
        arguments: [
            (#"{"kind": "socket-malformed"}"#, FaultEffect.socketMalformed),
            (#"{"kind": "socket-repeat"}"#, .socketRepeat),
            (#"{"kind": "socket-withhold"}"#, .socketWithhold),
        ]
    )
    func events(effect: String, expected: FaultEffect) throws {
        var book = try book(#"{"effect": \#(effect)}"#)
        #expect(book.decide(event())?.effect == expected)
        #expect(book.decide(event("newBlock"))?.effect == expected)
        #expect(book.decide(handshake()) == nil)
        #expect(book.decide(signal()) == nil)
    }

    @Test("leaves sockets alone with the rules of calls, and with a node's failure rate")
    func calls() throws {
        var book = try book(#"{"effect": {"kind": "reset"}}"#)
        book.setFailureRate(1, mix: nil, node: "alpha")
        #expect(book.decide(handshake()) == nil)
        #expect(book.decide(event()) == nil)
        #expect(book.decide(signal()) != nil)
    }

    @Test(
        "looks at what an event is about",
        arguments: [
            (#"{"node": "alpha"}"#, true), (#"{"node": "beta"}"#, false), (#"{"event": "newTrans"}"#, true),
            (#"{"event": "newBlock"}"#, false), (#"{"transactionType": 8, "chatType": 1}"#, true),
            (#"{"chatType": 3}"#, false), (#"{"sender": "u12345"}"#, true), (#"{"recipient": "U1"}"#, false),
            (#"{"transactionId": "777"}"#, true),
        ]
    )
    func matching(match: String, expected: Bool) throws {
        var book = try book(#"{"match": \#(match), "effect": {"kind": "socket-withhold"}}"#)
        #expect((book.decide(event()) != nil) == expected)
    }

    @Test("waits before the second of two, where told so")
    func delay() throws {
        var book = try book(#"{"effect": {"kind": "socket-repeat", "milliseconds": 250}}"#)
        #expect(book.decide(event())?.delayMilliseconds == 250)
    }

    @Test(
        "refuses what can never match and what has no meaning",
        arguments: [
            (#"{"match": {"method": "GET"}, "effect": {"kind": "socket-refuse"}}"#, "match.method"),
            (
                #"{"match": {"sender": "U1"}, "effect": {"kind": "socket-drop", "seconds": 1}}"#,
                "match.sender"
            ),
            (#"{"match": {"event": "newTrans"}, "effect": {"kind": "socket-refuse"}}"#, "match.event"),
            (#"{"match": {"event": "newTrans"}, "effect": {"kind": "reset"}}"#, "match.event"),
            (#"{"match": {"event": "message"}, "effect": {"kind": "socket-repeat"}}"#, "match.event"),
            (#"{"match": {"path": "/x"}, "effect": {"kind": "socket-repeat"}}"#, "match.path"),
            (
                #"{"match": {"signalAction": "add"}, "effect": {"kind": "socket-repeat"}}"#,
                "match.signalAction"
            ),
            (
                #"{"match": {"event": "newBlock", "sender": "U1"}, "effect": {"kind": "socket-withhold"}}"#,
                "match.sender"
            ),
            (#"{"match": {"colour": 1}, "effect": {"kind": "socket-refuse"}}"#, "match.colour"),
            (#"{"effect": {"kind": "socket-drop"}}"#, "effect.seconds"),
            (#"{"effect": {"kind": "socket-drop", "seconds": -1}}"#, "effect.seconds"),
            (#"{"effect": {"kind": "socket-withhold", "milliseconds": 1}}"#, "effect.milliseconds"),
            (#"{"effect": {"kind": "socket-refuse", "seconds": 1}}"#, "effect.seconds"),
            (#"{"target": "apns", "effect": {"kind": "socket-refuse"}}"#, "effect.kind"),
        ]
    )
    func refusals(text: String, field: String) throws {
        var book = FaultBook(seed: 7, nodeNames: ["alpha"])
        let error = #expect(throws: FaultRuleError.self) {
            try book.add(rule(text), canReadSignals: true)
        }
        #expect(error?.field == field)
    }
}
