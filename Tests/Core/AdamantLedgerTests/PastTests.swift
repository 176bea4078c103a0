import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import TestSupport
import Testing

@Suite("Ledger: as of some blocks ago")
struct PastTests {
    private static let heights = [1, 95, 1_999_950, 100_000_000]

    /// A chain with a copy of its ledger as of each height.
    private struct History {
        var random: RandomChain
        var copies: [Int: Ledger] = [:]

        init(seed: Int) {
            random = RandomChain(
                seed: UInt64(seed),
                versions: [["0.9"], ["0.10", "0.9"]][seed % 2],
                startHeight: PastTests.heights[seed % 4]
            )
            copies[random.world.ledger.height] = random.world.ledger
            for _ in 0..<300 {
                random.run(steps: 1)
                copies[random.world.ledger.height] = copies[random.world.ledger.height] ?? random.world.ledger
            }
        }
    }

    @Test("blocks, balances and lists are those of the ledger at that height", arguments: 1...8)
    func equalsEarlier(seed: Int) throws {
        var history = History(seed: seed)
        let newest = history.random.world.ledger.height
        #expect(history.copies.count > 15)
        for height in [
            newest - 1, newest - 2, newest - 7, newest - 13, history.random.world.ledger.startHeight,
        ] {
            let earlier = try #require(history.copies[height])
            let oracle = QueryOracle(earlier)
            let queries = (0..<20).map { _ in Self.query(&history.random, oracle) }
            try history.random.world.ledger.past(blocksAgo: newest - height) { past in
                #expect(past.height == height && past.lastBlock == earlier.lastBlock)
                #expect(past.wholeHeight == newest && past.block(height: height + 1) == nil)
                #expect(past.transactionCount == earlier.transactionCount)
                try Self.compareAccounts(past, earlier)
                try Self.compareRooms(past, earlier)
                Self.compareDelegates(past, earlier)
                for query in queries {
                    let (found, expected) = (try Self.page(past, query), try Self.page(earlier, query))
                    #expect(found == expected, "seed \(seed) height \(height) \(query)")
                }
            }
        }
    }

    private static func query(_ random: inout RandomChain, _ oracle: QueryOracle) -> TransactionQuery {
        var query = QueryTests().randomQuery(&random, oracle)
        query.offset = random.number(0...3) == 0 ? random.number(0...60) : 0
        query.limit = random.number(1...30)
        query.returnsAsset = random.number(0...1) == 0
        let field = random.element(TransactionOrder.Field.allCases.filter { $0 != .type })
        query.order =
            random.number(0...9) == 0
            ? .insertion
            : TransactionOrder(
                random.number(0...1) == 0 ? .timestamp : field,
                isDescending: random.number(0...2) > 0
            )
        return query
    }

    private static func page(_ ledger: Ledger, _ query: TransactionQuery) throws -> String {
        var output: [UInt8] = []
        let summary = try ledger.page(query, profile: #require(NodeProfile(version: "0.10")), into: &output)
        return "\(summary) " + String(decoding: output, as: UTF8.self)
    }

    private static func compareAccounts(_ left: Ledger, _ right: Ledger) throws {
        for pair in TestWorld.pairs + TestWorld.delegates {
            let address = pair.address(cryptography: TestWorld.cryptography)
            let (found, expected) = (left.account(address.text), right.account(address.text))
            #expect(found?.balance == expected?.balance && found?.publicKey == expected?.publicKey)
        }
    }

    private static func compareRooms(_ left: Ledger, _ right: Ledger) throws {
        for version in ["0.9", "0.10"] {
            let profile = try #require(NodeProfile(version: version))
            for user in 0...6 {
                for change in 0...3 {
                    var query = ChatRoomQuery(user: TestWorld.address(user))
                    query.includesTransfers = change != 1
                    query.isSentByUser = change == 2
                    var (first, second): ([UInt8], [UInt8]) = ([], [])
                    if change < 3 {
                        let counts = (
                            left.rooms(query, profile: profile, into: &first),
                            right.rooms(query, profile: profile, into: &second)
                        )
                        #expect(counts.0 == counts.1)
                    } else {
                        query.companion = TestWorld.address(1)
                        let answers = (
                            left.messages(query, profile: profile, into: &first),
                            right.messages(query, profile: profile, into: &second)
                        )
                        #expect(answers.0.summary.count == answers.1.summary.count)
                    }
                    #expect(first == second)
                }
            }
        }
    }

    private static func compareDelegates(_ left: Ledger, _ right: Ledger) {
        #expect(left.delegates() == right.delegates())
        for isDelegate in [true, false] {
            let (first, second) = (
                left.richest(isDelegate: isDelegate, offset: 0, limit: 20),
                right.richest(isDelegate: isDelegate, offset: 0, limit: 20)
            )
            #expect(first.holders == second.holders && first.count == second.count)
        }
        for pair in TestWorld.delegates.prefix(8) + TestWorld.pairs.prefix(3) {
            let key = pair.publicKey
            let address = pair.address(cryptography: TestWorld.cryptography).text
            #expect(left.voters(publicKey: Hex.encode(key)) == right.voters(publicKey: Hex.encode(key)))
            #expect(left.votes(of: address) == right.votes(of: address))
            #expect(left.forged(publicKey: key) == right.forged(publicKey: key))
            #expect(
                left.forged(publicKey: key, from: 0, to: .max)
                    == right.forged(publicKey: key, from: 0, to: .max)
            )
            var query = BlockQuery()
            query.generatorPublicKey = Hex.encode(key)
            #expect(left.blocks(query) == right.blocks(query))
        }
        #expect(left.blocks(BlockQuery()) == right.blocks(BlockQuery()))
    }

