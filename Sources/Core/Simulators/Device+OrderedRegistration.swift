import AdamantModel
import Determinism

/// The token service of the ordered app.
///
/// A wish is stored before it is sent and stays until a node is known to have taken it. There is at most one wish
/// for a token and an account, the latest; a removal gives way to a later addition. What is not stored is not
/// taken for "not registered": signing out always asks for removal once a token was ever to be registered.
extension Device {
    /// How far beyond the clock a signal may be dated so that it is later than the one before.
    private static let maximumLeadSeconds: Int64 = 5
    /// From which age on a node may refuse a signal as too old.
    private static let freshSeconds: Int64 = 5

    mutating func intendAddition(of token: String, now: Timestamp) {
        guard let pair = session else { return }
        let address = pair.address(cryptography: cryptography)
        let wish = pendingIndex(token: token, address: address).map { store.pending[$0].action }
        let registered = store.registration
        store.lastToken = token
        if registered == DeviceStore.Registration(token: token, address: address), wish == nil { return }
        if let old = registered, old.token != token, old.address == address {
            intend(.remove, token: old.token, by: pair, now: now)
        }
        if wish == .add {
            retryPending(now: now)
        } else {
            intend(.add, token: token, by: pair, now: now)
        }
    }

    mutating func intendRemoval(by pair: KeyPair, now: Timestamp) {
        let address = pair.address(cryptography: cryptography)
        let registered = store.registration?.address == address ? store.registration?.token : nil
        guard let token = registered ?? store.lastToken else { return }
        intend(.remove, token: token, by: pair, now: now)
    }

    private mutating func intend(_ action: Signal.Action, token: String, by pair: KeyPair, now: Timestamp) {
        let address = pair.address(cryptography: cryptography)
        guard let signal = sign(action, token: token, by: pair, at: nextSecond(now: now)) else { return }
        if let index = pendingIndex(token: token, address: address) {
            let superseded = store.pending.remove(at: index)
            noteDropped(superseded, "superseded by a later \(action.rawValue)")
        }
        if action == .remove, store.registration == .init(token: token, address: address) {
            store.registration = nil
        }
        store.pending.append(signal)
        store.lastSignalSecond = Int64(signal.transaction.timestamp)
        if !hasAllowedNode { noteFailed(signal, "no node is allowed", isQueued: true) }
        sendNextPending(now: now)
    }

    /// Epoch seconds for a new signal, later than those of the one before: equal ones have no order on the chain.
    private func nextSecond(now: Timestamp) -> Int64 {
        let next = max(now.epochSeconds, store.lastSignalSecond.addingClamped(1))
        return next - now.epochSeconds > Self.maximumLeadSeconds ? now.epochSeconds : next
    }

    /// Tries everything pending once more.
    mutating func retryPending(now: Timestamp) {
        tokenService.attempted = []
        sendNextPending(now: now)
    }

    /// Sends the oldest wish that was not tried yet, when nothing is under way and a node can be asked.
    mutating func sendNextPending(now: Timestamp) {
        guard isRunning, isOnline, tokenService.step == nil, hasAllowedNode,
            let signal = store.pending.first(where: { !tokenService.attempted.contains($0.transaction.id) })
        else { return }
        tokenService.step = .sending
        let early = Timestamp(epochSeconds: Int64(signal.transaction.timestamp)).milliseconds
            .subtractingClamped(now.milliseconds)
        if early > 0, early <= Self.maximumLeadSeconds * 1000 {
            ask(.wait(milliseconds: Int(early)), for: .signalPause, isOfApp: true)
        } else {
            send(signal, now: now)
        }
    }

    /// Goes on after the pause; meanwhile another wish may have come first.
    mutating func sendPaused(now: Timestamp) {
        guard let signal = store.pending.first(where: { !tokenService.attempted.contains($0.transaction.id) })
        else {
            tokenService.step = nil
            return
        }
        send(signal, now: now)
    }

    private mutating func send(_ signal: DeviceStore.QueuedSignal, now: Timestamp) {
        tokenService.attempted.insert(signal.transaction.id)
        call(.submit(signal.transaction), for: .signal(signal), now: now)
    }

    mutating func endOrderedSignal(
        _ signal: DeviceStore.QueuedSignal,
        _ verdict: TokenService.Verdict,
        now: Timestamp
    ) {
        tokenService.step = nil
        defer { sendNextPending(now: now) }
        let index = store.pending.firstIndex { $0.transaction.id == signal.transaction.id }
        switch verdict {
        case .accepted(let node):
            noteAccepted(signal, node: node)
            if let index { fulfil(index) }
        case .refused(let reason) where reason.contains("Transaction is already"):
            if let index { fulfil(index) }
            noteDropped(signal, reason)
        case .refused(let reason) where reason.contains("in the past") && isOld(signal, now: now):
            noteFailed(signal, reason, isQueued: true)
            if let index { renew(index, now: now) }
        case .refused, .accountNotFound:
            if signal.action == .add { problem = verdict.reason }
            noteFailed(signal, verdict.reason, isQueued: index != nil)
        }
    }

    /// A node has taken the wish.
    private mutating func fulfil(_ index: Int) {
        let signal = store.pending.remove(at: index)
        switch signal.action {
        case .add:
            problem = nil
            store.registration = .init(token: signal.token, address: signal.address)
        case .remove:
            if store.lastToken == signal.token { store.lastToken = nil }
        }
    }

    private func isOld(_ signal: DeviceStore.QueuedSignal, now: Timestamp) -> Bool {
        now.epochSeconds - Int64(signal.transaction.timestamp) >= Self.freshSeconds
    }

    /// Signs a wish anew, which takes the key of its account; without it the wish waits for that account.
    private mutating func renew(_ index: Int, now: Timestamp) {
        let old = store.pending[index]
        let pairs = [session, store.account].compactMap { $0 }
        guard let pair = pairs.first(where: { $0.address(cryptography: cryptography) == old.address }),
            let signal = sign(old.action, token: old.token, by: pair, at: nextSecond(now: now))
        else { return }
        store.pending[index] = signal
        store.lastSignalSecond = Int64(signal.transaction.timestamp)
    }

    private func pendingIndex(token: String, address: Address) -> Int? {
        store.pending.firstIndex { $0.token == token && $0.address == address }
    }

    private var hasAllowedNode: Bool { store.nodes.contains { $0.status == .allowed } }
}
