import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import NodeServer
import Synchronization
import SystemCryptography
import TestSupport
import Testing

@Suite("Node: posted transactions")
struct SubmissionTests {
    /// The message of the reference: alice to bob, "Hello".
    static let message: JSONValue = [
        "type": 8, "amount": 0, "timestamp": 275_000_000,
        "senderPublicKey": "41cb57609fce17bdc6e130d7e01b5fa0955ba613d8d1226bff680df944047059",
        "senderId": "U9764661521592110710", "recipientId": "U6833851493527812033",
        "asset": [
            "chat": [
                "message": "f08a2a99b0ef0bbfe33bbefc632a15321bf6da23e5",
                "own_message": "676b8bb84ce7267dd520deca4811c8f10a53e636352f0698", "type": 1,
            ]
        ],
        "signature":
            "80981af7f297a466a9f343b09d9fccd55b490459701928ca36d31ad53a5cc466ec22d98d50cb280635ed5c5f0a499c4649530e689cde30f0d6bc61c05231b907",
    ]
    /// The registration of the reference: bob to the notification service.
    static let signal: JSONValue = [
        "type": 8, "amount": 0, "timestamp": 275_000_050,
        "senderPublicKey": "c07a4d10270db58e1300124713becddecefd9cf4dac6f313cfa7aac719e23516",
        "senderId": "U6833851493527812033", "recipientId": "U14449473063418336855",
        "asset": [
            "chat": [
                "message":
                    "8c4fedee538facdd91bda02209227c40981ce2870ba80a1b7e8c839b39e4314ab6b67687c16d90c51a7f8b86d2f66348c7d5475f9a89a19782e06e610c08ca97275b3e8269ecf7876fe052975574a5011a2e73e637418bafd45fc6f57b6d5ddc533c1b582d0e0b44469a9c599fbc0ebe34eed90f044ee1a00cfc813f53",
                "own_message": "0480a93d2e9b094b89e08e01976089ac18193af802c66b63", "type": 3,
            ]
        ],
        "signature":
            "9ba04e1f0f1561b82179c561f2c70a603ef8bd6284694dfd81646f239fd72f9c97007c26bff37f501844d5a3a5739154010c30dcef36b2156f76fda74321bf01",
    ]
    private static let refusal = #"{"success":false,"nodeTimestamp":275000100,"error":"#

    private static func accepted(_ id: String) -> String {
        #"{"success":true,"nodeTimestamp":275000100,"transactionId":"\#(id)"}"#
    }

