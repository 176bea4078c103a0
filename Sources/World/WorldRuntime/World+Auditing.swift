import AdamantLedger
import AdamantModel
import APNsRules
import AuditRules
import Determinism
import JSONValue
import NodeServer
import Recording
import Simulators
import Synchronization
import Threads
import TraceRules

// What the audit is told, and what becomes of its findings.

extension World {
    /// So many events are looked at before the lock is let go.
    private static let slice = 1000
    /// So many events are followed at a time while nobody asks: under a flood the audit lags behind rather than take the
    /// processor from it.
    static let followedAtOnce = 2000
    /// Pushes of earlier runs that are remembered.
    private static let remembered = 100_000

    /// What happened since the last look, as far as the audit cares.
    private struct News {
        var events: [JournalEvent] = []
        var blocks: [Int: [TransactionParties]] = [:]
        var registry: SignalRegistry
        var height: Int
        var last: Int
        var oldest: Int
    }

    /// Starts the thread on which the audit follows the world.
    func startAuditing() throws(WorldError) {
        do throws(ThreadError) {
            try auditor.start { [weak self] in self?.audit(atMost: Self.followedAtOnce) }
        } catch {
            throw WorldError("the audit cannot be started: \(error)")
        }
    }

    /// Looks at what has happened; what breaks a rule becomes an event.
    func audit(atMost limit: Int = .max) {
        auditor.withState { state in
            if !state.isWarm { recallPushes(&state) }
            var followed = 0
            takeCalls(&state)
            while state.event < newestEvent, followed < limit {
                let news = news(after: state.event)
                state.unseen += max(0, news.oldest - 1 - state.event)
                for event in news.events { follow(event, news, &state) }
                timePushes(&state)
                state.event = news.last
                followed += news.events.count
            }
            let (now, registry) = withState { state, now in (now, state.registry) }
            for (port, client) in auditor.takeCallers() {
                state.audit.take(callback: Int(port), from: client, at: now)
            }
            state.audit.pass(to: now, registry: registry)
            publish(&state)
        }
    }

    private func news(after event: Int) -> News {
        withState { state, _ in
            let (events, last) = state.journal.events(after: event, looking: Self.slice) { $0.isAudited }
            var news = News(
                events: events,
                registry: state.registry,
                height: state.ledger.height,
                last: last,
                oldest: state.journal.oldest
            )
            for event in events where event.kind == .blockForged {
                guard let height = event.data?["height"]?.intValue.flatMap({ Int(exactly: $0) }),
                    let block = state.ledger.block(height: height),
                    event.data?["id"]?.stringValue == block.id.description
                else { continue }
                news.blocks[event.seq] = state.ledger.parties(height: height)
            }
            return news
        }
    }

    private func follow(_ event: JournalEvent, _ news: News, _ state: inout Auditor.State) {
        switch event.kind {
        case .pushReceived:
            guard let record = event.push, let push = record.audited(seq: event.seq) else { return }
            if !push.isOfMessenger, push.status == 200, !state.audit.remembersDeadTokens { return }
            state.audit.take(push, registry: news.registry) { secret(of: $0) }
            if let id = push.transaction { state.untimed.append((id, push.at)) }
        case .blockForged:
            guard let transactions = news.blocks[event.seq],
                let height = event.data?["height"]?.intValue.flatMap({ Int(exactly: $0) })
            else { return }
            let block = AuditedBlock(
                seq: event.seq,
                at: event.at,
                height: height,
                transactions: transactions
            )
            state.audit.take(block, registry: news.registry)
            state.pushTimes.noteBlock(height: height, at: event.at)
        case .transactionReverted: if let id = event.transaction { state.audit.forget([id]) }
        case .transactionAnnounced:
            if let id = event.transaction { state.audit.take(announced: id, seq: event.seq) }
        case .snapshotReverted:
            state.audit.forgetRegistry(before: event.seq)
            let waited = state.audit.awaited
            state.audit.forget(
                withState { state, _ in waited.filter { state.ledger.height(of: $0) == nil } }
            )
        case .worldReset:
            state.audit = Self.freshAudit(configuration, settings, height: news.height)
            state.findings = []
            state.call = requests.withLock(\.last)
        default: break
        }
    }

    /// Counts how long transactions took until the pushes for them that were followed last.
    private func timePushes(_ state: inout Auditor.State) {
        guard !state.untimed.isEmpty else { return }
        let ids = Set(state.untimed.map(\.id))
        let known = withState { state, _ in
            var known: [Identifier: (accepted: Timestamp, height: Int?)] = [:]
            for id in ids {
                guard let arrival = state.arrivals.find(id) else { continue }
                known[id] = (arrival.at, state.ledger.height(of: id))
            }
            return known
        }
        for (id, moment) in state.untimed {
            guard let way = known[id] else { continue }
            state.pushTimes.notePush(at: moment, accepted: way.accepted, height: way.height)
        }
        state.untimed.removeAll(keepingCapacity: true)
    }

    /// An audit of a world in which nothing has happened yet.
    static func freshAudit(_ configuration: WorldConfiguration, _ settings: WorldSettings, height: Int)
        -> Audit
    {
        Audit(
            limits: AuditLimits(
                pushMilliseconds: Int64(configuration.pushLimitMilliseconds),
                orphanMilliseconds: Int64(configuration.orphanMilliseconds)
            ),
            service: settings.ansAddress,
            height: height
        )
    }

