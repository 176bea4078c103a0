import AdamantModel
import Determinism
import Simulators

/// A notification service whose operations are answered at once by a chain and a push service.
struct Service {
    var service: NotificationService
    var chain = Chain()
    var now = Timestamp(epochSeconds: 1_000_000)
    /// Answers a request instead of the chain.
    var onAsk: (NodeRequest) -> NodeAnswer? = { _ in nil }
    /// How the push service answers.
    var onPush: (PushOrder) -> PushAnswer = { _ in
        .answered(status: 200, reason: nil, timestampMilliseconds: nil, hasObject: false)
    }
    var pushes: [PushOrder] = []
    var delays: [Int] = []
    var asked: [NodeRequest] = []
    var events: [ServiceEvent] = []
    private var clock: Int32 = 1_000

    init(
        _ behaviour: NotificationServiceConfiguration.Behaviour = .asDeployed,
        nodes: Int = 1,
        startup: NotificationServiceConfiguration.Startup = .initial,
        isStarted: Bool = true
    ) {
        service = NotificationService(
            configuration: NotificationServiceConfiguration(
                behaviour: behaviour,
                account: Keys.service,
                nodes: (0..<nodes).map { "node \($0)" },
                startup: startup
            ),
            seed: 1,
            cryptography: Keys.cryptography
        )
        if isStarted { _ = service.start(now: now) }
    }

    var rows: [String] {
        service.snapshot.rows.map {
            "\($0.address == Keys.address(Keys.alice) ? "alice" : "bob") \($0.token?.prefix(2) ?? "-")"
        }
    }

    /// Puts a signal into the next block; later ones have later timestamps.
    mutating func signal(
        _ action: Signal.Action?,
        _ token: String?,
        by pair: KeyPair = Keys.alice,
        provider: String? = "apns",
        sameBlock: Bool = false
    ) {
        clock += 1
        let signal = Signal(action: action, token: token, provider: provider)
        let transaction = signal.transaction(
            to: Keys.identity,
            timestamp: clock,
            nonce: Array(repeating: UInt8(clock & 255), count: 24),
            by: pair,
            cryptography: Keys.cryptography
        )!
        if sameBlock { chain.height -= 1 }
        chain.forge(transaction)
    }

    mutating func message(to pair: KeyPair = Keys.alice, type: Int = 8) -> Identifier {
        clock += 1
        let box = MessageBox(
            sealing: "hi",
            nonce: Array(repeating: UInt8(clock & 255), count: 24),
            to: pair.publicKey,
            from: Keys.bob,
            cryptography: Keys.cryptography
        )!
        let transaction = Transaction(
            signing: type == 8 ? .chat(message: box.message, ownMessage: box.nonce, type: 1) : .none,
            type: type,
            timestamp: clock,
            recipient: Keys.address(pair),
            amount: type == 8 ? 0 : 100,
            by: Keys.bob,
            cryptography: Keys.cryptography
        )
        chain.forge(transaction)
        return transaction.id
    }

    /// Polls every list once.
    mutating func poll(_ pollers: [Poller] = Poller.allCases) {
        for poller in pollers { run(service.poll(poller, now: now)) }
    }

    mutating func run(_ first: [ServiceOperation]) {
        var waiting = first
        while !waiting.isEmpty {
            let operation = waiting.removeFirst()
            switch operation.work {
            case .node(let request):
                asked.append(request)
                waiting += service.complete(operation.id, .node(onAsk(request) ?? answer(request)), now: now)
            case .push(let order, let delay):
                pushes.append(order)
                delays.append(delay)
                now = now.adding(milliseconds: Int64(delay))
                waiting += service.complete(operation.id, .push(onPush(order)), now: now)
            }
        }
        events += service.takeEvents()
    }

    private func answer(_ request: NodeRequest) -> NodeAnswer {
        guard case .poll(let query) = request.operation else {
            return .unparsable("not asked for by a service")
        }
        let newestFirst = chain.transactions.enumerated().sorted {
            ($0.element.timestamp, $0.offset) > ($1.element.timestamp, $1.offset)
        }.map(\.element)
        let from = query.fromHeight
        let matching = newestFirst.filter { transaction in
            switch query.list {
            case .newest: return true
            case .signals(let address):
                return transaction.recipient == address && transaction.chat?.type == 3
                    && from.map { transaction.height > $0 } ?? true
            case .chats:
                return transaction.type == 8 && transaction.chat?.type != 3
                    && from.map { transaction.height > $0 } ?? true
            case .transfers: return transaction.type == 0 && from.map { transaction.height >= $0 } ?? true
            }
        }
        let ordered = query.isAscending ? Array(matching.reversed()) : matching
        let limit = query.list == .newest ? 1 : PollQuery.pageSize
        return .page(Array(ordered.dropFirst(query.offset).prefix(limit)))
    }
}
