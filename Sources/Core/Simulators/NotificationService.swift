public import AdamantModel
public import Determinism

/// A reference notification service as a state machine: polls in, registry and pushes out.
///
/// It performs nothing itself and knows only nodes, its own key and the push service.
/// - Source: adamant-notificationService (C#, 0.4.1; `Docs/clients.md`)
public struct NotificationService: Sendable {
    /// Most pages of one poll; the rest comes with the next.
    static let maximumPages = 10_000
    /// Most pages of one poll that are the same as the one before; a list that goes on like that has no end.
    static let maximumRepeats = 10

    /// What an operation under way is for.
    enum Outstanding: Hashable, Sendable {
        case startHeight(Poller)
        case page(Poller)
        case push(PushOrder, attempt: Int)
    }

    /// One of the three loops.
    struct Loop: Hashable, Sendable {
        enum Phase: Hashable, Sendable {
            case stopped
            /// Started; where to begin is not known yet.
            case unstarted
            case idle
            case polling
            case dead(String)
        }

        var phase = Phase.stopped
        /// The bound of the next poll as it is sent; 0 for none.
        var height = 0
        var polls = 0
        var node = 0
        /// Nodes that have not failed in this poll.
        var remaining: [Int] = []
        var batch: [SeenTransaction] = []
        var offset = 0
        var pages = 0
        /// How many of the latest pages were the same as the one before.
        var repeats = 0
        /// Whether it is known where to begin.
        var hasBegun = false
    }

    let cryptography: any Cryptography
    /// Its rules and what it knows.
    public private(set) var configuration: NotificationServiceConfiguration
    let address: Address
    var generator: SeededGenerator
    var rows: [RegistryRow] = []
    var nextRow = 1
    var providerTokenIssuedAt: Int64?
    var accepted = 0
    var failed = 0
    /// Whether it was started and not stopped, dead or alive.
    public internal(set) var isRunning = false
    /// Pushes not answered when the ordered service was stopped.
    var outbox: [PushOrder] = []
    var outstanding: [Int: Outstanding] = [:]
    private var loops: [Poller: Loop] = [:]
    private var nextNumber = 1
    private var asked: [ServiceOperation] = []
    private var events: [ServiceEvent] = []

    /// A service with an empty registry that does not run.
    public init(
        configuration: NotificationServiceConfiguration,
        seed: UInt64,
        cryptography: any Cryptography
    ) {
        self.configuration = configuration
        self.cryptography = cryptography
        address = configuration.account.address(cryptography: cryptography)
        generator = SeededGenerator(seed: seed, purpose: "notification service")
    }

    var isOrdered: Bool { configuration.behaviour == .ordered }

    /// State of a loop.
    subscript(_ poller: Poller) -> Loop {
        get { loops[poller] ?? Loop() }
        set { loops[poller] = newValue }
    }

    /// Whether every poller knows from which height on it reads, or has died.
    public var hasBegun: Bool { Poller.allCases.allSatisfy { self[$0].hasBegun || isDead($0) } }

    /// Whether a poll of a list is under way.
    public func isPolling(_ poller: Poller) -> Bool { self[poller].phase == .polling }

    /// Whether pushes are under way or wait to be sent again.
    public var hasPushes: Bool { pushCount > 0 }

    /// Whether a poller has died since the service was started.
    public var isPartlyDead: Bool { Poller.allCases.contains { isDead($0) } }

    /// Whether an operation has not been answered and was not given up.
    public func isOutstanding(_ id: Int) -> Bool { outstanding[id] != nil }

    private var pushCount: Int { outstanding.values.count { if case .push = $0 { true } else { false } } }

    /// Changes rules and pace; takes effect with the next poll.
    public mutating func reconfigure(
        behaviour: NotificationServiceConfiguration.Behaviour? = nil,
        pollMilliseconds: Int? = nil
    ) {
        configuration.behaviour = behaviour ?? configuration.behaviour
        configuration.pollMilliseconds = pollMilliseconds ?? configuration.pollMilliseconds
    }

