import AdamantLedger
import AdamantModel
import APNsRules
import Determinism
import JSONValue
import NodeServer
import Recording
import SimulatorDrivers
import Simulators
import Synchronization
import Threads
import TraceRules

// What the world knows of one transaction, put together when somebody asks.

extension World {
    /// So many events are looked at before the lock is let go.
    private static let slice = 5000
    /// So many answers are looked at for their pages.
    private static let pagesLookedAt = 200
    /// Most pushes of one transaction that are followed.
    private static let mostPushes = 1000

    /// The way of a transaction; nil for one that nobody posted.
    func trace(of id: Identifier) -> Trace? {
        guard var facts = facts(of: id) else { return nil }
        facts.lists = listCalls()
        noteOtherPages(&facts)
        facts.pushes = pushes { $0.transactionId = id.description }
        noteRegistration(&facts)
        return Trace(facts)
    }

    /// What pools, blocks, requests and the journal tell of it.
    private func facts(of id: Identifier) -> TraceFacts? {
        let calls = requests.withLock { $0.calls(of: id.description) }
        let (sighting, mode, lagging, now) = withState { state, now in
            let lags = state.nodes.map { ($0.name, $0.profile.situation.lagBlocks) }.filter { $0.1 > 0 }
            let lagging = Dictionary(lags) { first, _ in first }
            return (state.sighting(of: id), state.forging.mode, lagging, now)
        }
        let recipient = sighting?.transaction?.recipient
        let events = events { event in
            switch event.kind {
            case .pushReceived: false
            case .transactionAnnounced, .blockReverted: true
            default: event.transaction == id || event.concernsRegistration(of: recipient)
            }
        }
        let own = events.filter { $0.transaction == id }
        let posts = calls.filter { $0.call.method == "POST" }
        guard sighting != nil || !posts.isEmpty || !own.isEmpty else { return nil }
        let told = own.lazy.compactMap(\.data).first { $0["kind"] != nil }
        var facts = TraceFacts(
            id: id,
            transaction: sighting?.transaction.map(ListedTransaction.init),
            kind: sighting?.transaction.map(Self.kind(of:)) ?? told?["kind"]?.stringValue ?? "transaction",
            service: settings.ansAddress,
            now: now,
            limitMilliseconds: Int64(configuration.pushLimitMilliseconds),
            state: sighting?.state ?? "unknown"
        )
        facts.sender = facts.sender ?? told?["sender"]?.stringValue
        facts.recipient = facts.recipient ?? told?["recipient"]?.stringValue
        facts.why = sighting?.json["why"]?.stringValue
        if mode == .manual, facts.state == "unconfirmed" || facts.state == "queued" {
            facts.why = (facts.why ?? "") + "; blocks are forged by hand: POST /v1/chain/forge"
        }
        facts.events = own.map(\.traced)
        facts.posts = posts.map(traced)
        facts.fetches = calls.filter { $0.call.method == "GET" }.map(traced)
        facts.lagging = lagging
        facts.registration.isReadingWhole = isReadingWhole(events)
        noteServiceAndApp(events, of: recipient, &facts)
        noteBlock(&facts)
        return facts
    }

    /// Whether no service can have read anything that the calls on record do not tell, at the heights they tell.
    private func isReadingWhole(_ events: [JournalEvent]) -> Bool {
        guard generation == 0, !events.contains(where: { $0.kind == .blockReverted }) else { return false }
        return requests.withLock(\.listsForgottenBefore) == nil
            && withState { state, _ in state.journal.oldest <= 1 }
    }

    /// The events that fit, oldest first, without holding the lock for long.
    func events(where fits: (JournalEvent) -> Bool) -> [JournalEvent] {
        var found: [JournalEvent] = []
        var position = 0
        while true {
            let (part, end) = state.withLock {
                $0.journal.events(after: position, looking: Self.slice, where: fits)
            }
            found += part
            guard end > position else { return found }
            position = end
        }
    }

    private func traced(_ entry: RequestArchive.Entry) -> TraceFacts.Call {
        let call = entry.call
        return TraceFacts.Call(
            number: entry.number,
            at: entry.at,
            node: nodeNames[call.node],
            caller: call.agent.map { "“\($0)”" } ?? call.client,
            path: call.path,
            status: call.status,
            faultId: call.faultId,
            isOfDevice: call.agent == NodePath.deviceAgent
        )
    }