    @Test("votes of rounds that have ended since are those of the round before")
    func roundsEnd() throws {
        var world = TestWorld(versions: ["0.10"])
        var copies: [Ledger] = []
        for block in 0..<330 {
            world.wait(5)
            if block % 9 == 0 {
                let key = Hex.encode(TestWorld.delegates[block % 101].publicKey)
                try world.post(world.vote(1 + block % 2, ["+" + key]))
                try world.post(world.transfer(1, TestWorld.address(2), 500_000))
            }
            world.forge()
            copies.append(world.ledger)
        }
        for blocks in [1, 50, 101, 150, 202, 260] {
            let earlier = copies[copies.count - 1 - blocks]
            try world.ledger.past(blocksAgo: blocks) { past in
                #expect(past.height == earlier.height)
                Self.compareDelegates(past, earlier)
                try Self.compareAccounts(past, earlier)
            }
        }
        let newest = try #require(copies.last)
        Self.compareDelegates(world.ledger, newest)
    }

    @Test("the ledger afterwards is as before, and its answers stay valid", arguments: [1, 5, 1_000_000])
    func leavesNoTrace(blocks: Int) throws {
        var history = History(seed: 3)
        let before = history.random.world.ledger
        let result = history.random.world.ledger.past(blocksAgo: blocks) { past in
            past.height
        }
        #expect(result == max(before.startHeight, before.height - blocks))
        #expect(history.random.world.ledger.version == before.version)
        try Self.compareAccounts(history.random.world.ledger, before)
    }

    @Test("what came in a block since still waits in the pool, spends and cannot be posted again")
    func stillWaits() throws {
        var world = TestWorld(versions: ["0.10"])
        let old = world.transfer(1, TestWorld.address(4), 500)
        try world.post(old)
        world.forge()
        let new = world.transfer(1, TestWorld.address(5), 700)
        try world.post(new)
        world.forge()
        world.forge()
        let spent = old.amount + old.fee
        world.ledger.past(blocksAgo: 2) { past in
            #expect(past.transaction(old.id) != nil && past.transaction(new.id) == nil)
            #expect(past.height(of: new.id) == nil)
            #expect(past.location(of: new.id, node: 0) == .unconfirmed)
            #expect(past.unconfirmed(node: 0).map(\.transaction) == [new])
            #expect(past.pooled(new.id, node: 0)?.transaction == new)
            let account = past.account(TestWorld.address(1).text)
            #expect(account?.balance == 100_000_000_000 - spent)
            #expect(account?.unconfirmedBalance == 100_000_000_000 - spent - new.amount - new.fee)
            #expect(past.account(TestWorld.address(5).text) == nil, "credited later")
        }
        let now = world.now
        #expect(throws: SubmissionRejection("Transaction is already processed: \(new.id)")) {
            try world.ledger.past(blocksAgo: 2) { past in
                _ = try past.submit(new.submission, node: 0, now: now)
            }
        }
        #expect(world.ledger.location(of: new.id, node: 0) == .forged(height: 3))
        #expect(world.ledger.account(TestWorld.address(5).text)?.balance == 700)
    }

    @Test("a transaction that is posted to the past is in the pool of the present")
    func postsInThePast() throws {
        var world = TestWorld(versions: ["0.10", "0.10"], balances: [100_000_000_000, 0])
        try world.post(world.transfer(1, TestWorld.address(2), 10_000_000_000))
        world.forge()
        let early = world.transfer(2, TestWorld.address(1), 1)
        let text = "Account does not have enough ADM: \(TestWorld.address(2)) balance: 0"
        let now = world.now
        #expect(throws: SubmissionRejection(text)) {
            try world.ledger.past(blocksAgo: 1) { past in
                _ = try past.submit(early.submission, node: 0, now: now)
            }
        }
        let other = world.transfer(1, TestWorld.address(2), 5)
        try world.ledger.past(blocksAgo: 1) { past in _ = try past.submit(other.submission, node: 0, now: now)
        }
        #expect(world.ledger.location(of: other.id, node: 0) == .queued)
        #expect(world.ledger.location(of: other.id, node: 1) == .queued)
        world.forge()
        #expect(world.ledger.height(of: other.id) == 3)
    }

    @Test("registrations of delegates and votes are taken back")
    func registrations() throws {
        var world = TestWorld(versions: ["0.10"], balances: [1_000_000_000_000])
        func signed() -> Transaction {
            Transaction(
                signing: .delegate(username: "someone"),
                type: Transaction.Kind.delegate,
                timestamp: world.seconds,
                recipient: nil,
                amount: 0,
                by: TestWorld.pairs[1],
                cryptography: TestWorld.cryptography
            )
        }
        let registration = signed()
        try world.post(registration)
        world.forge()
        world.wait(5)
        let again = signed()
        let now = world.now
        #expect(throws: SubmissionRejection.self) { try world.post(again) }
        try world.ledger.past(blocksAgo: 1) { past in _ = try past.check(again.submission, node: 0, now: now)
        }
        #expect(throws: SubmissionRejection.self) { try world.post(again) }
    }

    @Test("a page of the past costs the same on a long chain as on a short one")
    func costs() {
        var short = SyntheticChain(transactions: 1_000).ledger
        var long = SyntheticChain(transactions: 40_000).ledger
        for query in PageCostTests.newest {
            let costs = [
                short.past(blocksAgo: 10) { $0.selection(query).visitedRows },
                long.past(blocksAgo: 10) { $0.selection(query).visitedRows },
            ]
            #expect(costs[1] <= 2 * max(query.limit + 250, costs[0]), "\(query)")
        }
    }
}

