import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import TestSupport
import Testing

@Suite("Ledger: pools")
struct PoolTests {
    @Test("a transaction goes from the queue to the unconfirmed part to a block")
    func moves() throws {
        var world = TestWorld()
        let id = try world.post(world.transfer(1, TestWorld.address(2), 1_000))
        #expect(world.ledger.location(of: id, node: 0) == .queued)
        #expect(world.ledger.account(TestWorld.address(1).text)?.unconfirmedBalance == 100_000_000_000)
        world.ledger.fillPools(now: world.now)
        #expect(world.ledger.location(of: id, node: 0) == .unconfirmed)
        let view = try #require(world.ledger.account(TestWorld.address(1).text))
        #expect(view.balance == 100_000_000_000)
        #expect(view.unconfirmedBalance == 100_000_000_000 - 50_001_000)
        let block = world.ledger.forge(now: world.now)
        #expect(block.numberOfTransactions == 1)
        #expect(world.ledger.location(of: id, node: 0) == .forged(height: 2))
        let after = try #require(world.ledger.account(TestWorld.address(1).text))
        #expect(after.balance == 100_000_000_000 - 50_001_000)
        #expect(after.unconfirmedBalance == after.balance)
        #expect(world.balance(2) == 100_000_001_000)
        #expect(world.ledger.queued(node: 0).isEmpty && world.ledger.unconfirmed(node: 0).isEmpty)
    }

    @Test("the newest enter the unconfirmed part first, 25 at most")
    func newestFirst() throws {
        var world = TestWorld()
        let ids = try (0..<30).map {
            try world.post(world.chat(1, TestWorld.address(2), "aa", nonce: "0\($0 % 10)\($0)"))
        }
        world.ledger.fillPools(now: world.now)
        #expect(world.ledger.unconfirmed(node: 0).map(\.transaction.id) == ids.suffix(25).reversed())
        #expect(world.ledger.queued(node: 0).map(\.transaction.id) == Array(ids.prefix(5)))
        let block = world.ledger.forge(now: world.now)
        #expect(world.ledger.transactions(height: block.height).map(\.id) == ids.suffix(25).reversed())
    }

    @Test("when several exceed the balance, all are accepted and the older ones vanish with a reason")
    func olderLost() throws {
        var world = TestWorld()
        let older = try world.post(world.transfer(1, TestWorld.address(2), 60_000_000_000))
        let newer = try world.post(world.transfer(1, TestWorld.address(3), 60_000_000_000))
        world.ledger.fillPools(now: world.now)
        #expect(world.ledger.location(of: newer, node: 0) == .unconfirmed)
        let reason = "Account does not have enough ADM: \(TestWorld.address(1)) balance: 399.5"
        #expect(world.ledger.location(of: older, node: 0) == .dropped(reason: reason))
        #expect(world.ledger.takeEvents().contains(.dropped(node: 0, older, reason: reason)))
        world.forge()
        #expect(world.balance(1) == 39_950_000_000)
        #expect(world.balance(3) == 160_000_000_000)
    }

