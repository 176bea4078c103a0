import AdamantLedger
import AdamantModel
import Determinism
import FaultRules
import HTTPDaemon
import JSONValue
import NodeServer
import Synchronization
import SystemCryptography
import TestSupport
import Testing

/// A ledger with the sample identities, behind a real port, at a time that stands still.
final class TestWorld: NodeBackend {
    struct State {
        var ledger: Ledger
        var now = Timestamp(epochSeconds: 275_000_100)
        var book: FaultBook
        var calls: [NodeCall] = []
        var times: [CallTime] = []
        var held: [Transaction] = []
        var status: NodeStatus
        var canHold = true
        var peers: [PeerStatus] = []
        /// What waits for the disk; nil while everything is durable at once.
        var undurable: [@Sendable () -> Void]?
    }

    static let alice = pair("mock-sample-alice")
    static let bob = pair("mock-sample-bob")
    static let ans = pair("mock-sample-ans")
    static let delegate = pair("mock-sample-delegate")
    static let poor = pair("mock-sample-poor")

    let cryptography: any Cryptography = SystemCryptography()
    let state: Mutex<State>
    private let daemon: HTTPDaemon
    private let listener: Mutex<HTTPListener?> = Mutex(nil)

    /// Posts of each transaction.
    let posts = Mutex<[Identifier: Int]>([:])

    func countPost(of id: Identifier) -> Int {
        posts.withLock { posts in
            posts[id, default: 0] += 1
            return posts[id, default: 0]
        }
    }

    init(
        version: String = "0.9",
        seed: UInt64 = 7,
        threads: Int = 2,
        balance: Int64 = 500_000_000,
        startHeight: Int = 1
    ) throws {
        let profile = try #require(NodeProfile(version: version))
        let accounts = [("alice", Self.alice), ("bob", Self.bob)].map { name, pair in
            GenesisAccount(
                name: name,
                address: pair.address(cryptography: SystemCryptography()),
                publicKey: pair.publicKey,
                balance: balance
            )
        }
        let genesis = Genesis(
            accounts: accounts,
            holder: Self.pair("mock-sample-holder"),
            delegates: [Self.delegate]
        )
        let ledger = Ledger(
            genesis: genesis,
            profiles: [profile],
            startHeight: startHeight,
            cryptography: SystemCryptography()
        )
        state = Mutex(
            State(
                ledger: ledger,
                book: FaultBook(seed: seed, nodeNames: ["alpha"]),
                status: NodeStatus(name: "alpha", profile: profile, socketPort: 36_668)
            )
        )
        daemon = try HTTPDaemon(threads: threads)
        let server = NodeServer(backend: self, node: 0)
        let listener = try daemon.listen(host: "127.0.0.1", port: 0) { server.handle($0) }
        self.listener.withLock { $0 = listener }
    }

    deinit { daemon.stop() }

    var port: Int { listener.withLock { Int($0?.port ?? 0) } }

    private static func pair(_ seed: String) -> KeyPair {
        let cryptography = SystemCryptography()
        return cryptography.keyPair(seed: cryptography.sha256(Array(seed.utf8)))!
    }

    /// Moves what is queued into a block.
    func forge() {
        state.withLock { state in
            state.ledger.fillPools(now: state.now)
            _ = state.ledger.forge(now: state.now)
        }
    }

    func addFault(_ rule: JSONValue) throws {
        try state.withLock { _ = try $0.book.add(rule, canReadSignals: true) }
    }

    var calls: [NodeCall] { state.withLock { $0.calls } }

    var times: [CallTime] { state.withLock { $0.times } }

    // MARK: NodeBackend

    var faultNeeds: (any: Bool, transactionFacts: Bool, insideSignals: Bool) {
        state.withLock { (!$0.book.isEmpty, $0.book.needsTransactionFacts, $0.book.looksInsideSignals) }
    }

