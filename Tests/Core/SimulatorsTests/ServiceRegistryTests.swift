import AdamantModel
import Determinism
import Simulators
import Testing

/// One batch and the registry it leads to.
struct Batch: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let isPresent: Bool
    let signals: [(Signal.Action, UInt8, Bool)]
    /// Rows after the batch as deployed, and by the chain's order.
    let deployed: [String]
    let ordered: [String]

    /// Token 1 is T of alice; `isBob` signals are another account's.
    init(
        _ name: String,
        present: Bool,
        _ signals: [(Signal.Action, UInt8, Bool)],
        deployed: [String],
        ordered: [String]
    ) {
        testDescription = name
        isPresent = present
        self.signals = signals
        self.deployed = deployed
        self.ordered = ordered
    }
}

@Suite("Notification service: from signals to rows")
struct ServiceRegistryTests {
    static let batches = [
        Batch(
            "absent, add",
            present: false,
            [(.add, 1, false)],
            deployed: ["alice 01"],
            ordered: ["alice 01"]
        ),
        Batch(
            "absent, add remove",
            present: false,
            [(.add, 1, false), (.remove, 1, false)],
            deployed: [],
            ordered: []
        ),
        Batch(
            "absent, remove add",
            present: false,
            [(.remove, 1, false), (.add, 1, false)],
            deployed: [],
            ordered: ["alice 01"]
        ),
        Batch(
            "absent, add add",
            present: false,
            [(.add, 1, false), (.add, 1, false)],
            deployed: ["alice 01", "alice 01"],
            ordered: ["alice 01"]
        ),
        Batch(
            "present, add",
            present: true,
            [(.add, 1, false)],
            deployed: ["alice 01"],
            ordered: ["alice 01"]
        ),
        Batch(
            "present, add remove",
            present: true,
            [(.add, 1, false), (.remove, 1, false)],
            deployed: ["alice 01"],
            ordered: []
        ),
        Batch(
            "present, remove add",
            present: true,
            [(.remove, 1, false), (.add, 1, false)],
            deployed: ["alice 01"],
            ordered: ["alice 01"]
        ),
        Batch("present, remove", present: true, [(.remove, 1, false)], deployed: [], ordered: []),
        Batch(
            "present, remove add and a new one of another account",
            present: true,
            [(.remove, 1, false), (.add, 1, false), (.add, 2, true)],
            deployed: ["bob 02"],
            ordered: ["alice 01", "bob 02"]
        ),
        Batch(
            "present, add and a removal of another account",
            present: true,
            [(.add, 1, false), (.remove, 9, true)],
            deployed: ["bob 09", "alice 01"],
            ordered: ["alice 01"]
        ),
    ]

    @Test(
        "one batch leads to what the table says",
        arguments: batches,
        [NotificationServiceConfiguration.Behaviour.asDeployed, .ordered]
    )
    func appliesBatch(batch: Batch, behaviour: NotificationServiceConfiguration.Behaviour) {
        var service = Service(behaviour)
        if batch.signals.contains(where: { $0.1 == 9 }) { service.signal(.add, token(9), by: Keys.bob) }
        if batch.isPresent { service.signal(.add, token(1)) }
        service.poll([.signals])
        for (action, number, isBob) in batch.signals {
            service.signal(action, token(number), by: isBob ? Keys.bob : Keys.alice)
        }
        service.poll([.signals])
        let expected = behaviour == .ordered ? batch.ordered : batch.deployed
        #expect(service.rows.sorted() == expected.sorted())
    }

    @Test("ordered, height decides before timestamp: a late removal with an old date counts as late")
    func ordersByHeight() {
        var service = Service(.ordered)
        service.signal(.remove, token(1))
        service.signal(.add, token(1))
        service.chain.transactions.swapAt(0, 1)
        for index in service.chain.transactions.indices {
            service.chain.transactions[index].height = 200 + index
        }
        service.poll([.signals])
        #expect(service.rows == [])
    }

    @Test(
        "as deployed, a signal without action and token makes a row that kills the poller of its account's messages"
    )
    func dies() {
        var service = Service()
        service.signal(nil, nil)
        service.signal(.add, token(1), by: Keys.bob)
        service.poll()
        #expect(service.rows == ["bob 01", "alice -"])
        let pushed = service.message(to: Keys.bob)
        _ = service.message(to: Keys.alice)
        service.poll()
        #expect(service.service.snapshot.pollers.map(\.state) == ["alive", "dead", "alive"])
        #expect(service.service.snapshot.pollers[1].reason == "row 2 has no token")
        // Newest first: the message to alice ends the batch before bob's turn.
        #expect(service.pushes.map(\.transactionId).contains(pushed) == false)
        _ = service.service.start(now: service.now)
        service.poll()
        #expect(service.service.snapshot.pollers.map(\.state) == ["alive", "dead", "alive"])
    }

    @Test("ordered, a signal without a token, or by a key of another address, is passed over")
    func verifies() {
        var service = Service(.ordered)
        service.signal(nil, nil)
        service.signal(.add, token(1))
        service.chain.transactions[1].sender = Keys.address(Keys.bob)
        service.poll()
        #expect(service.rows == [])
        #expect(service.events.compactMap(\.transactionId).count == 2)
    }

    @Test(
        "what cannot be decrypted is passed over",
        arguments: [NotificationServiceConfiguration.Behaviour.asDeployed, .ordered]
    )
    func skipsSealed(behaviour: NotificationServiceConfiguration.Behaviour) {
        var service = Service(behaviour)
        service.signal(.add, token(1))
        service.chain.transactions[0].chat?.box = MessageBox(message: "00", nonce: "zz")
        service.signal(.add, token(2))
        service.poll()
        #expect(service.rows == ["alice 02"])
    }

    @Test("a removal takes every row of address and token, of any provider")
    func removesAllProviders() {
        var service = Service()
        service.signal(.add, token(1), provider: "apns")
        service.signal(.add, token(1), provider: "fcm")
        service.poll()
        #expect(service.rows.count == 2)
        service.signal(.remove, token(1), provider: nil)
        service.poll()
        #expect(service.rows == [])
    }

    @Test(
        "more than a page is read to its end",
        arguments: [NotificationServiceConfiguration.Behaviour.asDeployed, .ordered]
    )
    func pages(behaviour: NotificationServiceConfiguration.Behaviour) {
        var service = Service(behaviour)
        for _ in 0..<200 { service.signal(.add, token(1), provider: "p\(service.chain.height)") }
        service.poll([.signals])
        let offsets = service.asked.compactMap {
            if case .poll(let query) = $0.operation { query.offset } else { nil }
        }
        #expect(offsets == [0, 100, 200])
        #expect(service.rows.count == (behaviour == .ordered ? 1 : 200))
    }
}
