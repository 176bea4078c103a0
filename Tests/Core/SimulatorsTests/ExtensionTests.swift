import AdamantModel
import Determinism
import JSONValue
import Simulators
import Testing

@Suite("Device: showing a push")
struct ExtensionTests {
    private static let generic = "You have a new message"

    private func payload(_ id: String, recipient: KeyPair = Keys.alice) -> String {
        """
        {"aps":{"alert":{"loc-key":"NotificationsService.NewMessage.BodySingle"},"badge":1,\
        "sound":"notification.mp3","mutable-content":1},\
        "push-recipient":"\(Keys.address(recipient))","txn-id":"\(id)"}
        """
    }

    private func chat(_ text: String, type: Int32 = 1, amount: Int64 = 0, to: KeyPair = Keys.alice)
        -> Transaction
    {
        let box = MessageBox(
            sealing: text,
            nonce: Array(repeating: 7, count: 24),
            to: to.publicKey,
            from: Keys.bob,
            cryptography: Keys.cryptography
        )!
        return Transaction(
            signing: .chat(message: box.message, ownMessage: box.nonce, type: type),
            type: 8,
            timestamp: 5,
            recipient: Keys.address(to),
            amount: amount,
            by: Keys.bob,
            cryptography: Keys.cryptography
        )
    }

    private func phone(with transaction: Transaction? = nil) throws -> Phone {
        var phone = Phone()
        try phone.do(.signIn(Keys.alice))
        if let transaction { phone.chain.forge(transaction) }
        return phone
    }

