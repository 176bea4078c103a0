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
        let id = push.transactionId.flatMap { Identifier($0) }
        if id != nil { namedTransactions += 1 }
        let recipient = push.recipient.flatMap { Address($0)?.uppercased }
        if push.isOfMessenger { checkContent(push, id, secret) }
        if let recipient {
            checkOwner(push, id, recipient, registry)
            implied.note(push, for: recipient)
            missing.remove(ImpliedRegistry.Key(address: recipient, token: push.token))
        }
        checkDeath(push, id, registry)
        if let id { noteDelivery(push, id) }
        noteEnd(push)
    }

    /// A push of an earlier run: it is remembered, and breaks no rule.
    public mutating func recall(_ push: AuditedPush) {
        if let recipient = push.recipient.flatMap({ Address($0)?.uppercased }) {
            implied.note(push, for: recipient)
        }
        if let id = push.transactionId.flatMap({ Identifier($0) }) {
            namedTransactions += 1
            pushed.set(PushedNote(seq: push.seq, isAccepted: push.isAccepted), for: PushedKey(id, push.token))
        }
        noteEnd(push)
    }

    private mutating func noteEnd(_ push: AuditedPush) {
        guard push.endsToken, deaths.count < Self.mostDeaths else { return }
        let since = push.status == 410 ? push.timestamp.map(Timestamp.init(unixMilliseconds:)) : nil
        deaths[push.token] = Death(
            seq: push.seq,
            at: push.at,
            answer: push.answer,
            since: since ?? push.at,
            height: height
        )
    }

    /// A payload of a form that was clean with another message cannot hold this one: what stays the same tells nothing.
    private mutating func checkContent(
        _ push: AuditedPush,
        _ id: Identifier?,
        _ secret: (Identifier) -> SecretContent?
    ) {
        let wasCompared = templates[push.template]
        if wasCompared == true { return }
        let isStranger = id.map { strangers[$0] != nil } ?? true
        let known = isStranger ? nil : id.flatMap(secret)
        if known == nil, let id { strangers.set(true, for: id) }
        if wasCompared == false, known == nil { return }
        let content = PayloadContent(push.payload)
        let leak = known.flatMap { content.leak(of: $0) } ?? content.freeText()
        guard let leak else { return templates.set(known != nil, for: push.template) }
        find(.noContent, push) { leak.evidence }
    }

    private mutating func checkOwner(
        _ push: AuditedPush,
        _ id: Identifier?,
        _ recipient: Address,
        _ registry: SignalRegistry
    ) {
        guard registry.isReadable else { return }
        let served = polls.signalHeight(before: push.seq) ?? height
        if let row = registry.row(of: recipient, token: push.token),
            row.height <= served || heard[row.transaction] != nil
        {
            return
        }
        if isRegistered(push.token, for: recipient, asOf: served, registry) { return }
        // What the service knew when it was served the message counts as well: the push may have been under way.
        if let id, let note = forged[id],
            let event = heard[id] ?? polls.firstServed(height: note.height),
            let known = polls.signalHeight(before: event),
            isRegistered(push.token, for: recipient, asOf: known, registry)
        {
            return
        }
        find(.rightOwner, push) {
            let removal = registry.signals(of: recipient).last {
                $0.effect == .removed && $0.token?.lowercased() == push.token
            }
            let state =
                removal.map { "it was removed at height \($0.height) by \($0.transaction)" } ?? "it never was"
            let owners = registry.rows.filter { $0.token.lowercased() == push.token }.map(\.address.text)
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
    private mutating func checkDeath(_ push: AuditedPush, _ id: Identifier?, _ registry: SignalRegistry) {
        guard let death = deaths[push.token] else { return }
        guard isDead(push.token, registry) else {
            deaths[push.token] = nil
            return
        }
        if let id, let forged = forged[id] {
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
        let key = PushedKey(id, push.token)
        if var expectation = expectations[id] {
            expectation.tokens.removeAll { $0 == push.token }
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
