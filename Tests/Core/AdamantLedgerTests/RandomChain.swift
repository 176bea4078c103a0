import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import TestSupport

/// Random transactions of few accounts, so that queries and balances meet often.
struct RandomChain {
    static let stateKeys: [String?] = ["k", "key", "e\u{301}", "\u{e9}", "", nil]

    var world: TestWorld
    var generator: SeededGenerator
    private(set) var posted = 0

    init(seed: UInt64, versions: [String] = ["0.9"], startHeight: Int = 1) {
        world = TestWorld(
            versions: versions,
            balances: [900_000_000_000, 430_000_000_000, 2_000_000_000, 0],
            startHeight: startHeight
        )
        generator = SeededGenerator(seed: seed)
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

    mutating func element<Element>(_ elements: [Element]) -> Element {
        elements[number(0...elements.count - 1)]
    }

    /// One of the accounts' addresses, now and then in lower case.
    mutating func address() -> Address {
        let address = TestWorld.address(number(1...6))
        guard number(0...5) == 0 else { return address }
        return Address("u" + address.text.dropFirst())!
    }

    mutating func transaction() -> Transaction {
        let sender = number(1...4)
        let time =
            number(0...9) == 0
            ? world.seconds - Int32(number(0...3000)) : world.seconds - Int32(number(0...4))
        switch number(0...11) {
        case 10: return world.registration(sender, element(["one", "two", "three"]))
        case 11:
            let keys =
                [1, 2].map { Hex.encode(TestWorld.pairs[$0].publicKey) }
                + TestWorld.delegates.prefix(3).map { Hex.encode($0.publicKey) }
            return world.vote(sender, (0...number(0...2)).map { _ in element(["+", "-"]) + element(keys) })
        case 0...2:
            return world.transfer(
                sender,
                address(),
                Int64(element([1, 5, 1_000_000, 700_000_000])),
                at: time
            )
        case 3...7:
            let amount = number(0...4) == 0 ? Int64(number(1...9)) : 0
            return world.chat(
                sender,
                address(),
                Hex.encode(generator.bytes(number(1...6))),
                type: Int32(number(0...3)),
                amount: amount,
                at: time
            )
        default:
            return world.state(
                sender,
                Hex.encode(generator.bytes(2)),
                key: element(Self.stateKeys),
                type: Int32(number(0...1)),
                at: time
            )
        }
    }

    /// Posts, fills and forges at random.
    mutating func run(steps: Int) {
        for _ in 0..<steps {
            switch number(0...9) {
            case 0: world.ledger.fillPools(now: world.now)
            case 1: world.forge()
            case 2: world.wait(Int64(number(0...7)))
            default:
                let transaction = transaction()
                posted += 1
                _ = try? world.post(transaction, node: number(0...world.ledger.nodeCount - 1))
            }
        }
    }
}
