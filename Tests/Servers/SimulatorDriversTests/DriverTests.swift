import AdamantModel
import Determinism
import JSONValue
import Simulators
import Synchronization
import SystemCryptography
import TestSupport
import Testing
import Threads

@testable import SimulatorDrivers

private let cryptography = SystemCryptography()
private func pair(_ number: UInt8) -> KeyPair {
    cryptography.keyPair(seed: Array(repeating: number, count: 32))!
}
private func address(_ pair: KeyPair) -> Address { pair.address(cryptography: cryptography) }
private let alice = pair(1)
private let bob = pair(2)
private let ans = pair(3)
private let token = Hex.encode(Array(repeating: 0xAB, count: 32))
private let now = Timestamp(epochSeconds: 275_000_000)

/// What an observer was told, from whatever thread.
private final class Log<Event: Sendable>: Sendable {
    private let list = Mutex<[Event]>([])
    var events: [Event] { list.withLock { $0 } }
    func add(_ event: Event) { list.withLock { $0.append(event) } }
}

@Suite("Simulator drivers")
struct DriverTests {
    let node: FakeNode

    init() throws {
        node = try FakeNode()
    }

    private func device(
        timeout: Int = 15_000,
        nodes: [String]? = nil,
        log: Log<DeviceEvent> = Log()
    ) -> DeviceDriver {
        let configuration = DeviceConfiguration(
            id: "d1",
            name: "phone",
            nodes: nodes ?? [node.url],
            service: ServiceIdentity(address: address(ans), publicKey: ans.publicKey)
        )
        return DeviceDriver(
            device: Device(configuration: configuration, token: token, seed: 1, cryptography: cryptography),
            timeoutMilliseconds: timeout,
            clock: { now },
            observer: log.add
        )
    }

    private func service(
        _ behaviour: NotificationServiceConfiguration.Behaviour,
        poll: Int = 600_000,
        log: Log<ServiceEvent> = Log()
    ) -> NotificationServiceDriver {
        let configuration = NotificationServiceConfiguration(
            behaviour: behaviour,
            account: ans,
            nodes: [node.url],
            startup: .initial,
            pollMilliseconds: poll
        )
        let endpoints = PushEndpoints(
            production: node.url,
            caFile: nil,
            keyId: "MOCKKEY001",
            teamId: "MOCKTEAM01",
            signer: { _ in Array(repeating: 0xFF, count: 64) }
        )
        return NotificationServiceDriver(
            service: NotificationService(configuration: configuration, seed: 1, cryptography: cryptography),
            endpoints: endpoints,
            clock: { now },
            observer: log.add
        )
    }

    private func message(_ text: String) -> Transaction {
        let box = MessageBox(
            sealing: text,
            nonce: Array(repeating: 9, count: 24),
            to: alice.publicKey,
            from: bob,
            cryptography: cryptography
        )!
        return Transaction(
            signing: .chat(message: box.message, ownMessage: box.nonce, type: 1),
            type: 8,
            timestamp: 275_000_000,
            recipient: address(alice),
            amount: 0,
            by: bob,
            cryptography: cryptography
        )
    }

    private func post(_ transaction: Transaction) {
        node.state.withLock {
            $0.transactions.append((transaction.postedJSON, "\(transaction.id)", $0.transactions.count + 11))
        }
    }

