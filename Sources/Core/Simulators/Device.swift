public import AdamantModel
public import Determinism

/// A simulated installation of the app, with its Notification Service Extension, as a state machine.
///
/// It performs nothing itself: actions, pushes and answers go in, operations come out. It has no address of the
/// notification service other than its account on the chain.
/// - Source: adamant-iOS 3.10.0 (`Docs/clients.md`)
public struct Device: Sendable {
    /// Most banners that are kept.
    public static let maximumBanners = 1000
    /// Most pushes that are kept of which nothing was shown; they can come much faster.
    public static let maximumUnshown = 100

    /// Who waits for an answer.
    enum Purpose: Hashable, Sendable {
        case login(KeyPair, LoginGoal)
        case signal(DeviceStore.QueuedSignal)
        case queuedRemoval(DeviceStore.QueuedSignal)
        case text(delivery: Int)
        case contacts(delivery: Int, of: SeenTransaction)

        /// The push that the extension works on; nil for what the app does.
        var delivery: Int? {
            switch self {
            case .text(let delivery), .contacts(let delivery, _): delivery
            case .login, .signal, .queuedRemoval: nil
            }
        }
    }

    /// Why the account is asked for.
    enum LoginGoal: Hashable, Sendable {
        /// The user signs in by pass phrase and then chooses push.
        case signIn
        /// The app was started with an account that stays signed in.
        case launch
        /// The user chooses push; the account is signed in already.
        case choosePush
    }

    /// A login that has not begun.
    struct AwaitedLogin: Hashable, Sendable {
        var pair: KeyPair
        var goal: LoginGoal
        /// Whether it waits for every node to answer, not only for the first usable one.
        var isPatient = true
    }

    /// An operation that goes from node to node until one answers.
    struct Call: Hashable, Sendable {
        var operation: NodeOperation
        var node: Int
        var remaining: [Int]
        var purpose: Purpose
    }

    /// What an operation under way is for.
    enum Outstanding: Hashable, Sendable {
        case call(Call)
        case health(node: Int, isAwaited: Bool)
        case signalPause
        case loginPause
        case extensionTime(delivery: Int)
    }

    /// How a call ended.
    enum CallResult: Hashable, Sendable {
        case answer(NodeAnswer, node: Int)
        case unreachable(String)
    }

    let cryptography: any Cryptography
    var configuration: DeviceConfiguration
    var generator: SeededGenerator
    var store: DeviceStore
    var systemToken: String?
    var isOnline = true
    var isAllowed = true
    var isRunning = false
    /// The account of the running process.
    var session: KeyPair?
    var deliveries: [Int: Delivery] = [:]
    var isSavingPower = false
    var isForceQuit = false
    var quietHours: QuietHours?
    var banners: [Banner] = []
    var notShown: [UnshownPush] = []
    var lastDeliveredAt: Timestamp?
    var lostSinceDelivery = 0
    var problem: String?
    var tokenService = TokenService()
    /// A login that waits for usable nodes.
    var awaitedLogin: AwaitedLogin?
    var nextNumber = 1
    var outstanding: [Int: Outstanding] = [:]
    private var asked: [DeviceOperation] = []
    private var events: [DeviceEvent] = []

    /// A device with a freshly installed app that nobody has opened.
    ///
    /// The token is hexadecimal in lower case, as the system gives it.
    public init(
        configuration: DeviceConfiguration,
        token: String,
        seed: UInt64,
        cryptography: any Cryptography
    ) {
        self.configuration = configuration
        self.cryptography = cryptography
        generator = SeededGenerator(seed: seed, purpose: "device \(configuration.id)")
        store = DeviceStore(nodeCount: configuration.nodes.count)
        systemToken = token
    }

    /// Whether the app is there.
    public var isInstalled: Bool { systemToken != nil }

    /// Whether something that an action started is still under way.
    public var hasAppWork: Bool {
        awaitedLogin != nil || tokenService.isBusy
            || outstanding.values.contains { work in
                switch work {
                case .call(let call): call.purpose.delivery == nil
                case .health(_, let isAwaited): isAwaited
                case .signalPause, .loginPause: true
                case .extensionTime: false
                }
            }
    }

    /// Whether the extension is still at work on a push.
    public var hasExtensionWork: Bool { !deliveries.isEmpty }

    /// Whether an operation has not been answered and was not given up.
    public func isOutstanding(_ id: Int) -> Bool { outstanding[id] != nil }

    /// Milliseconds of real time after which the running app checks its nodes again.
    public var healthCheckMilliseconds: Int {
        store.nodes.contains { $0.status == .allowed } ? 300_000 : 30_000
    }

