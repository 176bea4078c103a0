public import Determinism
import HTTPClient
public import JSONValue
public import Simulators
public import Threads

/// A device on real sockets: asks nodes over HTTP and takes pushes.
///
/// Every operation runs on a thread of its own. Nothing is called while a lock of the driver is held; the clock and
/// the observer may take the world's.
public final class DeviceDriver: Sendable {
    private struct State: Sendable {
        var device: Device
        var app: HTTPClient
        var inbox: [ArrivedPush] = []
        var isReadingInbox = false
        var events: [DeviceEvent] = []
        var isTelling = false
        var threads = 0
        var isStopped = false
        var timer: TimerThread.Token?

        /// Called under the lock with every change, so that whoever sees the change knows that it is untold.
        mutating func collectEvents() {
            events += device.takeEvents()
        }
    }

    private let condition: Condition<State>
    private let nodes: NodeConnection
    private let options: HTTPClient.Options
    /// The extension's own process is not ended with the app.
    private let background: HTTPClient
    private let clock: @Sendable () -> Timestamp
    private let observer: @Sendable (DeviceEvent) -> Void
    private let timer: TimerThread?

    /// Puts a device on sockets.
    ///
    /// - Parameters:
    ///   - device: new, or as it was kept.
    ///   - caFile: PEM file of the authority that nodes with TLS are checked against.
    ///   - timeoutMilliseconds: how long a node may take; iOS waits 15 s.
    ///   - timer: makes the running app check its nodes at times; nil for never.
    ///   - clock: the world's time.
    ///   - observer: told everything that happens, in order, on any thread; it must not call ``perform(_:)``.
    public init(
        device: Device,
        caFile: String? = nil,
        timeoutMilliseconds: Int = 15_000,
        timer: TimerThread? = nil,
        clock: @escaping @Sendable () -> Timestamp,
        observer: @escaping @Sendable (DeviceEvent) -> Void = { _ in }
    ) {
        options = HTTPClient.Options(
            caFile: caFile,
            timeoutMilliseconds: timeoutMilliseconds,
            connectTimeoutMilliseconds: timeoutMilliseconds
        )
        background = HTTPClient(options: options)
        nodes = NodeConnection(
            urls: device.snapshot.configuration.nodes,
            client: .app,
            timeoutMilliseconds: timeoutMilliseconds
        )
        condition = Condition(State(device: device, app: HTTPClient(options: options)))
        self.clock = clock
        self.observer = observer
        self.timer = timer
        scheduleHealthCheck()
    }

    /// What can be seen of the device now.
    public var snapshot: DeviceSnapshot { condition.withLock(\.device.snapshot) }

    /// What is kept of the device when the program ends.
    public var stateJSON: JSONValue { condition.withLock(\.device.stateJSON) }

    /// Takes an action and waits until what it started has ended, well or not.
    ///
    /// - Throws: ``DeviceRefusal`` when the present state does not allow it.
    /// - Returns: the device afterwards.
    @discardableResult
    public func perform(_ action: DeviceAction) throws(DeviceRefusal) -> DeviceSnapshot {
        let now = clock()
        let operations = try condition.update { state throws(DeviceRefusal) in
            defer { state.collectEvents() }
            return try state.device.perform(action, now: now)
        }
        if action.endsApp {
            let ended = condition.withLock { state in
                defer { state.app = HTTPClient(options: options) }
                return state.app
            }
            ended.cancel()
        }
        run(operations)
        tell()
        return condition.wait { state in
            let isDone = !state.device.hasAppWork && state.events.isEmpty && !state.isTelling
            return isDone || state.isStopped ? .ready(state.device.snapshot) : .sleep(until: nil)
        }
    }

    /// Hands over a push and returns at once; the extension works on it in the background.
    public func deliver(_ push: ArrivedPush) {
        let isFirst = condition.withLock { state in
            guard !state.isStopped else { return false }
            state.inbox.append(push)
            defer { state.isReadingInbox = true }
            return !state.isReadingInbox
        }
        if isFirst { spawn { driver in driver.readInbox() } }
    }

    /// Notes a push that is known never to arrive.
    public func noteLost(_ push: UnshownPush) {
        condition.update { $0.device.noteLost(push) }
    }

