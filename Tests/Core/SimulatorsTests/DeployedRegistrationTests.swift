import AdamantModel
import Determinism
import Simulators
import Testing

@Suite("Device as deployed: registering")
struct DeployedRegistrationTests {
    @Test("signing in registers the token, and signing out removes it")
    func registersAndRemoves() throws {
        var phone = Phone()
        try phone.do(.signIn(Keys.alice))
        #expect(phone.chain.registered(Keys.address(Keys.alice)) == [token(1)])
        #expect(phone.snapshot.believesRegistered)
        #expect(phone.snapshot.owner == Keys.address(Keys.alice))
        try phone.do(.signOut)
        #expect(phone.chain.registered(Keys.address(Keys.alice)) == [])
        #expect(!phone.snapshot.believesRegistered)
        #expect(phone.snapshot.owner == nil)
        #expect(phone.posts.map(\.action) == [.add, .remove])
    }

    @Test(
        "a signal has the length that tells action and environment",
        arguments: [("production", 250, 256), ("sandbox", 266, 272)]
    )
    func hasKnownLength(environment: String, add: Int, remove: Int) throws {
        var phone = Phone { $0.environment = environment }
        try phone.do(.signIn(Keys.alice))
        try phone.do(.signOut)
        #expect(phone.chain.transactions.compactMap { $0.chat?.box.message.utf8.count } == [add, remove])
    }