    /// Takes an action.
    ///
    /// - Returns: what to do now.
    /// - Throws: ``DeviceRefusal`` when the present state does not allow it; nothing is changed then.
    public mutating func perform(
        _ action: DeviceAction,
        now: Timestamp
    ) throws(DeviceRefusal) -> [DeviceOperation] {
        switch action {
        case .reinstall(let token), .restore(let token):
            reset(keepingStore: action == .restore(token: token), token: token)
        case .uninstall: reset(keepingStore: false, token: nil)
        case .rotateToken(let token):
            try require(isInstalled, "the app is not installed")
            systemToken = token
            if isRunning, session != nil, store.wantsPush, isAllowed { register(now: now) }
        case .online: setOnline(now: now)
        case .offline: isOnline = false
        case .allow: isAllowed = true
        case .deny: isAllowed = false
        case .kill: kill()
        case .forceQuit:
            try require(isInstalled, "the app is not installed")
            kill()
            isForceQuit = true
        case .savePower(let saves): isSavingPower = saves
        case .block(let address): store.blocked.insert(address)
        case .unblock(let address): store.blocked.remove(address)
        case .quiet(let hours): quietHours = hours
        case .launch:
            try require(isInstalled, "the app is not installed")
            launch(now: now)
        case .checkHealth: if isRunning { checkHealth(isAwaited: false) }
        case .signIn(let pair):
            try require(isInstalled, "the app is not installed")
            if !isRunning { launch(now: now, signsIn: false) }
            problem = nil
            beginLogin(pair, goal: .signIn, now: now)
        case .signOut:
            try require(isRunning, "the app is not running; launch it first")
            guard let pair = session ?? store.account else {
                throw DeviceRefusal(message: "nobody is signed in")
            }
            signOut(pair, now: now)
        case .notificationsOff:
            try require(isRunning, "the app is not running; launch it first")
            chooseOff()
        case .notificationsPush:
            try require(isRunning, "the app is not running; launch it first")
            guard let pair = session else { throw DeviceRefusal(message: "nobody is signed in") }
            choosePush(pair, now: now)
        }
        return takeOperations(now: now)
    }

    /// Takes the answer to an operation; answers to operations that were given up change nothing.
    ///
    /// - Returns: what to do next.
    public mutating func complete(_ id: Int, _ answer: DeviceAnswer, now: Timestamp) -> [DeviceOperation] {
        guard let work = outstanding.removeValue(forKey: id) else { return [] }
        switch (work, answer) {
        case (.call(let call), .node(let answer)): proceed(call, answer, now: now)
        case (.health(let node, _), .node(let answer)): noteHealth(node, answer, now: now)
        case (.signalPause, _): sendPaused(now: now)
        case (.loginPause, _): endLoginPause(now: now)
        case (.extensionTime(let delivery), _): showUntouched(delivery, now: now)
        case (.call(let call), .elapsed): proceed(call, .unparsable("no answer"), now: now)
        case (.health(let node, _), .elapsed): noteHealth(node, .unparsable("no answer"), now: now)
        }
        return takeOperations(now: now)
    }

    /// Notes a push that is known never to arrive.
    public mutating func noteLost(_ push: UnshownPush) {
        lostSinceDelivery += 1
        keepUnshown(push)
    }

    /// What happened since this was last asked.
    public mutating func takeEvents() -> [DeviceEvent] {
        defer { events = [] }
        return events
    }

    /// What can be seen from outside.
    public var snapshot: DeviceSnapshot {
        let isOrdered = configuration.behaviour == .ordered
        let removals = isOrdered ? store.pending.filter { $0.action == .remove } : store.deletionQueue
        return DeviceSnapshot(
            configuration: configuration,
            token: systemToken,
            owner: (session ?? store.account)?.address(cryptography: cryptography),
            isOnline: isOnline,
            isInstalled: isInstalled,
            isRunning: isRunning,
            showsNotifications: showsNotifications,
            believesRegistered: isOrdered ? store.registration != nil : store.token != nil,
            queuedRemovals: removals.count,
            queuedAdditions: isOrdered ? store.pending.count { $0.action == .add } : 0,
            lastDeliveredAt: lastDeliveredAt,
            lostSinceDelivery: lostSinceDelivery,
            problem: problem,
            isSavingPower: isSavingPower,
            isForceQuit: isForceQuit,
            quietHours: quietHours,
            blocked: store.blocked.sorted { $0.text < $1.text },
            banners: banners,
            notShown: notShown
        )
    }

    /// Whether the system would show a push; an app without a service has no switch of its own.
    var showsNotifications: Bool {
        isInstalled && isAllowed && (configuration.service == nil || store.wantsPush)
    }

    mutating func note(_ event: DeviceEvent) {
        events.append(event)
    }

    /// Asks for an operation.
    mutating func ask(_ work: DeviceOperation.Work, for purpose: Outstanding, isOfApp: Bool) {
        let id = nextNumber
        nextNumber += 1
        outstanding[id] = purpose
        asked.append(DeviceOperation(id: id, work: work, isOfApp: isOfApp))
    }

    /// The operations asked for that have not been given up at once.
    mutating func takeOperations(now: Timestamp) -> [DeviceOperation] {
        defer { asked = [] }
        return asked.filter { outstanding[$0.id] != nil }
    }

    private func require(_ condition: Bool, _ message: String) throws(DeviceRefusal) {
        guard condition else { throw DeviceRefusal(message: message) }
    }

    private mutating func reset(keepingStore: Bool, token: String?) {
        kill()
        deliveries = [:]
        outstanding = [:]
        systemToken = token
        problem = nil
        isForceQuit = false
        if !keepingStore {
            store = DeviceStore(nodeCount: configuration.nodes.count)
        }
    }
}
