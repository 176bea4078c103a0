import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import TestSupport
import Testing

@Suite("Ledger: transaction objects")
struct RenderingTests {
    private func text(_ world: TestWorld, _ id: Identifier, _ form: TransactionForm, _ version: String)
        -> String?
    {
        world.ledger.transactionJSON(id, form: form, profile: NodeProfile(version: version)!)
            .map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("a chat message has exactly the members of its call, in their order")
    func chat() throws {
        var world = TestWorld()
        world.now = Timestamp(milliseconds: 300_000_003_000)
        let transaction = world.chat(1, TestWorld.address(2), "aa\"", nonce: nil)
        try world.post(transaction)
        let block = world.forge()
        world.forge()
        func expected(
            _ time: String,
            _ milliseconds: String,
            _ requester: String,
            _ key: String,
            _ second: String,
            _ asset: String
        ) -> String {
            "{\"id\":\"\(transaction.id)\",\"height\":2,\"blockId\":\"\(block.id)\",\"type\":8,"
                + "\"block_timestamp\":\(time),\"timestamp\":300000003\(milliseconds),"
                + "\"senderPublicKey\":\"\(Hex.encode(TestWorld.pairs[1].publicKey))\"\(requester),"
                + "\"senderId\":\"\(TestWorld.address(1))\",\"recipientId\":\"\(TestWorld.address(2))\","
                + "\"recipientPublicKey\":\(key),\"amount\":0,\"fee\":100000,"
                + "\"signature\":\"\(Hex.encode(transaction.signature))\"\(second),\"signatures\":[],"
                + "\"confirmations\":2,\"asset\":\(asset)}"
        }
        let key = "\"\(Hex.encode(TestWorld.pairs[2].publicKey))\""
        let asset = "{\"chat\":{\"message\":\"aa\\\"\",\"own_message\":null,\"type\":1}}"
        let (requester, second) = (",\"requesterPublicKey\":null", ",\"signSignature\":null")
        #expect(
            text(world, transaction.id, .transactions(returnsAsset: false), "0.10")
                == expected("300000003", ",\"timestampMs\":null", "", key, "", "{}")
        )
        #expect(
            text(world, transaction.id, .single(returnsAsset: true), "0.10")
                == expected("300000000", ",\"timestampMs\":null", "", key, "", asset)
        )
        #expect(
            text(world, transaction.id, .single(returnsAsset: false), "0.9")
                == expected("300000000", "", "", key, "", "{}")
        )
        #expect(
            text(world, transaction.id, .chats, "0.10")
                == expected("300000000", ",\"timestampMs\":null", requester, "null", second, asset)
        )
        #expect(
            text(world, transaction.id, .chats, "0.9")
                == expected("300000000", "", requester, "null", second, asset)
        )
        #expect(text(world, Identifier(1), .chats, "0.9") == nil)
    }

    @Test("a state has no recipient, and reads back an omitted key as null")
    func state() throws {
        var world = TestWorld()
        let id = try world.post(world.state(1, "é/\n", key: nil, type: 1))
        world.forge()
        let json = try JSONValue(parsing: try #require(text(world, id, .states, "0.10")))
        #expect(json["recipientId"] == .null && json["recipientPublicKey"] == .null && json["type"] == 9)
        #expect(json["asset"] == ["state": ["value": "é/\n", "key": nil, "type": 1]])
    }

    @Test("a lower-case recipient is shown as sent by chats, upper-cased without key by transactions")
    func lowercase() throws {
        var world = TestWorld()
        let lower = try #require(Address("u" + TestWorld.address(2).text.dropFirst()))
        let id = try world.post(world.chat(1, lower, "aa"))
        world.forge()
        let general = try JSONValue(
            parsing: try #require(text(world, id, .transactions(returnsAsset: false), "0.10"))
        )
        #expect(
            general["recipientId"] == .string(lower.uppercased.text) && general["recipientPublicKey"] == .null
        )
        let chats = try JSONValue(parsing: try #require(text(world, id, .chats, "0.10")))
        #expect(chats["recipientId"] == .string(lower.text))
    }

    @Test("the genesis block's time 0 is null for one transaction, 0 in lists")
    func genesis() throws {
        let world = TestWorld()
        let id = try #require(world.ledger.transactions(height: 1).first?.id)
        let single = try JSONValue(
            parsing: try #require(text(world, id, .single(returnsAsset: true), "0.10"))
        )
        #expect(single["block_timestamp"] == .null && single["fee"] == 0)
        let list = try JSONValue(
            parsing: try #require(text(world, id, .transactions(returnsAsset: true), "0.9"))
        )
        #expect(list["block_timestamp"] == 0 && list["confirmations"] == 1)
    }

    @Test("timestampMs is kept from height 100000000 on, by nodes of 0.10 alone")
    func milliseconds() throws {
        for (height, version, kept) in [
            (100_000_000, "0.10", true), (99_999_990, "0.10", false), (100_000_000, "0.9", false),
        ] {
            var world = TestWorld(versions: [version], startHeight: height)
            var posted = try #require(world.chat(1, TestWorld.address(2), "aa").postedJSON.objectValue)
            posted["timestampMs"] = .int(Int64(world.seconds) * 1000 + 5)
            let id = try world.post(body: ["transaction": .object(posted)])
            world.forge()
            let json = try JSONValue(parsing: try #require(text(world, id, .chats, "0.10")))
            #expect(json["timestampMs"] == (kept ? .int(Int64(world.seconds) * 1000 + 5) : .null))
            let single = try #require(text(world, id, .single(returnsAsset: true), "0.9"))
            #expect(!single.contains("timestampMs"))
        }
    }
}
