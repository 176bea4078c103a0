import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import SystemCryptography
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("Ledger: after any moves")
struct MovingTests {
    private static let isLong = ProcessInfo.processInfo.environment["MOCKNET_LONG"] != nil

    @Test(
        "lists, balances, pools and blocks are those that the blocks alone give",
        arguments: 1...(isLong ? 60 : 6)
    )
    func agrees(seed: Int) throws {
        var moves = RandomMoves(seed: UInt64(seed))
        for round in 1...(Self.isLong ? 40 : 12) {
            for _ in 1...25 { try moves.move() }
            let problems = try MoveOracle(moves.random.world.ledger).problems
            #expect(problems.isEmpty, "seed \(seed) round \(round): \(problems.prefix(5))")
            if !problems.isEmpty { return }
        }
    }
}

/// A random chain that is forked, gone back in, and restored from its events, over and over.
struct RandomMoves {
    private static let genesisHeights = [1, 95, 1_999_990]

    var random: RandomChain
    private var snapshots: [Ledger] = []
    private let startHeight: Int

    init(seed: UInt64) {
        startHeight = Self.genesisHeights[Int(seed / 3 % 3)]
        random = RandomChain(seed: seed)
        random.world = TestWorld(
            versions: [["0.9"], ["0.10"], ["0.9", "0.10"]][Int(seed % 3)],
            balances: [900_000_000_000, 330_000_000_000, 2_000_000_000, 0],
            startHeight: startHeight
        )
        for pair in TestWorld.pairs { _ = random.world.ledger.createAccount(publicKey: pair.publicKey) }
    }

    mutating func move() throws {
        let before = random.world.ledger.version
        switch random.number(0...19) {
        case 0...8: random.run(steps: 4)
        case 9, 10: random.world.forge()
        case 11, 12: snapshots.append(random.world.ledger)
        case 13, 14:
            guard !snapshots.isEmpty else { return }
            random.world.ledger.revert(to: random.element(snapshots))
        case 15, 16, 17: try reorganize()
        case 18:
            random.world.wait(Int64(random.number(-20...20)))
            registerOrVote()
        default: try restore()
        }
        precondition(random.world.ledger.version >= before, "a version never comes again")
    }

    /// Posts a registration or votes, which may be refused.
    private mutating func registerOrVote() {
        let account = random.number(1...3)
        let transaction: Transaction
        if random.number(0...2) == 0 {
            transaction = random.world.registration(account, "name_\(random.number(1...3))")
        } else {
            let pairs = random.number(0...1) == 0 ? TestWorld.pairs : TestWorld.delegates
            let keys = Set((0...2).map { _ in Hex.encode(pairs[random.number(1...4)].publicKey) }).sorted()
            let sign = random.number(0...2) == 0 ? "-" : "+"
            transaction = random.world.vote(account, keys.map { sign + $0 })
        }
        _ = try? random.world.post(transaction)
    }