    @Test("what waits longer than 10800 s is dropped")
    func expires() throws {
        var world = TestWorld()
        let queued = try world.post(world.transfer(1, TestWorld.address(2), 1))
        world.ledger.fillPools(now: world.now)
        world.wait(1)
        let later = try world.post(world.transfer(1, TestWorld.address(2), 2))
        world.wait(10_799)
        world.ledger.fillPools(now: world.now)
        #expect(world.ledger.location(of: queued, node: 0) == .unconfirmed)
        world.wait(30)
        world.ledger.fillPools(now: world.now)
        #expect(
            world.ledger.location(of: queued, node: 0) == .dropped(reason: "Transaction expired in the pool")
        )
        #expect(
            world.ledger.location(of: later, node: 0) == .dropped(reason: "Transaction expired in the pool")
        )
        let view = try #require(world.ledger.account(TestWorld.address(1).text))
        #expect(view.unconfirmedBalance == view.balance)
    }

    @Test("the same transaction is refused while pooled, and once confirmed")
    func refusesRepeats() throws {
        var world = TestWorld()
        let transaction = world.transfer(1, TestWorld.address(2), 5)
        try world.post(transaction)
        let processed = SubmissionRejection("Transaction is already processed: \(transaction.id)")
        #expect(throws: processed) { try world.post(transaction) }
        world.ledger.fillPools(now: world.now)
        #expect(throws: processed) { try world.post(transaction) }
        _ = world.ledger.forge(now: world.now)
        let confirmed = SubmissionRejection("Transaction is already confirmed: \(transaction.id)")
        #expect(throws: confirmed) { try world.post(transaction) }
    }

    @Test("a queue of 1000 is full, on the node that is asked as on its peers")
    func full() throws {
        var world = TestWorld(versions: ["0.9", "0.9"])
        for amount in 1...1000 { try world.post(world.transfer(1, TestWorld.address(2), Int64(amount))) }
        #expect(world.ledger.queued(node: 1).count == 1000)
        #expect(throws: SubmissionRejection("Transaction pool is full")) {
            try world.post(world.transfer(2, TestWorld.address(1), 1))
        }
        world.ledger.fillPool(node: 0)
        let id = try world.post(world.transfer(2, TestWorld.address(1), 1))
        #expect(world.ledger.location(of: id, node: 1) == .dropped(reason: "Transaction pool is full"))
    }

    @Test("peers take over what one accepted, each by the checks of its own version")
    func relays() throws {
        var world = TestWorld(versions: ["0.9", "0.10"])
        let fresh = try world.post(world.chat(1, TestWorld.address(2), "aa"))
        #expect(world.ledger.location(of: fresh, node: 1) == .queued)
        #expect(world.ledger.pooled(fresh, node: 0)?.relays == 1)
        #expect(world.ledger.pooled(fresh, node: 1)?.relays == 2)
        let old = try world.post(world.chat(1, TestWorld.address(2), "bb", at: world.seconds - 60))
        #expect(
            world.ledger.location(of: old, node: 1)
                == .dropped(reason: "Transaction timestamp is more than 5 seconds in the past")
        )
        world.forge()
        #expect(world.ledger.location(of: old, node: 1) == .forged(height: 2))
        #expect(world.ledger.location(of: fresh, node: 0) == .forged(height: 2))
    }

    @Test("what the first node alone cannot pay in one block is skipped, charged once, and dropped after it")
    func unionOfPools() throws {
        var world = TestWorld(versions: ["0.9", "0.10"])
        // Too old for the second node, so that the pools differ.
        let first = try world.post(
            world.chat(1, TestWorld.address(2), "aa", amount: 60_000_000_000, at: world.seconds - 60)
        )
        world.ledger.fillPool(node: 0)
        let second = try world.post(world.transfer(1, TestWorld.address(3), 60_000_000_000), node: 1)
        world.ledger.fillPool(node: 1)
        #expect(world.ledger.location(of: second, node: 1) == .unconfirmed)
        let block = world.ledger.forge(now: world.now)
        #expect(world.ledger.transactions(height: block.height).map(\.id) == [first])
        guard case .dropped? = world.ledger.location(of: second, node: 1) else {
            Issue.record("still pooled")
            return
        }
        #expect(world.balance(1) == 39_950_000_000)
    }

    @Test("a held transaction enters later, however old it is by then")
    func entersHeld() throws {
        var world = TestWorld()
        let transaction = world.chat(1, TestWorld.address(2), "aa")
        let checked = try world.ledger.check(transaction.submission, node: 0, now: world.now)
        #expect(checked == transaction)
        #expect(world.ledger.location(of: transaction.id, node: 0) == nil)
        world.wait(600)
        #expect(throws: SubmissionRejection("Transaction timestamp is more than 5 seconds in the past")) {
            try world.post(transaction)
        }
        try world.ledger.enter(
            checked,
            posted: transaction.postedJSON.objectValue!,
            node: 0,
            now: world.now
        )
        #expect(world.ledger.location(of: transaction.id, node: 0) == .queued)
        #expect(throws: SubmissionRejection("Transaction is already processed: \(transaction.id)")) {
            try world.ledger.enter(checked, posted: JSONObject(), node: 0, now: world.now)
        }
        world.forge()
        #expect(world.ledger.location(of: transaction.id, node: 0) == .forged(height: 2))
        #expect(throws: SubmissionRejection("Transaction is already confirmed: \(transaction.id)")) {
            try world.ledger.enter(checked, posted: JSONObject(), node: 0, now: world.now)
        }
    }
}

@Suite("Ledger: what is in the way of a waiting transaction")
struct ObstacleTests {
    @Test("newer ones, a full part, a full block, and what the balance does not pay")
    func obstacles() throws {
        var world = TestWorld(versions: ["0.9"], balances: [100_000_000_000, 60_000_000])
        let first = try world.post(world.transfer(2, TestWorld.address(1), 1))
        #expect(world.ledger.obstacle(to: first, node: 0) == nil)
        world.ledger.fillPool(node: 0)
        #expect(world.ledger.obstacle(to: first, node: 0) == nil)
        let unpaid = try world.post(world.transfer(2, TestWorld.address(1), 2))
        let text = "Account does not have enough ADM: \(TestWorld.address(2)) balance: 0.09999999"
        #expect(world.ledger.obstacle(to: unpaid, node: 0) == "it will be dropped then: \(text)")
        for number in 0..<24 {
            try world.post(world.chat(1, TestWorld.address(2), Hex.encode([UInt8(number), 1])))
        }
        #expect(world.ledger.obstacle(to: unpaid, node: 0) == "24 newer ones go first, 24 at a time")
        world.ledger.fillPool(node: 0)
        #expect(
            world.ledger.obstacle(to: unpaid, node: 0)
                == "the node has 25 transactions for the next block already"
        )
        #expect(world.ledger.obstacle(to: Identifier(1), node: 0) == nil)
        #expect(world.ledger.obstacle(to: unpaid, node: 7) == nil)

        var fleet = TestWorld(versions: ["0.9", "0.9"], balances: [60_000_000])
        for node in 0..<2 {
            let transfer = fleet.transfer(1, TestWorld.address(2), Int64(node) + 1)
            try fleet.ledger.enter(
                transfer,
                posted: transfer.postedJSON.objectValue!,
                node: node,
                now: fleet.now
            )
            fleet.ledger.fillPool(node: node)
        }
        let later = fleet.transfer(1, TestWorld.address(2), 2).id
        #expect(fleet.ledger.location(of: later, node: 1) == .unconfirmed)
        #expect(
            fleet.ledger.obstacle(to: later, node: 1)
                == "the next block is full, or other nodes' transactions leave too little of the balance"
        )
    }
}
