import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import TestSupport
import Testing

@Suite("Ledger: undoing blocks")
struct UndoingTests {
    private static let addresses = (TestWorld.pairs + TestWorld.delegates)
        .map { $0.address(cryptography: TestWorld.cryptography) }

    /// Enough for a registration or two.
    private static let rich: [Int64] = [900_000_000_000, 100_000_000_000, 400_000_000_000, 0]

    /// A chain over the end of two rounds, with registrations and votes in it; its keys are all known.
    private static func run(_ seed: Int) -> RandomChain {
        var random = RandomChain(seed: UInt64(seed))
        random.world = TestWorld(
            versions: seed.isMultiple(of: 2) ? ["0.9"] : ["0.10", "0.9"],
            balances: rich,
            startHeight: [95, 1_999_990][seed % 2]
        )
        for pair in TestWorld.pairs { _ = random.world.ledger.createAccount(publicKey: pair.publicKey) }
        random.run(steps: 60)
        _ = try? random.world.post(random.world.registration(1, "undone"))
        random.world.forgeAll()
        let votes = [
            "+" + Hex.encode(TestWorld.pairs[1].publicKey),
            "+" + Hex.encode(TestWorld.delegates[3].publicKey),
        ]
        _ = try? random.world.post(random.world.vote(2, votes))
        random.world.forgeAll()
        random.run(steps: 60)
        random.world.wait(7)
        _ = try? random.world.post(random.world.vote(2, ["-" + Hex.encode(TestWorld.delegates[3].publicKey)]))
        random.world.forgeAll()
        random.run(steps: 60)
        return random
    }

    private static func undo(_ ledger: inout Ledger) {
        let isUndone = ledger.restore(.reverted(ledger.lastBlock, []))
        #expect(isUndone)
    }

    private static func queries() -> [TransactionQuery] {
        var queries: [TransactionQuery] = []
        for scope in [TransactionQuery.Scope.transactions, .chats(includesTransfers: true), .states] {
            for address in [nil, 1, 2, 3, 5].map({ $0.map { TestWorld.address($0).text } }) {
                for (field, isDescending) in [
                    (TransactionOrder.Field.timestamp, true), (.timestamp, false), (.height, false),
                ] {
                    var query = TransactionQuery(scope)
                    if let address { query.add(.party(address), .and) }
                    query.order = TransactionOrder(field, isDescending: isDescending)
                    query.limit = 1000
                    query.returnsAsset = true
                    queries.append(query)
                }
            }
        }
        var key = TransactionQuery(.states)
        key.add(.key("k"), .and)
        key.limit = 1000
        return queries + [key]
    }

    private static func compare(_ left: Ledger, _ right: Ledger) throws {
        #expect(left.height == right.height && left.lastBlock == right.lastBlock)
        #expect(left.transactionCount == right.transactionCount)
        for address in addresses {
            let (first, second) = (left.account(address.text), right.account(address.text))
            #expect((first?.balance ?? 0) == (second?.balance ?? 0), "\(address)")
        }
        for (first, second) in zip(left.derived(), right.derived()) { #expect(first == second) }
        let profile = try #require(NodeProfile(version: "0.10"))
        for query in queries() {
            var (leftBytes, rightBytes) = ([UInt8](), [UInt8]())
            let counts = (
                try left.page(query, profile: profile, into: &leftBytes),
                try right.page(query, profile: profile, into: &rightBytes)
            )
            #expect(counts.0 == counts.1 && leftBytes == rightBytes, "\(query)")
        }
    }

    @Test("a ledger whose blocks were undone equals one that never had them", arguments: 1...4)
    func equalsShorter(seed: Int) throws {
        let ledger = Self.run(seed).world.ledger
        var undone = ledger
        while undone.height > ledger.startHeight {
            let tip = undone.lastBlock
            let ids = undone.transactions(height: undone.height).map(\.id)
            Self.undo(&undone)
            #expect(undone.block(id: tip.id) == nil && ids.allSatisfy { undone.transaction($0) == nil })
            if undone.height % 7 == 0 || undone.height % 101 > 98 || undone.height == ledger.startHeight {
                try Self.compare(undone, ledger.replayed(upTo: undone.height))
            }
        }
        let isUndone = undone.restore(.reverted(undone.lastBlock, []))
        #expect(!isUndone, "the first block stays")
    }

    @Test("blocks put back after undoing give the ledger that there was", arguments: 1...4)
    func comesBack(seed: Int) throws {
        let ledger = Self.run(seed).world.ledger
        for depth in [1, 2, 5, 30, 110] where depth <= ledger.height - ledger.startHeight {
            var moved = ledger
            for _ in 0..<depth { Self.undo(&moved) }
            for height in moved.height + 1...ledger.height {
                let block = try #require(ledger.block(height: height))
                let fits = moved.restore(.forged(block, ledger.transactions(height: height)))
                #expect(fits)
            }
            try Self.compare(moved, ledger)
            #expect(moved.version > ledger.version)
        }
    }

    @Test("user names and votes are free again when their block is undone")
    func namesAndVotes() throws {
        var world = TestWorld(balances: Self.rich)
        try world.post(world.registration(1, "wanted"))
        world.forge()
        let vote = world.vote(2, ["+" + Hex.encode(TestWorld.pairs[1].publicKey)])
        try world.post(vote)
        world.forge()
        world.wait(1)
        let again = world.vote(2, ["+" + Hex.encode(TestWorld.pairs[1].publicKey)])
        #expect(
            throws: SubmissionRejection("Failed to add vote, account has already voted for this delegate")
        ) {
            var copy = world
            try copy.post(again)
        }
        Self.undo(&world.ledger)
        var voting = world
        try voting.post(again)
        #expect(throws: SubmissionRejection("Username already exists")) {
            var copy = world
            try copy.post(copy.registration(3, "wanted"))
        }
        Self.undo(&world.ledger)
        #expect(throws: SubmissionRejection("Delegate not found")) {
            var copy = world
            try copy.post(again)
        }
        try world.post(world.registration(3, "wanted"))
    }
}