    @Test(
        "shows what the message says",
        arguments: [
            (Int32(1), Int64(0), "Hello", "Hello"), (0, 0, "old", "old"),
            (1, 150_000_000, "for lunch", "You received 1.5 ADM: for lunch"),
            (1, 100_000_000, "", "You received 1 ADM"),
            (
                2, 0, #"{"type":"eth_transaction","amount":"0.5","hash":"x","comments":"hi"}"#,
                "You received 0.5 ETH: hi"
            ),
            (2, 0, #"{"replyto_id":"1","reply_message":"yes"}"#, "yes"),
            (2, 0, #"{"reactto_id":"1","react_message":"👍"}"#, "Reacted: 👍"),
            (2, 0, #"{"files":[{},{}],"comment":"look"}"#, "2 files: look"),
            (2, 0, "no JSON", "no JSON"),
        ]
    )
    func showsText(type: Int32, amount: Int64, text: String, expected: String) throws {
        let transaction = chat(text, type: type, amount: amount)
        var phone = try phone(with: transaction)
        phone.receive(payload("\(transaction.id)"))
        let banner = try #require(phone.snapshot.banners.first)
        #expect(banner.body == expected)
        #expect(banner.title == Keys.address(Keys.bob).text)
        #expect(banner.transactionId == "\(transaction.id)")
        #expect(!banner.fallback && banner.silent)
        #expect(phone.snapshot.lastDeliveredAt == phone.now)
    }

    private func stored(_ payload: JSONValue, by owner: KeyPair = Keys.alice) -> NodeAnswer {
        let box = KVSBox(
            sealing: payload,
            padding: ("abc", "xyz"),
            nonce: Array(repeating: 9, count: 24),
            privateKey: owner.privateKey,
            cryptography: Keys.cryptography
        )
        return .state(box?.value)
    }

    private func named(_ address: String, _ name: String) -> JSONValue {
        .object(JSONObject([(address, .object(JSONObject([("displayName", .string(name))])))]))
    }

    @Test("names the partner as the contact list of the owner does, and groups by address")
    func contactName() throws {
        let transaction = chat("Hello")
        var phone = try phone(with: transaction)
        let partner = Keys.address(Keys.bob).text
        let answer = stored(named(partner, "Bobby"))
        phone.onAsk = { request in
            guard case .state(let key, let owner) = request.operation else { return nil }
            #expect(key == "contact_list" && owner == Keys.address(Keys.alice))
            return answer
        }
        phone.receive(payload("\(transaction.id)"))
        let banner = try #require(phone.snapshot.banners.first)
        #expect(banner.title == "Bobby" && banner.body == "Hello")
        #expect(banner.threadId == partner)
    }

    @Test("shows the address where there is no name, or no readable list")
    func noContactName() throws {
        let partner = Keys.address(Keys.bob).text
        let answers: [NodeAnswer] = [
            .state(nil), .state("no box"), stored(["U1": ["displayName": "Another"]]), stored(["a"]),
            stored(named(partner, "")),
            stored(named(partner, "Bobby"), by: Keys.bob),
            .refused("no"), .failed(.timedOut),
        ]
        for answer in answers {
            let transaction = chat("Hello")
            var phone = try phone(with: transaction)
            phone.onAsk = { request in
                if case .state = request.operation { return answer }
                return nil
            }
            phone.receive(payload("\(transaction.id)"))
            let banner = try #require(phone.snapshot.banners.first)
            #expect(banner.title == partner && banner.body == "Hello" && !banner.fallback, "\(answer)")
        }
    }

    @Test("never answers for a blocked partner, so that the alert comes as it was pushed, late")
    func blockedPartner() throws {
        let transaction = chat("Hello")
        var phone = try phone(with: transaction)
        try phone.do(.block(Keys.address(Keys.bob)))
        #expect(phone.snapshot.blocked == [Keys.address(Keys.bob)])
        phone.holds = { if case .wait = $0.work { true } else { false } }
        phone.receive(payload("\(transaction.id)"))
        #expect(phone.snapshot.banners.isEmpty && phone.device.hasExtensionWork)
        phone.release()
        let banner = try #require(phone.snapshot.banners.first)
        #expect(banner.fallback && banner.body == Self.generic)
        #expect(banner.why == "the partner is on the block list")

        try phone.do(.unblock(Keys.address(Keys.bob)))
        phone.receive(payload("\(transaction.id)"))
        #expect(phone.snapshot.banners.last?.body == "Hello")
    }

    @Test("shows the amount of a transfer")
    func showsTransfer() throws {
        let transaction = Transaction(
            signing: .none,
            type: 0,
            timestamp: 5,
            recipient: Keys.address(Keys.alice),
            amount: 12_345_678,
            by: Keys.bob,
            cryptography: Keys.cryptography
        )
        var phone = try phone(with: transaction)
        phone.receive(payload("\(transaction.id)"))
        #expect(phone.snapshot.banners.map(\.body) == ["You received 0.12345678 ADM"])
    }

    @Test("leaves the alert as it came when a message is for somebody else, a signal, or unknown to the node")
    func fallsBack() throws {
        for transaction in [chat("x", to: Keys.service), chat("x", type: 3), nil] {
            var phone = try phone(with: transaction)
            phone.asked = []
            phone.receive(payload(transaction.map { "\($0.id)" } ?? "1"))
            let banner = try #require(phone.snapshot.banners.first)
            #expect(banner.body == Self.generic && banner.title == nil)
            #expect(banner.fallback)
            let fetches = phone.asked.filter { if case .fetch = $0.operation { true } else { false } }
            #expect(fetches.count == 1)
            #expect(phone.waits.isEmpty)
        }
    }

    @Test("falls back at once without a second attempt when no node answers")
    func doesNotRetry() throws {
        var phone = try phone()
        phone.onAsk = { if case .fetch = $0.operation { .failed(.timedOut) } else { nil } }
        phone.asked = []
        phone.receive(payload("1"))
        #expect(phone.asked.filter { if case .fetch = $0.operation { true } else { false } }.count == 1)
        #expect(phone.snapshot.banners.map(\.fallback) == [true])
        #expect(phone.snapshot.banners.map(\.silent) == [false])
    }

    @Test("waits out the extension's time when the push is for another account")
    func waitsForOthers() throws {
        var phone = try phone()
        phone.asked = []
        phone.receive(payload("1", recipient: Keys.bob))
        #expect(phone.asked.isEmpty)
        #expect(phone.waits == [30_000])
        #expect(phone.snapshot.banners.map(\.body) == [Self.generic])
    }

    @Test("holds a bounded number of pushes at a time, and shows others as they came")
    func holdsNoMore() throws {
        var phone = try phone()
        phone.holds = { operation in if case .wait = operation.work { true } else { false } }
        for _ in 0..<300 { phone.receive(payload("1", recipient: Keys.bob)) }
        #expect(phone.held.count == 256)
        #expect(phone.snapshot.banners.count == 44)
    }

    @Test(
        "does not start the extension, or ask a node, without what it needs",
        arguments: [
            #"{"aps":{"alert":"plain","mutable-content":1},"txn-id":5,"push-recipient":"U1"}"#,
            #"{"aps":{"alert":"plain","mutable-content":1},"txn-id":"5"}"#,
            #"{"aps":{"alert":"plain"},"txn-id":"5","push-recipient":"U1"}"#,
        ]
    )
    func needsMembers(payload: String) throws {
        var phone = try phone()
        phone.asked = []
        phone.receive(payload)
        #expect(phone.asked.isEmpty)
        #expect(phone.snapshot.banners.map(\.body) == ["plain"])
    }

    @Test("shows nothing of silent pushes, hostile payloads, and where notifications are off")
    func showsNothing() throws {
        var phone = try phone()
        for text in ["", "[]", "{", #"{"aps":{"content-available":1}}"#, "{\"aps\":5}", "\u{0}"] {
            phone.receive(text)
        }
        try phone.do(.notificationsOff)
        phone.receive(payload("1"))
        try phone.do(.notificationsPush)
        try phone.do(.deny)
        phone.receive(payload("1"))
        #expect(phone.snapshot.banners.isEmpty)
    }

    @Test("works while the app is not running, and twice for the same push")
    func worksInBackground() throws {
        let transaction = chat("Hello")
        var phone = try phone(with: transaction)
        try phone.do(.kill)
        phone.receive(payload("\(transaction.id)"))
        phone.receive(payload("\(transaction.id)"))
        #expect(phone.snapshot.banners.map(\.body) == ["Hello", "Hello"])
    }

    @Test("a device without a service shows alerts as they come, with their sound")
    func showsPlainAlerts() {
        var phone = Phone { $0.service = nil }
        phone.receive(#"{"aps":{"alert":{"title":"Pump 3","body":"Pressure"},"sound":"default"}}"#)
        #expect(phone.snapshot.banners.map(\.title) == ["Pump 3"])
        #expect(phone.snapshot.banners.map(\.fallback) == [false])
        #expect(phone.snapshot.banners.map(\.silent) == [false])
    }

    @Test("counts what is lost until the next delivery")
    func countsLost() throws {
        var phone = try phone()
        let push = UnshownPush(at: phone.now, push: nil, transactionId: nil, why: "no network")
        phone.device.noteLost(push)
        phone.device.noteLost(push)
        #expect(phone.snapshot.lostSinceDelivery == 2)
        phone.receive(payload("1"))
        #expect(phone.snapshot.lostSinceDelivery == 0)
    }

    @Test("has so much time for all nodes together, and shows the alert as it came when it is over")
    func limitsTime() throws {
        let transaction = chat("Hello")
        var phone = Phone(nodes: 3) { $0.extensionMilliseconds = 20_000 }
        try phone.do(.signIn(Keys.alice))
        phone.chain.forge(transaction)
        phone.waits = []
        phone.holds = { operation in
            guard case .node(let request) = operation.work else { return false }
            return request.operation == .fetch(transaction.id)
        }
        phone.receive(payload("\(transaction.id)"))
        #expect(phone.waits == [20_000])
        let banner = try #require(phone.snapshot.banners.first)
        #expect(banner.fallback)
        #expect(banner.body == Self.generic)
        #expect(banner.why == "no node answered in 20 s")
        #expect(!phone.device.hasExtensionWork)
        phone.release()
        #expect(phone.snapshot.banners.count == 1, "a late answer changes nothing")
    }

    @Test("is ended with the answer, and the wait for it as well")
    func endsWait() throws {
        let transaction = chat("Hello")
        var phone = try phone(with: transaction)
        phone.holds = { operation in
            if case .wait = operation.work { return true } else { return false }
        }
        phone.receive(payload("\(transaction.id)"))
        #expect(phone.snapshot.banners.map(\.body) == ["Hello"])
        #expect(phone.snapshot.banners.map(\.threadId) == [Keys.address(Keys.bob).text])
        #expect(!phone.device.hasExtensionWork)
        #expect(phone.held.isEmpty)
    }

    @Test("another node is asked while there is time")
    func failsOver() throws {
        let transaction = chat("Hello")
        var phone = Phone(nodes: 3)
        try phone.do(.signIn(Keys.alice))
        phone.chain.forge(transaction)
        phone.holds = { operation in
            if case .wait = operation.work { return true } else { return false }
        }
        phone.asked = []
        phone.onAsk = { request in
            guard request.operation == .fetch(transaction.id), request.node != 0 else { return nil }
            return .failed(.refused)
        }
        phone.receive(payload("\(transaction.id)"))
        #expect(phone.snapshot.banners.map(\.body) == ["Hello"])
        #expect(phone.asked.count { $0.operation == .fetch(transaction.id) } <= 3)
    }
}
