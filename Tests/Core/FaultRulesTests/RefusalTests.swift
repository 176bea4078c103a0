import FaultRules
import JSONValue
import Testing

@Suite("Faults: rules that are refused")
struct RefusalTests {
    private func refusal(_ text: String, canReadSignals: Bool = true) throws -> FaultRuleError? {
        var book = FaultBook(seed: 7, nodeNames: ["alpha", "beta"])
        do throws(FaultRuleError) {
            _ = try book.add(try! rule(text), canReadSignals: canReadSignals)
            return nil
        } catch {
            #expect(book.isEmpty)
            return error
        }
    }

    private static let delays: [(String, String)] = [
        (#"{"kind": "delay"}"#, "effect.milliseconds"),
        (#"{"kind": "delay", "milliseconds": -1}"#, "effect.milliseconds"),
        (#"{"kind": "delay", "milliseconds": 3600001}"#, "effect.milliseconds"),
        (#"{"kind": "delay", "milliseconds": 1.5}"#, "effect.milliseconds"),
        (#"{"kind": "delay", "minMilliseconds": 1}"#, "effect.maxMilliseconds"),
        (#"{"kind": "delay", "maxMilliseconds": 1}"#, "effect.minMilliseconds"),
        (#"{"kind": "delay", "minMilliseconds": 2, "maxMilliseconds": 1}"#, "effect.maxMilliseconds"),
        (#"{"kind": "delay", "medianMilliseconds": 2}"#, "effect.sigma"),
        (#"{"kind": "delay", "sigma": 2}"#, "effect.medianMilliseconds"),
        (#"{"kind": "delay", "medianMilliseconds": 2, "sigma": 11}"#, "effect.sigma"),
        (#"{"kind": "delay", "milliseconds": 2, "sigma": 1, "medianMilliseconds": 1}"#, "effect.sigma"),
    ]

    private static let effects: [(String, String)] = [
        ("7", "effect"), ("{}", "effect.kind"), (#"{"kind": 7}"#, "effect.kind"),
        (#"{"kind": "explode"}"#, "effect.kind"),
        (#"{"kind": "status"}"#, "effect.status"), (#"{"kind": "status", "status": 100}"#, "effect.status"),
        (#"{"kind": "status", "status": 600}"#, "effect.status"),
        (#"{"kind": "status", "status": "503"}"#, "effect.status"),
        (#"{"kind": "status", "status": 1e30}"#, "effect.status"),
        (#"{"kind": "error", "message": 7}"#, "effect.message"),
        (#"{"kind": "reset", "when": "during"}"#, "effect.when"),
        (#"{"kind": "reset", "seconds": 1}"#, "effect.seconds"),
        (#"{"kind": "timeout", "seconds": -1}"#, "effect.seconds"),
        (#"{"kind": "timeout", "seconds": 86401}"#, "effect.seconds"),
        (#"{"kind": "hold", "answer": "maybe"}"#, "effect.answer"),
        (#"{"kind": "slow"}"#, "effect.bytesPerSecond"),
        (#"{"kind": "slow", "bytesPerSecond": 0}"#, "effect.bytesPerSecond"),
        (#"{"kind": "slow", "bytes": 1}"#, "effect.bytes"),
        (#"{"kind": "truncate"}"#, "effect.bytes"),
        (#"{"kind": "truncate", "bytes": -1}"#, "effect.bytes"),
        (#"{"kind": "corrupt", "bytes": 0}"#, "effect.bytes"),
        (#"{"kind": "reject", "status": 400, "reason": "x"}"#, "effect.kind"),
        (#"{"kind": "goaway"}"#, "effect.kind"),
    ]

    @Test("names the member at fault in an effect", arguments: delays + effects)
    func badEffects(effect: String, field: String) throws {
        #expect(try refusal(#"{"effect": \#(effect)}"#)?.field == field)
    }

    @Test(
        "refuses a matcher that can never match, with the reason",
        arguments: [
            (#"{"node": "gamma"}"#, "match.node"), (#"{"method": "post"}"#, "match.method"),
            (#"{"path": "api/x"}"#, "match.path"), (#"{"path": "/api?x=1"}"#, "match.path"),
            (#"{"topic": "x"}"#, "match.topic"), (#"{"pushType": "x"}"#, "match.pushType"),
            (#"{"priority": 5}"#, "match.priority"), (#"{"environment": "sandbox"}"#, "match.environment"),
            (#"{"method": "GET", "chatType": 3}"#, "match.chatType"),
            (#"{"method": "GET", "sender": "U1"}"#, "match.sender"),
            (#"{"chatType": 1, "signalAction": "add"}"#, "match.signalAction"),
            (#"{"chatType": 1, "token": "ab"}"#, "match.token"),
            (#"{"transactionType": 0, "chatType": 3}"#, "match.chatType"),
            (#"{"transactionType": 9, "token": "ab"}"#, "match.token"),
            (#"{"signalAction": "delete"}"#, "match.signalAction"), (#"{"sender": "alice"}"#, "match.sender"),
            (#"{"recipient": "12"}"#, "match.recipient"), (#"{"transactionId": "x"}"#, "match.transactionId"),
            (#"{"chatType": 256}"#, "match.chatType"), (#"{"transactionType": -1}"#, "match.transactionType"),
            (#"{"colour": "red"}"#, "match.colour"), (#"{"token": ""}"#, "match.token"), ("[]", "match"),
        ]
    )
    func badMatchers(match: String, field: String) throws {
        #expect(try refusal(#"{"match": \#(match), "effect": {"kind": "reset"}}"#)?.field == field)
    }

    @Test(
        "refuses a node's matcher on APNs",
        arguments: ["node", "method", "path", "transactionType", "chatType", "sender", "signalAction"]
    )
    func nodeMatchersOnAPNs(member: String) throws {
        let error = try refusal(
            #"{"target": "apns", "match": {"\#(member)": 1}, "effect": {"kind": "reset"}}"#
        )
        #expect(error?.field == "match.\(member)")
        #expect(error?.message.contains("can never match") == true)
    }

    @Test(
        "refuses to look inside signals without the key",
        arguments: [#""signalAction": "add""#, #""token": "ab""#]
    )
    func noKey(member: String) throws {
        let text = #"{"match": {\#(member)}, "effect": {"kind": "reset"}}"#
        #expect(try refusal(text) == nil)
        #expect(try refusal(text, canReadSignals: false)?.message.contains("key") == true)
    }

    @Test("holds only what a POST carries")
    func holdOnGet() throws {
        #expect(
            try refusal(#"{"match": {"method": "GET"}, "effect": {"kind": "hold"}}"#)?.field == "match.method"
        )
    }

    @Test(
        "names the member at fault in the rule itself",
        arguments: [
            (#""target": "nodes""#, "target"), (#""skip": -1"#, "skip"), (#""skip": 0.5"#, "skip"),
            (#""skip": 1e300"#, "skip"), (#""limit": -1"#, "limit"), (#""limit": "1""#, "limit"),
            (#""probability": 1.01"#, "probability"), (#""probability": -0.1"#, "probability"),
            (#""probability": "1""#, "probability"), (#""per": "call""#, "per"), (#""name": 7"#, "name"),
            (#""id": "f1""#, "id"), (#""matched": 1"#, "matched"), (#""colour": 1"#, "colour"),
        ]
    )
    func badMembers(member: String, field: String) throws {
        #expect(try refusal(#"{\#(member), "effect": {"kind": "reset"}}"#)?.field == field)
    }

    @Test(
        "refuses what is no rule",
        arguments: [("[]", nil), ("7", nil), ("{}", "effect")] as [(String, String?)]
    )
    func noRule(text: String, field: String?) throws {
        let error = try #require(try refusal(text))
        #expect(error.field == field)
    }

    @Test("holds a bounded number of rules")
    func bound() throws {
        var book = FaultBook(seed: 7, nodeNames: ["alpha"])
        let reset = try rule(#"{"effect": {"kind": "reset"}}"#)
        for _ in 0..<FaultBook.maximumRules { _ = try book.add(reset, canReadSignals: true) }
        #expect(throws: FaultRuleError.self) { _ = try book.add(reset, canReadSignals: true) }
    }
}
