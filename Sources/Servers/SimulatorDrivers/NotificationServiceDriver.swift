public import Determinism
import HTTPClient
public import JSONValue
public import Simulators
import Threads

/// Where a notification service pushes to, and how it identifies itself.
public struct PushEndpoints: Sendable {
    /// Base URL of the production environment.
    public var production: String
    /// Base URL of the sandbox; nil where there is none.
    public var sandbox: String?
    /// PEM file of the authority the push service is checked against; nil for the system's.
    public var caFile: String?
    /// Key of the provider token.
    public var keyId: String
    /// Issuer of the provider token.
    public var teamId: String
    /// Makes the 64-byte ES256 signature of a message.
    public var signer: @Sendable ([UInt8]) -> [UInt8]

    /// Endpoints and identity.
    public init(
        production: String,
        sandbox: String? = nil,
        caFile: String?,
        keyId: String,
        teamId: String,
        signer: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) {
        self.production = production
        self.sandbox = sandbox
        self.caFile = caFile
        self.keyId = keyId
        self.teamId = teamId
        self.signer = signer
    }
}

/// A reference notification service on real sockets: polls nodes over HTTP and pushes over HTTP/2.
///
/// As deployed it has a thread for each list and a connection for each push; ordered it polls list after list and
/// pushes over one connection. Nothing is called while a lock of the driver is held.
public final class NotificationServiceDriver: Sendable {
    struct State: Sendable {
        var service: NotificationService
        var nodeClient: HTTPClient
        var pushClient: HTTPClient
        /// Grows with each start, so that threads of an earlier one end.
        var run = 0
        var threads = 0
        var events: [ServiceEvent] = []
        var isTelling = false
        var providerToken: (issuedAt: Int64, text: String)?

        /// Called under the lock with every change, so that whoever sees the change knows that it is untold.
        mutating func collectEvents() {
            events += service.takeEvents()
        }
    }

    let condition: Condition<State>
    let endpoints: PushEndpoints
    let clock: @Sendable () -> Timestamp
    private let observer: @Sendable (ServiceEvent) -> Void
    private let nodeTimeoutMilliseconds: Int
    private let pushTimeoutMilliseconds: Int

    /// Puts a service on sockets, not started.
    ///
    /// - Parameters:
    ///   - service: new, or with a registry as it was kept.
    ///   - endpoints: the push service.
    ///   - nodeTimeoutMilliseconds: how long a node may take; the C# service waits 100 s.
    ///   - pushTimeoutMilliseconds: how long the push service may take; the C# service waits 100 s.
    ///   - clock: the world's time.
    ///   - observer: told everything that happens, in order, on any thread; it must not call the driver's
    ///     blocking functions.
    public init(
        service: NotificationService,
        endpoints: PushEndpoints,
        nodeTimeoutMilliseconds: Int = 100_000,
        pushTimeoutMilliseconds: Int = 100_000,
        clock: @escaping @Sendable () -> Timestamp,
        observer: @escaping @Sendable (ServiceEvent) -> Void = { _ in }
    ) {
        self.endpoints = endpoints
        self.nodeTimeoutMilliseconds = nodeTimeoutMilliseconds
        self.pushTimeoutMilliseconds = pushTimeoutMilliseconds
        self.clock = clock
        self.observer = observer
        condition = Condition(
            State(service: service, nodeClient: HTTPClient(), pushClient: HTTPClient())
        )
    }

    /// What can be seen of the service now.
    public var snapshot: NotificationServiceSnapshot { condition.withLock(\.service.snapshot) }

    /// What is kept of the service when the program ends.
    public var stateJSON: JSONValue { condition.withLock(\.service.stateJSON) }

    /// Changes rules and pace; a running service is stopped and started again for new rules.
    public func reconfigure(
        behaviour: NotificationServiceConfiguration.Behaviour? = nil,
        pollMilliseconds: Int? = nil
    ) {
        let isRunning = condition.withLock(\.service.snapshot.isRunning)
        let isNew = behaviour != nil && behaviour != snapshot.behaviour
        if isRunning, isNew { stop() }
        condition.update { $0.service.reconfigure(behaviour: behaviour, pollMilliseconds: pollMilliseconds) }
        if isRunning, isNew { start() }
    }

    /// Starts the service, or starts it again when a part of it is dead.
    public func start() {
        let now = clock()
        let nodeOptions = HTTPClient.Options(
            timeoutMilliseconds: nodeTimeoutMilliseconds,
            connectTimeoutMilliseconds: nodeTimeoutMilliseconds
        )
        let pushOptions = HTTPClient.Options(
            caFile: endpoints.caFile,
            timeoutMilliseconds: pushTimeoutMilliseconds,
            connectTimeoutMilliseconds: pushTimeoutMilliseconds,
            httpVersion: .http2
        )
        let started = condition.update { state -> (operations: [ServiceOperation], run: Int)? in
            let isNew = !state.service.isRunning
            guard isNew || state.service.isPartlyDead else { return nil }
            let operations = state.service.start(now: now)
            state.collectEvents()
            if isNew {
                state.run += 1
                state.nodeClient = HTTPClient(options: nodeOptions)
                state.pushClient = HTTPClient(options: pushOptions)
            }
            return (operations, isNew ? state.run : 0)
        }
        guard let started else { return }
        dispatch(started.operations)
        tell()
        guard started.run > 0 else { return condition.signal() }
        let groups: [[Poller]] =
            snapshot.behaviour == .ordered ? [Poller.allCases] : Poller.allCases.map { [$0] }
        for group in groups { spawn { driver in driver.loop(group, run: started.run) } }
    }