    @Test("a device asks in the real app's way")
    func asksLikeTheApp() throws {
        let device = device()
        try device.perform(.signIn(alice))
        #expect(device.snapshot.believesRegistered)
        #expect(
            node.requests == [
                "GET /api/node/status", "GET /api/accounts?publicKey=\(Hex.encode(alice.publicKey))",
                "POST /api/chats/process",
            ]
        )
        #expect(node.headers.allSatisfy { $0["content-type"] == "application/json" })
        device.stop()
        node.stop()
    }

    @Test(
        "message, push and banner, all over sockets",
        arguments: [NotificationServiceConfiguration.Behaviour.asDeployed, .ordered]
    )
    func goesAllTheWay(behaviour: NotificationServiceConfiguration.Behaviour) throws {
        let log = Log<DeviceEvent>()
        let device = device(log: log)
        let events = Log<ServiceEvent>()
        let service = service(behaviour, log: events)
        try device.perform(.signIn(alice))
        service.start()
        #expect(service.pollNow())
        #expect(service.snapshot.rows.map(\.token) == [token])
        let transaction = message("Hello")
        post(transaction)
        #expect(service.pollNow())
        let push = try #require(node.pushes.first)
        #expect(push.path == "/3/device/\(token)")
        #expect(push.headers["apns-topic"] == "im.adamant.adamant-messenger")
        #expect(push.headers["apns-priority"] == "10")
        #expect((push.headers["apns-expiration"] == "0") == (behaviour == .asDeployed))
        #expect(push.headers["content-type"] == nil)
        let jwt = try #require(push.headers["authorization"]?.split(separator: " "))
        #expect(jwt.first == "bearer")
        let signature = String(repeating: "_", count: 85) + "w"
        #expect(
            jwt.last
                == "eyJhbGciOiJFUzI1NiIsImtpZCI6Ik1PQ0tLRVkwMDEifQ.eyJpc3MiOiJNT0NLVEVBTTAxIiwiaWF0IjoxNzc5MzcxNjAwfQ.\(signature)"
        )
        device.deliver(ArrivedPush(payload: push.body.bytes))
        #expect(device.settle(milliseconds: 10_000))
        #expect(device.snapshot.banners.map(\.body) == ["Hello"])
        let owner = device.snapshot.owner?.text ?? ""
        #expect(
            node.requests.suffix(2) == [
                "GET /api/transactions/get?id=\(transaction.id)&returnAsset=1",
                "GET /api/states/get?key=contact_list&orderBy=timestamp%3Adesc&senderId=\(owner)",
            ]
        )
        #expect(
            log.events.map(\.kind).suffix(3) == [
                "device.push-received", "device.transaction-fetched", "device.banner-shown",
            ]
        )
        #expect(events.events.contains { $0.kind == "ans.pushed" })
        service.stop()
        device.stop()
        node.stop()
    }

    @Test("the service asks in the C# service's way, parameter by parameter")
    func asksLikeTheService() throws {
        let service = service(.asDeployed)
        post(message("x"))
        service.start()
        service.pollNow()
        service.pollNow()
        let start = "/api/chats/get?orderBy=timestamp:desc"
        let asked = Set(node.requests)
        #expect(asked.contains("GET \(start)"))
        #expect(asked.contains("GET \(start)&fromHeight=11"))
        #expect(asked.contains("GET \(start)&isIn=\(address(ans))&type=3"))
        #expect(asked.contains("GET /api/transactions?orderBy=timestamp:desc&type=0"))
        #expect(node.headers.allSatisfy { $0["accept"] == "application/json" })
        service.stop()
        node.stop()
    }

    @Test("a token that the push service calls dead is dropped")
    func dropsToken() throws {
        let device = device()
        let service = service(.asDeployed)
        try device.perform(.signIn(alice))
        service.start()
        service.pollNow()
        node.state.withLock { $0.pushAnswer = (410, #"{"reason":"Unregistered","timestamp":1}"#) }
        post(message("x"))
        service.pollNow()
        #expect(service.snapshot.rows.isEmpty)
        service.stop()
        device.stop()
        node.stop()
    }

    @Test("a 503 page is no reason for the app to ask another node, and the end of the service's pollers")
    func meetsProxyPage() throws {
        let device = device()
        let service = service(.asDeployed)
        node.set(.text(503, "<html>"), path: "/api/chats")
        try device.perform(.signIn(alice))
        #expect(device.snapshot.problem == "parsing failed")
        service.start()
        #expect(!service.pollNow())
        #expect(service.snapshot.pollers.map(\.state) == ["dead", "dead", "alive"])
        #expect(service.snapshot.pollers[0].reason == "HTTP 503")
        node.set(.none)
        service.start()
        #expect(service.pollNow())
        service.stop()
        device.stop()
        node.stop()
    }

    @Test("a node that resets is passed over for the next")
    func failsOver() throws {
        let other = try FakeNode()
        let device = device(nodes: [node.url, other.url])
        node.set(.reset, path: "/api/chats")
        other.set(.none)
        for _ in 1...4 {
            try device.perform(.signIn(alice))
            #expect(device.snapshot.believesRegistered)
            try device.perform(.reinstall(token: token))
        }
        #expect(node.requests.contains("POST /api/chats/process"))
        device.stop()
        node.stop()
        other.stop()
    }

    @Test("ending the app ends what it waits for; what it had not stored is lost")
    func killEndsWaiting() throws {
        let device = device()
        try device.perform(.signIn(alice))
        node.set(.hang, path: "/api/chats/process")
        let signingOut = try WorkerThread(name: "test") { _ = try? device.perform(.signOut) }
        #expect(node.wait(for: 2, of: "POST /api/chats/process"))
        let clock = ContinuousClock()
        let start = clock.now
        try device.perform(.kill)
        signingOut.join()
        let snapshot = device.snapshot
        #expect(clock.now - start < .seconds(5))
        #expect(snapshot.queuedRemovals == 0 && !snapshot.believesRegistered)
        node.set(.none)
        try device.perform(.launch)
        #expect(device.snapshot.isRunning)
        device.stop()
        node.stop()
    }

    @Test("a node that never answers is given up after the timeout")
    func timesOut() throws {
        let device = device(timeout: 100)
        try device.perform(.signIn(alice))
        node.set(.hang, path: "/api/chats/process")
        try device.perform(.signOut)
        #expect(device.snapshot.queuedRemovals == 1)
        device.stop()
        node.stop()
    }

    @Test("both stop while a node hangs")
    func stopsPromptly() throws {
        let device = device()
        let service = service(.asDeployed, poll: 10)
        try device.perform(.signIn(alice))
        node.set(.hang)
        service.start()
        let payload =
            #"{"aps":{"alert":"x","mutable-content":1},"txn-id":"1","push-recipient":"\#(address(alice))"}"#
        device.deliver(ArrivedPush(payload: Array(payload.utf8)))
        let signingOut = try WorkerThread(name: "test") { _ = try? device.perform(.signOut) }
        #expect(node.wait(for: 8, of: "/api/"))
        let clock = ContinuousClock()
        let time = clock.measure {
            service.stop()
            device.stop()
        }
        #expect(time < .seconds(5))
        signingOut.join()
        #expect(service.snapshot.pollers.map(\.state) == ["stopped", "stopped", "stopped"])
        node.stop()
    }

    @Test("polls by itself at its pace, again and again")
    func pollsByItself() throws {
        let service = service(.ordered, poll: 5)
        service.start()
        #expect(node.wait(for: 4, of: "/api/transactions"))
        service.stop()
        service.reconfigure(behaviour: .asDeployed, pollMilliseconds: 7)
        #expect(service.snapshot.behaviour == .asDeployed)
        #expect(service.snapshot.json["pollSeconds"]?.doubleValue == 0.007)
        node.stop()
    }

    @Test(
        "a height of a node is one that can be compared",
        arguments: [
            ("-9223372036854775808", 0), ("-1", 0), ("0", 0), ("7", 7), ("2147483647", 2_147_483_647),
            ("9223372036854775807", 2_147_483_647),
        ]
    )
    func boundsHeights(told: String, read: Int) throws {
        let body = #"{"success":true,"nodeTimestamp":1,"network":{"height":\#(told)}}"#
        let reader = AnswerReader(json: try JSONValue(parsing: Array(body.utf8)), needsHeights: false)
        #expect(reader.status == .status(height: read, version: nil))
        node.stop()
    }

    @Test("the longest time for an extension is waited for, until the device stops")
    func longestExtension() throws {
        let configuration = DeviceConfiguration(
            id: "d1",
            name: "phone",
            nodes: [node.url],
            service: ServiceIdentity(address: address(ans), publicKey: ans.publicKey),
            extensionMilliseconds: .max
        )
        let device = DeviceDriver(
            device: Device(configuration: configuration, token: token, seed: 1, cryptography: cryptography),
            clock: { now },
            observer: { _ in }
        )
        try device.perform(.signIn(alice))
        let message = message("hi")
        post(message)
        let payload = """
            {"aps":{"alert":"x","mutable-content":1},"txn-id":"\(message.id)",\
            "push-recipient":"\(address(alice))"}
            """
        device.deliver(ArrivedPush(payload: Array(payload.utf8)))
        #expect(device.settle(milliseconds: 60_000))
        #expect(device.snapshot.banners.count == 1)
        device.stop()
        node.stop()
    }
}
