import AdamantModel
import Determinism

/// Health checks and fail-over.
///
/// - Source: adamant-iOS:CommonKit/Services/HealthCheck, CommonKit/Services/ApiService
extension Device {
    /// Heights a node may differ from another and still count as in step with it.
    static let heightWindow = 9
    /// Oldest node version the app talks to.
    static let minimumVersion = [0, 8, 0]

    /// Asks every node for its health.
    ///
    /// - Parameter isAwaited: whether an action waits for the end of the round.
    mutating func checkHealth(isAwaited: Bool) {
        guard isOnline, !configuration.nodes.isEmpty else { return }
        let isUnderWay = outstanding.values.contains { if case .health = $0 { true } else { false } }
        guard isAwaited || !isUnderWay else { return }
        classifyNodes()
        for node in store.nodes.indices {
            ask(
                .node(NodeRequest(node: node, operation: .status)),
                for: .health(node: node, isAwaited: isAwaited),
                isOfApp: true
            )
        }
    }

    mutating func noteHealth(_ node: Int, _ answer: NodeAnswer, now: Timestamp) {
        guard store.nodes.indices.contains(node) else { return }
        if case .status(let height, let version) = answer {
            store.nodes[node].height = height
            store.nodes[node].status = Self.isAccepted(version: version) ? .synchronizing : .notAllowed
        } else {
            store.nodes[node].status = .offline
        }
        classifyNodes()
        let isRoundOver = !outstanding.values.contains { if case .health = $0 { true } else { false } }
        resumeAfterHealth(isRoundOver: isRoundOver, now: now)
    }

    /// Allows the largest group of nodes whose heights lie within the window, the higher one of equals.
    private mutating func classifyNodes() {
        let heights = store.nodes.compactMap { node in
            node.status == .allowed || node.status == .synchronizing ? node.height : nil
        }
        var best: (start: Int, count: Int)?
        for start in heights.sorted() {
            let count = heights.count { $0 >= start && $0 - start <= Self.heightWindow }
            if count >= best?.count ?? 0 { best = (start, count) }
        }
        for index in store.nodes.indices {
            let node = store.nodes[index]
            guard node.status == .allowed || node.status == .synchronizing, let height = node.height, let best
            else { continue }
            let isInStep = height >= best.start && height - best.start <= Self.heightWindow
            store.nodes[index].status = isInStep ? .allowed : .synchronizing
        }
    }

    /// Whether a version, reduced to digits and dots, is new enough; a missing one is.
    static func isAccepted(version: String?) -> Bool {
        guard let version else { return true }
        let digits = version.filter { $0 == "." || ("0"..."9").contains($0) }
        let parts = digits.split(separator: ".").map { Int($0) ?? 0 }
        for (index, minimum) in minimumVersion.enumerated() {
            let part = parts.indices.contains(index) ? parts[index] : 0
            if part != minimum { return part > minimum }
        }
        return true
    }

    /// Starts a call at a random allowed node; the others are tried after transport failures only.
    mutating func call(_ operation: NodeOperation, for purpose: Purpose, now: Timestamp) {
        var order = store.nodes.indices.filter { store.nodes[$0].status == .allowed }
        order.shuffle(using: &generator)
        guard let first = order.first else {
            let reason = configuration.nodes.isEmpty ? "no node is configured" : "no node is allowed"
            return conclude(purpose, .unreachable(reason), now: now)
        }
        let call = Call(
            operation: operation,
            node: first,
            remaining: Array(order.dropFirst()),
            purpose: purpose
        )
        ask(call, now: now)
    }

    mutating func proceed(_ call: Call, _ answer: NodeAnswer, now: Timestamp) {
        guard case .failed(let failure) = answer else {
            return conclude(call.purpose, .answer(answer, node: call.node), now: now)
        }
        var next = call
        guard !next.remaining.isEmpty else {
            conclude(call.purpose, .unreachable(failure.description), now: now)
            if isRunning { checkHealth(isAwaited: false) }
            return
        }
        next.node = next.remaining.removeFirst()
        ask(next, now: now)
    }

    private mutating func ask(_ call: Call, now: Timestamp) {
        guard isOnline else {
            return conclude(call.purpose, .unreachable(TransportFailure.offline.description), now: now)
        }
        ask(
            .node(NodeRequest(node: call.node, operation: call.operation)),
            for: .call(call),
            isOfApp: call.purpose.delivery == nil
        )
    }

    private mutating func conclude(_ purpose: Purpose, _ result: CallResult, now: Timestamp) {
        switch purpose {
        case .login(let pair, let goal): endLogin(pair, goal, result, now: now)
        case .signal(let signal): endSignal(signal, result, now: now)
        case .queuedRemoval(let signal): endQueuedRemoval(signal, result)
        case .text(let delivery): endFetch(delivery, result, now: now)
        case .contacts(let delivery, let transaction):
            endContacts(delivery, of: transaction, result, now: now)
        }
    }
}
