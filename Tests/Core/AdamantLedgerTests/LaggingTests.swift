import AdamantLedger
import AdamantModel
import Determinism
import TestSupport
import Testing

@Suite("Ledger: what sockets of a node that lags are to hear of")
struct LaggingTests {
    private let alice = TestWorld.address(1)
    private let bob = TestWorld.address(2)

    /// Two nodes that are listened to, the second of which is so many blocks behind.
    private func world(lag: Int, relayMilliseconds: Int = 0) -> TestWorld {
        var world = TestWorld(versions: ["0.10", "0.10"])
        world.ledger.profiles[0].situation.relayMilliseconds = relayMilliseconds
        world.ledger.profiles[1].situation.lagBlocks = lag
        for node in 0...1 { world.ledger.watch(node: node, true) }
        return world
    }

    /// What the second node tells since the last call, as words.
    private func heard(_ world: inout TestWorld) -> [String] {
        world.ledger.takeNotices().filter { $0.node == 1 }.flatMap { notice in
            switch notice.content {
            case .transaction(let announced): ["transaction \(announced.transaction.amount)"]
            case .block(let block): ["block \(block.height)"]
            case .balances(let changes):
                changes.map { change in
                    let name = change.address == alice ? "alice" : "bob"
                    let figures = [("has", change.balance), ("can spend", change.unconfirmedBalance)]
                    return figures.reduce(name) { text, figure in
                        text + (figure.1.map { " \(figure.0) \($0 - 100_000_000_000)" } ?? "")
                    }
                }
            }
        }
    }

    @Test("a transaction when it is unconfirmed, its block and the balances when the node knows it")
    func knownBlocks() throws {
        var world = world(lag: 2)
        try world.post(world.transfer(1, bob, 1))
        world.ledger.fillPools(now: world.now)
        #expect(heard(&world) == ["transaction 1", "alice can spend -50000001"])
        _ = world.ledger.forge(now: world.now)
        _ = world.ledger.forge(now: world.now)
        #expect(heard(&world) == [] && world.ledger.height(node: 1) == 1)
        _ = world.ledger.forge(now: world.now)
        #expect(world.ledger.height(node: 1) == 2)
        #expect(
            heard(&world) == ["transaction 1", "block 2", "bob has 1 can spend 1", "alice has -50000001"]
        )
        _ = world.ledger.forge(now: world.now)
        #expect(heard(&world) == ["block 3"])
    }

    @Test("a transaction that never was in its pool, with its block")
    func foreignTransactions() throws {
        var world = world(lag: 1, relayMilliseconds: 1000)
        try world.post(world.transfer(1, bob, 7))
        world.forge()
        #expect(!heard(&world).contains("transaction 7"))
        world.forge()
        #expect(heard(&world).prefix(2) == ["transaction 7", "block 2"])
    }

    @Test("a transaction that another node relays later, when it is unconfirmed there")
    func relayedTransactions() throws {
        var world = world(lag: 3, relayMilliseconds: 1000)
        let id = try world.post(world.transfer(1, bob, 7))
        world.ledger.fillPools(now: world.now)
        #expect(heard(&world) == [])
        world.ledger.relay(id, from: 0, now: world.now, timestampsCheckedAt: world.now)
        world.ledger.fillPools(now: world.now)
        #expect(heard(&world) == ["transaction 7", "alice can spend -50000007"])
    }

    @Test("blocks one after the other when it catches up, none when it falls behind")
    func catchingUp() throws {
        var world = world(lag: 3)
        for amount in 1...3 {
            try world.post(world.transfer(1, bob, Int64(amount)))
            world.forge()
        }
        _ = heard(&world)
        var profile = world.ledger.profiles[1]
        profile.situation.lagBlocks = 1
        world.ledger.setProfile(profile, node: 1)
        #expect(
            heard(&world) == [
                "transaction 1", "block 2", "bob has 1 can spend 1", "alice has -50000001",
                "transaction 2", "block 3", "bob has 3 can spend 3", "alice has -100000003",
            ]
        )
        #expect(world.ledger.announced(node: 1).count == 1)
        profile.situation.lagBlocks = 10_000
        world.ledger.setProfile(profile, node: 1)
        #expect(heard(&world) == ["bob has 0 can spend 0", "alice has 0"])
        #expect(world.ledger.height(node: 1) == 1 && world.ledger.announced(node: 1).count == 3)
        world.ledger.watch(node: 1, false)
        profile.situation.lagBlocks = 0
        world.ledger.setProfile(profile, node: 1)
        world.ledger.setProfile(profile, node: 9)
        #expect(heard(&world) == [] && world.ledger.height(node: 1) == 4)
    }

    @Test("the newest 500 blocks at most when it catches up")
    func longLag() throws {
        var world = world(lag: 10_000)
        for node in 0...1 { world.ledger.watch(node: node, false) }
        for _ in 0..<510 { _ = world.ledger.forge(now: world.now) }
        world.ledger.watch(node: 1, true)
        world.ledger.setProfile(world.ledger.profiles[0], node: 1)
        let blocks = heard(&world).filter { $0.hasPrefix("block") }
        #expect(blocks == (12...511).map { "block \($0)" })
    }

    @Test("nothing of a fork among blocks that it does not know, and all of one that it does")
    func forks() throws {
        var world = world(lag: 2)
        for amount in 1...4 {
            try world.post(world.transfer(1, bob, Int64(amount)))
            world.forge()
        }
        _ = heard(&world)
        var generator = SeededGenerator(seed: 1)
        var fork = Reorganization(depth: 2)
        fork.blocks = 2
        _ = try world.ledger.reorganize(fork, now: world.now, using: &generator)
        #expect(!heard(&world).contains { $0.hasPrefix("block") || $0.hasPrefix("transaction") })
        fork = Reorganization(depth: 4)
        fork.order = try [1, 2, 3, 4].map { amount in
            try #require(
                (2...5).lazy.flatMap { world.ledger.transactions(height: $0) }.first { $0.amount == amount }?
                    .id
            )
        }
        _ = try world.ledger.reorganize(fork, now: world.now, using: &generator)
        #expect(
            heard(&world).prefix(4) == ["transaction 1", "block 2", "transaction 2", "block 3"]
        )
        #expect(world.ledger.height(node: 1) == 4)
    }
}

