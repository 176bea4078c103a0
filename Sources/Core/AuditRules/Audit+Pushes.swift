public import AdamantModel
import Determinism
public import TraceRules

// What pushes tell.

extension Audit {
    /// A push, with what is known of the transaction that it names; asked for only when it has to be looked for.
    public mutating func take(
        _ push: AuditedPush,
        registry: SignalRegistry,
        secret: (Identifier) -> SecretContent?
    ) {
        if push.transaction != nil { namedTransactions += 1 }
        if push.isOfMessenger { checkContent(push, secret) }
        if let number = push.recipientNumber {
            let place = implied.note(push)
            checkOwner(push, at: place, registry)
            if !missing.isEmpty {
                missing[ImpliedRegistry.Key(address: number, token: push.tokenNumber)] = nil
            }
        }
        if !deaths.isEmpty { checkDeath(push, registry) }
        if let id = push.transaction { noteDelivery(push, id) }
        noteEnd(push)
    }

    /// A push of an earlier run: it is remembered, and breaks no rule.
    public mutating func recall(_ push: AuditedPush) {
        _ = implied.note(push)
        if let id = push.transaction {
            namedTransactions += 1
            let note = PushedNote(seq: push.seq, isAccepted: push.isAccepted)
            pushed.set(note, for: PushedKey(id, push.tokenNumber))
        }
        noteEnd(push)
    }

    private mutating func noteEnd(_ push: AuditedPush) {
        guard push.endsToken else { return }
        let since = push.status == 410 ? push.texts.timestamp.map(Timestamp.init(unixMilliseconds:)) : nil
        let death = Death(
            seq: push.seq,
            at: push.at,
            answer: push.answer,
            since: since ?? push.at,
            height: height
        )
        deaths.set(death, for: push.tokenNumber)
    }

    /// A payload of a form that was clean with another message cannot hold this one: what stays the same tells nothing.
    private mutating func checkContent(
        _ push: AuditedPush,
        _ secret: (Identifier) -> SecretContent?
    ) {
        let wasCompared = templates[push.template]
        if wasCompared == true { return }
        let id = push.transaction
        let isStranger = id.map { strangers[$0] != nil } ?? true
        let known = isStranger ? nil : id.flatMap(secret)
        if known == nil, let id { strangers.set(true, for: id) }
        if wasCompared == false, known == nil { return }
        let content = PayloadContent(push.texts.payload)
        let leak = known.flatMap { content.leak(of: $0) } ?? content.freeText()
        guard let leak else { return templates.set(known != nil, for: push.template) }
        find(.noContent, push) { leak.evidence }
    }

    /// The place is that of its row in the implied registry, if it has one.
    private mutating func checkOwner(_ push: AuditedPush, at place: Int?, _ registry: SignalRegistry) {
        guard registry.isReadable,
            let recipient = place.map({ implied.all[$0].address })
                ?? push.texts.recipient.flatMap({ Address($0)?.uppercased })
        else { return }
        let served = polls.signalHeight(before: push.seq) ?? height
        let standing =
            place.map { implied.standing(at: $0, registry) }
            ?? ImpliedRegistry.Standing(of: recipient, push.texts.token, registry)
        if let row = standing.row, row.height <= served || heard[row.transaction] != nil { return }
        let token = place.map { implied.all[$0].token } ?? push.texts.token
        if standing.hasSignals {
            if isRegistered(token, for: recipient, asOf: served, registry) { return }
            // What the service knew when it was served the message counts as well: the push may have been under way.
            if let id = push.transaction, let note = forged[id],
                let event = heard[id] ?? polls.firstServed(height: note.height),
                let known = polls.signalHeight(before: event),
                isRegistered(token, for: recipient, asOf: known, registry)
            {
                return
            }
        }
        find(.rightOwner, push) {
            let removal = registry.signals(of: recipient).last {
                $0.effect == .removed && $0.token?.lowercased() == token
            }
            let state =
                removal.map { "it was removed at height \($0.height) by \($0.transaction)" } ?? "it never was"
            let owners = registry.rows.filter { $0.token.lowercased() == token }.map(\.address.text)
            let others = owners.isEmpty ? "" : "; it is registered for \(owners.joined(separator: ", "))"
            return
                "as of height \(served), up to which the service had been served signals, the token is not "
                + "registered for \(recipient): \(state)\(others)"
        }
    }

    private func isRegistered(
        _ token: String,
        for address: Address,
        asOf height: Int,
        _ registry: SignalRegistry
    ) -> Bool {
        registry.rows(of: address, asOf: height).contains { $0.token.lowercased() == token }
    }

    /// A push that was under way when the token died is no breach: its message was on the chain before.
    private mutating func checkDeath(_ push: AuditedPush, _ registry: SignalRegistry) {
        guard let death = deaths[push.tokenNumber] else { return }
        guard isDead(push.texts.token, registry) else {
            deaths.remove(push.tokenNumber)
            return
        }
        if let id = push.transaction, let forged = forged[id] {
            guard forged.seq > death.seq else { return }
        } else {
            guard death.at.adding(milliseconds: 1000) <= push.at else { return }
        }
        find(.deadTokensDropped, push) {
            "APNs had answered \(death.answer) for the token at \(death.at.rfc3339), and it has not been "
                + "registered again since"
        }
    }

    private mutating func noteDelivery(_ push: AuditedPush, _ id: Identifier) {
        let key = PushedKey(id, push.tokenNumber)
        if !expectations.isEmpty, var expectation = expectations[id] {
            let token = push.texts.token
            expectation.tokens.removeAll { $0 == token }
            expectations[id] = expectation.tokens.isEmpty ? nil : expectation
        }
        if let earlier = pushed[key], earlier.isAccepted {
            // What was refused may be sent again; what was accepted may not.
            if push.isAccepted {
                find(.noDuplicates, push) {
                    "push \(earlier.seq) had brought the same message to the token already"
                }
            }
            return
        }
        pushed.set(PushedNote(seq: push.seq, isAccepted: push.isAccepted), for: key)
    }
}

extension PayloadContent.Leak {
    /// What was seen, for people.
    fileprivate var evidence: String {
        switch self {
        case .text(let fragment, let form, let place):
            "text of the message, \(form), in \(place): “\(fragment)”"
        case .sender(let form, let place): "the sender's address, \(form), in \(place)"
        case .freeText(let place, let text):
            "free text in \(place), where the key of a localised text belongs: “\(text.prefix(60))”"
        }
    }
}
