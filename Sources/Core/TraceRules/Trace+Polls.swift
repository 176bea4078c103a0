import AdamantLedger
import AdamantModel
import Determinism
import JSONValue

// From a block to a service: what it asked nodes for, and what they answered.

extension Trace {
    /// So many blocks behind may be a call that was answered while the block was made.
    private static let likelyRace = 1

    mutating func followToService() {
        guard let transaction = facts.transaction, let block = facts.block else { return }
        guard ["message", "transfer", "signal"].contains(facts.kind) else {
            outcome = .delivered
            cause = TraceCause(.noPushExpected, "no push is made for a \(facts.kind)", isFinal: true)
            return
        }
        let polls = facts.lists.filter { $0.isServicePoll(for: transaction, service: facts.service) }
        noteServed(servingCalls)
        noteSockets()
        if facts.kind == "signal" { return endSignal(polls, block) }
        guard !passed(.polled), facts.pushes.isEmpty else { return }
        miss(.polled, pollCause(polls, transaction, block))
    }

    /// The answers to services that held the transaction, oldest first.
    var servingCalls: [ListCall] {
        guard let transaction = facts.transaction else { return [] }
        return facts.lists.filter { call in
            guard call.isServicePoll(for: transaction, service: facts.service),
                let height = facts.height(at: call.event)
            else { return false }
            return servedMiss(call, transaction, height) == nil
        }
    }

    /// Why a poll did not bring the transaction; nil when it did.
    private func servedMiss(_ call: ListCall, _ transaction: ListedTransaction, _ height: Int) -> ListMiss? {
        if let miss = call.miss(of: transaction, at: height) { return miss }
        guard facts.otherPages.contains(call.number), let query = call.query else { return nil }
        return .otherPage(offset: query.offset, limit: query.limit)
    }

    /// One stop for each caller, at its first answer that held the transaction.
    private mutating func noteServed(_ served: [ListCall]) {
        var firsts: [(call: ListCall, count: Int)] = []
        for call in served {
            if let place = firsts.firstIndex(where: { $0.call.isOfSameCaller(as: call) }) {
                firsts[place].count += 1
            } else {
                firsts.append((call, 1))
            }
        }
        for (call, count) in firsts {
            let more = count == 1 ? "" : ", and in \(count - 1) later answer\(count == 2 ? "" : "s")"
            stops.append(
                Stop(
                    .polled,
                    at: call.at,
                    node: call.node,
                    height: call.height,
                    faultId: call.faultId,
                    request: call.number,
                    note: "served to \(call.caller): \(call.target)\(more)"
                )
            )
        }
    }

    /// A socket that a service listens at tells it as well.
    private mutating func noteSockets() {
        for event in facts.events("transaction.announced") {
            let count = event.data["sockets"]?.integer ?? 1
            stops.append(
                Stop(
                    .polled,
                    at: event.at,
                    node: event.node,
                    note: "newTrans to \(count) socket\(count == 1 ? "" : "s") of services"
                )
            )
        }
    }

    /// A signal has arrived when the service has read it.
    private mutating func endSignal(_ polls: [ListCall], _ block: (height: Int, at: Timestamp)) {
        guard let transaction = facts.transaction else { return }
        if let ignored = facts.events("ans.signal-ignored").last {
            let reason = ignored.data["reason"]?.stringValue ?? ""
            cause = TraceCause(.signalIgnored, "the service read it and ignored it: \(reason)", isFinal: true)
            outcome = .lost
            return
        }
        guard !passed(.polled) else {
            outcome = .delivered
            return
        }
        miss(.polled, pollCause(polls, transaction, block))
    }

    /// Why no service has seen it.
    private func pollCause(
        _ polls: [ListCall],
        _ transaction: ListedTransaction,
        _ block: (height: Int, at: Timestamp)
    ) -> TraceCause {
        let isLater: (ListCall) -> Bool = { call in
            facts.forgedEvent.map { call.event >= $0 } ?? (call.at >= block.at)
        }
        let since = polls.filter(isLater).filter { call in
            guard case .behind(let view) = call.miss(of: transaction, at: block.height),
                call.faultId == nil, facts.lagging[call.node] == nil
            else { return true }
            return block.height - view > Self.likelyRace
        }
        guard !since.isEmpty else { return silenceCause(polls, transaction, isLater) }
        let misses = since.compactMap { call in
            servedMiss(call, transaction, block.height).map { (call: call, miss: $0) }
        }
        for (call, miss) in misses {
            if case .asksAbove(let height, let isExclusive) = miss {
                return askedAbove(call, height, isExclusive, polls, block.height)
            }
        }
        for (call, miss) in misses {
            if case .otherPage(let offset, let limit) = miss {
                let text =
                    "\(call.caller) asked for \(limit) transactions behind the first \(offset) and got others: "
                    + "\(call.target)"
                return TraceCause(.otherPage, text, isFinal: false)
            }
        }
        return lateCause(misses.map(\.miss).last, since.last, block.height)
    }