    /// Its block, and what it says if it is a signal.
    private func noteBlock(_ facts: inout TraceFacts) {
        let id = facts.id
        let (block, reading, oldest) = withState { state, _ in
            let block = state.ledger.height(of: id).flatMap { state.ledger.block(height: $0) }
            let transaction = state.ledger.seen(id)
            let reading = transaction.flatMap { transaction in
                state.registry.isSignal(transaction)
                    ? state.registry.reading(of: transaction, cryptography: cryptography) : nil
            }
            return (block, reading, state.journal.oldest)
        }
        facts.signal = reading
        guard let block else { return }
        facts.block = (block.height, Timestamp(epochSeconds: Int64(block.timestamp)))
        if !facts.events.contains(where: { $0.kind == "transaction.forged" }) {
            facts.gaps.append("the journal begins with event \(oldest), after its block")
        }
        let forgotten = requests.withLock(\.listsForgottenBefore)
        if let forgotten, forgotten > facts.block?.at ?? .epoch {
            facts.gaps.append("calls of lists before \(forgotten.rfc3339) are no longer on record")
        }
    }

    /// All calls of lists on record but those of simulated devices, as the nodes read them.
    private func listCalls() -> [ListCall] {
        let entries = requests.withLock { $0.listCalls(after: 0) }
        let profiles = withState { state, _ in state.nodes.map(\.profile) }
        return entries.compactMap { entry in
            listCall(entry) { $0.call.query(profile: profiles[$0.call.node]) }
        }
    }

    /// A call of a list; nil for one of a simulated device.
    func listCall(_ entry: RequestArchive.Entry, query: (RequestArchive.Entry) -> TransactionQuery?)
        -> ListCall?
    {
        let call = entry.call
        guard call.agent != NodePath.deviceAgent else { return nil }
        return ListCall(
            number: entry.number,
            event: entry.event,
            at: entry.at,
            node: nodeNames[call.node],
            client: call.client,
            agent: call.agent,
            target: call.query.isEmpty ? call.path : "\(call.path)?\(call.query)",
            query: query(entry),
            status: call.status,
            faultId: call.faultId,
            height: call.height
        )
    }

    /// Finds out which answers held the transaction on another page, from the chain as it was then.
    private func noteOtherPages(_ facts: inout TraceFacts) {
        guard let transaction = facts.transaction, let block = facts.block else { return }
        let lastMove = facts.events.last { $0.kind == "transaction.reverted" }?.seq ?? 0
        let fitting = facts.lists.filter { call in
            call.event >= lastMove && call.isServicePoll(for: transaction, service: facts.service)
                && call.miss(of: transaction, at: block.height) == nil
        }
        for call in fitting.prefix(Self.pagesLookedAt) where !isAnswered(call, with: transaction.id) {
            facts.otherPages.insert(call.number)
        }
    }

    /// Whether the page that a call asked for held a transaction, by the chain as it was then.
    private func isAnswered(_ call: ListCall, with transaction: Identifier) -> Bool {
        guard let query = call.query, let view = call.height else { return true }
        return withState { state, _ in
            let profile = state.nodes.first { $0.name == call.node }?.profile ?? state.nodes[0].profile
            return state.ledger.past(blocksAgo: max(0, state.ledger.height - view)) { past in
                past.page(query, profile: profile, holds: transaction)
            }
        }
    }

    /// The pushes on record that a filter lets through, oldest first.
    private func pushes(_ change: (inout PushFilter) -> Void) -> [TracedPush] {
        var filter = PushFilter()
        change(&filter)
        let archive = withState { state, _ in state.pushes }
        let records = (try? archive.page(after: 0, limit: Self.mostPushes, where: filter)) ?? []
        return records.map(\.traced)
    }
}

extension World {
    /// What is known of the recipient's registrations.
    private func noteRegistration(_ facts: inout TraceFacts) {
        guard let recipient = facts.transaction?.recipient?.uppercased, let block = facts.block else {
            return
        }
        let devices = parties.devices.map(\.driver.snapshot).filter { $0.owner == recipient }
        let (registry, held) = withState { state, _ in
            (state.registry, state.held.all.filter { state.sighting(of: $0.transaction.id)?.state == "held" })
        }
        facts.registration.isReadable = registry.isReadable
        facts.registration.signals = registry.signals(of: recipient)
        facts.registration.rows = registry.rows(of: recipient, asOf: block.height)
        for row in facts.registration.rows {
            let polls = facts.lists.filter { call in
                call.isSignalPoll(service: facts.service) && call.holdsSignals(of: row.height)
            }
            for call in polls.prefix(Self.pagesLookedAt) where !isAnswered(call, with: row.transaction) {
                facts.registration.otherPages[row.transaction, default: []].insert(call.number)
            }
        }
        for device in devices {
            guard let token = device.token else { continue }
            let others = registry.rows.filter { $0.token == token && $0.address != recipient }
            facts.registration.devices.append(
                RegistrationFacts.Device(
                    id: device.configuration.id,
                    token: token,
                    others: others.map(\.address.text)
                )
            )
        }
        for signal in held
        where signal.transaction.sender == recipient && registry.isSignal(signal.transaction) {
            let text =
                "the signal \(signal.transaction.id) of \(recipient) is held back as \(signal.id) "
                + "by fault \(signal.ruleId)"
            facts.registration.stranded.append((.registrationHeld, text))
        }
        noteEndedTokens(&facts)
    }

