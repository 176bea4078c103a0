import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import TestSupport
import Testing

@Suite("Ledger: cost of a page")
struct PageCostTests {
    private static let short = SyntheticChain(transactions: 1_000).ledger
    private static let long = SyntheticChain(transactions: 40_000).ledger

    private static func query(
        _ scope: TransactionQuery.Scope,
        _ filters: [TransactionFilter],
        _ field: TransactionOrder.Field = .timestamp,
        isDescending: Bool = true,
        limit: Int = 25
    ) -> TransactionQuery {
        var query = TransactionQuery(scope)
        for filter in filters { query.add(filter, .and) }
        query.order = TransactionOrder(field, isDescending: isDescending)
        query.limit = limit
        return query
    }

    /// What clients ask for when they want the newest.
    static let newest: [TransactionQuery] = {
        let address = SyntheticChain.address(3).text
        let other = SyntheticChain.address(4).text
        let chats = TransactionQuery.Scope.chats(includesTransfers: false)
        return [
            query(.transactions, []), query(.transactions, [], limit: 1), query(.transactions, [.type(0)]),
            query(.transactions, [.party(address)]), query(.transactions, [.sender(address), .type(8)]),
            query(.transactions, [.recipient(address), .types([0, 9])]),
            query(.transactions, [.type(8)], .height),
            query(.transactions, [], .confirmations, isDescending: false),
            query(chats, []), query(chats, [.chatType(3), .party(address)]), query(chats, [.chatType(3)]),
            query(.chats(includesTransfers: true), [.recipient(other)]),
            query(.states, [.sender(address), .key("k1")], limit: 1), query(.states, [.key("k2")]),
        ]
    }()

    @Test("the newest of anything cost the same on a long chain as on a short one")
    func sameOnLongChain() {
        for query in Self.newest {
            let (short, long) = (Self.short.selection(query), Self.long.selection(query))
            #expect(short.rows.count <= long.rows.count && long.rows.count <= query.limit)
            #expect(long.count > 10 * short.count, "\(query)")
            #expect(long.visitedRows <= 2 * max(query.limit, short.visitedRows), "\(query)")
        }
    }

    @Test("a poll above a height near the tip looks at the few newer rows only")
    func pollNearTip() {
        let height = Self.long.height - 4
        let address = SyntheticChain.address(3).text
        for filters in [[], [.party(address)], [.chatType(3)], [.chatType(3), .party(address)]]
            as [[TransactionFilter]]
        {
            let query = Self.query(
                .chats(includesTransfers: false),
                filters + [.aboveHeight(height)],
                limit: 100
            )
            let selection = Self.long.selection(query)
            #expect(selection.count <= 100 && selection.rows.count == selection.count)
            #expect(selection.visitedRows <= 200)
        }
        let query = Self.query(.transactions, [.type(0), .fromHeight(height)], limit: 100)
        #expect(Self.long.selection(query).visitedRows <= 200)
    }

    @Test("paging deep into one list goes there at once")
    func deepOffset() {
        var query = Self.query(.transactions, [.type(0)])
        query.offset = 5_000
        #expect(Self.long.selection(query).visitedRows <= 25)
    }

    @Test("long restricted ranges are right in either order, wherever they lie")
    func longRanges() throws {
        let ledger = SyntheticChain(transactions: 2_500).ledger
        let oracle = QueryOracle(ledger)
        for filters in [
            [.fromHeight(10)], [.toHeight(80)], [.fromHeight(20), .toHeight(90)], [.type(8), .toHeight(85)],
            [.fromTimestamp(60), .toTimestamp(400)], [.toTimestamp(300), .fromHeight(5)],
            [.minConfirmations(30)], [.type(0), .minAmount(1)],
        ] as [[TransactionFilter]] {
            for isDescending in [true, false] {
                for offset in [0, 3, 700] {
                    var query = Self.query(.transactions, filters, isDescending: isDescending)
                    query.offset = offset
                    let expected = oracle.answer(query, order: try #require(query.order))
                    var output: [UInt8] = Array("[".utf8)
                    let summary = try ledger.page(
                        query,
                        profile: NodeProfile(version: "0.10")!,
                        into: &output
                    )
                    let ids = try JSONValue(parsing: output + Array("]".utf8)).arrayValue?
                        .compactMap { $0["id"]?.stringValue }
                    #expect(ids == expected.ids && summary.count == expected.count, "\(query)")
                }
            }
        }
    }
}