    /// Waits until a service that was started knows from which height on it reads; false when the time is over.
    ///
    /// The deployed service begins at the height that it finds: what is forged before is lost on it.
    @discardableResult
    public func awaitBegin(milliseconds: Int = 2000) -> Bool {
        let deadline = MachineClock.deadline(afterMilliseconds: milliseconds)
        let hasBegun: Bool? = condition.wait(until: deadline) { state in
            state.service.hasBegun || !state.service.isRunning ? true : nil
        }
        return hasBegun ?? false
    }

    /// Stops the service and waits for its threads, which takes less than a second; registry and heights stay.
    public func stop() {
        let clients = condition.update { state -> [HTTPClient] in
            state.service.stop()
            state.collectEvents()
            state.run += 1
            return [state.nodeClient, state.pushClient]
        }
        for client in clients { client.cancel() }
        condition.wait { $0.threads == 0 ? .ready(()) : .sleep(until: nil) }
        tell()
    }

    /// Polls every list once, signals first, and waits for the pushes that follow, at most so long.
    ///
    /// - Returns: whether the service runs and nothing of it is dead.
    @discardableResult
    public func pollNow(pushMilliseconds: Int = 10_000) -> Bool {
        for poller in Poller.allCases {
            condition.wait { $0.service.isPolling(poller) ? .sleep(until: nil) : .ready(()) }
            poll(poller)
            condition.wait { $0.service.isPolling(poller) ? .sleep(until: nil) : .ready(()) }
        }
        settlePushes(milliseconds: pushMilliseconds)
        return condition.withLock { $0.service.isRunning && !$0.service.isPartlyDead }
    }

    /// Waits until no push is under way and everything was told; false when the time is over.
    @discardableResult
    public func settlePushes(milliseconds: Int) -> Bool {
        let deadline = MachineClock.deadline(afterMilliseconds: milliseconds)
        let settled: Bool? = condition.wait(until: deadline) { state in
            state.service.hasPushes || state.isTelling || !state.events.isEmpty ? nil : true
        }
        return settled ?? false
    }

    /// Polls a group of lists again and again, until the run is over.
    private func loop(_ pollers: [Poller], run: Int) {
        while condition.withLock({ $0.run == run }) {
            for poller in pollers { poll(poller) }
            let pause = condition.withLock(\.service.configuration.pollMilliseconds)
            let deadline = MachineClock.monotonicMilliseconds() + Int64(max(1, pause))
            _ = condition.wait(until: deadline) { $0.run == run ? nil : true }
        }
    }

    /// Polls one list to its end; nothing happens while someone else does.
    private func poll(_ poller: Poller) {
        let now = clock()
        var operations = condition.update { state in
            defer { state.collectEvents() }
            return state.service.poll(poller, now: now)
        }
        while let operation = operations.first {
            guard case .node(let request) = operation.work else { break }
            let (client, nodes) = condition.withLock { ($0.nodeClient, connection($0.service)) }
            let answer = nodes.perform(request, with: client)
            let moment = clock()
            operations = condition.update { state in
                defer { state.collectEvents() }
                return state.service.complete(operation.id, .node(answer), now: moment)
            }
        }
        dispatch(operations)
        tell()
    }

    private func connection(_ service: NotificationService) -> NodeConnection {
        let isOrdered = service.configuration.behaviour == .ordered
        return NodeConnection(
            urls: service.configuration.nodes,
            client: isOrdered ? .orderedService : .service,
            timeoutMilliseconds: nodeTimeoutMilliseconds
        )
    }

    /// Tells the observer what happened, one thread at a time so that the order is kept.
    func tell() {
        let isTeller = condition.withLock { state in
            guard !state.isTelling else { return false }
            state.isTelling = true
            return true
        }
        guard isTeller else { return }
        while true {
            let events = condition.update { state -> [ServiceEvent] in
                defer { state.events = [] }
                state.isTelling = !state.events.isEmpty
                return state.events
            }
            if events.isEmpty { return }
            for event in events { observer(event) }
        }
    }

    /// Runs work on a new thread that is counted until it ends; on this one where the system gives none.
    func spawn(_ work: @escaping @Sendable (NotificationServiceDriver) -> Void) {
        condition.withLock { $0.threads += 1 }
        let body: @Sendable () -> Void = {
            work(self)
            self.condition.update { $0.threads -= 1 }
        }
        if (try? WorkerThread(name: "ans", body)) == nil { body() }
    }
}
