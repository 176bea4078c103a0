import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import Simulators

// Why a service that saw a message pushed nothing for it.

extension Trace {
    /// Why nothing was pushed to a token that the chain has registered.
    func pushCause(of row: SignalRegistry.Row) -> TraceCause {
        guard passed(.polled) || !facts.pushes.isEmpty else {
            return cause ?? TraceCause(.notPolled, "no service has seen it", isFinal: false)
        }
        let token = row.token.shortToken
        if !row.provider.lowercased().hasPrefix("apns") {
            let text =
                "token \(token) is registered for \(row.provider.isEmpty ? "no provider" : row.provider), not for APNs"
            return TraceCause(.otherProvider, text, isFinal: true)
        }
        if let ended = facts.registration.endedTokens.last(where: { $0.isFor(row.token) }) {
            let text =
                "APNs had answered \(ended.answer) for token \(token) at \(ended.at.rfc3339), so the service "
                + "dropped it; it has not been registered again since"
            return TraceCause(.tokenDropped, text, isFinal: true)
        }
        return readingCause(of: row) ?? serviceCause(of: row) ?? sendingCause(of: row)
            ?? otherTokenCause(of: row)
            ?? TraceCause(
                .notPushed,
                "the service was served it, and token \(token) is registered since height \(row.height); "
                    + "it pushed nothing",
                isFinal: false
            )
    }

    /// What the service's polls for signals tell: whether it knew of the registration in time.
    private func readingCause(of row: SignalRegistry.Row) -> TraceCause? {
        guard let polled = stops.first(where: { $0.station == .polled })?.request,
            facts.registration.heard[row.transaction] == nil,
            let signal = facts.registration.signals.last(where: { $0.transaction == row.transaction })
        else { return nil }
        let polls = facts.lists.filter { $0.isSignalPoll(service: facts.service) }
        // What was read before the record of calls begins is not known, unless it is known to be nothing.
        guard let first = polls.first else { return nil }
        guard
            facts.registration.isReadingWhole
                || first.height.map({ $0 < row.height || !first.isAnswered }) ?? false
        else { return nil }
        let others = facts.registration.otherPages[row.transaction] ?? []
        let serving = polls.first { $0.holdsSignals(of: row.height) && !others.contains($0.number) }
        guard let serving, serving.number < polled else {
            if let call = polls.last(where: { others.contains($0.number) && $0.number < polled }) {
                let text =
                    "the registration was forged at \(row.height); it was not on the page of signals that the "
                    + "service asked for, with offset \(call.query?.offset ?? 0), and it asked for no further page"
                return TraceCause(.registrationUnread, text, isFinal: true)
            }
            let above = polls.lazy.compactMap { $0.query?.lowerBound }.first { $0.height > row.height }
            let text =
                above.map { bound in
                    "the registration was forged at \(row.height); the service asked for signals "
                        + (bound.isExclusive ? "above \(bound.stated)" : "from \(bound.stated) on")
                        + ", so it never saw it"
                }
                ?? "the service had not read the registration yet, which was forged at \(row.height), "
                + "when it read the message"
            return TraceCause(.registrationUnread, text, isFinal: true)
        }
        let sameAnswer = facts.registration.signals.filter {
            $0.token == row.token && serving.holdsSignals(of: $0.height)
        }
        guard let removal = sameAnswer.first(where: { $0.action == .remove }), removal.height <= signal.height
        else { return nil }
        let text =
            "one answer held the removal \(removal.transaction) and the later registration "
            + "\(signal.transaction) of token \(row.token.shortToken); the service applied the removal last"
        return TraceCause(.batchOrder, text, isFinal: true)
    }

    /// What the reference service told of itself.
    private func serviceCause(of row: SignalRegistry.Row) -> TraceCause? {
        for note in facts.registration.serviceNotes.reversed() {
            switch note.kind {
            case "ans.died" where note.seq >= facts.forgedEvent ?? .max:
                return TraceCause(.serviceDied, "the service died: \(note.text)", isFinal: false)
            case "ans.token-dropped" where note.token == row.token && note.at >= row.since:
                return TraceCause(.tokenDropped, "the service dropped the token: \(note.text)", isFinal: true)
            case "ans.removed" where note.token == row.token && note.at >= row.since:
                let text = "the service removed its row of the token, which the chain still has"
                return TraceCause(.batchOrder, text, isFinal: true)
            default: break
            }
        }
        return nil
    }