    /// Waits until neither app nor extension is at work, and everything was told; false when the time is over.
    @discardableResult
    public func settle(milliseconds: Int) -> Bool {
        let deadline = MachineClock.deadline(afterMilliseconds: milliseconds)
        let settled: Bool? = condition.wait(until: deadline) { state in
            let isBusy = state.device.hasAppWork || state.device.hasExtensionWork || state.isReadingInbox
            return isBusy || state.isTelling || !state.events.isEmpty ? nil : true
        }
        return settled ?? false
    }

    /// Ends everything under way and waits for the driver's threads, which takes less than a second.
    public func stop() {
        let (app, token) = condition.update { state in
            state.isStopped = true
            state.inbox = []
            return (state.app, state.timer)
        }
        app.cancel()
        background.cancel()
        if let token { timer?.cancel(token) }
        condition.wait { $0.threads == 0 ? .ready(()) : .sleep(until: nil) }
    }

    private func readInbox() {
        while true {
            let now = clock()
            let operations = condition.update { state -> [DeviceOperation]? in
                guard !state.inbox.isEmpty, !state.isStopped else {
                    state.isReadingInbox = false
                    return nil
                }
                defer { state.collectEvents() }
                return state.device.receive(state.inbox.removeFirst(), now: now)
            }
            guard let operations else { return }
            run(operations)
            tell()
        }
    }

    private func run(_ operations: [DeviceOperation]) {
        for operation in operations { spawn { driver in driver.execute(operation) } }
    }

    private func execute(_ first: DeviceOperation) {
        var waiting = [first]
        while let operation = waiting.popLast() {
            let answer = answer(operation)
            let now = clock()
            let next = condition.update { state -> [DeviceOperation] in
                guard !state.isStopped else { return [] }
                defer { state.collectEvents() }
                return state.device.complete(operation.id, answer, now: now)
            }
            waiting += next.prefix(1)
            run(Array(next.dropFirst()))
            tell()
        }
    }

    private func answer(_ operation: DeviceOperation) -> DeviceAnswer {
        switch operation.work {
        case .node(let request):
            let client = operation.isOfApp ? condition.withLock(\.app) : background
            return .node(nodes.perform(request, with: client))
        case .wait(let milliseconds):
            let deadline = MachineClock.deadline(afterMilliseconds: milliseconds)
            _ = condition.wait(until: deadline) { state in
                state.isStopped || !state.device.isOutstanding(operation.id) ? true : nil
            }
            return .elapsed
        }
    }

    /// Tells the observer what happened, one thread at a time so that the order is kept.
    private func tell() {
        let isTeller = condition.withLock { state in
            guard !state.isTelling else { return false }
            state.isTelling = true
            return true
        }
        guard isTeller else { return }
        while true {
            let events = condition.update { state -> [DeviceEvent] in
                defer { state.events = [] }
                state.isTelling = !state.events.isEmpty
                return state.events
            }
            if events.isEmpty { return }
            for event in events { observer(event) }
        }
    }

    private func scheduleHealthCheck() {
        let pause = condition.withLock { $0.isStopped ? nil : $0.device.healthCheckMilliseconds }
        guard let timer, let milliseconds = pause else { return }
        let token = timer.after(milliseconds: milliseconds) { [weak self] in
            self?.spawn { driver in driver.checkHealth() }
            self?.scheduleHealthCheck()
        }
        condition.withLock { $0.timer = token }
    }

    private func checkHealth() {
        let now = clock()
        let operations = condition.update { state -> [DeviceOperation] in
            guard !state.isStopped else { return [] }
            defer { state.collectEvents() }
            return (try? state.device.perform(.checkHealth, now: now)) ?? []
        }
        run(operations)
        tell()
    }

    /// Runs work on a new thread that is counted until it ends; on this one where the system gives none.
    private func spawn(_ work: @escaping @Sendable (DeviceDriver) -> Void) {
        let isStopped = condition.withLock { state in
            if !state.isStopped { state.threads += 1 }
            return state.isStopped
        }
        guard !isStopped else { return }
        let body: @Sendable () -> Void = {
            work(self)
            self.condition.update { $0.threads -= 1 }
        }
        if (try? WorkerThread(name: "device", body)) == nil { body() }
    }
}

extension DeviceAction {
    /// Whether the app's process ends with it, and so what it was sending.
    fileprivate var endsApp: Bool {
        switch self {
        case .kill, .forceQuit, .uninstall, .reinstall, .restore: true
        default: false
        }
    }
}
