import AdamantModel
import Determinism
import JSONValue
import Simulators
import Testing

@Suite("Notification service: polling and pushing")
struct ServicePushTests {
    typealias Behaviour = NotificationServiceConfiguration.Behaviour

    private func answer(_ status: Int, _ reason: String?, timestamp: Int64? = nil, hasObject: Bool = true)
        -> PushAnswer
    {
        .answered(status: status, reason: reason, timestampMilliseconds: timestamp, hasObject: hasObject)
    }

    private func registered(_ behaviour: Behaviour, nodes: Int = 1) -> Service {
        var service = Service(behaviour, nodes: nodes)
        service.signal(.add, token(1))
        service.poll()
        return service
    }

    @Test(
        "pushes message and transfer once, with the real payload",
        arguments: [Behaviour.asDeployed, .ordered]
    )
    func pushes(behaviour: Behaviour) throws {
        var service = registered(behaviour)
        let message = service.message()
        let transfer = service.message(type: 0)
        _ = service.message(to: Keys.bob)
        service.poll()
        service.poll()
        #expect(service.pushes.map(\.transactionId) == [message, transfer])
        #expect(
            service.pushes.map(\.payload.text) == [
                """
                {"aps":{"alert":{"loc-key":"NotificationsService.NewMessage.BodySingle"},"badge":1,\
                "sound":"notification.mp3","mutable-content":1},\
                "push-recipient":"\(Keys.address(Keys.alice))","txn-id":"\(message)"}
                """,
                """
                {"aps":{"alert":{"loc-key":"NotificationsService.NewTransfer.BodySingle"},"badge":1,\
                "sound":"notification.mp3","mutable-content":1},\
                "push-recipient":"\(Keys.address(Keys.alice))","txn-id":"\(transfer)"}
                """,
            ]
        )
        let order = try #require(service.pushes.first)
        #expect(order.token == token(1))
        #expect((order.expiration == 0) == (behaviour == .asDeployed))
        #expect(order.pushType == (behaviour == .asDeployed ? nil : "alert"))
        #expect(
            order.id.wholeMatch(of: /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/)
                != nil
        )
        #expect(Set(service.pushes.map(\.id)).count == 2)
    }

    @Test("asks with an exclusive bound for messages and an inclusive one for transfers")
    func bounds() {
        var service = registered(.asDeployed)
        _ = service.message()
        _ = service.message(type: 0)
        service.poll()
        #expect(service.service.snapshot.pollers.map(\.height) == [101, 102, 104])
    }

    @Test(
        "as deployed, an answer drops the first row of a token or nothing",
        arguments: [
            (400, "BadDeviceToken", true, true), (410, "Unregistered", true, true),
            (410, "ExpiredToken", true, true),
            (410, nil, true, true), (410, nil, false, false), (400, nil, true, false),
            (400, "DeviceTokenNotForTopic", true, false), (403, "ExpiredProviderToken", true, false),
            (429, "TooManyRequests", true, false), (500, nil, false, false), (200, nil, false, false),
        ] as [(Int, String?, Bool, Bool)]
    )
    func dropsFirstRow(status: Int, reason: String?, hasObject: Bool, drops: Bool) {
        var service = Service()
        service.signal(.add, token(1), by: Keys.bob)
        service.signal(.add, token(1), by: Keys.alice)
        service.poll()
        service.onPush = { [self] _ in answer(status, reason, timestamp: 0, hasObject: hasObject) }
        // Newest first: alice's row was inserted first.
        _ = service.message(to: Keys.bob)
        service.poll()
        #expect(service.pushes.count == 1)
        #expect(service.rows == (drops ? ["bob 01"] : ["alice 01", "bob 01"]))
    }

    @Test("ordered, a dead token loses every row but those registered after its death")
    func dropsDeadRows() {
        var service = Service(.ordered)
        service.signal(.add, token(1), by: Keys.bob)
        service.signal(.add, token(1), by: Keys.alice)
        service.poll()
        let early = Timestamp(epochSeconds: 1_001).unixMilliseconds
        service.onPush = { [self] _ in answer(410, "Unregistered", timestamp: early) }
        _ = service.message(to: Keys.bob)
        service.poll()
        #expect(service.rows == ["alice 01"])
        service.onPush = { [self] _ in answer(400, "BadDeviceToken") }
        _ = service.message()
        service.poll()
        #expect(service.rows == [])
    }

    @Test("ordered, a failure that may pass is tried again with the same id, six times at most")
    func retries() {
        var service = registered(.ordered)
        service.onPush = { [self] _ in answer(503, "ServiceUnavailable") }
        _ = service.message()
        service.poll()
        #expect(service.delays == [0, 500, 1000, 2000, 4000, 8000])
        #expect(Set(service.pushes.map(\.id)).count == 1)
        #expect(!service.service.hasPushes)
        #expect(service.rows == ["alice 01"])
    }

    @Test("as deployed, nothing is tried again")
    func doesNotRetry() {
        var service = registered(.asDeployed)
        service.onPush = { _ in .failed(.reset) }
        _ = service.message()
        service.poll()
        service.poll()
        #expect(service.pushes.count == 1)
    }

    @Test(
        "as deployed, a provider token is used for an hour by the clock; ordered, an expired one is renewed"
    )
    func renewsProviderToken() {
        var service = registered(.asDeployed)
        for minutes in [0, 60, 1] {
            service.now = service.now.adding(milliseconds: Int64(minutes) * 60_000)
            _ = service.message()
            service.poll()
        }
        let issued = service.pushes.map(\.providerTokenIssuedAt)
        #expect(issued[0] == issued[1] && issued[2] == issued[0] + 3660)
        var ordered = registered(.ordered)
        ordered.onPush = { [self] order in
            order.providerTokenIssuedAt < Timestamp(epochSeconds: 1_000_060).unixMilliseconds / 1000
                ? answer(403, "ExpiredProviderToken") : answer(200, nil, hasObject: false)
        }
        _ = ordered.message()
        ordered.poll([.signals])
        ordered.now = ordered.now.adding(milliseconds: 60_000)
        ordered.poll()
        #expect(ordered.service.snapshot.accepted == 1)
    }

    @Test("ordered, tokens go to the environment of their provider")
    func choosesEnvironment() {
        var service = Service(.ordered)
        service.signal(.add, token(1), provider: "apns")
        service.signal(.add, token(2), provider: "apns-sandbox")
        service.signal(.add, token(3), provider: "fcm")
        service.poll()
        _ = service.message()
        service.poll()
        #expect(service.pushes.map(\.token) == [token(1), token(2)])
        #expect(service.pushes.map(\.isSandbox) == [false, true])
    }

    @Test(
        "as deployed, a failed poll is the end of its poller",
        arguments: [NodeAnswer.failed(.reset), .failed(.other("HTTP 503")), .refused("x"), .unparsable("x")]
    )
    func dies(answer: NodeAnswer) {
        var service = registered(.asDeployed)
        service.onAsk = {
            if case .poll(let query) = $0.operation, query.list == .chats { answer } else { nil }
        }
        _ = service.message()
        let transfer = service.message(type: 0)
        service.poll()
        service.onAsk = { _ in nil }
        service.poll()
        #expect(service.service.snapshot.pollers.map(\.state) == ["alive", "dead", "alive"])
        #expect(service.pushes.map(\.transactionId) == [transfer])
        service.run(service.service.start(now: service.now))
        service.poll()
        #expect(service.pushes.count == 2)
        #expect(service.service.snapshot.pollers.map(\.state) == ["alive", "alive", "alive"])
    }

    @Test("as deployed, a signal without recipient ends its poller, and an unreadable height is none")
    func meetsOddAnswers() {
        var service = Service(startup: .network)
        service.signal(.add, token(1))
        service.chain.transactions[0].recipient = nil
        let nobody = service.chain.transactions
        service.onAsk = { request in
            guard case .poll(let query) = request.operation else { return nil }
            switch query.list {
            case .newest: return .refused("x")
            case .signals: return .page(nobody)
            case .chats, .transfers: return nil
            }
        }
        service.poll()
        #expect(service.service.snapshot.pollers.map(\.state) == ["dead", "alive", "alive"])
        #expect(service.service.snapshot.pollers.map(\.height) == [0, 0, 0])
    }

    @Test("ordered, a failing node is passed over, and a failed poll is repeated")
    func failsOver() {
        var service = registered(.ordered, nodes: 2)
        service.onAsk = { $0.node == 0 ? .failed(.refused) : nil }
        _ = service.message()
        service.poll()
        #expect(service.pushes.count == 1)
        service.onAsk = { _ in .failed(.refused) }
        _ = service.message()
        service.poll()
        #expect(service.pushes.count == 1)
        service.onAsk = { _ in nil }
        service.poll()
        #expect(service.pushes.count == 2)
    }

    @Test("as deployed, only one node is ever asked by each program")
    func staysWithNode() {
        var service = registered(.asDeployed, nodes: 5)
        for _ in 1...10 { service.poll() }
        let signals = Set(service.asked.filter { $0.isSignals }.map(\.node))
        let others = Set(service.asked.filter { !$0.isSignals }.map(\.node))
        #expect(signals.count == 1 && others.count == 1)
    }

    @Test("registry and heights outlive the program; what happened meanwhile is pushed late")
    func keepsState() throws {
        var service = Service(startup: .database)
        service.signal(.add, token(1))
        _ = service.message(to: Keys.bob)
        service.poll()
        #expect(service.rows == [])
        service.signal(.add, token(1))
        service.poll()
        service.service.stop()
        #expect(service.service.poll(.chats, now: service.now) == [])
        let late = service.message()
        service.service = try #require(
            NotificationService(
                configuration: service.service.configuration,
                stateJSON: service.service.stateJSON,
                seed: 1,
                generation: 1,
                cryptography: Keys.cryptography
            )
        )
        _ = service.service.start(now: service.now)
        service.poll()
        #expect(service.rows == ["alice 01"])
        #expect(service.pushes.map(\.transactionId) == [late])
    }

    @Test("starting at the chain's height pushes a transfer of the newest block again")
    func replaysTransfer() {
        var service = Service(startup: .network)
        service.signal(.add, token(1))
        _ = service.message(type: 0)
        service.poll([.chats, .transfers])
        #expect(service.pushes.isEmpty)
        #expect(service.service.snapshot.pollers.map(\.height) == [0, 102, 103])
        var ordered = Service(.ordered, startup: .database)
        ordered.signal(.add, token(1))
        _ = ordered.message(type: 0)
        ordered.poll()
        #expect(ordered.pushes.isEmpty)
        #expect(ordered.rows == ["alice 01"])
    }

    @Test("ordered, pushes that were not answered when it stopped are sent at the next start")
    func keepsPushes() {
        var service = registered(.ordered)
        _ = service.message()
        var operations = service.service.poll(.chats, now: service.now)
        while case .node(let request)? = operations.first?.work {
            service.asked.append(request)
            operations = service.service.complete(
                operations[0].id,
                .node(.page([service.chain.transactions.last!])),
                now: service.now
            )
        }
        #expect(operations.count == 1)
        service.service.stop()
        #expect(service.service.snapshot.pending == 1)
        service.run(service.service.start(now: service.now))
        #expect(service.pushes.count == 1)
        #expect(service.service.snapshot.pending == 0)
    }

    @Test(
        "kept numbers that cannot be counted on from are forgotten",
        arguments: ["9223372036854775807", "9223372036854775806", "-1"]
    )
    func boundsKeptNumbers(number: String) throws {
        var service = registered(.ordered)
        let text = service.service.stateJSON.text
            .replacing(#""accepted":0"#, with: #""accepted":\#(number)"#)
            .replacing(#""failed":0"#, with: #""failed":\#(number)"#)
        func resumed(_ text: String) throws -> NotificationService {
            try #require(
                NotificationService(
                    configuration: service.service.configuration,
                    stateJSON: try JSONValue(parsing: Array(text.utf8)),
                    seed: 1,
                    generation: 1,
                    cryptography: Keys.cryptography
                )
            )
        }
        service.service = try resumed(text)
        _ = service.service.start(now: service.now)
        _ = service.message()
        service.onPush = { _ in answer(400, "BadCollapseId") }
        service.poll()
        service.onPush = { _ in answer(200, nil) }
        _ = service.message()
        service.poll()
        #expect(service.service.snapshot.accepted == 1 && service.service.snapshot.failed == 1)
        service.service = try resumed(text.replacing(#""number":1"#, with: #""number":\#(number)"#))
        _ = service.service.start(now: service.now)
        service.signal(.add, token(2))
        service.poll()
        #expect(service.service.snapshot.rows.map(\.number).max() ?? 0 < 10)
        #expect(service.rows.contains("alice 02"))
    }

    @Test(
        "a list that is the same page after page ends the poll, and the next one is made",
        arguments: [Behaviour.asDeployed, .ordered]
    )
    func endsRepeatedPages(behaviour: Behaviour) throws {
        var service = registered(behaviour)
        for _ in 0..<PollQuery.pageSize { _ = service.message(to: Keys.bob) }
        let page = Array(service.chain.transactions.suffix(PollQuery.pageSize))
        service.onAsk = { _ in .page(page) }
        for _ in 0..<2 {
            service.asked = []
            service.poll([.chats])
            #expect(service.asked.count == 11)
            #expect(!service.service.isPolling(.chats))
        }
    }
}

extension NodeRequest {
    fileprivate var isSignals: Bool {
        if case .poll(let query) = operation, case .signals = query.list { true } else { false }
    }
}
