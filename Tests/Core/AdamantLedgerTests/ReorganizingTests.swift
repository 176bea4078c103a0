import AdamantLedger
import AdamantModel
import Determinism
import TestSupport
import Testing

@Suite("Ledger: forks")
struct ReorganizingTests {
    /// Three blocks of two transfers each, from three senders.
    private static func world(nodes: Int = 2) throws -> (world: TestWorld, ids: [Identifier]) {
        var world = TestWorld(versions: Array(repeating: "0.10", count: nodes))
        var ids: [Identifier] = []
        for amount in 1...3 {
            for sender in 1...2 {
                ids.append(try world.post(world.transfer(sender, TestWorld.address(3), Int64(amount))))
            }
            world.forge()
            world.wait(5)
        }
        _ = world.ledger.takeEvents()
        return (world, ids)
    }

    @discardableResult
    private static func play(
        _ world: inout TestWorld,
        _ reorganization: Reorganization,
        seed: UInt64 = 1
    ) throws -> ReorganizationOutcome {
        var generator = SeededGenerator(seed: seed)
        return try world.ledger.reorganize(reorganization, now: world.now, using: &generator)
    }

    @Test(
        "other blocks take the place of the old ones, one more than they were",
        arguments: 1...6 as ClosedRange<UInt64>
    )
    func replaces(seed: UInt64) throws {
        var (world, ids) = try Self.world()
        let before = world.ledger
        let outcome = try Self.play(&world, Reorganization(depth: 2), seed: seed)
        #expect(outcome.reverted.map(\.height) == [4, 3] && outcome.forged.map(\.height) == [3, 4, 5])
        #expect(world.ledger.height == 5 && world.ledger.lastBlock == outcome.forged.last)
        #expect(Set(outcome.forged.map(\.id)).isDisjoint(with: outcome.reverted.map(\.id)))
        var parent = try #require(world.ledger.block(height: 2))
        #expect(parent == before.block(height: 2))
        for block in outcome.forged {
            #expect(block.previousBlock == parent.id && block.timestamp >= parent.timestamp)
            parent = block
        }
        for block in outcome.reverted { #expect(world.ledger.block(id: block.id) == nil) }
        for id in ids {
            let isForged = world.ledger.transaction(id) != nil
            #expect(isForged != outcome.waiting.contains(id))
            guard !isForged else { continue }
            for node in 0...1 { #expect(world.ledger.location(of: id, node: node) == .queued) }
        }
        world.forgeAll()
        for id in ids { #expect(world.ledger.transaction(id) == before.transaction(id)) }
        for account in 0...4 { #expect(world.balance(account) == TestWorld(ledger: before).balance(account)) }
    }

    @Test("the same seed plays the same fork, and others play others")
    func isSeeded() throws {
        let world = try Self.world().world
        func heights(_ seed: UInt64) throws -> [[Identifier]] {
            var copy = world
            try Self.play(&copy, Reorganization(depth: 3), seed: seed)
            return (2...copy.ledger.height).map { copy.ledger.transactions(height: $0).map(\.id) }
        }
        let first = try heights(1)
        #expect(try heights(1) == first)
        #expect(try (2...20).contains { try heights($0) != first })
    }

    @Test("transactions that are named return at once, in an order, later, or never")
    func fates() throws {
        var (world, ids) = try Self.world()
        var fork = Reorganization(depth: 3)
        fork.keep = [ids[5]]
        fork.order = [ids[4], ids[2], ids[0]]
        fork.delay = [ids[1]]
        fork.drop = [ids[3]]
        let outcome = try Self.play(&world, fork)
        #expect([ids[5], ids[4], ids[2], ids[0]].map { world.ledger.height(of: $0) } == [2, 2, 3, 4])
        #expect(outcome.waiting == [ids[1]] && world.ledger.location(of: ids[1], node: 1) == .queued)
        #expect(world.ledger.seen(ids[3]) == nil && world.ledger.location(of: ids[3], node: 0) == nil)
        world.forge()
        #expect(world.ledger.height(of: ids[1]) == 6 && world.ledger.transaction(ids[3]) == nil)
        try world.post(world.transfer(2, TestWorld.address(3), 2, at: 300_000_005))
        world.forge()
        #expect(world.ledger.height(of: ids[3]) == 7, "posted again, it is taken")
    }

    @Test("the new chain can be told how long to be, and is long enough for an order")
    func lengths() throws {
        let (world, ids) = try Self.world()
        var fork = Reorganization(depth: 1)
        for (blocks, order, height) in [(1, 0, 4), (7, 0, 10), (nil, 2, 5)] {
            var copy = world
            fork.blocks = blocks
            fork.order = Array(ids[4...5].prefix(order))
            try Self.play(&copy, fork)
            #expect(copy.ledger.height == height)
        }
        var whole = Reorganization(depth: 3)
        whole.order = ids
        var copy = world
        try Self.play(&copy, whole)
        #expect(ids.map { copy.ledger.height(of: $0) } == [2, 3, 4, 5, 6, 7])
    }

    @Test("what its sender cannot pay any more waits, and is lost when it still cannot")
    func unpaid() throws {
        var world = TestWorld(balances: [100_000_000_000, 0])
        let gift = try world.post(world.transfer(1, TestWorld.address(2), 60_000_000))
        world.forge()
        let spent = try world.post(world.transfer(2, TestWorld.address(1), 1))
        world.forge()
        var fork = Reorganization(depth: 2)
        fork.order = [spent, gift]
        var copy = world
        try Self.play(&copy, fork)
        #expect(copy.ledger.height(of: gift) == 3 && copy.ledger.height(of: spent) == 4)
        var loss = Reorganization(depth: 2)
        loss.drop = [gift]
        let outcome = try Self.play(&world, loss)
        #expect(outcome.waiting == [spent])
        world.forge()
        guard case .dropped = world.ledger.location(of: spent, node: 0) else {
            Issue.record("nobody pays for it")
            return
        }
    }

    @Test("unconfirmed transactions that the fork's chain does not pay are lost, others stay")
    func pools() throws {
        var world = TestWorld(balances: [100_000_000_000, 0, 100_000_000_000])
        let gift = try world.post(world.transfer(1, TestWorld.address(2), 60_000_000))
        world.forge()
        let spent = try world.post(world.transfer(2, TestWorld.address(1), 1))
        let other = try world.post(world.transfer(3, TestWorld.address(1), 1))
        world.ledger.fillPools(now: world.now)
        var fork = Reorganization(depth: 1)
        fork.drop = [gift]
        try Self.play(&world, fork)
        #expect(world.ledger.location(of: other, node: 0) == .unconfirmed)
        guard case .dropped = world.ledger.location(of: spent, node: 0) else {
            Issue.record("nobody pays for it")
            return
        }
    }

    @Test("forks within one slot have other ids as well, again and again")
    func sameSlot() throws {
        var world = TestWorld()
        for _ in 1...3 { world.forge() }
        for _ in 1...5 {
            let old = world.ledger.lastBlock
            var fork = Reorganization(depth: 2)
            fork.blocks = 2
            let outcome = try Self.play(&world, fork)
            #expect(world.ledger.height == 4 && world.ledger.lastBlock.id != old.id)
            #expect(Set(outcome.forged.map(\.id)).isDisjoint(with: outcome.reverted.map(\.id)))
            #expect(outcome.forged.allSatisfy { $0.timestamp == old.timestamp })
        }
    }

    @Test("what cannot be played is refused, and changes nothing")
    func refuses() throws {
        let (world, ids) = try Self.world()
        let stranger = Identifier(77)
        var forks: [(Reorganization, ReorganizationError)] = []
        for depth in [Int.min, -1, 0, 4, Int.max] {
            forks.append((Reorganization(depth: depth), .depthOutOfRange(greatest: 3)))
        }
        func add(_ error: ReorganizationError, _ change: (inout Reorganization) -> Void) {
            var fork = Reorganization(depth: 2)
            change(&fork)
            forks.append((fork, error))
        }
        add(.blocksOutOfRange(least: 2, greatest: 10_000)) { $0.blocks = 1 }
        add(.blocksOutOfRange(least: 2, greatest: 10_000)) { $0.blocks = Int.max }
        add(.blocksOutOfRange(least: 3, greatest: 10_000)) { ($0.blocks, $0.order) = (2, Array(ids[2...4])) }
        add(.notRolledBack(stranger, .keep)) { $0.keep = [stranger] }
        add(.notRolledBack(ids[0], .drop)) { $0.drop = [ids[0]] }
        add(.namedTwice(ids[3], .delay)) { ($0.keep, $0.delay) = ([ids[3]], [ids[3]]) }
        add(.namedTwice(ids[3], .order)) { $0.order = [ids[3], ids[3]] }
        for (fork, error) in forks {
            var copy = world
            #expect(throws: error) { try Self.play(&copy, fork) }
            #expect(
                copy.ledger.lastBlock == world.ledger.lastBlock && copy.ledger.version == world.ledger.version
            )
            #expect(!copy.ledger.hasEvents)
        }
    }

    @Test("restoring the events of a chain with forks gives the same ledger", arguments: 1...6)
    func restores(seed: Int) throws {
        let versions = seed.isMultiple(of: 2) ? ["0.9"] : ["0.10", "0.9"]
        var random = RandomChain(seed: UInt64(seed), versions: versions, startHeight: 90)
        for _ in 1...12 {
            random.run(steps: 15)
            random.world.forge()
            let greatest = min(random.world.ledger.height - 90, 12)
            let depth = random.number(1...max(greatest, 1))
            try Self.play(&random.world, Reorganization(depth: depth), seed: random.generator.next())
        }
        var original = random.world.ledger
        var restored = RandomChain(seed: 0, versions: versions, startHeight: 90).world.ledger
        for event in original.takeEvents() {
            let decoded = try #require(LedgerEvent(decoding: event.encoded))
            let fits = restored.restore(decoded)
            #expect(decoded == event && fits, "\(event)")
        }
        #expect(restored.lastBlock == original.lastBlock)
        for node in 0..<original.nodeCount {
            #expect(original.queued(node: node) == restored.queued(node: node))
            #expect(original.unconfirmed(node: node) == restored.unconfirmed(node: node))
            for account in 0...6 {
                let address = TestWorld.address(account).text
                #expect(original.account(address, node: node) == restored.account(address, node: node))
            }
        }
    }

    @Test("the common height of two branches is found, whichever is higher")
    func common() throws {
        let world = try Self.world().world
        var (left, right) = (world, world)
        left.forge()
        try Self.play(&right, Reorganization(depth: 2))
        #expect(left.ledger.commonHeight(with: world.ledger) == 4)
        #expect(world.ledger.commonHeight(with: left.ledger) == 4)
        #expect(left.ledger.commonHeight(with: right.ledger) == 2)
        #expect(TestWorld(versions: ["0.10", "0.10"]).ledger.commonHeight(with: left.ledger) == 1)
    }
}

extension TestWorld {
    /// A world around a ledger.
    fileprivate init(ledger: Ledger) {
        self.init()
        self.ledger = ledger
    }
}
