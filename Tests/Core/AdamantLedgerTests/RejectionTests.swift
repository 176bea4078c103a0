import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import TestSupport
import Testing

@Suite("Ledger: refusals beyond the golden vectors")
struct RejectionTests {
    private func refusal(
        _ body: JSONValue,
        to endpoint: SubmissionEndpoint = .transactionsProcess,
        version: String = "0.9"
    ) -> SubmissionRejection? {
        var world = TestWorld(versions: [version])
        do { try world.post(body: body, to: endpoint) } catch { return error as? SubmissionRejection }
        return nil
    }

    /// A chat message of the first account with some members changed; nil removes one.
    private func chat(_ changes: [(String, JSONValue?)]) -> JSONValue {
        let world = TestWorld()
        var posted = world.chat(1, TestWorld.address(2), "aa").postedJSON.objectValue ?? JSONObject()
        for (name, value) in changes { posted[name] = value }
        return ["transaction": .object(posted)]
    }

    @Test(
        "POST /api/transactions of 0.9 takes chats and states, and asks for a pass phrase otherwise",
        arguments: [
            ("{}", "Missing required property: recipientId"),
            (
                #"{"transaction":{"type":0,"recipientId":"U1","amount":1}}"#,
                "Missing required property: recipientId"
            ),
            (#"{"transaction":{"type":2}}"#, "Missing required property: secret"),
            (#"{"type":0,"recipientId":"U1"}"#, "Missing required property: amount"),
            (#"{"type":0,"recipientId":"U1","amount":1}"#, "Missing required property: secret"),
            (#"{"type":8}"#, "Expected type object but found type undefined"),
            (#"{"type":9,"transaction":7}"#, "Expected type object but found type integer"),
        ]
    )
    func oldForms(body: String, text: String) throws {
        #expect(refusal(try JSONValue(parsing: body), to: .transactions) == SubmissionRejection(text))
        let isWrapped = text.hasPrefix("Expected")
        #expect(
            refusal(try JSONValue(parsing: body), to: .transactions, version: "0.10")?.neverAnswered
                == !isWrapped
        )
    }

    @Test("bodies that are no object have no transaction")
    func noObject() throws {
        for body in [[], nil, "x", 5, true] as [JSONValue] {
            #expect(refusal(body) == SubmissionRejection("Expected type object but found type undefined"))
        }
        let found: [(JSONValue, String)] = [
            ([], "array"), (nil, "null"), (5, "integer"), (.number(JSONNumber(0.5)!), "number"),
            (true, "boolean"),
        ]
        for (value, type) in found {
            #expect(
                refusal(["transaction": value])
                    == SubmissionRejection("Expected type object but found type \(type)")
            )
        }
    }

    @Test("a bad sender key is an answer where states are stored, an exception elsewhere")
    func senderKeys() {
        let text = "Invalid public key: zz"
        let body = chat([("senderPublicKey", "zz")])
        #expect(refusal(body, to: .statesStore) == SubmissionRejection(text))
        #expect(refusal(body, to: .chatsProcess) == .exception(text))
        #expect(refusal(body, to: .transactions) == .exception(text))
        #expect(refusal(chat([("senderPublicKey", 5)])) == .exception("Invalid public key: 5"))
        for value in ["", nil, 0, false] as [JSONValue] {
            #expect(
                refusal(chat([("senderPublicKey", value)]))
                    == SubmissionRejection("Missing address or public key")
            )
        }
    }

    @Test("members of wrong types are refused in the node's words, the last posted first")
    func wrongTypes() {
        let buffer = "an instance of Buffer, ArrayBuffer, or Array or an Array-like Object. Received "
        let cases: [([(String, JSONValue?)], String)] = [
            ([("signature", nil as JSONValue?)], "Missing required property: signature"),
            ([("signature", .null)], "Expected type string but found type null"),
            ([("type", .null)], "Unknown transaction type null"),
            ([("type", 1)], "Unknown transaction type 1"), ([("type", 7)], "Unknown transaction type 7"),
            ([("type", [:])], "Unknown transaction type [object Object]"),
            ([("amount", .null)], "TypeError: Illegal value: null (not an integer or Long)"),
            ([("amount", "")], "Error: empty string"),
            ([("amount", true)], "TypeError: Illegal value: true (not an integer or Long)"),
            ([("timestamp", true)], "TypeError: Illegal value: true (not an integer)"),
            ([("asset", .null)], "TypeError: Cannot read properties of null (reading 'chat')"),
            ([("asset", ["chat": nil])], "TypeError: Cannot read properties of null (reading 'message')"),
            (
                [("asset", ["chat": [:]])],
                "TypeError [ERR_INVALID_ARG_TYPE]: The first argument must be of type string or \(buffer)undefined"
            ),
            (
                [("asset", ["chat": ["message": 5]])],
                "TypeError [ERR_INVALID_ARG_TYPE]: The \"value\" argument must not be of type number. "
                    + "Received type number (5)"
            ),
            (
                [("asset", ["chat": ["message": "aa"]])],
                "TypeError: Illegal value: undefined (not an integer)"
            ),
            (
                [("asset", ["chat": ["message": [1], "type": 1]])],
                "Failed to validate chat schema: Expected type string but found type array"
            ),
            (
                [("asset", ["chat": ["message": "aa", "own_message": nil, "type": 1]])],
                "Failed to validate chat schema: Expected type string but found type null"
            ),
            (
                [("height", "1"), ("blockId", "x")],
                "Failed to validate transaction schema: Object didn't pass validation for format id: x, "
                    + "Expected type integer but found type string"
            ),
            (
                [("recipientId", "")],
                "Failed to validate transaction schema: Object didn't pass validation for format address: , "
                    + "String is too short (0 chars), minimum 1"
            ),
            (
                [("recipientId", 5)],
                "Failed to validate transaction schema: Expected type string but found type integer"
            ),
            (
                [("requesterPublicKey", .string(String(repeating: "0", count: 64)))],
                "Account does not belong to multisignature group"
            ),
            ([("timestamp", 300_000_001)], "Failed to verify signature"),
            ([("timestampMs", "x")], "none"),
        ]
        for (changes, text) in cases {
            #expect(refusal(chat(changes))?.message ?? "none" == text, "\(changes)")
        }
    }

    @Test("0.9 refuses the future late, by the slot alone, and never for age")
    func oldTimes() throws {
        var world = TestWorld(versions: ["0.9"])
        world.now = Timestamp(milliseconds: 300_000_004_999)
        let future = SubmissionRejection("Invalid transaction timestamp. Timestamp is in the future")
        #expect(throws: future) { try world.post(world.chat(1, TestWorld.address(2), "aa", at: 300_000_005)) }
        #expect(
            throws: SubmissionRejection(
                "Account does not have enough ADM: \(TestWorld.address(4)) balance: 0"
            )
        ) {
            try world.post(world.chat(4, TestWorld.address(2), "aa", at: 300_000_005))
        }
        try world.post(world.chat(1, TestWorld.address(2), "aa", at: -5))
        var posted = try #require(world.chat(1, TestWorld.address(2), "ab").postedJSON.objectValue)
        posted["timestamp"] = .int(Int64(world.seconds) - 4_294_967_296)
        #expect(
            throws: SubmissionRejection("Invalid transaction timestamp. Timestamp is not in the int32 range")
        ) {
            try world.post(body: ["transaction": .object(posted)])
        }
        world.ledger.profiles = [NodeProfile(version: "0.10")!]
        world.ledger.profiles[0].maxTransactionAgeSeconds = 0
        let text = "Invalid transaction timestamp. Timestamp is not within the signed int32 range"
        #expect(throws: SubmissionRejection(text)) { try world.post(body: ["transaction": .object(posted)]) }
    }