    /// Starts the service, or starts it again when a part of it is dead.
    ///
    /// The C# service chooses one node for each of its two programs and never another.
    /// - Returns: what to do now.
    public mutating func start(now: Timestamp) -> [ServiceOperation] {
        guard !isRunning || isPartlyDead else { return [] }
        isRunning = true
        note(.started)
        let programs = [randomNode(), randomNode()]
        for poller in Poller.allCases where self[poller].phase == .stopped || isDead(poller) {
            self[poller].phase = .unstarted
            self[poller].hasBegun = false
            self[poller].node = programs[poller == .signals ? 0 : 1]
        }
        let kept = outbox
        outbox = []
        for order in kept { push(order, attempt: 1, afterMilliseconds: 0) }
        return takeOperations()
    }

    /// Stops the service; registry and heights stay.
    public mutating func stop() {
        guard isRunning else { return }
        isRunning = false
        for id in outstanding.keys.sorted() {
            if isOrdered, case .push(let order, _)? = outstanding[id] { outbox.append(order) }
        }
        outstanding = [:]
        for poller in Poller.allCases {
            self[poller].phase = .stopped
            self[poller].batch = []
        }
        note(.stopped)
    }

    /// Begins a poll of one list; nothing happens while one is under way or the poller is dead or stopped.
    ///
    /// - Returns: what to do now.
    public mutating func poll(_ poller: Poller, now: Timestamp) -> [ServiceOperation] {
        switch self[poller].phase {
        case .stopped, .polling, .dead: return []
        case .unstarted: beginFirstPoll(poller)
        case .idle: beginPoll(poller)
        }
        return takeOperations()
    }

    /// Takes the answer to an operation; answers to operations that were given up change nothing.
    ///
    /// - Returns: what to do next.
    public mutating func complete(_ id: Int, _ answer: ServiceAnswer, now: Timestamp) -> [ServiceOperation] {
        guard let work = outstanding.removeValue(forKey: id) else { return [] }
        switch (work, answer) {
        case (.startHeight(let poller), .node(let answer)): noteStartHeight(poller, answer)
        case (.page(let poller), .node(let answer)): notePage(poller, answer, now: now)
        case (.push(let order, let attempt), .push(let answer)):
            notePush(order, attempt: attempt, answer, now: now)
        case (.startHeight(let poller), .push), (.page(let poller), .push): fail(poller, "no answer")
        case (.push(let order, let attempt), .node):
            notePush(order, attempt: attempt, .failed(.other("no answer")), now: now)
        }
        return takeOperations()
    }

    /// What happened since this was last asked.
    public mutating func takeEvents() -> [ServiceEvent] {
        defer { events = [] }
        return events
    }

    /// What can be seen from outside.
    public var snapshot: NotificationServiceSnapshot {
        NotificationServiceSnapshot(
            behaviour: configuration.behaviour,
            address: address,
            pollMilliseconds: configuration.pollMilliseconds,
            isRunning: isRunning,
            pollers: Poller.allCases.map { poller in
                let loop = self[poller]
                var state = "alive"
                var reason: String?
                if case .dead(let text) = loop.phase {
                    state = "dead"
                    reason = text
                } else if loop.phase == .stopped {
                    state = "stopped"
                }
                return .init(
                    poller: poller,
                    state: state,
                    reason: reason,
                    height: loop.height,
                    polls: loop.polls
                )
            },
            rows: rows,
            accepted: accepted,
            failed: failed,
            pending: pushCount + outbox.count
        )
    }

    mutating func note(_ event: ServiceEvent) {
        events.append(event)
    }

    mutating func ask(_ work: ServiceOperation.Work, for purpose: Outstanding) {
        let id = nextNumber
        nextNumber += 1
        outstanding[id] = purpose
        asked.append(ServiceOperation(id: id, work: work))
    }

    mutating func push(_ order: PushOrder, attempt: Int, afterMilliseconds: Int) {
        ask(.push(order, afterMilliseconds: afterMilliseconds), for: .push(order, attempt: attempt))
    }

    func isDead(_ poller: Poller) -> Bool {
        if case .dead = self[poller].phase { true } else { false }
    }

    private mutating func takeOperations() -> [ServiceOperation] {
        defer { asked = [] }
        return asked
    }

    private mutating func randomNode() -> Int {
        configuration.nodes.isEmpty ? 0 : Int.random(in: configuration.nodes.indices, using: &generator)
    }
}
