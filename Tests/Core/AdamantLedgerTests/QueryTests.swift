import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import TestSupport
import Testing

@Suite("Ledger: lists")
struct QueryTests {
    @Test("random queries over random chains find what a plain scan finds", arguments: 1...6)
    func agreesWithScan(seed: Int) throws {
        var random = RandomChain(seed: UInt64(seed), startHeight: seed == 6 ? 100_000_000 : seed)
        random.run(steps: 300)
        random.world.forgeAll()
        let oracle = QueryOracle(random.world.ledger)
        #expect(oracle.rows.count > 60)
        for round in 0..<200 {
            var query = randomQuery(&random, oracle)
            query.offset = random.number(0...3) == 0 ? random.number(0...60) : 0
            query.limit = random.number(1...30)
            let field = random.element(TransactionOrder.Field.allCases)
            let order =
                random.number(0...9) == 0
                ? TransactionOrder.insertion
                : TransactionOrder(
                    random.number(0...1) == 0 ? .timestamp : field,
                    isDescending: random.number(0...2) > 0
                )
            query.order = order
            if case .chats = query.scope, order.field == .type { continue }
            let expected = oracle.answer(query, order: order)
            let (elements, count) = try random.world.json(query)
            let ids = elements.compactMap { $0["id"]?.stringValue }
            #expect(ids == expected.ids && count == expected.count, "seed \(seed) round \(round) \(query)")
            if ids != expected.ids || count != expected.count { return }
        }
    }

    func randomQuery(_ random: inout RandomChain, _ oracle: QueryOracle) -> TransactionQuery {
        switch random.number(0...3) {
        case 0:
            var query = TransactionQuery(.chats(includesTransfers: random.number(0...1) == 1))
            let texts = [random.address().text, random.address().text]
            if random.number(0...1) == 0 { query.add(.chatType(random.number(0...4)), .and) }
            if random.number(0...2) == 0 { query.add(.party(texts[0]), .and) }
            if random.number(0...3) == 0 { query.add(.sender(texts[0]), .and) }
            if random.number(0...3) == 0 { query.add(.recipient(texts[1]), .and) }
            if random.number(0...2) == 0 { query.add(.aboveHeight(height(&random, oracle)), .and) }
            return query
        case 1:
            var query = TransactionQuery(.states)
            if random.number(0...1) == 0 { query.add(.sender(random.address().text), .and) }
            if random.number(0...3) == 0 {
                query.add(.senders([random.address().text, random.address().text]), .and)
            }
            if random.number(0...1) == 0 {
                query.add(.key(random.element(RandomChain.stateKeys) ?? "none"), .and)
            }
            if random.number(0...4) == 0 { query.add(.keys(["k", "\u{e9}", "k"]), .and) }
            if random.number(0...3) == 0 { query.add(.stateType(random.number(0...2)), .and) }
            if random.number(0...3) == 0 { query.add(.aboveHeight(height(&random, oracle)), .and) }
            return query
        default:
            var query = TransactionQuery(.transactions)
            for _ in 0..<random.number(0...4) {
                query.add(filter(&random, oracle), random.number(0...1) == 0 ? .or : .and)
            }
            if random.number(0...5) == 0 {
                query.required.append(.owner(address: random.address().text, publicKey: key(&random)))
            }
            return query
        }
    }

    private func height(_ random: inout RandomChain, _ oracle: QueryOracle) -> Int {
        let first = oracle.rows[0].block.height
        return random.number(first - 1...oracle.height + 1)
    }

    private func key(_ random: inout RandomChain) -> String {
        let text = Hex.encode(TestWorld.pairs[random.number(1...6)].publicKey)
        return random.number(0...5) == 0 ? text.uppercased() : text
    }