    @Test("the age limit can be switched, and timestamps can be checked by another clock or not at all")
    func switches() throws {
        var world = TestWorld(versions: ["0.9"])
        world.ledger.profiles[0].maxTransactionAgeSeconds = 30
        #expect(throws: SubmissionRejection("Transaction timestamp is more than 30 seconds in the past")) {
            try world.post(world.chat(1, TestWorld.address(2), "aa", at: world.seconds - 40))
        }
        try world.post(world.chat(1, TestWorld.address(2), "aa", at: world.seconds - 25))
        let far = world.chat(1, TestWorld.address(2), "bb", at: world.seconds + 100_000).submission
        #expect(throws: SubmissionRejection.self) { try world.ledger.submit(far, node: 0, now: world.now) }
        let machine = world.now.adding(milliseconds: 100_000_000)
        _ = try world.ledger.submit(far, node: 0, now: world.now, timestampsCheckedAt: machine)
        let other = world.chat(1, TestWorld.address(2), "cc", at: .max).submission
        _ = try world.ledger.submit(other, node: 0, now: world.now, timestampsCheckedAt: nil)
        world.forge()
        #expect(world.ledger.height(of: other.id!) == 2)
    }

    @Test("facts for matchers are told as far as they can be")
    func facts() {
        let world = TestWorld()
        let transaction = world.chat(1, TestWorld.address(2), "aa", type: 3)
        let submission = transaction.submission
        #expect(submission.type == 8 && submission.chatType == 3 && submission.id == transaction.id)
        #expect(submission.sender == TestWorld.address(1))
        #expect(submission.recipient == TestWorld.address(2).text)
        let empty = Submission(body: [], endpoint: .chatsProcess, cryptography: TestWorld.cryptography)
        #expect(empty.type == nil && empty.chatType == nil && empty.sender == nil && empty.id == nil)
    }

    @Test(
        "versions are known by base or exactly",
        arguments: [
            ("0.9", "0.9.0"), ("0.10", "0.10.3"), ("0.10.2", "0.10.2"), ("0.9.0", "0.9.0"),
            ("0.8.3", "0.8.3"), ("0.11.0", "0.11.0"), ("0.11", "0.11"), ("0.-1.0", nil),
            ("0.10.0-beta", "0.10.0-beta"), ("0.9.0-rc1", "0.9.0-rc1"), ("0.10.3+abc", "0.10.3+abc"),
            ("0.9.1-rc.2+a-b.c", "0.9.1-rc.2+a-b.c"), ("0.10-dev", "0.10-dev"), ("1.0.0", "1.0.0"),
            ("2.0", "2.0"), ("1", nil), ("0.10.0-", nil), ("0.10.0+", nil), ("0.10.0-a+", nil),
            ("0.10.0+a+b", nil), ("0.10.0-a b", nil), ("0.10.0-\u{e9}", nil), ("0.12345.0", nil),
            ("0.10.x", nil), ("", nil), ("0.10.2.1", nil), ("v0.10.2", nil),
            ("0.10.0-" + String(repeating: "a", count: 58), nil),
        ]
    )
    func versions(text: String, reported: String?) {
        #expect(NodeProfile(version: text)?.version == reported)
    }

    @Test(
        "the beginning of an exact version selects its profile",
        arguments: [
            ("0.9.0-rc1", NodeProfile.Base.v0_9), ("0.8", .v0_9), ("0.10.0-beta", .v0_10),
            ("0.10.3+abc", .v0_10), ("1.0.0", .v0_10), ("2.5-x", .v0_10),
        ]
    )
    func bases(text: String, base: NodeProfile.Base) {
        #expect(NodeProfile(version: text)?.base == base)
    }
}
