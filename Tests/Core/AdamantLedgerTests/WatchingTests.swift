import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import TestSupport
import Testing

@Suite("Ledger: what sockets are to hear of")
struct WatchingTests {
    private let bob = TestWorld.address(2)

    /// Transactions announced, in order.
    private func announced(_ notices: [LedgerNotice]) -> [Identifier] {
        notices.compactMap { notice in
            guard case .transaction(let announced) = notice.content else { return nil }
            return announced.transaction.id
        }
    }

    private func object(_ notices: [LedgerNotice], _ version: String = "0.9") throws -> JSONObject {
        let profile = try #require(NodeProfile(version: version))
        for case .transaction(let announced) in notices.map(\.content) {
            return announced.json(profile: profile)
        }
        throw Missing()
    }

    private struct Missing: Error {}

    @Test("nothing, where nobody listens")
    func unwatched() throws {
        var world = TestWorld(versions: ["0.9", "0.10"])
        try world.post(world.transfer(1, bob, 1))
        world.forgeAll()
        #expect(world.ledger.takeNotices() == [])
        world.ledger.watch(node: 1, true)
        try world.post(world.transfer(1, bob, 2))
        world.forge()
        let notices = world.ledger.takeNotices()
        #expect(!notices.isEmpty && notices.allSatisfy { $0.node == 1 })
        world.ledger.watch(node: 1, false)
        world.ledger.watch(node: 9, true)
        world.forge()
        #expect(world.ledger.takeNotices() == [])
    }

    @Test("transactions when they become unconfirmed, newest first")
    func order() throws {
        var world = TestWorld()
        world.ledger.watch(node: 0, true)
        let ids = try (0..<3).map { try world.post(world.chat(1, bob, "aa", nonce: "0\($0)")) }
        #expect(world.ledger.takeNotices() == [])
        world.ledger.fillPools(now: world.now)
        #expect(announced(world.ledger.takeNotices()) == ids.reversed())
    }

    @Test("the object that was posted, and what the node adds")
    func object() throws {
        var world = TestWorld(versions: ["0.9"], balances: [100_000_000_000, 5])
        world.ledger.watch(node: 0, true)
        var posted = try #require(world.chat(1, bob, "aa").postedJSON.objectValue)
        posted["extra"] = "kept"
        posted["nothing"] = .null
        try world.post(body: ["transaction": .object(posted)])
        world.ledger.fillPools(now: world.now)
        let object = try object(world.ledger.takeNotices())
        #expect(object["extra"] == "kept" && object["nothing"] == nil)
        #expect(object["block_timestamp"] == .some(.null))
        #expect(object["senderId"] == .string(TestWorld.address(1).text))
        #expect(object["receivedAt"] == .string(world.now.rfc3339))
        #expect(object["recipientPublicKey"] == .string(Hex.encode(TestWorld.pairs[2].publicKey)))
        for absent in ["height", "blockId", "confirmations"] { #expect(object[absent] == nil) }
    }

    @Test("no recipient's key where the account is none, or has none")
    func recipientKeys() throws {
        var world = TestWorld()
        world.ledger.watch(node: 0, true)
        let stranger = TestWorld.address(9)
        try world.post(world.transfer(1, stranger, 7))
        world.forge()
        #expect(try object(world.ledger.takeNotices(), "0.10")["recipientPublicKey"] == nil)
        try world.post(world.transfer(1, stranger, 8))
        world.forge()
        #expect(try object(world.ledger.takeNotices(), "0.10")["recipientPublicKey"] == .some(.null))
    }

    @Test("a transaction that first comes in a block, as the block has it")
    func firstInBlock() throws {
        var world = TestWorld()
        world.ledger.watch(node: 0, true)
        _ = try world.ledger.fund(bob, amount: 5, by: TestWorld.pairs[1], now: world.now)
        let object = try object(world.ledger.takeNotices())
        #expect(object["amount"] == 5 && object["recipientId"] == .string(bob.text))
        #expect(object["receivedAt"] == nil && object["relays"] == nil && object["asset"] == [:])
    }

    @Test("balances: what waits at once, a block's changes in one after the block")
    func balances() throws {
        var world = TestWorld()
        world.ledger.watch(node: 0, true)
        try world.post(world.transfer(1, bob, 1_000))
        try world.post(world.transfer(1, bob, 2_000))
        world.ledger.fillPools(now: world.now)
        let alice = TestWorld.address(1)
        let start: Int64 = 100_000_000_000
        let first = start - 50_002_000
        let second = first - 50_001_000
        let waiting = world.ledger.takeNotices().map(\.content).filter {
            if case .balances = $0 { true } else { false }
        }
        #expect(
            waiting == [
                .balances([BalanceChange(alice, nil, first)]), .balances([BalanceChange(alice, nil, second)]),
            ]
        )
        let block = world.ledger.forge(now: world.now)
        let notices = world.ledger.takeNotices().map(\.content)
        #expect(notices.dropLast().last == .block(block))
        let changes = [BalanceChange(alice, second, nil), BalanceChange(bob, start + 3_000, start + 3_000)]
        #expect(notices.last == .balances(changes.sorted { $0.address.text < $1.address.text }))
    }

    @Test("the delegates' pay at the end of a round")
    func roundEnd() throws {
        var world = TestWorld()
        try world.post(world.transfer(1, bob, 1))
        while world.ledger.height < Ledger.roundLength - 1 { world.forge() }
        world.ledger.watch(node: 0, true)
        world.forge()
        guard case .balances(let changes)? = world.ledger.takeNotices().last?.content else { throw Missing() }
        // The fee of the one transaction.
        #expect(changes.reduce(0) { $0 + ($1.balance ?? 0) } == 50_000_000)
    }

    @Test("a transaction again when its block is applied; whoever listens drops the repeat")
    func applied() throws {
        var world = TestWorld()
        world.ledger.watch(node: 0, true)
        let id = try world.post(world.chat(1, bob, "aa"))
        world.forge()
        #expect(announced(world.ledger.takeNotices()) == [id, id])
    }
}

extension BalanceChange {
    fileprivate init(_ address: Address, _ balance: Int64?, _ unconfirmed: Int64?) {
        self.init(address: address, balance: balance, unconfirmedBalance: unconfirmed)
    }
}