    /// What the reference service told of a push that never came to APNs.
    private func sendingCause(of row: SignalRegistry.Row) -> TraceCause? {
        let tried = facts.events("ans.pushed").last { $0.data["token"]?.stringValue == row.token }
        guard let answer = tried?.data["answer"]?.stringValue else { return nil }
        if answer.first?.isNumber == true {
            let text =
                "the service pushed it, answered \(answer), and no push to \(row.token.shortToken) came to APNs: "
                + "in a path that token leads elsewhere"
            return TraceCause(.otherToken, text, isFinal: true)
        }
        let text =
            "the service tried to push it to \(row.token.shortToken), and nothing came to APNs: \(answer)"
        return TraceCause(.notPushed, text, isFinal: false)
    }

    private func otherTokenCause(of row: SignalRegistry.Row) -> TraceCause? {
        let others = facts.pushes.count
        guard others > 0 else { return nil }
        let text =
            "it was pushed to \(others) other token\(others == 1 ? "" : "s"), and not to "
            + row.token.shortToken
        return TraceCause(.otherToken, text, isFinal: false)
    }

    /// Why nobody is registered for the message.
    func registrationCause() -> TraceCause {
        let registration = facts.registration
        guard registration.isReadable else {
            let text = "nobody here can read who is registered: the service's key is not known"
            return TraceCause(.registryUnknown, text, isFinal: false)
        }
        guard let recipient = facts.transaction?.recipient, let block = facts.block else {
            return TraceCause(.notRegistered, "it has no recipient", isFinal: true)
        }
        if let later = registration.signals.first(where: { $0.effect == .added && $0.height > block.height }),
            !registration.signals.contains(where: { $0.effect == .removed && $0.height <= block.height })
        {
            let text =
                "forged at \(block.height); \(recipient) was registered at \(later.height) only, "
                + "by \(later.transaction)"
            return TraceCause(.registeredLater, text, isFinal: true)
        }
        if let removal = registration.signals.last(where: {
            $0.effect == .removed && $0.height <= block.height
        }) {
            return TraceCause(.removed, removalText(removal, recipient), isFinal: true)
        }
        if let device = registration.devices.first(where: { !$0.others.isEmpty }) {
            let text =
                "token \(device.token.shortToken) of \(device.id) is registered for "
                + "\(device.others.joined(separator: ", ")), not for \(recipient)"
            return TraceCause(.registeredElsewhere, text, isFinal: true)
        }
        if let stranded = registration.stranded.last {
            return TraceCause(stranded.code, stranded.text, isFinal: true)
        }
        if let signal = registration.signals.last(where: { $0.isLost }) {
            let text = "the service cannot read the signal \(signal.transaction) of \(recipient)"
            return TraceCause(.signalUnreadable, text, isFinal: true)
        }
        if let skipped = registration.skipped {
            return TraceCause(
                .registrationSkipped,
                "the app did not try to register: \(skipped)",
                isFinal: true
            )
        }
        return TraceCause(.notRegistered, "the chain has no registration of \(recipient)", isFinal: true)
    }

    private func removalText(_ removal: ChainSignal, _ recipient: Address) -> String {
        let text =
            "the registration of \(recipient) was removed at height \(removal.height) "
            + "by \(removal.transaction)"
        let registration = facts.registration.signals.last {
            $0.action == .add && $0.token == removal.token && $0.height <= removal.height
        }
        guard let registration, removal.timestamp < registration.timestamp else { return text }
        return text + ", which was signed before the registration \(registration.transaction): "
            + "a removal that was sent again and landed late"
    }
}

extension ChainSignal {
    /// Whether no service can make anything of it.
    fileprivate var isLost: Bool {
        switch reading {
        case .unreadable, .plainText, .notASignal: true
        case .opened(let signal): signal.token?.isEmpty ?? true
        case .sealed: false
        }
    }
}

extension String {
    /// The beginning of a token, which is enough to tell it from others.
    var shortToken: String { count > 12 ? prefix(8) + "…" : self }
}