    /// One row of the table of outcomes: how a node answers, and what becomes of a queued removal.
    struct Outcome: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let answer: NodeAnswer
        var drops = false
        var asksAllNodes = false
    }

    static let refusals = [
        Outcome(testDescription: "Account not found", answer: refusal("Account not found"), drops: true),
        Outcome(testDescription: "already confirmed", answer: refusal("Transaction is already confirmed: 1")),
        Outcome(
            testDescription: "too old",
            answer: refusal("Transaction timestamp is more than 5 seconds in the past")
        ),
        Outcome(
            testDescription: "no money",
            answer: refusal("Account does not have enough ADM: U1 balance: 0")
        ),
        Outcome(testDescription: "no error text", answer: refusal(nil)),
        Outcome(testDescription: "unparsable", answer: .unparsable("parsing failed")),
        Outcome(
            testDescription: "no nodeTimestamp",
            answer: .submitted(SubmitAnswer(transactionId: Identifier(1), error: nil, isEnvelope: false))
        ),
        Outcome(testDescription: "reset", answer: .failed(.reset), asksAllNodes: true),
        Outcome(testDescription: "timeout", answer: .failed(.timedOut), asksAllNodes: true),
    ]

    @Test("an addition that is not accepted is forgotten", arguments: refusals)
    func forgetsAddition(outcome: Outcome) throws {
        var phone = Phone(nodes: 3)
        phone.onSubmit = { _, _ in outcome.answer }
        try phone.do(.signIn(Keys.alice))
        #expect(!phone.snapshot.believesRegistered)
        #expect(phone.snapshot.queuedAdditions == 0)
        #expect(Set(phone.posts.map(\.node)).count == (outcome.asksAllNodes ? 3 : 1))
        #expect(Set(phone.posts.map(\.id)).count == 1)
        #expect(phone.snapshot.problem != nil)
        phone.onSubmit = { _, _ in nil }
        try phone.do(.kill)
        try phone.do(.launch)
        #expect(phone.snapshot.believesRegistered)
    }

    @Test(
        "a removal that is not accepted is queued as signed, and judged again at each launch",
        arguments: refusals
    )
    func queuesRemoval(outcome: Outcome) throws {
        var phone = Phone(nodes: 3)
        try phone.do(.signIn(Keys.alice))
        phone.posts = []
        phone.onSubmit = { _, _ in outcome.answer }
        try phone.do(.signOut)
        #expect(phone.snapshot.queuedRemovals == 1)
        #expect(!phone.snapshot.believesRegistered)
        #expect(phone.posts.count == (outcome.asksAllNodes ? 3 : 1))
        for launch in 1...3 {
            try phone.do(.kill)
            phone.posts = []
            try phone.do(.launch)
            #expect(phone.snapshot.queuedRemovals == (outcome.drops ? 0 : 1))
            let isPosted = launch == 1 || !outcome.drops
            #expect(phone.posts.count == (isPosted ? outcome.asksAllNodes ? 3 : 1 : 0))
        }
    }

    @Test("an answer with an id counts as accepted whatever else it says")
    func acceptsById() throws {
        var phone = Phone()
        phone.onSubmit = { transaction, _ in
            .submitted(SubmitAnswer(transactionId: transaction.id, error: "Invalid", isEnvelope: true))
        }
        try phone.do(.signIn(Keys.alice))
        #expect(phone.snapshot.believesRegistered)
    }

    @Test("without an allowed node nothing is asked, an addition is forgotten and a removal is queued")
    func needsAllowedNode() throws {
        var phone = Phone()
        try phone.do(.signIn(Keys.alice))
        phone.onAsk = { $0.operation == .status ? .failed(.refused) : nil }
        try phone.do(.checkHealth)
        phone.posts = []
        try phone.do(.signOut)
        #expect(phone.posts.isEmpty)
        #expect(phone.snapshot.queuedRemovals == 1)
        try phone.do(.kill)
        try phone.do(.launch)
        #expect(phone.posts.isEmpty)
        #expect(phone.snapshot.queuedRemovals == 1)
    }

    @Test("the race: a removal kept from signing out lands after the addition of signing in again")
    func losesRace() throws {
        var phone = Phone()
        try phone.do(.signIn(Keys.alice))
        phone.onSubmit = { _, _ in .failed(.reset) }
        try phone.do(.signOut)
        phone.onSubmit = { _, _ in nil }
        try phone.do(.signIn(Keys.alice))
        #expect(phone.chain.registered(Keys.address(Keys.alice)) == [token(1)])
        try phone.do(.kill)
        try phone.do(.launch)
        #expect(phone.chain.registered(Keys.address(Keys.alice)) == [])
        #expect(phone.snapshot.believesRegistered)
        #expect(phone.snapshot.queuedRemovals == 0)
        let timestamps = phone.chain.transactions.map(\.timestamp)
        #expect(timestamps.last! < timestamps[timestamps.count - 2])
        phone.posts = []
        try phone.do(.notificationsOff)
        try phone.do(.notificationsPush)
        #expect(phone.posts.isEmpty)
    }

    @Test(
        "switching off and on registers again only where switching off clears the cache",
        arguments: [false, true]
    )
    func offClearsCache(isOn: Bool) throws {
        var phone = Phone { $0.offClearsCache = isOn }
        try phone.do(.signIn(Keys.alice))
        phone.posts = []
        try phone.do(.notificationsOff)
        #expect(!phone.snapshot.showsNotifications)
        try phone.do(.notificationsPush)
        #expect(phone.posts.map(\.action) == (isOn ? [.add] : []))
    }

    @Test("a removal that was accepted without an answer stays in the queue for ever")
    func neverForgets() throws {
        var phone = Phone()
        try phone.do(.signIn(Keys.alice))
        var taken: [Transaction] = []
        phone.onSubmit = { transaction, _ in
            taken.append(transaction)
            return .failed(.reset)
        }
        try phone.do(.signOut)
        phone.chain.forge(taken[0])
        phone.onSubmit = { _, _ in nil }
        for _ in 1...3 {
            try phone.do(.kill)
            phone.posts = []
            try phone.do(.launch)
            #expect(phone.posts.map(\.id) == [taken[0].id])
            #expect(phone.snapshot.queuedRemovals == 1)
        }
    }

    @Test("an addition that was accepted without an answer is never removed")
    func orphansAddition() throws {
        var phone = Phone()
        var taken: [Transaction] = []
        phone.onSubmit = { transaction, _ in
            taken.append(transaction)
            return .failed(.reset)
        }
        try phone.do(.signIn(Keys.alice))
        phone.chain.forge(taken[0])
        phone.onSubmit = { _, _ in nil }
        phone.posts = []
        try phone.do(.signOut)
        #expect(phone.posts.isEmpty)
        #expect(phone.chain.registered(Keys.address(Keys.alice)) == [token(1)])
    }

    @Test(
        "signing out while the addition is under way removes nothing, and the next account registers nothing"
    )
    func signsOutDuringAddition() throws {
        var phone = Phone()
        phone.holds = {
            if case .node(let request) = $0.work, case .submit = request.operation { true } else { false }
        }
        try phone.do(.signIn(Keys.alice))
        #expect(phone.device.hasAppWork)
        try phone.do(.signOut)
        phone.release()
        #expect(phone.posts.map(\.action) == [.add])
        #expect(phone.snapshot.believesRegistered)
        try phone.do(.signIn(Keys.bob))
        #expect(phone.posts.map(\.action) == [.add])
        #expect(phone.chain.registered(Keys.address(Keys.bob)) == [])
    }

    @Test("another account's sign-in signs the removal with the wrong key")
    func switchesAccount() throws {
        var phone = Phone()
        try phone.do(.signIn(Keys.alice))
        try phone.do(.signIn(Keys.bob))
        #expect(phone.posts.map(\.action) == [.add, .remove, .add])
        #expect(phone.posts.map(\.sender) == [Keys.alice, Keys.bob, Keys.bob].map(Keys.address))
        #expect(phone.chain.registered(Keys.address(Keys.alice)) == [token(1)])
    }

    @Test("the end of the process between clearing and queueing loses the removal")
    func dies() throws {
        var phone = Phone()
        try phone.do(.signIn(Keys.alice))
        phone.holds = {
            if case .node(let request) = $0.work, case .submit = request.operation { true } else { false }
        }
        try phone.do(.signOut)
        try phone.do(.kill)
        phone.onSubmit = { _, _ in .failed(.reset) }
        phone.release()
        #expect(!phone.snapshot.believesRegistered)
        #expect(phone.snapshot.queuedRemovals == 0)
    }

    @Test("the switch makes signing out lose its key before the removal is signed")
    func skipsRemoval() throws {
        var phone = Phone { $0.signOutSkipsRemoval = true }
        try phone.do(.signIn(Keys.alice))
        try phone.do(.signOut)
        #expect(phone.posts.map(\.action) == [.add])
        #expect(phone.snapshot.believesRegistered)
    }

    @Test(
        "an account must have more than 0.001 ADM before anything is sent",
        arguments: [(Int64(0), false), (100_000, false), (100_001, true)]
    )
    func needsBalance(balance: Int64, registers: Bool) throws {
        var phone = Phone()
        phone.balance = balance
        try phone.do(.signIn(Keys.alice))
        #expect(phone.posts.isEmpty != registers)
        #expect(phone.snapshot.problem?.contains("0.001") == (registers ? nil : true))
        phone.balance = 1_000_000
        try phone.do(.kill)
        try phone.do(.launch)
        #expect(phone.snapshot.believesRegistered)
    }

    @Test("an account that no node knows has no balance")
    func knowsNoAccount() throws {
        var phone = Phone()
        phone.onAsk = { if case .account = $0.operation { .refused("Account not found") } else { nil } }
        try phone.do(.signIn(Keys.alice))
        #expect(phone.snapshot.owner == Keys.address(Keys.alice))
        #expect(phone.posts.isEmpty)
    }

    @Test(
        "a failing login signs nobody in",
        arguments: [NodeAnswer.failed(.timedOut), .unparsable("x"), .refused("x")]
    )
    func failsLogin(answer: NodeAnswer) throws {
        var phone = Phone()
        phone.onAsk = { if case .account = $0.operation { answer } else { nil } }
        try phone.do(.signIn(Keys.alice))
        #expect(phone.snapshot.owner == nil)
        #expect(phone.snapshot.problem != nil)
    }

    @Test("denied notifications keep the app from registering until they are allowed and chosen")
    func needsPermission() throws {
        var phone = Phone()
        try phone.do(.deny)
        try phone.do(.signIn(Keys.alice))
        #expect(phone.posts.isEmpty)
        try phone.do(.allow)
        #expect(phone.posts.isEmpty)
        try phone.do(.notificationsPush)
        #expect(phone.posts.map(\.action) == [.add])
    }

    @Test("a reinstalled app has forgotten everything and leaves its old token registered")
    func reinstalls() throws {
        var phone = Phone()
        try phone.do(.signIn(Keys.alice))
        try phone.do(.reinstall(token: token(2)))
        #expect(phone.snapshot.owner == nil)
        #expect(!phone.snapshot.isRunning)
        try phone.do(.signIn(Keys.alice))
        #expect(phone.chain.registered(Keys.address(Keys.alice)) == [token(1), token(2)])
    }

    @Test(
        "a restored app removes the old token and adds the new one, even when the removal fails",
        arguments: [true, false]
    )
    func restores(fails: Bool) throws {
        var phone = Phone()
        try phone.do(.signIn(Keys.alice))
        try phone.do(.restore(token: token(2)))
        phone.onSubmit = { transaction, _ in
            let isRemoval = Chain.signal(SeenTransaction(transaction, height: 0))?.action == .remove
            return fails && isRemoval ? .failed(.reset) : nil
        }
        try phone.do(.launch)
        let expected = fails ? [token(1), token(2)] : [token(2)]
        #expect(phone.chain.registered(Keys.address(Keys.alice)) == expected)
        #expect(phone.snapshot.queuedRemovals == (fails ? 1 : 0))
    }

    @Test("the state that is kept brings the same device back")
    func keepsState() throws {
        var phone = Phone(nodes: 2)
        try phone.do(.signIn(Keys.alice))
        phone.onSubmit = { _, _ in .failed(.reset) }
        try phone.do(.signOut)
        phone.onSubmit = { _, _ in nil }
        try phone.do(.signIn(Keys.alice))
        let before = phone.snapshot
        phone.device = try #require(
            Device(stateJSON: phone.device.stateJSON, seed: 1, generation: 1, cryptography: Keys.cryptography)
        )
        #expect(phone.snapshot == before)
        phone.posts = []
        try phone.do(.kill)
        try phone.do(.launch)
        #expect(phone.posts.map(\.action) == [.remove])
        #expect(phone.snapshot.queuedRemovals == 0)
    }

    @Test("what needs the app to run or be installed is refused otherwise")
    func refuses() throws {
        var phone = Phone()
        for action in [DeviceAction.signOut, .notificationsOff, .notificationsPush] {
            #expect(throws: DeviceRefusal.self) { try phone.do(action) }
        }
        try phone.do(.uninstall)
        for action in [DeviceAction.launch, .signIn(Keys.alice), .rotateToken(token(2))] {
            #expect(throws: DeviceRefusal.self) { try phone.do(action) }
        }
        #expect(phone.snapshot.token == nil)
        try phone.do(.reinstall(token: token(3)))
        try phone.do(.launch)
        #expect(phone.snapshot.isRunning)
    }
}
