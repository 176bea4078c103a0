import AdamantModel
import Determinism

/// Starting, signing in and out, and the choice of notifications.
///
/// - Source: adamant-iOS:Adamant/Services/AdamantAccountService.swift, AdamantNotificationService.swift
extension Device {
    /// Units of 1e-8 ADM of which an account must have more before the app asks for a token.
    static let balanceGate: Int64 = 100_000

    /// Begins the app's process; queued removals go out before anyone is signed in.
    mutating func launch(now: Timestamp, signsIn: Bool = true) {
        guard !isRunning else { return }
        isRunning = true
        isForceQuit = false
        note(.launched)
        if configuration.behaviour == .asDeployed { retryDeletions(now: now) }
        checkHealth(isAwaited: true)
        if signsIn, let account = store.account { beginLogin(account, goal: .launch, now: now) }
        if configuration.behaviour == .ordered { retryPending(now: now) }
    }

    /// Ends the app's process; what it had sent may still arrive, what it had not stored is gone.
    mutating func kill() {
        guard isRunning else { return }
        isRunning = false
        session = nil
        awaitedLogin = nil
        tokenService = TokenService()
        for (id, work) in outstanding {
            switch work {
            case .call(let call): if call.purpose.delivery != nil { continue }
            case .extensionTime: continue
            case .health, .signalPause, .loginPause: break
            }
            outstanding[id] = nil
        }
        note(.killed)
    }

    mutating func setOnline(now: Timestamp) {
        guard !isOnline else { return }
        isOnline = true
        guard isRunning else { return }
        checkHealth(isAwaited: true)
        if configuration.behaviour == .ordered { retryPending(now: now) }
    }

    /// How long a user takes to enter a pass phrase, while the nodes are asked for their health.
    private static let patienceMilliseconds = 1000

    /// Asks for the account, once all nodes have answered or the user is ready and one is usable.
    mutating func beginLogin(_ pair: KeyPair, goal: LoginGoal, now: Timestamp) {
        let isChecking = outstanding.values.contains { if case .health = $0 { true } else { false } }
        if isChecking, !store.nodes.contains(where: { $0.status == .allowed }) {
            awaitedLogin = AwaitedLogin(pair: pair, goal: goal)
            ask(.wait(milliseconds: Self.patienceMilliseconds), for: .loginPause, isOfApp: true)
        } else {
            call(.account(publicKey: pair.publicKey), for: .login(pair, goal), now: now)
        }
    }

    mutating func endLoginPause(now: Timestamp) {
        awaitedLogin?.isPatient = false
        resumeAfterHealth(isRoundOver: false, now: now)
    }

    mutating func resumeAfterHealth(isRoundOver: Bool, now: Timestamp) {
        let hasNode = store.nodes.contains { $0.status == .allowed }
        if let login = awaitedLogin, isRoundOver || hasNode && !login.isPatient {
            awaitedLogin = nil
            outstanding = outstanding.filter { $0.value != .loginPause }
            call(.account(publicKey: login.pair.publicKey), for: .login(login.pair, login.goal), now: now)
        }
        if configuration.behaviour == .ordered { sendNextPending(now: now) }
    }

    mutating func endLogin(_ pair: KeyPair, _ goal: LoginGoal, _ result: CallResult, now: Timestamp) {
        let balance: Int64
        switch result {
        case .answer(.account(let units), _): balance = units
        case .answer(.refused("Account not found"), _): balance = 0
        case .answer(.refused(let text), _): return failLogin(pair, goal, text)
        case .answer(.unparsable(let text), _): return failLogin(pair, goal, text)
        case .answer: return failLogin(pair, goal, "parsing failed")
        case .unreachable(let reason): return failLogin(pair, goal, reason)
        }
        if goal != .choosePush { enter(pair, goal, now: now) }
        guard session == pair else { return }
        considerRegistering(balance: balance, now: now)
    }

    /// The account becomes the process's; another that had stayed signed in is dropped only then.
    private mutating func enter(_ pair: KeyPair, _ goal: LoginGoal, now: Timestamp) {
        let dropped = store.account == pair ? nil : store.account
        if let dropped, configuration.behaviour == .ordered { signOut(dropped, now: now) }
        session = pair
        if let dropped, configuration.behaviour == .asDeployed {
            removeCurrentToken(now: now)
            note(.signedOut(dropped.address(cryptography: cryptography)))
        }
        note(.signedIn(pair.address(cryptography: cryptography)))
        guard goal == .signIn else { return }
        store.account = pair
        store.wantsPush = isAllowed
        if !isAllowed { skipRegistration("notifications are denied in the system's settings") }
    }

    private mutating func failLogin(_ pair: KeyPair, _ goal: LoginGoal, _ reason: String) {
        problem = reason
        guard goal != .choosePush else { return skipRegistration("the balance is unknown: \(reason)") }
        note(.signInFailed(pair.address(cryptography: cryptography), reason: reason))
    }

    mutating func signOut(_ pair: KeyPair, now: Timestamp) {
        if configuration.signOutSkipsRemoval { session = nil }
        switch configuration.behaviour {
        case .asDeployed: removeCurrentToken(now: now)
        case .ordered: intendRemoval(by: pair, now: now)
        }
        session = nil
        awaitedLogin = nil
        store.account = nil
        store.wantsPush = false
        note(.signedOut(pair.address(cryptography: cryptography)))
    }

    /// Switching off only asks the system for silence; no signal is sent.
    mutating func chooseOff() {
        store.wantsPush = false
        guard configuration.offClearsCache else { return }
        store.token = nil
        store.registration = nil
    }

    /// Choosing what is chosen already does nothing.
    mutating func choosePush(_ pair: KeyPair, now: Timestamp) {
        guard !store.wantsPush else { return }
        guard isAllowed else { return skipRegistration("notifications are denied in the system's settings") }
        store.wantsPush = true
        beginLogin(pair, goal: .choosePush, now: now)
    }

    /// What stands between a signed-in account and its registration.
    private mutating func considerRegistering(balance: Int64, now: Timestamp) {
        guard store.wantsPush else { return }
        guard configuration.service != nil else {
            return skipRegistration("the app has no notification service")
        }
        guard store.account != nil else { return skipRegistration("the account does not stay signed in") }
        guard isAllowed else { return skipRegistration("notifications are denied in the system's settings") }
        guard balance > Self.balanceGate else {
            let has = MessageText.adm(balance)
            return skipRegistration(
                "a registration costs a fee: the account has \(has) ADM, not more than 0.001"
            )
        }
        register(now: now)
    }

    mutating func skipRegistration(_ reason: String) {
        problem = reason
        note(.registrationSkipped(reason: reason))
    }
}
