import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import SystemCryptography
import TestSupport
import Testing

@Suite("Ledger: delegates, votes and rounds")
struct DelegateTests {
    private static let keys = TestWorld.delegates.map { Hex.encode($0.publicKey) }

    private func delegate(_ key: String, _ world: TestWorld) throws -> DelegateView {
        try #require(world.ledger.delegates().first { $0.publicKey == key })
    }

    /// Forges one block each slot until a round has ended.
    private func endRound(_ world: inout TestWorld) {
        repeat {
            world.wait(5)
            world.forge()
        } while !world.ledger.height.isMultiple(of: 101)
    }

    @Test("the genesis block can show the delegates, and the holder's votes for them")
    func genesis() throws {
        let world = TestWorld(showsDelegates: true)
        let transactions = world.ledger.transactions(height: 1)
        #expect(
            transactions.map(\.type) == Array(repeating: 0, count: 3) + Array(repeating: 2, count: 101) + [
                3, 3, 3, 3,
            ]
        )
        #expect(transactions.allSatisfy { $0.fee == 0 })
        for transaction in transactions {
            #expect(
                TestWorld.cryptography.verify(
                    signature: transaction.signature,
                    message: TestWorld.cryptography.sha256(transaction.unsignedBytes),
                    publicKey: transaction.senderPublicKey
                )
            )
        }
        let delegates = world.ledger.delegates()
        #expect(delegates.count == 101 && delegates.map(\.publicKey) == Self.keys.sorted())
        let rest: Int64 = 9_800_000_000_000_000 - 300_000_000_000
        for delegate in delegates {
            #expect(delegate.vote == rest && delegate.votesWeight == rest / 101 && delegate.voters == 1)
            #expect(delegate.approval == 100 && delegate.productivity == 0 && delegate.producedBlocks == 0)
        }
        #expect(world.ledger.votes(of: TestWorld.address(0).text) == Self.keys)
        #expect(world.ledger.voters(publicKey: Self.keys[5]).map(\.address) == [TestWorld.address(0)])
        let plain = TestWorld()
        #expect(plain.ledger.delegates().map(\.username) == delegates.map(\.username))
        #expect(plain.ledger.delegates().allSatisfy { $0.vote == 0 && $0.voters == 0 })
    }

    @Test("votes count from the end of the round on, each vote with its part of the balance")
    func votes() throws {
        var world = TestWorld(
            versions: ["0.9"],
            balances: [1_000_000_000_000, 20_000_000_000, 0],
            startHeight: 4_400_000
        )
        try world.post(world.registration(1, "one"))
        world.forge()
        let key = Hex.encode(TestWorld.pairs[1].publicKey)
        #expect(try delegate(key, world).username == "one")
        try world.post(world.vote(1, ["+" + key, "+" + Self.keys[0], "+" + Self.keys[1]]))
        try world.post(world.vote(2, ["+" + key]))
        world.forge()
        #expect(try delegate(key, world).vote == 0 && delegate(key, world).voters == 2)
        #expect(world.ledger.votes(of: TestWorld.address(1).text) == [key, Self.keys[0], Self.keys[1]])
        endRound(&world)
        let (one, two) = (try #require(world.balance(1)), try #require(world.balance(2)))
        let found = try delegate(key, world)
        #expect(found.vote == one + two && found.votesWeight == one / 3 + two)
        #expect(found.rank == 1 && found.approval == 0 && found.productivity == 0)
        #expect(try delegate(Self.keys[0], world).votesWeight == one / 3)
        #expect(
            world.ledger.voters(publicKey: key).map(\.address) == [
                TestWorld.address(2), TestWorld.address(1),
            ]
        )

        try world.post(world.vote(2, ["-" + key]))
        world.forge()
        #expect(try delegate(key, world).vote == one + two && delegate(key, world).voters == 1)
        endRound(&world)
        #expect(try delegate(key, world).vote == world.balance(1))
        #expect(world.ledger.votes(of: TestWorld.address(2).text) == [])
        #expect(world.ledger.votes(of: TestWorld.address(9).text) == nil)
    }

    @Test("who does not forge in a whole round has missed a block")
    func missed() throws {
        var world = TestWorld(startHeight: 50)
        endRound(&world)
        #expect(world.ledger.delegates().allSatisfy { $0.missedBlocks == 0 })
        for _ in 0..<100 {
            world.wait(5)
            world.forge()
        }
        world.wait(10)
        world.forge()
        let missing = world.ledger.delegates().filter { $0.missedBlocks > 0 }
        #expect(missing.count == 1 && missing[0].missedBlocks == 1)
        #expect(world.ledger.delegates().reduce(0) { $0 + $1.producedBlocks } == 152)
        let blocks = missing[0].producedBlocks
        #expect(missing[0].productivity == (Double(blocks) / Double(blocks + 1) * 10_000).rounded() / 100)
    }

    @Test("missed blocks weaken votes from the two hundredth block on")
    func weakens() throws {
        var world = TestWorld(showsDelegates: true)
        for _ in 0..<30 * 101 { world.forge() }
        let delegates = world.ledger.delegates()
        let idle = try #require(delegates.first { $0.missedBlocks == 29 })
        let busy = try #require(delegates.first { $0.producedBlocks == 30 * 101 })
        #expect(idle.votesWeight == busy.votesWeight)
        for _ in 0..<175 * 101 { world.forge() }
        let later = try #require(world.ledger.delegates().first { $0.publicKey == idle.publicKey })
        #expect(later.missedBlocks == 204)
        let share = idle.vote / 101
        let whole = Double(share) * (100 - (204.0 / 205 * 10_000).rounded() / 100) / 100
        #expect(abs(Double(later.votesWeight) - whole) <= 1)
    }

    @Test("forged amounts add up, in all and in a time")
    func forged() throws {
        var world = TestWorld(startHeight: 2_019_990)
        try world.post(world.transfer(1, TestWorld.address(2), 1))
        let first = world.forge()
        #expect(world.ledger.forged(publicKey: first.generatorPublicKey)?.total == 0)
        endRound(&world)
        let amounts = try #require(world.ledger.forged(publicKey: first.generatorPublicKey))
        let blocks = (2_019_991...world.ledger.height).compactMap { world.ledger.block(height: $0) }
        #expect(amounts.rewards == 50_000_000 && amounts.fees == 50_000_000 / Int64(blocks.count))
        #expect(amounts.blocks == 1)
        func range(_ from: Int64, _ to: Int64) -> ForgedAmounts? {
            world.ledger.forged(publicKey: first.generatorPublicKey, from: from, to: to)
        }
        let time = Int64(first.timestamp)
        #expect(range(.min, .max) == amounts && range(time, time) == amounts)
        #expect(range(time + 1, .max)?.blocks == 0 && range(.min, time - 1)?.total == 0)
        #expect(range(time, time - 1)?.blocks == 0)
        var total: Int64 = 0
        for delegate in TestWorld.delegates {
            let part = world.ledger.forged(publicKey: delegate.publicKey, from: .min, to: .max)
            #expect(part == world.ledger.forged(publicKey: delegate.publicKey))
            total += part?.total ?? 0
        }
        #expect(total == blocks.reduce(0) { $0 + $1.reward + $1.totalFee })
        world.wait(5)
        try world.post(world.transfer(1, TestWorld.address(2), 1))
        let running = world.forge()
        let open = world.ledger.forged(
            publicKey: running.generatorPublicKey,
            from: Int64(running.timestamp),
            to: .max
        )
        #expect(open?.fees == 0 && open?.rewards == 50_000_000 && open?.blocks == 1)
        #expect(world.ledger.forged(publicKey: TestWorld.pairs[1].publicKey)?.total == 0)
        #expect(world.ledger.forged(publicKey: TestWorld.pairs[1].publicKey, from: 0, to: 1) == nil)
        #expect(world.ledger.forged(publicKey: TestWorld.pairs[9].publicKey) == nil)
    }

    @Test("the next forgers are those of the next blocks")
    func nextForgers() {
        var world = TestWorld()
        let expected = world.ledger.nextForgers(after: world.now, limit: 4)
        var found: [String] = []
        for _ in 0..<4 {
            world.wait(5)
            found.append(Hex.encode(world.forge().generatorPublicKey))
        }
        #expect(found == expected)
        #expect(Set(world.ledger.nextForgers(after: world.now, limit: 101)) == Set(Self.keys))
    }

    @Test("registrations and votes that exclude each other do not wait together, on one node or two")
    func exclusion() throws {
        var world = TestWorld(versions: ["0.9"], balances: [1_000_000_000_000, 1_000_000_000_000])
        let first = try world.post(world.registration(1, "name"))
        let second = try world.post(world.registration(2, "name"))
        world.ledger.fillPool(node: 0)
        #expect(world.ledger.location(of: first, node: 0) == .dropped(reason: "Username already exists"))
        #expect(world.ledger.location(of: second, node: 0) == .unconfirmed)
        world.wait(1)
        let again = try world.post(world.registration(2, "other"))
        world.ledger.fillPool(node: 0)
        #expect(
            world.ledger.location(of: again, node: 0) == .dropped(reason: "Account is already a delegate")
        )
        world.forge()
        let vote = try world.post(world.vote(1, ["+" + Self.keys[0]]))
        world.ledger.fillPool(node: 0)
        world.wait(1)
        let double = try world.post(world.vote(1, ["+" + Self.keys[0], "+" + Self.keys[1]]))
        world.ledger.fillPool(node: 0)
        #expect(world.ledger.location(of: vote, node: 0) == .unconfirmed)
        #expect(
            world.ledger.location(of: double, node: 0)
                == .dropped(reason: "Failed to add vote, account has already voted for this delegate")
        )

        var fleet = TestWorld(versions: ["0.9", "0.9"], balances: [1_000_000_000_000, 1_000_000_000_000])
        let alpha = fleet.registration(1, "name")
        let beta = fleet.registration(2, "name")
        try fleet.ledger.enter(alpha, posted: alpha.postedJSON.objectValue!, node: 0, now: fleet.now)
        fleet.ledger.fillPool(node: 0)
        try fleet.ledger.enter(beta, posted: beta.postedJSON.objectValue!, node: 1, now: fleet.now)
        fleet.ledger.fillPool(node: 1)
        let block = fleet.ledger.forge(now: fleet.now)
        #expect(block.numberOfTransactions == 1 && fleet.ledger.delegateCount == 102)
    }

    @Test("no account has more than 101 votes")
    func tooManyVotes() throws {
        var world = TestWorld(versions: ["0.9"], balances: [1_000_000_000_000, 1_000_000_000_000])
        try world.post(world.registration(2, "name"))
        for first in [0, 33, 66] {
            try world.post(world.vote(1, Self.keys[first..<first + 33].map { "+" + $0 }))
        }
        world.forge()
        let rest = Self.keys[99...].map { "+" + $0 } + ["+" + Hex.encode(TestWorld.pairs[2].publicKey)]
        #expect(throws: SubmissionRejection("Maximum number of 101 votes exceeded (1 too many)")) {
            try world.post(world.vote(1, rest))
        }
        try world.post(world.vote(1, rest + ["-" + Self.keys[0]]))
    }

    @Test("the richest come first, equal ones by address")
    func richest() {
        let world = TestWorld(balances: [5, 7, 7, 0])
        let all = world.ledger.richest(isDelegate: nil, offset: 0, limit: 100)
        let addresses = [2, 3].map { TestWorld.address($0).text }.sorted()
        #expect(all.count == 4)
        #expect(
            all.holders.map(\.address.text) == [TestWorld.address(0).text] + addresses + [
                TestWorld.address(1).text
            ]
        )
        let page = world.ledger.richest(isDelegate: nil, offset: 1, limit: 2)
        #expect(page.count == 4 && page.holders == Array(all.holders[1...2]))
        #expect(world.ledger.richest(isDelegate: true, offset: 0, limit: 5).count == 0)
        #expect(world.ledger.richest(isDelegate: false, offset: 0, limit: 1).holders == [all.holders[0]])
        #expect(world.ledger.richest(isDelegate: nil, offset: .max, limit: .max).holders.isEmpty)
    }
}
