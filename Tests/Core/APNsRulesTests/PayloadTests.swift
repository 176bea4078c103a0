import JSONValue
import Testing

@testable import APNsRules

@Suite("APNs: payloads")
struct PayloadTests {
    private static func payload(_ count: Int) -> [UInt8] {
        Array(#"{"a":""#.utf8) + [UInt8](repeating: 0x78, count: count - 8) + Array(#""}"#.utf8)
    }

    @Test(
        "counts bytes up to the limit",
        arguments: [
            (4096, nil, "200"), (4097, nil, "413 PayloadTooLarge"), (4097, "alert", "413 PayloadTooLarge"),
            (5120, "voip", "200"), (5121, "voip", "413 PayloadTooLarge"),
        ] as [(Int, String?, String)]
    )
    func limits(count: Int, type: String?, answer: String) {
        let headers = type.map { [(name: "apns-push-type", value: $0)] } ?? []
        #expect(Push(headers: headers, body: Self.payload(count)).answer() == answer)
    }

    @Test("takes a VoIP topic without a push type for VoIP")
    func limitsByTopic() {
        #expect(Push(topic: "im.example.voip", body: Self.payload(5120)).answer() == "200")
    }

    @Test("judges a body that was cut off by its size alone")
    func judgesCutOff() {
        let outcome = Push(body: [0x7B], bodyCount: 100_000).outcome()
        #expect(outcome.answer == "413 PayloadTooLarge")
        #expect(outcome.record.verdict.alsoWouldHave.rules == [])
    }

    @Test("refuses an empty body")
    func refusesEmpty() {
        let outcome = Push(body: []).outcome()
        #expect(outcome.answer == "400 PayloadEmpty")
        #expect(outcome.record.verdict.rule == .payloadEmpty)
    }

    private static let documents: [String] = [
        "{}", " \t\r\n{ } ", #"{"a":1}"#, #"{"a":[1,2,{"b":null}],"c":true,"d":false}"#, #"{"a":-0.5e+10}"#,
        #"{"a":"\u00e9\n\"\\\/"}"#, #"{"a":"\ud83d"}"#, "{\"a\":\"\u{1F600}\"}", #"{"a":{"b":{"c":{}}}}"#,
        "", " ", "[]", "1", "null", #""x""#, "{", "}", "{}}", "{}x", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#,
        #"{,"a":1}"#, #"{"a":1 "b":2}"#, #"{a:1}"#, #"{'a':1}"#, #"{"a":01}"#, #"{"a":1.}"#, #"{"a":.5}"#,
        #"{"a":+1}"#, #"{"a":1e}"#, #"{"a":--1}"#, #"{"a":tru}"#, #"{"a":nulll}"#, #"{"a":"\x"}"#,
        #"{"a":"\u12g4"}"#, #"{"a":"\u12"}"#, "{\"a\":\"\n\"}", "{\"a\":\"\u{1}\"}", #"{"a":"}"#,
        #"{"a":[1,]}"#,
        #"{"a":[1}"#, #"{"a":[}"#, "\u{FEFF}{}", #"{"a":NaN}"#, #"{"a":1}{"b":2}"#, "{\0}", #"{"a":0}"#,
        #"{"a":-}"#, #"{"a":"\"#, #"{"a":00}"#, #"{"a":1e5}"#, #"{"a":1E-5}"#, #"{"a":0.0}"#,
    ]

    @Test("takes for an object what the JSON parser takes for one", arguments: documents)
    func agreesWithParser(document: String) {
        let bytes = Array(document.utf8)
        let isObject = (try? JSONValue(parsing: bytes))?.objectValue != nil
        #expect(PayloadScan(bytes).isObject == isObject)
        #expect(Push(body: bytes).answer() == (isObject ? "200" : "400 PayloadEmpty"))
    }

    @Test("agrees with the parser on every truncation and every changed byte of a document")
    func agreesOnMutations() {
        let bytes = Array(#"{"push-recipient":"U1","n":[-1.5e3,{"x":"\u00e9"}],"t":true} "#.utf8)
        for index in bytes.indices {
            let truncated = Array(bytes[..<index])
            #expect(PayloadScan(truncated).isObject == ((try? JSONValue(parsing: truncated)) != nil))
            for byte in [0x00, 0x22, 0x2C, 0x30, 0x5C, 0x5D, 0x7B, 0x7D, 0xFF] as [UInt8] {
                var changed = bytes
                changed[index] = byte
                let isObject = (try? JSONValue(parsing: changed))?.objectValue != nil
                #expect(PayloadScan(changed).isObject == isObject)
            }
        }
    }

    @Test("bounds nesting as the parser does", arguments: [510, 511, 512, 513, 2000])
    func boundsNesting(depth: Int) {
        let open = String(repeating: #"{"a":"#, count: depth)
        let bytes = Array((open + "1" + String(repeating: "}", count: depth)).utf8)
        #expect(PayloadScan(bytes).isObject == ((try? JSONValue(parsing: bytes)) != nil))
    }

    @Test("takes out recipient and transaction, the last of several")
    func takesOut() {
        let request = Push(
            body: Array(
                #"{"txn-id":"1","aps":{"txn-id":"no"},"push-recipient":"U\u0031","txn-id" : "2"}"#.utf8
            )
        ).request
        #expect(request.recipient == "U1")
        #expect(request.transactionId == "2")
        let none = Push(body: Array(#"{"txn-id":7,"push-recipient":null}"#.utf8)).request
        #expect(none.recipient == nil)
        #expect(none.transactionId == nil)
    }
}
