import Determinism
import Testing

@testable import APNsRules

@Suite("APNs: what tells pushes apart")
struct PushFingerprintTests {
    private static func fingerprints(_ body: String, token: String = Push.token, topic: String? = Push.topic)
        -> PushFingerprints
    {
        let push = Push(path: "/3/device/" + token, topic: topic, body: Array(body.utf8))
        return push.outcome().record.fingerprints
    }

    @Test("numbers are those of the texts, whatever the case")
    func texts() {
        let found = Self.fingerprints(
            #"{"push-recipient":"u123","txn-id":"18446744073709551615"}"#,
            token: Push.token.uppercased()
        )
        #expect(found.token == Fingerprint.folded(Push.token))
        #expect(found.recipient == Fingerprint.folded("U123"))
        #expect(found.transaction == .max)
        // The same, in escapes.
        let escaped = Self.fingerprints(#"{"push-recipient":"\u0055123","txn-id":"\u0037"}"#)
        #expect(escaped.recipient == Fingerprint.folded("U123"))
        #expect(escaped.transaction == 7)
    }

    @Test(
        "what is no address and no number has none",
        arguments: [
            (#""""#, #""""#), (#""U""#, #""-1""#), (#""X1""#, #""1x""#), (#""U1x""#, #"" 1""#),
            (#""U1234567890123456789012""#, #""18446744073709551616""#),
            (#""\u00e9""#, #""99999999999999999999""#), ("1", "1"), ("null", "null"),
        ]
    )
    func malformed(recipient: String, transaction: String) {
        let found = Self.fingerprints(#"{"push-recipient":\#(recipient),"txn-id":\#(transaction)}"#)
        #expect(found.recipient == nil)
        #expect(found.transaction == nil)
    }

    @Test("a template stays the same with another recipient and another transaction, and with nothing else")
    func templates() {
        let alert = #""aps":{"alert":{"loc-key":"K"}}"#
        let first = Self.fingerprints(#"{\#(alert),"push-recipient":"U1","txn-id":"7"}"#)
        let same = Self.fingerprints(#"{\#(alert),"push-recipient":"U999","txn-id":"123456"}"#)
        let other = Self.fingerprints(#"{\#(alert),"push-recipient":"U1","txn-id":"7","x":1}"#)
        let swapped = Self.fingerprints(#"{\#(alert),"txn-id":"7","push-recipient":"U1"}"#)
        #expect(first.template == same.template)
        #expect(Set([first.template, other.template, swapped.template]).count == 3)
        #expect(first.isOfMessenger)
    }

    @Test("a push is the messenger's by its topic or by its payload")
    func messenger() {
        #expect(!Self.fingerprints("{}").isOfMessenger)
        #expect(!Self.fingerprints("{}", topic: "im.adamant").isOfMessenger)
        #expect(Self.fingerprints("{}", topic: "im.adamant.adamant-messenger").isOfMessenger)
        #expect(Self.fingerprints(#"{"txn-id":"x"}"#).isOfMessenger)
        #expect(Self.fingerprints("no JSON", topic: nil).recipient == nil)
    }
}