    func status(node: Int) -> NodeStatus { state.withLock { $0.status } }

    func peers(of node: Int) -> [PeerStatus] { state.withLock { $0.peers } }

    func withLedger<R>(_ body: (inout Ledger, Timestamp) throws -> R) rethrows -> R {
        try state.withLock { state in try body(&state.ledger, state.now) }
    }

    func decide(_ request: FaultRequest) -> FaultDecision? { state.withLock { $0.book.decide(request) } }

    func signalPlaintext(of submission: Submission) -> (action: String?, token: String?)? {
        guard let sender = submission.posted?["senderPublicKey"]?.stringValue.flatMap(Hex.decode),
            let chat = submission.posted?["asset"]?["chat"],
            let box = chat["message"]?.stringValue.flatMap(Hex.decode),
            let nonce = chat["own_message"]?.stringValue.flatMap(Hex.decode),
            let plain = cryptography.openBox(
                box,
                nonce: nonce,
                publicKey: sender,
                privateKey: Self.ans.privateKey
            ),
            let json = try? JSONValue(parsing: plain)
        else { return nil }
        return (json["action"]?.stringValue, json["token"]?.stringValue)
    }

    func hold(_ transaction: Transaction, posted: JSONObject, node: Int, ruleId: String) -> Bool {
        state.withLock { state in
            if state.canHold { state.held.append(transaction) }
            return state.canHold
        }
    }

    func record(_ call: NodeCall, took time: CallTime?) {
        state.withLock { state in
            state.calls.append(call)
            if let time { state.times.append(time) }
        }
    }

    func note(_ time: CallTime) { state.withLock { $0.times.append(time) } }

    var isKept: Bool { state.withLock { $0.undurable != nil } }

    func afterDurable(_ action: @escaping @Sendable () -> Void) {
        let isDurable = state.withLock { state in
            state.undurable?.append(action)
            return state.undurable == nil
        }
        if isDurable { action() }
    }
}

extension TestWorld {
    /// A transfer from alice, signed now.
    func transfer(to recipient: Address, amount: Int64, secondsAgo: Int32 = 0) -> Transaction {
        Transaction(
            signing: .none,
            type: Transaction.Kind.transfer,
            timestamp: 275_000_100 - secondsAgo,
            recipient: recipient,
            amount: amount,
            by: Self.alice,
            cryptography: SystemCryptography()
        )
    }

    /// A message from bob to the notification service, signed some seconds ago.
    func chat(
        _ text: String,
        type: Int32 = Transaction.ChatKind.signal,
        by pair: KeyPair = TestWorld.bob,
        secondsAgo: Int32 = 0,
        salt: UInt8 = 1
    ) -> Transaction {
        let cryptography = SystemCryptography()
        let nonce = [UInt8](repeating: salt, count: 24)
        let box = cryptography.sealBox(
            Array(text.utf8),
            nonce: nonce,
            publicKey: Self.ans.publicKey,
            privateKey: pair.privateKey
        )
        return Transaction(
            signing: .chat(message: Hex.encode(box ?? []), ownMessage: Hex.encode(nonce), type: type),
            type: Transaction.Kind.chat,
            timestamp: 275_000_100 - secondsAgo,
            recipient: Self.ans.address(cryptography: cryptography),
            amount: 0,
            by: pair,
            cryptography: cryptography
        )
    }

    /// A value for the key-value store from alice.
    func state(_ value: String, key: String) -> Transaction {
        Transaction(
            signing: .state(value: value, key: key, type: 0),
            type: Transaction.Kind.state,
            timestamp: 275_000_100,
            recipient: nil,
            amount: 0,
            by: Self.alice,
            cryptography: SystemCryptography()
        )
    }
}

extension ClientRequest {
    /// Posts a transaction as clients do.
    static func post(_ path: String, transaction: Transaction) -> ClientRequest {
        .post(path, ["transaction": transaction.postedJSON])
    }
}