    /// Why the newest poll did not bring it, if the next may.
    private func lateCause(_ miss: ListMiss?, _ call: ListCall?, _ height: Int) -> TraceCause {
        guard let miss, let call else {
            return TraceCause(.notPolled, "no service has asked since", isFinal: false)
        }
        switch miss {
        case .failed(let status, let faultId):
            return failure(call, status, faultId)
        case .behind(let view):
            let lag = height - view
            let behind = "\(lag) block\(lag == 1 ? "" : "s")"
            let why = call.faultId.map { "by fault \($0)" } ?? "which lagged"
            let text =
                "forged at \(height); the service was answered by \(call.node), \(why), as of \(view), "
                + "\(behind) before it"
            return TraceCause(.laggingNode, text, isFinal: false)
        case .asksBelow(let bound):
            let text = "forged at \(height); \(call.caller) has asked up to height \(bound) so far"
            return TraceCause(.askedBelow, text, isFinal: false)
        case .otherKind, .otherCondition, .asksAbove, .otherPage:
            let text = "\(call.caller) asks for other transactions: \(call.target)"
            return TraceCause(.otherList, text, isFinal: false)
        }
    }

    private func failure(_ call: ListCall, _ status: Int?, _ faultId: String?) -> TraceCause {
        let answer = status.map { "answered \($0) without a list" } ?? "not answered"
        let why = faultId.map { " by fault \($0)" } ?? ""
        let text = "the newest poll of \(call.caller) was \(answer)\(why) at \(call.node): \(call.target)"
        return TraceCause(.pollFailed, text, isFinal: false)
    }

    /// The service asks from above the block: it never sees it.
    private func askedAbove(
        _ call: ListCall,
        _ bound: Int,
        _ isExclusive: Bool,
        _ polls: [ListCall],
        _ height: Int
    ) -> TraceCause {
        let kind = isExclusive ? "exclusive" : "inclusive"
        var text =
            "forged at \(height); the service asked from height \(bound) \(kind), so it never saw it"
        let earlier = polls.filter { $0.number < call.number && $0.isOfSameCaller(as: call) }
        if facts.events("transaction.reverted").last != nil {
            text += "; a fork moved it to a height that the service had read already"
        } else if let probe = facts.lists.last(where: {
            $0.isHeightProbe && $0.isOfSameCaller(as: call) && $0.number < call.number
        }), !earlier.contains(where: { $0.number > probe.number }) {
            text += "; it began there, since it asked for the newest height first"
        } else if let failed = earlier.last(where: { !$0.isAnswered }) {
            text += "; its poll before had failed at \(failed.node)"
        }
        return TraceCause(.askedAbove, text, isFinal: true)
    }

    /// Nobody has asked since.
    private func silenceCause(
        _ polls: [ListCall],
        _ transaction: ListedTransaction,
        _ isLater: (ListCall) -> Bool
    ) -> TraceCause {
        if let last = polls.last {
            guard last.isAnswered else { return failure(last, last.status, last.faultId) }
            let text = "\(last.caller) asked last at \(last.at.rfc3339), before it was forged, and no more"
            return TraceCause(.serviceSilent, text, isFinal: false)
        }
        if let other = facts.lists.last(where: { $0.isServicePoll(service: facts.service) && isLater($0) }) {
            let text = "\(other.caller) asks for other transactions only: \(other.target)"
            return TraceCause(.otherList, text, isFinal: false)
        }
        if let refused = facts.lists.last(where: { $0.query == nil && $0.height == nil && isLater($0) }) {
            return failure(refused, refused.status, refused.faultId)
        }
        return TraceCause(
            .notPolled,
            "no service has asked a node for \(facts.kind)s: is one running?",
            isFinal: false
        )
    }
}