    private func filter(_ random: inout RandomChain, _ oracle: QueryOracle) -> TransactionFilter {
        let row = random.element(oracle.rows)
        let (first, second) = (random.address().text, random.address().text)
        let keys = [key(&random), key(&random)]
        let seconds = Int64(row.transaction.timestamp)
        switch random.number(0...24) {
        case 0: return .blockId(random.number(0...4) == 0 ? "0\(row.block.id)" : row.block.id.description)
        case 1: return .sender(first)
        case 2: return .recipient(first)
        case 3, 4: return .party(first)
        case 5: return .senders([first, second, "U1"])
        case 6: return .recipients([first, second])
        case 7: return .senderPublicKey(keys[0])
        case 8: return .recipientPublicKey(keys[0])
        case 9: return .senderPublicKeys(keys)
        case 10: return .recipientPublicKeys(keys)
        case 11, 12: return .type(random.element([0, 8, 9, 3, 10, -1]))
        case 13: return .types([0, 9])
        case 14: return .fromHeight(height(&random, oracle))
        case 15: return .toHeight(height(&random, oracle))
        case 16: return .fromTimestamp(seconds)
        case 17: return .toTimestamp(seconds)
        case 18: return .minAmount(row.transaction.amount)
        case 19: return .maxAmount(row.transaction.amount)
        case 20: return .minFee(row.transaction.fee)
        case 21: return .maxFee(row.transaction.fee)
        case 22: return .withoutClutter
        case 23: return .minConfirmations(random.number(0...oracle.height - oracle.rows[0].block.height + 3))
        default: return .owner(address: first, publicKey: keys[0])
        }
    }

    @Test("extreme numbers find nothing, or everything, and never trap")
    func extremes() throws {
        var random = RandomChain(seed: 9)
        random.run(steps: 100)
        random.world.forgeAll()
        let all = random.world.ledger.transactionCount
        let filters: [(TransactionFilter, Int)] = [
            (.fromHeight(.max), 0), (.fromHeight(.min), all), (.toHeight(.max), all), (.toHeight(.min), 0),
            (.aboveHeight(.max), 0), (.aboveHeight(.min), all), (.minConfirmations(.max), 0),
            (.minConfirmations(.min), all), (.fromTimestamp(.max), 0), (.fromTimestamp(.min), all),
            (.toTimestamp(.min), 0), (.toTimestamp(.max), all), (.minAmount(.min), all), (.type(.max), 0),
            (.blockId(""), 0), (.blockId("99999999999999999999999"), 0), (.sender(""), 0), (.sender("x"), 0),
            (.senderPublicKey(""), 0), (.recipientPublicKey("zz"), 0), (.types([]), 0), (.senders([]), 0),
        ]
        for (filter, count) in filters {
            var query = TransactionQuery(.transactions)
            query.add(filter, .and)
            query.limit = 1000
            #expect(try random.world.json(query).count == count, "\(filter)")
            query.offset = .max
            query.limit = .max
            #expect(try random.world.json(query).elements.isEmpty, "\(filter)")
        }
        var query = TransactionQuery(.transactions)
        query.add(.fromTimestamp(.max), .and)
        query.add(.toTimestamp(.min), .and)
        #expect(try random.world.json(query).count == 0)
    }

    @Test("without an order 0.10 lists the newest first, 0.9 as inserted")
    func standardOrder() throws {
        var world = TestWorld(versions: ["0.9"])
        var ids: [String] = []
        for offset in [3, 1, 2] {
            ids.append(
                try world.post(
                    world.chat(1, TestWorld.address(2), "aa", at: world.seconds + Int32(offset) - 4)
                )
                .description
            )
            world.forge()
        }
        let query = TransactionQuery(.chats(includesTransfers: false))
        #expect(try world.ids(query, version: "0.9") == ids)
        #expect(try world.ids(query, version: "0.10") == [ids[0], ids[2], ids[1]])
    }

    @Test("ordering chats by type is the database's error")
    func databaseError() throws {
        let world = TestWorld()
        var query = TransactionQuery(.chats(includesTransfers: false))
        query.order = TransactionOrder(.type, isDescending: true)
        #expect(throws: QueryError.self) { try world.json(query) }
    }
}
