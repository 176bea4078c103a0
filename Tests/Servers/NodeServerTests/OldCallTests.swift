import AdamantModel
import JSONValue
import SystemCryptography
import TestSupport
import Testing

@Suite("Node: calls that only 0.9 has")
struct OldCallTests {
    private static let key = Hex.encode(TestWorld.poor.publicKey)
    private static let address = TestWorld.poor.address(cryptography: SystemCryptography())

    private static let calls: [(String, JSONValue, String)] = {
        let key = JSONValue.string(Self.key)
        func form(_ type: Int, _ amount: Int, _ asset: String, _ recipient: String) -> String {
            Envelope.success(
                #""transaction":{"type":\#(type),"amount":\#(amount),"senderPublicKey":\#(key.text),"#
                    + #""requesterPublicKey":null,"timestamp":275000100,"asset":\#(asset),"recipientId":"\#(recipient)"}"#
            )
        }
        let (bob, lower) = ("U6833851493527812033", "u6833851493527812033")
        return [
            (
                "chats", ["message": "m", "recipientId": .string(lower), "publicKey": key],
                form(8, 0, #"{"chat":{"message":"m","type":0}}"#, bob)
            ),
            (
                "chats",
                [
                    "message": "m", "own_message": "o", "message_type": 1, "recipientId": "u5",
                    "publicKey": key,
                    "type": 7, "amount": 5,
                ], form(8, 0, #"{"chat":{"message":"m","own_message":"o","type":1}}"#, "u5")
            ),
            (
                "states", ["value": "v", "key": "k", "recipientId": .string(bob), "publicKey": key],
                form(8, 0, #"{"chat":{"type":0}}"#, bob)
            ),
            (
                "transactions", ["amount": 5, "recipientId": .string(bob), "publicKey": key],
                form(0, 5, "{}", bob)
            ),
            ("chats", [:], Envelope.refusal("Missing required property: publicKey")),
            ("chats", ["publicKey": key], Envelope.refusal("Missing required property: recipientId")),
            (
                "chats", ["publicKey": key, "recipientId": "U1"],
                Envelope.refusal("Missing required property: message")
            ),
            (
                "chats", ["publicKey": key, "recipientId": "U1", "message": ""],
                Envelope.refusal("String is too short (0 chars), minimum 1")
            ),
            ("states", [:], Envelope.refusal("Missing required property: publicKey")),
            ("states", ["publicKey": key], Envelope.refusal("Missing required property: value")),
            ("states", ["publicKey": "", "value": "v"], Envelope.refusal("Missing address or public key")),
            ("transactions", [:], Envelope.refusal("Missing required property: publicKey")),
            (
                "transactions", ["publicKey": key, "recipientId": "U1", "amount": 0],
                Envelope.refusal("Value 0 is less than minimum 1")
            ),
            (
                "transactions", ["publicKey": key, "recipientId": "U1", "amount": "1"],
                Envelope.refusal("Expected type integer but found type string")
            ),
        ]
    }()

    @Test("make transactions to sign, and write the sender's account")
    func normalize() throws {
        let world = try TestWorld()
        let requests = Self.calls.map { ClientRequest.post("/api/\($0.0)/normalize", $0.1) }
        for (call, answer) in zip(Self.calls, try world.send(requests)) {
            #expect(answer.status == 200 && answer.body == call.2, "\(call)")
        }
        let account = try JSONValue(parsing: world.body("/api/accounts?address=\(Self.address)"))["account"]
        #expect(account?["publicKey"] == .string(Self.key) && account?["balance"] == "0")
        let anyone = try world.send(
            .post("/api/states/normalize", ["value": "v", "publicKey": .string(Self.key)])
        )
        let transaction = try JSONValue(parsing: anyone.body)["transaction"]
        #expect(transaction?["recipientId"]?.stringValue?.hasPrefix("U") == true)
        let new = try TestWorld(version: "0.10").send(requests)
        #expect(new.allSatisfy { $0.status == 500 && $0.body == Envelope.notFound })
    }

    @Test("paths whose handlers are missing throw")
    func missingHandlers() throws {
        for version in ["0.9", "0.10"] {
            let answers = try TestWorld(version: version).send([
                .get("/api/chats/messages"), .get("/api/chats/senders?x=1"),
            ])
            let body =
                version == "0.9"
                ? #"{"success":false,"error":"API error: root[config[params]] is not a function"}"#
                : Envelope.notFound
            #expect(answers.allSatisfy { $0.status == 500 && $0.body == body })
        }
    }

    @Test("open accounts by pass phrases")
    func passPhrases() throws {
        let world = try TestWorld()
        let phrase = "reveal economy chimney wrist biology truck wave problem clip merry accuse address"
        let key = "f34b506047ed4bda9c80949944e9d73fddf9ed2bd8dbfeb9d494960b7f599522"
        let answers = try world.send([
            .post("/api/accounts/generatePublicKey", ["secret": .string(phrase)]),
            .post("/api/accounts/open", ["secret": .string(phrase)]), .post("/api/accounts/open", [:]),
            .post("/api/accounts/open", ["secret": ""]),
        ]).map(\.body)
        #expect(answers[0] == Envelope.success(#""publicKey":"\#(key)""#))
        let account = try JSONValue(parsing: answers[1])["account"]
        #expect(account?["address"] == "U6011489040449506951" && account?["publicKey"] == .string(key))
        #expect(account?["balance"] == "0" && account?["multisignatures"] == .null)
        #expect(answers[2] == Envelope.refusal("Missing required property: secret"))
        #expect(answers[3] == Envelope.refusal("String is too short (0 chars), minimum 1"))
        #expect(try world.body("/api/accounts?publicKey=\(key)") == Envelope.refusal("Account not found"))
    }
}
