import AdamantModel
import Determinism
import JSONValue
import Synchronization
import Testing

@Suite("Node: what clients ask for at the least")
struct ClientRequestTests {
    private static let alice = "U9764661521592110710"
    private static let bob = "U6833851493527812033"
    private static let aliceKey = "41cb57609fce17bdc6e130d7e01b5fa0955ba613d8d1226bff680df944047059"
    private static let ans = "U14449473063418336855"

    /// Whether an answer has at least the members of another, with the same values.
    private func holds(_ found: JSONValue?, _ wanted: JSONValue) -> Bool {
        guard case .object(let members) = wanted else { return found == wanted }
        return members.members.allSatisfy { holds(found?[$0.key], $0.value) }
    }

    @Test("start and login")
    func login() throws {
        let world = try TestWorld(version: "0.10.2", startHeight: 50_000_000)
        let expected: [(ClientRequest, JSONValue)] = [
            (
                .get("/api/node/status"),
                [
                    "success": true, "nodeTimestamp": 275_000_100, "network": ["height": 50_000_000],
                    "version": ["version": "0.10.2"], "wsClient": ["enabled": true, "port": 36_668],
                ]
            ),
            (
                .get("/api/blocks/getHeight"),
                ["success": true, "nodeTimestamp": 275_000_100, "height": 50_000_000]
            ),
            (
                .get("/api/accounts?publicKey=\(Self.aliceKey)"),
                [
                    "account": [
                        "address": .string(Self.alice), "balance": "500000000",
                        "unconfirmedBalance": "500000000",
                        "publicKey": .string(Self.aliceKey), "unconfirmedSignature": 0, "secondSignature": 0,
                        "secondPublicKey": nil, "multisignatures": [], "u_multisignatures": [],
                    ]
                ]
            ),
            (
                .get("/api/accounts?address=U1"),
                ["success": false, "nodeTimestamp": 275_000_100, "error": "Account not found"]
            ),
            (.get("/api/accounts/getPublicKey?address=\(Self.alice)"), ["publicKey": .string(Self.aliceKey)]),
            (
                .get("/api/states/get?senderId=\(Self.alice)&orderBy=timestamp:desc&key=contact_list"),
                ["success": true, "count": 0, "transactions": []]
            ),
            (
                .get(
                    "/api/transactions?inId=\(Self.ans)&and:minAmount=1&limit=100&offset=0&orderBy=timestamp:desc"
                ),
                ["success": true, "count": 0, "transactions": []]
            ),
            (
                .get("/api/chats/get?orderBy=timestamp:desc&fromHeight=50000000"),
                ["success": true, "transactions": []]
            ),
            (
                .get("/api/transactions?orderBy=timestamp:desc&type=0&and:fromHeight=50000001"),
                ["success": true, "transactions": []]
            ),
        ]
        for ((request, wanted), answer) in zip(expected, try world.send(expected.map(\.0))) {
            #expect(holds(try JSONValue(parsing: answer.body), wanted), "\(request.path): \(answer.body)")
        }
    }

    @Test("from a sent message to room, list, poll and single transaction", arguments: ["0.9", "0.10"])
    func messages(version: String) throws {
        let world = try TestWorld(version: version, startHeight: 49_999_989)
        let (message, signal) = (SubmissionTests.message, SubmissionTests.signal)
        for (transaction, id, time) in [
            (message, "9141507109838748685", 275_000_001), (signal, "8737025639903955321", 275_000_051),
        ] as [(JSONValue, String, Int64)] {
            world.state.withLock { $0.now = Timestamp(epochSeconds: time) }
            let answer = try world.send(.post("/api/chats/process", ["transaction": transaction])).body
            #expect(try JSONValue(parsing: answer)["transactionId"] == .string(id))
            let pooled = try JSONValue(parsing: world.body("/api/transactions/queued/get?id=\(id)"))
            #expect(pooled["transaction"]?["id"] == .string(id))
            let early = try JSONValue(parsing: world.body("/api/transactions/get?id=\(id)&returnAsset=1"))
            #expect(early["error"] == "Transaction not found")
            for _ in 0..<5 { world.forge() }
        }
        world.forge()
        let one: JSONValue = version == "0.9" ? "1" : 1
        let shownMessage: JSONValue = [
            "id": "9141507109838748685", "height": 49_999_990, "type": 8, "timestamp": 275_000_000,
            "block_timestamp": 275_000_000, "senderId": .string(Self.alice), "recipientId": .string(Self.bob),
            "amount": 0, "fee": 100_000, "confirmations": 11, "signatures": [],
            "asset": message["asset"] ?? nil,
        ]
        let expected: [(String, JSONValue)] = [
            ("/api/chatrooms/\(Self.bob)/\(Self.alice)?limit=50", ["count": one]),
            ("/api/chats/get?orderBy=timestamp:desc&limit=25&isIn=\(Self.bob)", ["count": one]),
            (
                "/api/chats/get?orderBy=timestamp:desc&isIn=\(Self.ans)&type=3",
                ["success": true, "nodeTimestamp": 275_000_051, "count": one]
            ),
            (
                "/api/transactions/get?id=9141507109838748685&returnAsset=1",
                ["transaction": shownMessage]
            ),
            ("/api/transactions/get?id=9141507109838748685", ["transaction": ["asset": [:]]]),
            ("/api/transactions/unconfirmed/get?id=5", ["success": false, "error": "Transaction not found"]),
        ]
        for ((path, wanted), body) in zip(expected, try world.bodies(expected.map(\.0))) {
            #expect(holds(try JSONValue(parsing: body), wanted), "\(path): \(body)")
        }
        let room = try JSONValue(parsing: world.body(expected[0].0))["messages"]?.arrayValue
        #expect(room?.count == 1 && holds(room?[0], shownMessage))
        let list = try JSONValue(parsing: world.body("/api/chatrooms/\(Self.bob)?limit=20"))["chats"]?
            .arrayValue
        let last = list?.first { $0["lastTransaction"]?["id"] == "9141507109838748685" }
        #expect(holds(last?["lastTransaction"], shownMessage))
        let signals = try JSONValue(parsing: world.body(expected[2].0))["transactions"]?.arrayValue
        #expect(signals?.first?["confirmations"] == 6 && signals?.first?["recipientPublicKey"] == .null)
        #expect(signals?.first?["asset"] == signal["asset"] && signals?.first?["height"] == 49_999_995)
        let end = try JSONValue(parsing: world.body("/api/chatrooms/\(Self.bob)/\(Self.alice)?offset=1"))
        #expect(end["messages"] == [] && end["participants"] == [])
    }
}
