import AdamantModel
import Determinism
import Simulators

/// A device whose operations are answered at once by a chain, as a test's faults allow.
struct Phone {
    var device: Device
    var chain = Chain()
    var now = Timestamp(epochSeconds: 1_000_000)
    var balance: Int64 = 500_000_000
    var height = 100
    /// Answers a submission instead of the chain; nil lets the chain accept.
    var onSubmit: (Transaction, Int) -> NodeAnswer? = { _, _ in nil }
    /// Answers any other operation instead of the chain.
    var onAsk: (NodeRequest) -> NodeAnswer? = { _ in nil }
    /// Operations that are kept unanswered while this says so.
    var holds: (DeviceOperation) -> Bool = { _ in false }
    var held: [DeviceOperation] = []
    var waits: [Int] = []
    var posts: [(id: Identifier, action: Signal.Action?, sender: Address, node: Int)] = []
    var asked: [NodeRequest] = []
    var events: [DeviceEvent] = []
    private var number = 0

    init(
        _ behaviour: DeviceConfiguration.Behaviour = .asDeployed,
        nodes: Int = 1,
        seed: UInt64 = 1,
        configure: (inout DeviceConfiguration) -> Void = { _ in }
    ) {
        var configuration = DeviceConfiguration(
            id: "d1",
            name: "phone",
            behaviour: behaviour,
            nodes: (0..<nodes).map { "node \($0)" },
            service: Keys.identity
        )
        configure(&configuration)
        device = Device(
            configuration: configuration,
            token: token(1),
            seed: seed,
            cryptography: Keys.cryptography
        )
    }

    var snapshot: DeviceSnapshot { device.snapshot }

    mutating func `do`(_ action: DeviceAction) throws {
        now = now.adding(milliseconds: 2000)
        run(try device.perform(action, now: now))
    }

    mutating func receive(_ payload: String, collapseId: String? = nil, priority: Int = 10) {
        number += 1
        let push = ArrivedPush(
            payload: Array(payload.utf8),
            name: PushName(id: "push \(number)", number: number),
            collapseId: collapseId,
            priority: priority
        )
        run(device.receive(push, now: now))
    }

    mutating func run(_ first: [DeviceOperation]) {
        var waiting = first
        while !waiting.isEmpty {
            let operation = waiting.removeFirst()
            guard device.isOutstanding(operation.id) else { continue }
            if holds(operation) {
                held.append(operation)
            } else {
                // What follows comes first: the time that the system gives is longer than what nodes take.
                waiting = device.complete(operation.id, answer(operation), now: now) + waiting
            }
        }
        events += device.takeEvents()
    }

    /// Answers what was held.
    mutating func release() {
        holds = { _ in false }
        let operations = held
        held = []
        run(operations)
    }

    private mutating func answer(_ operation: DeviceOperation) -> DeviceAnswer {
        switch operation.work {
        case .wait(let milliseconds):
            waits.append(milliseconds)
            now = now.adding(milliseconds: Int64(milliseconds))
            return .elapsed
        case .node(let request):
            asked.append(request)
            return .node(answer(request))
        }
    }

    private mutating func answer(_ request: NodeRequest) -> NodeAnswer {
        if case .submit(let transaction) = request.operation {
            let action = Chain.signal(SeenTransaction(transaction, height: 0))?.action
            posts.append((transaction.id, action, transaction.sender, request.node))
            if let answer = onSubmit(transaction, request.node) { return answer }
            return accept(transaction)
        }
        if let answer = onAsk(request) { return answer }
        switch request.operation {
        case .status: return .status(height: height, version: "0.9.0")
        case .account: return .account(balance: balance)
        case .fetch(let id):
            return chain.transactions.first { $0.id == id }.map(NodeAnswer.transaction)
                ?? .refused("Transaction not found")
        case .state: return .state(nil)
        default: return .unparsable("not asked for by a device")
        }
    }

    private mutating func accept(_ transaction: Transaction) -> NodeAnswer {
        if chain.transactions.contains(where: { $0.id == transaction.id }) {
            return .submitted(
                SubmitAnswer(
                    transactionId: nil,
                    error: "Transaction is already confirmed: \(transaction.id)",
                    isEnvelope: true
                )
            )
        }
        chain.forge(transaction)
        return .submitted(SubmitAnswer(transactionId: transaction.id, error: nil, isEnvelope: true))
    }
}

func refusal(_ text: String?) -> NodeAnswer {
    .submitted(SubmitAnswer(transactionId: nil, error: text, isEnvelope: true))
}