    /// Takes the calls of lists, each with the number of the event before it, which places it among those.
    ///
    /// None is left out: a poll that the audit has not seen makes a push look wrong.
    private func takeCalls(_ state: inout Auditor.State) {
        let entries = requests.withLock { $0.listCalls(after: state.call) }
        guard let last = entries.last else { return }
        state.call = last.number
        let profiles = withState { state, _ in state.nodes.map(\.profile) }
        var before: NodeCall?
        for entry in entries {
            // Under a flood most calls only say again what the one before them said.
            if let before, entry.call.tellsTheSame(as: before) { continue }
            before = entry.call
            guard let call = listCall(entry, query: { state.queries.query(of: $0, profiles: profiles) })
            else {
                continue
            }
            state.audit.take(call)
        }
    }

    /// What earlier runs pushed, from the record of pushes.
    private func recallPushes(_ state: inout Auditor.State) {
        state.isWarm = true
        let (archive, last) = withState { world, _ in (world.pushes, world.journal.last) }
        let first = max(0, archive.last - Self.remembered)
        let records = (try? archive.page(after: first, limit: Self.remembered, where: PushFilter())) ?? []
        for record in records where record.sequence <= Int64(min(state.event, last)) {
            if let push = record.audited(seq: Int(clamping: record.sequence)) { state.audit.recall(push) }
        }
    }

    /// Makes events of what was found.
    private func publish(_ state: inout Auditor.State) {
        let findings = state.audit.takeFindings()
        guard !findings.isEmpty else { return }
        let numbered = withState { world, now in
            findings.map { finding in
                let seq = world.journal.next
                world.journal.append(
                    .auditFound,
                    at: now,
                    transaction: finding.transactionId.flatMap { Identifier($0) },
                    data: finding.json
                )
                return Auditor.Numbered(seq: seq, finding: finding)
            }
        }
        state.findings += numbered
    }

    /// What a push must not tell of a transaction; nil for one that is nowhere.
    private func secret(of id: Identifier) -> SecretContent? {
        let (transaction, accounts, stored) = withState { state, _ in
            let transaction = state.ledger.seen(id)
            let recipient = transaction?.recipient.flatMap { state.ledger.account($0.text)?.publicKey }
            return (transaction, state.accounts, recipient)
        }
        guard let transaction else { return nil }
        var text: String?
        if case .chat(let message, let nonce, _) = transaction.asset {
            let box = MessageBox(message: message, nonce: nonce ?? "")
            let recipient = transaction.recipient.flatMap { accounts.find($0.text) }
            if let recipient {
                text = box.open(
                    publicKey: transaction.senderPublicKey,
                    privateKey: recipient.keys.privateKey,
                    cryptography: cryptography
                )
            } else if let sender = accounts.find(transaction.sender.text), let stored {
                text = box.open(
                    publicKey: stored,
                    privateKey: sender.keys.privateKey,
                    cryptography: cryptography
                )
            }
        }
        return SecretContent(sender: transaction.sender.text, text: text)
    }
}

extension NodeCall {
    /// Whether the audit learns nothing from a call that it does not know from the one before.
    fileprivate func tellsTheSame(as before: NodeCall) -> Bool {
        height == before.height && node == before.node && status == before.status
            && faultId == before.faultId && query == before.query && path == before.path
            && client == before.client && agent == before.agent
    }
}

extension JournalEvent {
    private static let audited: Set<Kind> = [
        .blockForged, .transactionReverted, .transactionAnnounced, .snapshotReverted, .worldReset,
    ]

    /// Whether the audit looks at it.
    fileprivate var isAudited: Bool {
        isPush || Self.audited.contains(kind)
    }
}

extension PushRecord {
    /// The push as the audit looks at it; nil for one without a token.
    fileprivate func audited(seq: Int) -> AuditedPush? {
        let fingerprints = fingerprints
        guard let token = fingerprints.token else { return nil }
        return AuditedPush(
            seq: seq,
            at: receivedAt,
            status: status,
            isAccepted: isAccepted,
            isOfMessenger: fingerprints.isOfMessenger,
            tokenNumber: token,
            recipientNumber: fingerprints.recipient,
            transaction: fingerprints.transaction.map(Identifier.init),
            template: fingerprints.template,
            texts: RecordTexts(record: self)
        )
    }
}

/// The texts of a push's record.
private struct RecordTexts: PushTexts {
    let record: PushRecord

    var id: String { record.id.lowercased }
    var token: String { record.token ?? "" }
    var reason: String? { record.reason }
    var timestamp: Int64? { record.verdict.timestamp }
    var recipient: String? { record.recipient }
    var transactionId: String? { record.transactionId }
    var payload: [UInt8] { record.request.body }
}

extension Finding {
    /// The finding as the control API shows it.
    var json: JSONValue { .object(JSONObject(members)) }

    /// The same with the number of its event.
    func json(seq: Int) -> JSONValue { .object(JSONObject([("seq", .int(seq))] + members)) }

    private var members: [(String, JSONValue)] {
        [
            ("rule", .string(rule.rawValue)), ("at", .string(Timestamp(milliseconds: at).rfc3339)),
            ("address", .optional(address)), ("token", .optional(token)),
            ("transactionId", .optional(transactionId)), ("pushId", .optional(pushId)),
            ("evidence", .string(evidence)), ("consequence", .string(rule.consequence)),
            ("certainty", .string(certainty.rawValue)),
        ]
    }
}