@Suite("Ledger: what sockets are told adds up")
struct ToldFiguresTests {
    /// What somebody knows who heard all that a node told.
    private struct Listener {
        private static let accounts = (0...11).map(TestWorld.address)
        private static let delegates = TestWorld.delegates.map {
            $0.address(cryptography: TestWorld.cryptography)
        }
        /// Those of a round are looked at so often; they are many.
        private static let stepsBetweenDelegates = 50

        let node: Int
        var height: Int
        var told: Set<Identifier> = []
        var figures: [Address: [Int64]] = [:]
        var problems: [String] = []

        init(_ ledger: inout Ledger, node: Int) {
            self.node = node
            height = ledger.height(node: node)
            figures = Self.figures(of: Self.accounts + Self.delegates, &ledger, node)
        }

        static func figures(
            of addresses: [Address],
            _ ledger: inout Ledger,
            _ node: Int
        ) -> [Address: [Int64]] {
            let lag = ledger.profiles[node].situation.lagBlocks
            return ledger.past(blocksAgo: lag) { past in
                Dictionary(
                    uniqueKeysWithValues: addresses.map { address in
                        let account = past.account(address.text, node: node)
                        return (address, [account?.balance ?? 0, account?.unconfirmedBalance ?? 0])
                    }
                )
            }
        }

        mutating func hear(_ notices: [LedgerNotice], _ ledger: inout Ledger, isFork: Bool, step: Int) {
            var mayGoBack = isFork
            for notice in notices where notice.node == node {
                switch notice.content {
                case .transaction(let announced): told.insert(announced.transaction.id)
                case .block(let block):
                    let follows = block.height == height + 1 || (mayGoBack && block.height <= height)
                    if !follows { problems.append("block \(block.height) after \(height)") }
                    mayGoBack = false
                    height = block.height
                    for transaction in ledger.transactions(height: height)
                    where !told.contains(transaction.id) {
                        problems.append("\(transaction.id) comes unannounced")
                    }
                case .balances(let changes):
                    for change in changes {
                        let old = figures[change.address] ?? [0, 0]
                        figures[change.address] = [
                            change.balance ?? old[0], change.unconfirmedBalance ?? old[1],
                        ]
                    }
                }
            }
            let isDelegatesTurn = step.isMultiple(of: Self.stepsBetweenDelegates)
            let looked = isDelegatesTurn ? Self.accounts + Self.delegates : Self.accounts
            let wanted = Self.figures(of: looked, &ledger, node)
            for address in looked where figures[address] != wanted[address] {
                problems.append("other figures of \(address) at \(height)")
            }
            if height != ledger.height(node: node) { problems.append("told \(height)") }
        }
    }

    @Test("every block once, after what is in it, and the figures of every account", arguments: 1...4)
    func addsUp(seed: Int) throws {
        var random = RandomChain(
            seed: UInt64(seed),
            versions: ["0.10", "0.10", "0.9"],
            startHeight: [1, 95, 85][seed % 3]
        )
        random.world.ledger.profiles[0].situation.relayMilliseconds = seed.isMultiple(of: 2) ? 1000 : 0
        var listeners: [Listener] = []
        for node in 0...2 {
            random.world.ledger.profiles[node].situation.lagBlocks = random.number(0...4)
            random.world.ledger.watch(node: node, true)
            listeners.append(Listener(&random.world.ledger, node: node))
        }
        for step in 1...250 {
            var isFork = false
            switch random.number(0...19) {
            case 0:
                let node = random.number(0...2)
                var profile = random.world.ledger.profiles[node]
                profile.situation.lagBlocks = random.number(0...5)
                let before = random.world.ledger.height(node: node)
                random.world.ledger.setProfile(profile, node: node)
                // Falling behind is not told.
                listeners[node].height = min(before, random.world.ledger.height(node: node))
            case 1:
                let greatest = random.world.ledger.height - random.world.ledger.startHeight
                guard greatest > 0 else { continue }
                let fork = Reorganization(depth: random.number(1...min(greatest, 6)))
                var generator = SeededGenerator(seed: random.generator.next())
                _ = try random.world.ledger.reorganize(fork, now: random.world.now, using: &generator)
                isFork = true
            default: random.run(steps: 1)
            }
            let notices = random.world.ledger.takeNotices()
            for index in listeners.indices {
                listeners[index].hear(notices, &random.world.ledger, isFork: isFork, step: step)
                let problems = listeners[index].problems
                #expect(problems.isEmpty, "seed \(seed), step \(step), node \(index): \(problems)")
                guard problems.isEmpty else { return }
            }
        }
    }
}