    /// Which of the tokens APNs had refused for good before the message was on the chain.
    private func noteEndedTokens(_ facts: inout TraceFacts) {
        let before = facts.forgedEventOrLast
        for row in facts.registration.rows where !facts.pushes.contains(where: { $0.token == row.token }) {
            let refused = [410, 400].flatMap { status in
                pushes { filter in
                    filter.token = row.token
                    filter.status = status
                }
            }
            let ends = refused.filter { $0.endsToken && $0.seq < before && $0.at >= row.since }
            if let end = ends.max(by: { $0.seq < $1.seq }) { facts.registration.endedTokens.append(end) }
        }
    }

    /// What the reference service and the app told of the recipient's registration.
    private func noteServiceAndApp(
        _ events: [JournalEvent],
        of recipient: Address?,
        _ facts: inout TraceFacts
    ) {
        let owned = parties.devices.filter { $0.driver.snapshot.owner == recipient?.uppercased }.map(\.id)
        for event in events {
            let data = event.data
            let reason = data?["reason"]?.stringValue ?? ""
            switch event.kind.rawValue {
            case let kind where kind.hasPrefix("ans."):
                let token = data?["token"]?.stringValue
                facts.registration.serviceNotes.append(
                    RegistrationFacts.ServiceNote(
                        seq: event.seq,
                        at: event.at,
                        kind: kind,
                        token: token,
                        text: reason
                    )
                )
            case "transaction.announced":
                guard let id = event.transaction else { continue }
                facts.registration.heard[id] = facts.registration.heard[id] ?? event.seq
            case "transaction.refused" where event.isSignal(of: recipient):
                let text =
                    "\(event.node ?? "a node") refused the signal "
                    + "\(event.transaction?.description ?? ""): \(data?["error"]?.stringValue ?? "")"
                facts.registration.stranded.append((.registrationRefused, text))
            case "device.signal-failed" where data?["action"]?.stringValue == "add":
                let text = "the app's registration failed, and it does not try again by itself: \(reason)"
                facts.registration.stranded.append((.registrationRefused, text))
            case "device.registration-skipped" where owned.contains(data?["device"]?.stringValue ?? ""):
                facts.registration.skipped = reason
            default: break
            }
        }
    }
}

extension JournalEvent {
    /// The event as a trace has it.
    fileprivate var traced: TraceFacts.Event {
        TraceFacts.Event(
            seq: seq,
            at: at,
            kind: kind.rawValue,
            node: node,
            faultId: faultId,
            data: data ?? [:]
        )
    }

    /// Whether it tells of a refused signal of an address.
    fileprivate func isSignal(of address: Address?) -> Bool {
        guard let address, let data, data["kind"]?.stringValue == "signal" else { return false }
        return data["sender"]?.stringValue == address.uppercased.text
    }

    /// Whether it tells why an address may not be registered, or why the reference service does nothing.
    fileprivate func concernsRegistration(of address: Address?) -> Bool {
        guard let address else { return false }
        switch kind.rawValue {
        case "ans.died", "device.registration-skipped": return true
        case "ans.token-dropped", "ans.removed", "device.signal-failed":
            return data?["address"]?.stringValue == address.uppercased.text
        case "transaction.refused": return isSignal(of: address)
        default: return false
        }
    }
}

extension PushRecord {
    /// The push as a trace has it.
    fileprivate var traced: TracedPush {
        TracedPush(
            id: id.lowercased,
            seq: Int(clamping: sequence),
            at: receivedAt,
            token: token,
            status: status,
            reason: reason,
            faultId: faultId,
            isAccepted: isAccepted,
            delivery: delivery?.state.rawValue,
            device: delivery?.device,
            deliveredAt: delivery?.at,
            why: delivery?.why,
            isStorable: (expirationUnixSeconds ?? 0) > 0,
            transactionId: transactionId
        )
    }
}