    private mutating func reorganize() throws {
        let greatest = random.world.ledger.height - startHeight
        guard greatest > 0 else { return }
        var fork = Reorganization(depth: random.number(1...min(greatest, 6)))
        let height = random.world.ledger.height
        let ids = (height - fork.depth + 1...height).flatMap { height in
            random.world.ledger.transactions(height: height).map(\.id)
        }
        for id in ids {
            switch random.number(0...9) {
            case 0: fork.keep.append(id)
            case 1: fork.delay.append(id)
            case 2: fork.drop.append(id)
            case 3: fork.order.append(id)
            default: break
            }
        }
        if random.number(0...3) == 0 { fork.blocks = max(fork.depth, fork.order.count) }
        var generator = SeededGenerator(seed: random.generator.next())
        let outcome = try random.world.ledger.reorganize(fork, now: random.world.now, using: &generator)
        let ledger = random.world.ledger
        #expect(outcome.forged.last == ledger.lastBlock)
        for id in ids where !fork.drop.contains(id) {
            let isLost = (0..<ledger.nodeCount).allSatisfy {
                guard case .dropped? = ledger.location(of: id, node: $0) else { return false }
                return true
            }
            #expect(ledger.transaction(id) != nil || outcome.waiting.contains(id) || isLost)
        }
        for id in fork.drop { #expect(ledger.transaction(id) == nil) }
    }

    /// Makes the ledger anew of its blocks and of what its state events tell, through their bytes.
    private mutating func restore() throws {
        let original = random.world.ledger
        var copy = Ledger(
            genesis: original.genesis,
            profiles: original.profiles,
            startHeight: startHeight,
            cryptography: TestWorld.cryptography
        )
        var events: [LedgerEvent] = []
        for height in stride(from: startHeight + 1, through: original.height, by: 1) {
            let block = try #require(original.block(height: height))
            events.append(.forged(block, original.transactions(height: height)))
        }
        for event in events + original.stateEvents {
            let fits = copy.restore(try #require(LedgerEvent(decoding: event.encoded)))
            #expect(fits, "\(event)")
        }
        for node in 0..<original.nodeCount {
            #expect(copy.queued(node: node) == original.queued(node: node))
            #expect(copy.unconfirmed(node: node) == original.unconfirmed(node: node))
        }
        for account in 0...11 {
            let address = TestWorld.address(account).text
            #expect(copy.account(address) == original.account(address))
        }
        random.world.ledger.revert(to: copy)
    }
}

/// What a ledger must say, recomputed from its blocks and from what waits in its pools.
private struct MoveOracle {
    private(set) var problems: [String] = []
    private let ledger: Ledger
    private var balances: [String: Int64] = [TestWorld.address(0).text: 9_800_000_000_000_000]
    private var ids: Set<Identifier> = []
    private let accounts = (0...11).map { TestWorld.address($0) }

    init(_ ledger: Ledger) throws {
        self.ledger = ledger
        checkBlocks()
        checkBalances()
        checkPools()
        try checkLists()
        for (found, expected) in zip(ledger.derived(), ledger.replayed(upTo: ledger.height).derived()) {
            expect(found == expected, "\(found), not \(expected)")
        }
    }

    private mutating func expect(_ isSo: Bool, _ what: String) {
        if !isSo { problems.append(what) }
    }

    private mutating func checkBlocks() {
        var parent: Block?
        for height in ledger.startHeight...ledger.height {
            guard let block = ledger.block(height: height) else {
                problems.append("no block at \(height)")
                return
            }
            let transactions = ledger.transactions(height: height)
            expect(ledger.block(id: block.id) == block, "block \(height) is not found by its id")
            expect(block.previousBlock == parent?.id, "block \(height) has another parent")
            expect(block.timestamp >= parent?.timestamp ?? 0, "block \(height) is before its parent")
            expect(block.numberOfTransactions == transactions.count, "block \(height) counts otherwise")
            let hash = TestWorld.cryptography.sha256(transactions.flatMap(\.fullBytes))
            expect(block.payloadHash == hash, "block \(height) holds others")
            for transaction in transactions {
                let isNew = ids.insert(transaction.id).inserted
                expect(isNew, "\(transaction.id) is twice on the chain")
                expect(ledger.height(of: transaction.id) == height, "\(transaction.id) is elsewhere")
                balances[transaction.sender.text, default: 0] -= transaction.amount + transaction.fee
                if transaction.amount > 0, let recipient = transaction.recipient {
                    balances[recipient.uppercased.text, default: 0] += transaction.amount
                }
            }
            parent = block
        }
        expect(ledger.transactionCount == ids.count, "\(ledger.transactionCount) rows, not \(ids.count)")
        expect(ledger.lastBlock == parent, "another block is the last")
    }

    private mutating func checkBalances() {
        var unpaid: Int64 = 0
        var rewards: Int64 = 0
        for height in ledger.startHeight...ledger.height {
            guard let block = ledger.block(height: height) else { continue }
            rewards += block.reward
            unpaid += block.reward + block.totalFee
            if height.isMultiple(of: 101) { unpaid = 0 }
        }
        for address in accounts {
            let balance = ledger.account(address.text)?.balance ?? 0
            expect(balance == balances[address.text] ?? 0, "\(address) has \(balance)")
        }
        let delegates = TestWorld.delegates.map { $0.address(cryptography: TestWorld.cryptography) }
        let sum = (accounts + delegates).reduce(unpaid) { $0 + (ledger.account($1.text)?.balance ?? 0) }
        expect(sum == 9_800_000_000_000_000 + rewards, "the balances add up to \(sum)")
    }

    private mutating func checkPools() {
        for node in 0..<ledger.nodeCount {
            var pending: [Address: Int64] = [:]
            for entry in ledger.unconfirmed(node: node) {
                let transaction = entry.transaction
                pending[transaction.sender, default: 0] += transaction.amount + transaction.fee
                expect(!ids.contains(transaction.id), "\(transaction.id) is unconfirmed and on the chain")
                let place = ledger.location(of: transaction.id, node: node)
                expect(
                    place == .unconfirmed,
                    "\(transaction.id) is unconfirmed, and said to be \(place as Any)"
                )
            }
            for address in accounts {
                guard let account = ledger.account(address.text, node: node) else { continue }
                let rest = account.balance - (pending[address] ?? 0)
                expect(
                    account.unconfirmedBalance == rest,
                    "\(address) has \(account.unconfirmedBalance) left"
                )
                expect(rest >= 0, "\(address) waits to spend what it has not")
            }
        }
    }

    private mutating func checkLists() throws {
        let oracle = QueryOracle(ledger)
        let (first, second) = (accounts[1].text, "u" + accounts[2].text.dropFirst())
        let filters: [(TransactionQuery.Scope, [TransactionFilter])] = [
            (.transactions, []), (.transactions, [.party(first)]),
            (.transactions, [.sender(first), .type(8)]),
            (.transactions, [.recipient(accounts[3].text)]),
            (.transactions, [.fromHeight(ledger.height - 3)]),
            (.transactions, [.types([0, 9])]), (.transactions, [.blockId(ledger.lastBlock.id.description)]),
            (.chats(includesTransfers: true), [.party(second)]), (.chats(includesTransfers: false), []),
            (.chats(includesTransfers: false), [.chatType(3), .sender(first)]), (.states, [.key("k")]),
            (.states, [.sender(first), .key("key")]),
        ]
        let profile = try #require(NodeProfile(version: "0.10"))
        for (scope, conditions) in filters {
            for order in [
                TransactionOrder(.timestamp, isDescending: true), .insertion,
                TransactionOrder(.height, isDescending: true),
                TransactionOrder(.timestamp, isDescending: false),
            ] {
                var query = TransactionQuery(scope)
                for condition in conditions { query.add(condition, .and) }
                query.order = order
                query.limit = 40
                let expected = oracle.answer(query, order: order)
                var output = Array("[".utf8)
                let count = try ledger.page(query, profile: profile, into: &output).count
                let ids = try JSONValue(parsing: output + Array("]".utf8)).arrayValue?
                    .compactMap { $0["id"]?.stringValue }
                expect(ids == expected.ids && count == expected.count, "\(query)")
            }
        }
    }
}
