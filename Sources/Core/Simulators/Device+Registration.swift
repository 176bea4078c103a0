import AdamantModel
import Determinism

/// The token service of the released app, with what it forgets and what it never forgets.
///
/// - Source: adamant-iOS:Adamant/Services/AdamantPushNotificationsTokenService.swift
extension Device {
    /// The system has given the app its token.
    mutating func register(now: Timestamp) {
        guard let token = systemToken else { return }
        switch configuration.behaviour {
        case .asDeployed:
            tokenService.jobs.append(.setToken(token))
            runJobs(now: now)
        case .ordered:
            intendAddition(of: token, now: now)
        }
    }

    /// Queues a removal and goes on; it is signed by whoever is signed in when its turn comes.
    mutating func removeCurrentToken(now: Timestamp) {
        tokenService.jobs.append(.removeCurrentToken)
        runJobs(now: now)
    }

    private mutating func runJobs(now: Timestamp) {
        while tokenService.step == nil, !tokenService.jobs.isEmpty {
            let job = tokenService.jobs.removeFirst()
            guard let pair = session else { continue }
            switch job {
            case .setToken(let token):
                guard token != store.token else { continue }
                if let old = store.token {
                    remove(old, next: token, by: pair, now: now)
                } else {
                    add(token, by: pair, now: now)
                }
            case .removeCurrentToken:
                guard let token = store.token else { continue }
                remove(token, next: nil, by: pair, now: now)
            }
        }
    }

    private mutating func add(_ token: String, by pair: KeyPair, now: Timestamp) {
        guard let signal = sign(.add, token: token, by: pair, at: now.epochSeconds) else { return }
        tokenService.step = .adding
        call(.submit(signal.transaction), for: .signal(signal), now: now)
    }

    private mutating func remove(_ token: String, next: String?, by pair: KeyPair, now: Timestamp) {
        store.token = nil
        guard let signal = sign(.remove, token: token, by: pair, at: now.epochSeconds) else { return }
        tokenService.step = .removing(next: next, by: pair)
        call(.submit(signal.transaction), for: .signal(signal), now: now)
    }

    /// A signal of the device's kind; nil, with the reason noted, when it cannot be sealed.
    mutating func sign(
        _ action: Signal.Action,
        token: String,
        by pair: KeyPair,
        at epochSeconds: Int64
    ) -> DeviceStore.QueuedSignal? {
        let signal = Signal(action: action, token: token, provider: configuration.provider)
        guard let service = configuration.service,
            let transaction = signal.transaction(
                to: service,
                timestamp: Int32(clamping: epochSeconds),
                nonce: generator.bytes(24),
                by: pair,
                cryptography: cryptography
            )
        else {
            skipRegistration("the notification service's key cannot be used")
            return nil
        }
        return DeviceStore.QueuedSignal(action: action, token: token, transaction: transaction)
    }

    mutating func endSignal(_ signal: DeviceStore.QueuedSignal, _ result: CallResult, now: Timestamp) {
        let verdict = TokenService.Verdict(result)
        guard configuration.behaviour == .asDeployed else {
            return endOrderedSignal(signal, verdict, now: now)
        }
        let step = tokenService.step
        tokenService.step = nil
        switch (verdict, signal.action) {
        case (.accepted(let node), _):
            if signal.action == .add { store.token = signal.token }
            noteAccepted(signal, node: node)
        case (_, .add):
            problem = verdict.reason
            noteFailed(signal, verdict.reason, isQueued: false)
        case (_, .remove):
            if !store.deletionQueue.contains(signal) { store.deletionQueue.append(signal) }
            noteFailed(signal, verdict.reason, isQueued: true)
        }
        if case .removing(let next?, let pair)? = step { add(next, by: pair, now: now) }
        runJobs(now: now)
    }

    /// Posts every queued removal again, as it was signed, in no particular order.
    mutating func retryDeletions(now: Timestamp) {
        for signal in store.deletionQueue.shuffled(using: &generator) {
            call(.submit(signal.transaction), for: .queuedRemoval(signal), now: now)
        }
    }

    mutating func endQueuedRemoval(_ signal: DeviceStore.QueuedSignal, _ result: CallResult) {
        let verdict = TokenService.Verdict(result)
        switch verdict {
        case .accepted(let node):
            store.deletionQueue.removeAll { $0 == signal }
            noteAccepted(signal, node: node)
        case .accountNotFound:
            store.deletionQueue.removeAll { $0 == signal }
            noteDropped(signal, verdict.reason)
        case .refused(let reason):
            noteFailed(signal, reason, isQueued: true)
        }
    }

    mutating func noteAccepted(_ signal: DeviceStore.QueuedSignal, node: Int) {
        if signal.action == .add { problem = nil }
        note(
            .signalAccepted(
                signal.action,
                token: signal.token,
                by: signal.address,
                signal.transaction.id,
                node: node
            )
        )
    }

    mutating func noteFailed(_ signal: DeviceStore.QueuedSignal, _ reason: String, isQueued: Bool) {
        note(
            .signalFailed(
                signal.action,
                token: signal.token,
                by: signal.address,
                signal.transaction.id,
                reason: reason,
                isQueued: isQueued
            )
        )
    }

    mutating func noteDropped(_ signal: DeviceStore.QueuedSignal, _ reason: String) {
        note(
            .signalDropped(
                signal.action,
                token: signal.token,
                by: signal.address,
                signal.transaction.id,
                reason: reason
            )
        )
    }
}