    @Test("takes the reference's sample transactions and shows them once they are in a block")
    func samples() throws {
        let world = try TestWorld()
        let posted = try world.send([
            .post("/api/chats/process", ["transaction": Self.message]),
            .post("/api/transactions/process", ["transaction": Self.signal]),
            .get("/api/transactions/get?id=9141507109838748685"),
        ]).map(\.body)
        #expect(
            posted == [
                Self.accepted("9141507109838748685"), Self.accepted("8737025639903955321"),
                Self.refusal + "\"Transaction not found\"}",
            ]
        )
        world.forge()
        let signals = "/api/chats/get?orderBy=timestamp:desc&isIn=U14449473063418336855&type=3"
        let bodies = try world.bodies([
            "/api/chats/get", signals, signals + "&fromHeight=1", signals + "&fromHeight=2",
            "/api/transactions/get?id=9141507109838748685&returnAsset=1",
        ])
        let block = try #require(world.state.withLock { $0.ledger.block(height: 2) })
        let message = Self.element(
            Self.message,
            id: "9141507109838748685",
            block: block,
            timestamp: 275_000_000
        )
        let signal = Self.element(
            Self.signal,
            id: "8737025639903955321",
            block: block,
            timestamp: 275_000_050
        )
        let start = #"{"success":true,"nodeTimestamp":275000100,"transactions":["#
        #expect(bodies[0] == start + message + #"],"count":"1"}"#)
        #expect(bodies[1] == start + signal + #"],"count":"1"}"#)
        #expect(bodies[2] == bodies[1])
        #expect(bodies[3] == start + #"],"count":"0"}"#)
        let single = try JSONValue(parsing: bodies[4])
        #expect(single["transaction"]?["asset"] == Self.message["asset"])
        #expect(
            single["transaction"]?["recipientPublicKey"]
                == "c07a4d10270db58e1300124713becddecefd9cf4dac6f313cfa7aac719e23516"
        )
        #expect(single["transaction"]?["requesterPublicKey"] == nil)
    }

    /// An element of `/api/chats/get` in the order of the reference's section 4.6.
    private static func element(_ posted: JSONValue, id: String, block: Block, timestamp: Int) -> String {
        let value: JSONValue = [
            "id": .string(id), "height": 2, "blockId": .string(block.id.description), "type": 8,
            "block_timestamp": .int(block.timestamp), "timestamp": .int(timestamp),
            "senderPublicKey": posted["senderPublicKey"] ?? nil, "requesterPublicKey": nil,
            "senderId": posted["senderId"] ?? nil, "recipientId": posted["recipientId"] ?? nil,
            "recipientPublicKey": nil, "amount": 0, "fee": 100_000, "signature": posted["signature"] ?? nil,
            "signSignature": nil, "signatures": [], "confirmations": 1, "asset": posted["asset"] ?? nil,
        ]
        return value.text
    }

    @Test("stores values and lists them by sender and key")
    func states() throws {
        let world = try TestWorld()
        let first = world.state("one", key: "contact_list")
        let second = world.state("two", key: "eth:address")
        let posted = try world.send([
            .post("/api/states/store", transaction: first), .post("/api/states/store", transaction: second),
        ])
        #expect(posted.map(\.body) == [Self.accepted("\(first.id)"), Self.accepted("\(second.id)")])
        world.forge()
        let query = "/api/states/get?senderId=U9764661521592110710&orderBy=timestamp:desc&limit=1"
        let answers = try world.send([
            .get(query + "&key=contact_list"), .get("/api/states/get?keyIds=eth:address,btc:address"),
            .post(
                "/api/states/get",
                ["senderId": "U9764661521592110710", "key": "contact_list", "limit": 1]
            ),
            .get("/api/states/get/"),
        ]).map { try JSONValue(parsing: $0.body) }
        #expect(answers[0]["transactions"]?.arrayValue?.first?["asset"]?["state"]?["value"] == "one")
        #expect(answers[1]["transactions"]?.arrayValue?.first?["asset"]?["state"]?["value"] == "two")
        #expect(answers[2] == answers[0])
        #expect(answers[3]["count"] == "2")
    }

    @Test("refuses the same bytes again, before and after the block")
    func again() throws {
        let world = try TestWorld()
        let post = ClientRequest.post("/api/chats/process", ["transaction": Self.message])
        let first = try world.send([post, post]).map(\.body)
        #expect(first[1] == Self.refusal + "\"Transaction is already processed: 9141507109838748685\"}")
        world.forge()
        #expect(
            try world.send(post).body
                == Self.refusal + "\"Transaction is already confirmed: 9141507109838748685\"}"
        )
    }

    @Test("refuses a sender without balance, with the text clients know")
    func poor() throws {
        let world = try TestWorld()
        let address = TestWorld.poor.address(cryptography: SystemCryptography())
        let answer = try world.send(
            .post("/api/chats/process", transaction: world.chat("{}", by: TestWorld.poor))
        )
        #expect(
            answer.body == Self.refusal + "\"Account does not have enough ADM: \(address) balance: 0\"}"
        )
    }

    @Test("refuses old messages from 0.10 on, and takes them before")
    func age() throws {
        for (version, isTaken) in [("0.9", true), ("0.10", false)] {
            let world = try TestWorld(version: version)
            let old = world.chat("{}", secondsAgo: 3600)
            let answer = try world.send(.post("/api/chats/process", transaction: old))
            let refusal = Self.refusal + "\"Transaction timestamp is more than 5 seconds in the past\"}"
            #expect(answer.body == (isTaken ? Self.accepted("\(old.id)") : refusal))
        }
    }

    @Test("throws where the node throws")
    func exception() throws {
        let answer = try TestWorld().send(
            .post(
                "/api/chats/process",
                [
                    "transaction": [
                        "signature": .string(String(repeating: "0", count: 128)), "senderPublicKey": "ab",
                    ]
                ]
            )
        )
        #expect(answer.status == 500)
        #expect(answer.body == #"{"success":false,"error":"API error: Invalid public key: ab"}"#)
    }

    @Test("takes types 8 and 9 at /api/transactions")
    func general() throws {
        for version in ["0.9", "0.10"] {
            let world = try TestWorld(version: version)
            let chat = world.chat("{}")
            #expect(
                try world.send(.post("/api/transactions", transaction: chat)).body
                    == Self.accepted("\(chat.id)")
            )
        }
    }

    @Test("asks for a pass phrase at /api/transactions before 0.10, and never answers after")
    func generalOthers() throws {
        let old = try TestWorld()
        let transfer = old.transfer(to: TestWorld.bob.address(cryptography: SystemCryptography()), amount: 5)
        let post = ClientRequest.post("/api/transactions", transaction: transfer)
        #expect(try old.send(post).body == Self.refusal + "\"Missing required property: recipientId\"}")
        let new = try TestWorld(version: "0.10")
        #expect(try new.send(post, wait: 0.3).failure == "TIMEOUT")
        #expect(new.calls.map(\.status) == [nil])
    }

    @Test("tells success, and what a read shows, only when it is on disk")
    func durable() throws {
        let world = try TestWorld()
        world.state.withLock { $0.undurable = [] }
        let post = ClientRequest.post("/api/chats/process", ["transaction": Self.message])
        #expect(try world.send(post, wait: 0.3).failure == "TIMEOUT")
        let read = ClientRequest.get("/api/blocks/getHeight")
        #expect(try world.send(read, wait: 0.3).failure == "TIMEOUT")
        let actions = world.state.withLock { state in
            defer { state.undurable = nil }
            return state.undurable ?? []
        }
        #expect(actions.count == 2)
        for action in actions { action() }
        #expect(try world.send(read).body.contains("\"height\":1"))
        #expect(try world.send(post).body.contains("already processed"))
    }

    @Test("records each call: what it was, what was answered, which transaction it was about")
    func record() throws {
        let world = try TestWorld()
        let agent = ["User-Agent": "test/1", "Content-Type": "application/json"]
        _ = try world.send([
            .get("/api/transactions/get?id=5", agent), .get("/api/nothing"),
            .post("/api/chats/process", ["transaction": Self.message]),
        ])
        let calls = world.calls
        #expect(calls.map(\.status) == [200, 404, 200])
        #expect(calls.map(\.transactionId) == ["5", nil, "9141507109838748685"])
        #expect(calls.map(\.path) == ["/api/transactions/get", "/api/nothing", "/api/chats/process"])
        #expect(calls[0].query == "id=5")
        #expect(calls[0].agent == "test/1")
        #expect(calls[0].client == "127.0.0.1")
        #expect(calls.map(\.method) == ["GET", "GET", "POST"])
    }
}
