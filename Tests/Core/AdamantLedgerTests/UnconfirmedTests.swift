import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import TestSupport
import Testing

@Suite("Ledger: lists with unconfirmed transactions")
struct UnconfirmedTests {
    private let confirmed: [String]
    private let waiting: [String]
    private let world: TestWorld

    /// Two confirmed messages and a confirmed transfer, then a message, a signal, a transfer and a value waiting.
    init() throws {
        var world = TestWorld(versions: ["0.10", "0.10"])
        var confirmed: [String] = []
        var waiting: [String] = []
        for _ in 0..<2 {
            confirmed.append("\(try world.post(world.chat(1, TestWorld.address(2), "aa")))")
            world.forge()
            world.wait(10)
        }
        confirmed.append("\(try world.post(world.transfer(2, TestWorld.address(1), 5)))")
        world.forge()
        world.wait(10)
        waiting.append("\(try world.post(world.chat(1, TestWorld.address(2), "ab")))")
        waiting.append("\(try world.post(world.chat(1, TestWorld.address(3), "ac", type: 3)))")
        waiting.append(
            "\(try world.post(world.transfer(2, TestWorld.address(1), 7, at: world.seconds - 15)))"
        )
        waiting.append("\(try world.post(world.state(1, "v", key: "k")))")
        world.ledger.fillPool(node: 0)
        (self.confirmed, self.waiting, self.world) = (confirmed, waiting, world)
    }

    private func query(_ scope: TransactionQuery.Scope, _ filters: [TransactionFilter] = [])
        -> TransactionQuery
    {
        var query = TransactionQuery(scope)
        for filter in filters { query.add(filter, .and) }
        query.order = TransactionOrder(.timestamp, isDescending: true)
        query.returnsUnconfirmed = true
        return query
    }

    @Test("both are in one order, and the unconfirmed count twice")
    func merges() throws {
        var query = query(.transactions, [.fromHeight(2)])
        let found = try world.json(query)
        let ids = found.elements.compactMap { $0["id"]?.stringValue }
        #expect(Set(ids.prefix(3)) == [waiting[0], waiting[1], waiting[3]])
        #expect(Array(ids.dropFirst(3)) == [confirmed[2], waiting[2], confirmed[1], confirmed[0]])
        #expect(found.count == 3 + 2 * 4)
        query.offset = 3
        query.limit = 2
        #expect(try world.ids(query) == [confirmed[2], waiting[2]])
        query.order = TransactionOrder(.height, isDescending: false)
        query.offset = 0
        query.limit = 4
        #expect(try world.ids(query).prefix(3) == confirmed[...])
        #expect(try world.json(query, version: "0.9").count == 3)
    }

    @Test("chats add messages and signals, never transfers; states add values; each once")
    func scopes() throws {
        let chats = try world.json(query(.chats(includesTransfers: true), [.aboveHeight(1)]))
        #expect(chats.count == 3 + 2)
        #expect(Set(chats.elements.compactMap { $0["id"]?.stringValue }) == Set(confirmed + waiting[0...1]))
        #expect(try world.ids(query(.chats(includesTransfers: false), [.chatType(3)])) == [waiting[1]])
        #expect(try world.ids(query(.states, [.key("k")])) == [waiting[3]])
        #expect(try world.ids(query(.states, [.key("x")])).isEmpty)
    }

    @Test("conditions are joined from left to right, and some count as true, false or not at all")
    func conditions() throws {
        func added(_ conditions: [(TransactionFilter, TransactionQuery.Combination)]) throws -> Set<String> {
            var query = query(.transactions)
            for (filter, combination) in conditions { query.add(filter, combination) }
            let ids = try world.json(query).elements.compactMap { $0["id"]?.stringValue }
            return Set(ids).intersection(waiting)
        }
        let all = Set(waiting)
        #expect(try added([]) == all)
        #expect(try added([(.type(0), .or), (.type(8), .or)]) == [waiting[0], waiting[1], waiting[2]])
        #expect(try added([(.type(9), .or), (.type(8), .or), (.minAmount(1), .and)]) == [])
        #expect(try added([(.type(9), .or), (.fromHeight(99), .or)]) == all)
        #expect(try added([(.types([8]), .or)]) == [])
        #expect(try added([(.minFee(1), .or)]) == all)
        #expect(try added([(.toHeight(9), .or)]) == [])
        #expect(try added([(.party(TestWorld.address(3).text), .or)]) == [waiting[1]])
        #expect(
            try added([(.recipientPublicKey(Hex.encode(TestWorld.pairs[3].publicKey)), .or)]) == [waiting[1]]
        )
    }

    @Test("an unconfirmed object shows what was posted and what the node adds")
    func object() throws {
        let found = try world.json(query(.states)).elements
        #expect(
            found.first?.objectValue?.keys == [
                "type", "amount", "senderPublicKey", "senderId", "timestamp", "signature", "asset", "id",
                "fee",
                "relays", "receivedAt", "blockId", "height", "confirmations",
            ]
        )
        #expect(found.first?["receivedAt"] == .string(world.now.rfc3339))
        #expect(found.first?["blockId"] == .null && found.first?["confirmations"] == 0)
        #expect(found.first?["asset"]?["state"]?["value"] == "v")
    }
}
