import AdamantLedger
public import AdamantModel
public import Determinism
import Simulators
public import TraceRules

// What blocks tell: signals, and messages that a push is due for.

extension Audit {
    /// A new block.
    public mutating func take(_ block: AuditedBlock, registry: SignalRegistry) {
        height = block.height
        for transaction in block.transactions {
            switch transaction.kind {
            case .signal: check(signal: transaction, block, registry)
            case .message, .transfer:
                messages += 1
                expectPush(for: transaction, block, registry)
            case .other: break
            }
        }
    }

    /// Transactions of blocks that were rolled back, or went with a return to a snapshot.
    public mutating func forget(_ ids: [Identifier]) {
        for id in ids { expectations[id] = nil }
    }

    /// Another registry and another chain take over with an event, a return to a snapshot.
    public mutating func forgetRegistry(before seq: Int) {
        implied.forgetStandings()
        missing = [:]
        polls.forget(before: seq)
    }

    private mutating func check(signal: TransactionParties, _ block: AuditedBlock, _ registry: SignalRegistry)
    {
        let history = registry.signals(of: signal.sender.uppercased)
        guard let place = history.firstIndex(where: { $0.transaction == signal.id }) else { return }
        let told = history[place]
        switch told.reading {
        case .plainText(let text):
            find(
                finding(
                    .sealedSignals,
                    told,
                    block,
                    "the signal is plain text that nobody sealed: \(text.prefix(40))"
                )
            )
        case .unreadable:
            find(finding(.sealedSignals, told, block, "the service's key does not open the signal"))
        case .opened, .notASignal: break
        case .sealed(let kind):
            guard kind?.action == .add, let before = history[..<place].last, before.action == .add,
                before.provider == told.provider
            else { return }
            let text =
                "the same length as \(before.transaction) at height \(before.height), which asks for a "
                + "registration, and no removal between them"
            find(finding(.noHeartbeat, told, block, text, certainty: .byLength))
        }
        guard told.effect == .repeated else { return }
        let before = history[..<place].last { $0.token == told.token && $0.effect == .added }
        let text =
            "the token is registered already"
            + (before.map { ", by \($0.transaction) at height \($0.height)" } ?? "")
            + ", and was not removed since"
        find(finding(.noHeartbeat, told, block, text))
    }

    private func finding(
        _ rule: AuditRule,
        _ signal: ChainSignal,
        _ block: AuditedBlock,
        _ evidence: String,
        certainty: Finding.Certainty = .known
    ) -> Finding {
        Finding(
            rule,
            at: block.at.milliseconds,
            address: signal.sender.text,
            token: signal.token,
            transactionId: signal.transaction.description,
            evidence,
            certainty: certainty
        )
    }

    /// Waits for pushes to all tokens that were registered before the block and still are in it.
    private mutating func expectPush(
        for transaction: TransactionParties,
        _ block: AuditedBlock,
        _ registry: SignalRegistry
    ) {
        guard let recipient = transaction.recipient?.uppercased, recipient != service,
            expectations.count < Self.mostExpectations
        else { return }
        let before = registry.rows(of: recipient, asOf: block.height - 1)
        guard !before.isEmpty else { return }
        forged.set(ForgedNote(seq: block.seq, height: block.height), for: transaction.id)
        let kept = Set(registry.rows(of: recipient, asOf: block.height).map(\.token))
        let tokens = before.filter { row in
            kept.contains(row.token) && row.provider.lowercased().hasPrefix("apns")
                && !isDead(row.token.lowercased(), registry)
                && pushed[PushedKey(transaction.id, Fingerprint.folded(row.token))] == nil
        }.map { $0.token.lowercased() }
        guard !tokens.isEmpty else { return }
        expectations[transaction.id] = Expectation(
            id: transaction.id,
            at: block.at,
            height: block.height,
            recipient: recipient,
            tokens: tokens
        )
    }

    /// Whether APNs said that a token is dead, and nobody has registered it since.
    func isDead(_ token: String, _ registry: SignalRegistry) -> Bool {
        guard !deaths.isEmpty, let death = deaths[Fingerprint.folded(token)] else { return false }
        return !registry.isRegistered(token: token, after: death.since, orAbove: death.height)
    }

    /// Finds the messages that led to no push in time, once the time was over at two looks.
    mutating func checkExpectations(now: Timestamp, registry: SignalRegistry) {
        guard !expectations.isEmpty else { return }
        let due = expectations.values
            .filter { $0.at.adding(milliseconds: limits.pushMilliseconds) <= now }
            .sorted { ($0.at, $0.id.number) < ($1.at, $1.id.number) }
        for expectation in due {
            guard expectation.isOverdue else {
                expectations[expectation.id]?.isOverdue = true
                continue
            }
            expectations[expectation.id] = nil
            for token in expectation.tokens {
                guard
                    registry.rows(of: expectation.recipient).contains(where: {
                        $0.token.lowercased() == token
                    }),
                    !isDead(token, registry)
                else { continue }
                if missing.count < Self.mostExpectations {
                    missing[ImpliedRegistry.Key(expectation.recipient, token)] = expectation.at
                }
                let seconds = limits.pushMilliseconds / 1000
                find(
                    Finding(
                        .nobodyForgotten,
                        at: now.milliseconds,
                        address: expectation.recipient.text,
                        token: token,
                        transactionId: expectation.id.description,
                        "forged at height \(expectation.height); no push to the registered token "
                            + "\(token.prefix(8))… came within \(seconds) s"
                    )
                )
            }
        }
    }

    /// Finds the tokens of addresses that no push has reached for long.
    mutating func checkOrphans(now: Timestamp, registry: SignalRegistry) {
        let pause = max(1000, min(60_000, limits.orphanMilliseconds / 10))
        if let last = lastOrphanCheck, last <= now, now < last.adding(milliseconds: pause) { return }
        lastOrphanCheck = now
        let orphans = orphans(now: now, registry: registry)
        let count = orphans.reduce(0) { $0 + $1.tokens.count }
        defer { reportedOrphans = count }
        guard count > reportedOrphans, let worst = orphans.first else { return }
        let names = orphans.prefix(5).map { "\($0.address) (\($0.tokens.count))" }.joined(separator: ", ")
        find(
            Finding(
                .noOrphans,
                at: now.milliseconds,
                address: worst.address.text,
                token: worst.tokens.first,
                "\(count) token\(count == 1 ? "" : "s") of \(orphans.count) "
                    + "address\(orphans.count == 1 ? "" : "es") had no push for "
                    + "\(limits.orphanMilliseconds / 86_400_000) days: \(names)"
            )
        )
    }

    /// The addresses whose tokens no push has reached for long, those with the most first.
    public func orphans(now: Timestamp, registry: SignalRegistry) -> [(address: Address, tokens: [String])] {
        let bound = now.adding(milliseconds: -limits.orphanMilliseconds)
        var tokens: [Address: [String]] = [:]
        for row in registry.rows where row.since <= bound {
            if let reached = implied.lastReached(row.address), reached > bound { continue }
            tokens[row.address, default: []].append(row.token)
        }
        return tokens.map { ($0.key, $0.value) }
            .sorted { ($1.1.count, $0.0.text) < ($0.1.count, $1.0.text) }
    }
}
