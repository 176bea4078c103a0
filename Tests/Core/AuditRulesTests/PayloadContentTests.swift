import JSONValue
import Testing

@testable import AuditRules

@Suite("Audit: content of payloads")
struct PayloadContentTests {
    private static let secret = SecretContent(
        sender: "U6833851493527812033",
        text: "Meet me at the old mill at nine"
    )

    private func leak(_ payload: String, text: String? = PayloadContentTests.secret.text) -> PayloadContent
        .Leak?
    {
        PayloadContent(Array(payload.utf8)).leak(of: SecretContent(sender: Self.secret.sender, text: text))
    }

    @Test(
        "what the services send as it should be holds nothing",
        arguments: [
            #"{"aps":{"alert":{"loc-key":"NotificationsService.NewMessage.BodySingle"},"badge":1,"sound":"notification.mp3","mutable-content":1},"push-recipient":"U9764661521592110710","txn-id":"7175005690801347553"}"#,
            #"{"aps":{"content-available":1},"txn-id":"7175005690801347553"}"#, "{}", "[]", "", "not JSON",
            "{",
        ]
    )
    func clean(payload: String) {
        #expect(leak(payload) == nil)
        #expect(PayloadContent(Array(payload.utf8)).freeText() == nil)
    }

    @Test("its own names are no secret, the sender's is, in any coding")
    func sender() {
        #expect(leak(#"{"push-recipient":"U6833851493527812033","txn-id":"6833851493527812033"}"#) == nil)
        #expect(leak(#"{"x":"U6833851493527812033"}"#) == .sender(form: "as it is", place: "x"))
        #expect(leak(#"{"x":6833851493527812033}"#) == .sender(form: "as it is", place: "x"))
        #expect(leak(#"{"U6833851493527812033":1}"#) != nil)
        // base64 of U6833851493527812033, by another implementation.
        #expect(leak(#"{"x":"VTY4MzM4NTE0OTM1Mjc4MTIwMzM="}"#) == .sender(form: "base64", place: "x"))
        #expect(leak(#"{"x":"VTY4MzM4NTE0","y":"OTM1Mjc4MTIwMzM"}"#) != nil, "split")
    }

    @Test(
        "text is found in codings of others",
        arguments: [
            // By coreutils and Python: base64, base64 for URLs, xxd, url quoting, rev.
            #"{"x":"TWVldCBtZSBhdCB0aGUgb2xkIG1pbGwgYXQgbmluZQ=="}"#,
            #"{"x":"TWVldCBtZSBhdCB0aGUgb2xkIG1pbGwgYXQgbmluZQ"}"#,
            #"{"x":"4d656574206d6520617420746865206f6c64206d696c6c206174206e696e65"}"#,
            #"{"x":"4D656574206D6520617420746865206F6C64206D696C6C206174206E696E65"}"#,
            #"{"x":"Meet%20me%20at%20the%20old%20mill%20at%20nine"}"#,
            #"{"x":"enin ta llim dlo eht ta em teeM"}"#,
            #"{"x":"MEET ME AT THE OLD MILL AT NINE"}"#,
            #"{"x":"\u004deet me at the old mill"}"#,
            #"{"x":"\\u004deet me at the ol\\u0064 mill"}"#,
            #"{"x":["Mee","t m","e a","t t","he ","old"]}"#,
            #"{"a":{"b":"Meet me"},"c":" at the old mill"}"#,
            #"{"x":"TWVldCBtZSBhd","y":"CB0aGUgb2xkIG1pbGwgYXQgbmluZQ=="}"#,
            #"{"x":"NGQ2NTY1NzQyMDZkNjUyMDYxNzQyMDc0Njg2NTIwNmY2YzY0MjA2ZDY5NmM2YzIwNjE3NDIwNmU2OTZlNjU="}"#,
        ]
    )
    func codings(payload: String) {
        #expect(leak(payload) != nil)
    }

    @Test("short messages must be there whole, long ones need twelve letters in common")
    func lengths() {
        #expect(leak(#"{"x":"ok"}"#, text: "OK") != nil)
        #expect(leak(#"{"x":"it is ok"}"#, text: "OK") == nil)
        #expect(leak(#"{"x":"He said lunch"}"#, text: "lunch") != nil)
        #expect(leak(#"{"x":"Meet me at "}"#) == nil, "eleven letters")
        #expect(leak(#"{"x":"Meet me at t"}"#) != nil)
        #expect(leak(#"{"x":"something else entirely"}"#) == nil)
        #expect(leak(#"{"x":""}"#, text: "") == nil)
        #expect(
            leak(#"{"x":"Grüße aus Köln"}"#, text: "GRÜSSE AUS KÖLN") == nil,
            "folding is not transliteration"
        )
        #expect(leak(#"{"x":"grüße aus köln"}"#, text: "Grüße aus KÖLN") != nil)
    }

    @Test("the text inside a rich message counts")
    func rich() {
        let text = #"{"type":"eth_transaction","amount":"0.5","comments":"for the garden"}"#
        #expect(leak(#"{"x":"for the garden"}"#, text: text) != nil)
    }

    @Test(
        "free text where a key belongs",
        arguments: [
            (#"{"aps":{"alert":"New message"}}"#, "aps.alert"),
            (#"{"aps":{"alert":{"title":"Message from U1","body":""}}}"#, "aps.alert.title"),
            (#"{"aps":{"alert":{"body":"x"}}}"#, "aps.alert.body"),
            (#"{"aps":{"alert":{"loc-key":"You have mail"}}}"#, "aps.alert.loc-key"),
            (#"{"aps":{"alert":{"loc-key":"K","loc-args":["Bob"]}}}"#, "aps.alert.loc-args"),
        ]
    )
    func freeText(payload: String, place: String) {
        guard case .freeText(let found, _)? = PayloadContent(Array(payload.utf8)).freeText() else {
            return #expect(Bool(false), "it is free text")
        }
        #expect(found == place)
    }

    @Test("a payload that is deep, long or odd costs nothing")
    func hostile() {
        let deep = String(repeating: "[", count: 300) + String(repeating: "]", count: 300)
        #expect(leak(deep) == nil)
        let many = "[" + Array(repeating: "\"%%%%%%%%\"", count: 2000).joined(separator: ",") + "]"
        #expect(leak(many) == nil)
        #expect(leak(#"{"x":"\\u12"}"#) == nil)
        #expect(leak(#"{"x":"\\\\\\\\\\"}"#) == nil)
    }
}
