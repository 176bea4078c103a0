import FaultRules
import JSONValue
import Testing

@Suite("Faults: matcher")
struct MatcherTests {
    private func matches(_ match: String, _ request: FaultRequest) throws -> Bool {
        let target = request.target.rawValue
        var book = try book(#"{"target": "\#(target)", "match": \#(match), "effect": {"kind": "reset"}}"#)
        return book.decide(request) != nil
    }

    @Test(
        "looks at every field of a node's call",
        arguments: [
            "{}", #"{"node": "alpha"}"#, #"{"method": "POST"}"#, #"{"path": "/api/chats/process"}"#,
            #"{"transactionType": 8}"#, #"{"chatType": 3}"#, #"{"sender": "u12345"}"#,
            #"{"recipient": "U67890"}"#,
            #"{"transactionId": "777"}"#, #"{"signalAction": "remove"}"#, #"{"token": "AB01"}"#,
            #"{"node": "alpha", "method": "POST", "path": "/api/chats/process", "chatType": 3, "sender": "U12345","#
                + #" "recipient": "U67890", "signalAction": "remove"}"#, #"{"node": null}"#,
        ]
    )
    func nodeFields(match: String) throws {
        #expect(try matches(match, signal("remove")))
    }

    @Test(
        "does not match when a field differs",
        arguments: [
            #"{"node": "beta"}"#, #"{"method": "GET"}"#, #"{"path": "/api/chats"}"#,
            #"{"transactionType": 0}"#,
            #"{"chatType": 1}"#, #"{"sender": "U1234"}"#, #"{"recipient": "U6789"}"#,
            #"{"transactionId": "77"}"#,
            #"{"signalAction": "add"}"#, #"{"token": "AB02"}"#,
        ]
    )
    func otherNodeFields(match: String) throws {
        #expect(try !matches(match, signal("remove")))
    }

    @Test(
        "looks at every field of a push",
        arguments: [
            "{}", #"{"token": "ab01"}"#, #"{"topic": "im.adamant.adamant-messenger"}"#,
            #"{"pushType": "alert"}"#,
            #"{"priority": 10}"#, #"{"environment": "production"}"#, #"{"recipient": "U67890"}"#,
            #"{"transactionId": "777"}"#,
        ]
    )
    func pushFields(match: String) throws {
        #expect(try matches(match, push()))
    }

    @Test(
        "does not match another push",
        arguments: [
            #"{"token": "ab02"}"#, #"{"topic": "other"}"#, #"{"pushType": "background"}"#,
            #"{"priority": 5}"#,
            #"{"environment": "sandbox"}"#, #"{"recipient": "U1"}"#, #"{"transactionId": "1"}"#,
        ]
    )
    func otherPushFields(match: String) throws {
        #expect(try !matches(match, push()))
    }

    @Test("keeps the targets apart")
    func targets() throws {
        var nodes = try book(#"{"effect": {"kind": "reset"}}"#)
        var pushes = try book(#"{"target": "apns", "effect": {"kind": "reset"}}"#)
        #expect(nodes.decide(push()) == nil)
        #expect(pushes.decide(nodeCall()) == nil)
    }

    @Test(
        "globs within a segment by one star and across by two",
        arguments: [
            ("/api/*/process", "/api/chats/process", true), ("/api/*/process", "/api/a/b/process", false),
            ("/api/**/process", "/api/a/b/process", true), ("/api/**", "/api/", true),
            ("/api/**", "/api/x/y", true),
            ("/api/**", "/ap", false), ("/api/*", "/api/x", true), ("/api/*", "/api/x/", false),
            ("**", "/x/y", true),
            ("/api/ch*ts/get*", "/api/chats/get", true), ("/api/ch*ts/get*", "/api/chats/get/", false),
            ("/a**b**c", "/a/x/b/y/c", true), ("/a***c", "/a/b/c", true), ("/A", "/a", false),
            ("/**/**/**/**/z", "/" + String(repeating: "a/", count: 2000), false),
        ]
    )
    func globs(pattern: String, path: String, expected: Bool) throws {
        #expect(try matches(#"{"path": "\#(pattern)"}"#, nodeCall("GET", path)) == expected)
    }

    @Test("holds nothing but calls that carry a transaction")
    func hold() throws {
        var book = try book(#"{"effect": {"kind": "hold"}}"#)
        #expect(book.decide(nodeCall()) == nil)
        #expect(book.decide(signal())?.effect == .hold(answersReset: false))
        #expect(book.json("f1")?["matched"] == 1)
    }

    @Test("tells what its rules look at")
    func needs() throws {
        #expect(
            try !book(#"{"match": {"path": "/api/**"}, "effect": {"kind": "reset"}}"#).needsTransactionFacts
        )
        #expect(try book(#"{"match": {"sender": "U1"}, "effect": {"kind": "reset"}}"#).needsTransactionFacts)
        #expect(try book(#"{"effect": {"kind": "hold"}}"#).needsTransactionFacts)
        var inside = try book(#"{"match": {"signalAction": "add"}, "effect": {"kind": "reset"}}"#)
        #expect(inside.looksInsideSignals && inside.needsTransactionFacts)
        inside.removeAll()
        #expect(!inside.looksInsideSignals && !inside.needsTransactionFacts && inside.isEmpty)
        let pushes = try book(#"{"target": "apns", "match": {"token": "ab"}, "effect": {"kind": "reset"}}"#)
        #expect(!pushes.looksInsideSignals && !pushes.needsTransactionFacts && !pushes.isEmpty)
    }
}
