import AdamantModel
import Determinism
import Simulators
import Testing

@Suite("Device, ordered: registering")
struct OrderedRegistrationTests {
    let alice = Keys.address(Keys.alice)

    @Test("the race is won: the pending removal gives way to the later addition")
    func winsRace() throws {
        var phone = Phone(.ordered)
        try phone.do(.signIn(Keys.alice))
        phone.onSubmit = { _, _ in .failed(.reset) }
        try phone.do(.signOut)
        #expect(phone.snapshot.queuedRemovals == 1)
        phone.onSubmit = { _, _ in nil }
        try phone.do(.signIn(Keys.alice))
        #expect(phone.snapshot.queuedRemovals == 0)
        try phone.do(.kill)
        try phone.do(.launch)
        #expect(phone.chain.registered(alice) == [token(1)])
        #expect(phone.snapshot.believesRegistered)
    }

    @Test("an addition that failed is kept and sent again at the next launch, as it was signed")
    func keepsAddition() throws {
        var phone = Phone(.ordered)
        phone.onSubmit = { _, _ in .failed(.timedOut) }
        try phone.do(.signIn(Keys.alice))
        #expect(phone.snapshot.queuedAdditions == 1)
        phone.onSubmit = { _, _ in nil }
        try phone.do(.kill)
        try phone.do(.launch)
        #expect(phone.snapshot.queuedAdditions == 0)
        #expect(phone.chain.registered(alice) == [token(1)])
        #expect(Set(phone.posts.map(\.id)).count == 1)
    }

    @Test(
        "what was accepted without an answer is recognised and paid for once",
        arguments: [Signal.Action.add, .remove]
    )
    func recognisesAccepted(action: Signal.Action) throws {
        var phone = Phone(.ordered)
        var taken: [Transaction] = []
        if action == .remove { try phone.do(.signIn(Keys.alice)) }
        phone.onSubmit = { transaction, _ in
            taken.append(transaction)
            return .failed(.reset)
        }
        try phone.do(action == .add ? .signIn(Keys.alice) : .signOut)
        phone.chain.forge(taken[0])
        phone.onSubmit = { _, _ in nil }
        try phone.do(.kill)
        try phone.do(.launch)
        #expect(phone.snapshot.queuedAdditions + phone.snapshot.queuedRemovals == 0)
        #expect(phone.snapshot.believesRegistered == (action == .add))
        #expect(phone.chain.transactions.count == (action == .add ? 1 : 2))
    }

    @Test("signing out removes a token whose addition was never answered")
    func removesUnanswered() throws {
        var phone = Phone(.ordered)
        var taken: [Transaction] = []
        phone.onSubmit = { transaction, _ in
            taken.append(transaction)
            return .failed(.reset)
        }
        try phone.do(.signIn(Keys.alice))
        phone.chain.forge(taken[0])
        phone.onSubmit = { _, _ in nil }
        try phone.do(.signOut)
        #expect(phone.chain.registered(alice) == [])
        #expect(phone.snapshot.queuedRemovals == 0)
    }

    @Test("signing out while the addition is under way removes it afterwards")
    func signsOutDuringAddition() throws {
        var phone = Phone(.ordered)
        phone.holds = {
            if case .node(let request) = $0.work, case .submit = request.operation { true } else { false }
        }
        try phone.do(.signIn(Keys.alice))
        try phone.do(.signOut)
        phone.release()
        #expect(phone.posts.map(\.action) == [.add, .remove])
        #expect(phone.chain.registered(alice) == [])
        #expect(!phone.snapshot.believesRegistered)
    }

    @Test("another account's sign-in removes the token with the right key")
    func switchesAccount() throws {
        var phone = Phone(.ordered)
        try phone.do(.signIn(Keys.alice))
        try phone.do(.signIn(Keys.bob))
        #expect(phone.posts.map(\.sender) == [Keys.alice, Keys.alice, Keys.bob].map(Keys.address))
        #expect(phone.chain.registered(alice) == [])
        #expect(phone.chain.registered(Keys.address(Keys.bob)) == [token(1)])
    }

    @Test("a wish refused as too old is signed anew while its account is there")
    func signsAnew() throws {
        var phone = Phone(.ordered)
        phone.onSubmit = { _, _ in .failed(.reset) }
        try phone.do(.signIn(Keys.alice))
        let old = phone.posts[0].id
        phone.now = phone.now.adding(milliseconds: 60_000)
        phone.onSubmit = { transaction, _ in
            transaction.id == old ? refusal("Transaction timestamp is more than 5 seconds in the past") : nil
        }
        try phone.do(.kill)
        try phone.do(.launch)
        #expect(phone.chain.registered(alice) == [token(1)])
        #expect(phone.snapshot.queuedAdditions == 0)
    }

    @Test("the process may end at any time without losing a wish")
    func survivesKill() throws {
        var phone = Phone(.ordered)
        try phone.do(.signIn(Keys.alice))
        phone.holds = {
            if case .node(let request) = $0.work, case .submit = request.operation { true } else { false }
        }
        try phone.do(.signOut)
        try phone.do(.kill)
        phone.held = []
        phone.release()
        try phone.do(.launch)
        #expect(phone.chain.registered(alice) == [])
    }

    @Test("two signals within one second are dated a second apart, and the later waits for its time")
    func datesApart() throws {
        var phone = Phone(.ordered)
        try phone.do(.signIn(Keys.alice))
        phone.now = phone.now.adding(milliseconds: -2000)
        try phone.do(.signOut)
        let timestamps = phone.chain.transactions.map(\.timestamp)
        #expect(timestamps.count == 2 && timestamps[0] < timestamps[1])
        #expect(phone.waits == [1000])
    }

    @Test("a new token replaces the old one")
    func restores() throws {
        var phone = Phone(.ordered)
        try phone.do(.signIn(Keys.alice))
        try phone.do(.restore(token: token(2)))
        try phone.do(.launch)
        #expect(phone.chain.registered(alice) == [token(2)])
    }

    @Test("what it takes for done is not sent again")
    func staysQuiet() throws {
        var phone = Phone(.ordered)
        try phone.do(.signIn(Keys.alice))
        try phone.do(.kill)
        try phone.do(.launch)
        try phone.do(.notificationsOff)
        try phone.do(.notificationsPush)
        #expect(phone.posts.count == 1)
    }
}