@Suite("Ledger: nodes that stand apart")
struct SituationTests {
    @Test("a node that relays later keeps what it accepted to itself until it is told to relay")
    func relaysLater() throws {
        var world = TestWorld(versions: ["0.9", "0.10", "0.9"])
        world.ledger.profiles[0].situation.relayMilliseconds = 1500
        let chat = world.chat(1, TestWorld.address(2), "aa")
        try world.post(chat)
        #expect(world.ledger.location(of: chat.id, node: 0) == .queued)
        #expect(world.ledger.location(of: chat.id, node: 1) == nil)
        #expect(world.ledger.unrelayed.map(\.id) == [chat.id])
        world.wait(60)
        world.ledger.relay(chat.id, from: 0, now: world.now, timestampsCheckedAt: world.now)
        #expect(
            world.ledger.location(of: chat.id, node: 1)
                == .dropped(reason: "Transaction timestamp is more than 5 seconds in the past")
        )
        #expect(world.ledger.location(of: chat.id, node: 2) == .queued)
        #expect(world.ledger.unrelayed.isEmpty)
    }

    @Test("what has left for a block is not relayed any more")
    func relaysWhatWaits() throws {
        var world = TestWorld(versions: ["0.9", "0.9"])
        world.ledger.profiles[0].situation.relayMilliseconds = 1500
        let chat = world.chat(1, TestWorld.address(2), "aa")
        try world.post(chat)
        world.forge()
        world.ledger.relay(chat.id, from: 0, now: world.now, timestampsCheckedAt: world.now)
        #expect(world.ledger.location(of: chat.id, node: 1) == .forged(height: 2))
        #expect(world.ledger.queued(node: 1).isEmpty)
    }

    @Test("each node checks timestamps by its own clock")
    func clocks() throws {
        var world = TestWorld(versions: ["0.10", "0.10"])
        world.ledger.profiles[1].situation.clockSkewMilliseconds = -60_000
        let chat = world.chat(1, TestWorld.address(2), "aa")
        try world.post(chat)
        #expect(world.ledger.location(of: chat.id, node: 0) == .queued)
        #expect(
            world.ledger.location(of: chat.id, node: 1)
                == .dropped(reason: "Transaction timestamp is in the future")
        )
        let late = world.chat(1, TestWorld.address(2), "bb", at: world.seconds - 60)
        let theirs = world.now.adding(milliseconds: -60_000)
        _ = try world.ledger.submit(late.submission, node: 1, now: theirs)
        #expect(world.ledger.queued(node: 1).map(\.receivedAt) == [world.now], "by the world's clock")
        #expect(
            world.ledger.location(of: late.id, node: 0)
                == .dropped(reason: "Transaction timestamp is more than 5 seconds in the past")
        )
    }

    @Test("a node that is syncing lets its queue wait")
    func syncs() throws {
        var world = TestWorld(versions: ["0.9", "0.9"])
        world.ledger.profiles[1].situation.isSyncing = true
        let chat = world.chat(1, TestWorld.address(2), "aa")
        try world.post(chat)
        world.ledger.fillPools(now: world.now)
        #expect(world.ledger.location(of: chat.id, node: 0) == .unconfirmed)
        #expect(world.ledger.location(of: chat.id, node: 1) == .queued)
    }
}
