import AdamantLedger
import AdamantModel
import Determinism
import FaultRules
import HTTPDaemon
import JSONValue

extension NodeExchange {
    /// Carries out the fate of a call.
    func apply(_ decision: FaultDecision) -> HTTPAction {
        let id = decision.ruleId
        let delay = decision.delayMilliseconds
        switch decision.effect {
        case .status(let code, let text):
            return send(.answer(Self.answer(status: code, text: text)), faultId: id, delay: delay)
        case .error(let message):
            return send(.answer(.refusal(message, second: server.second)), faultId: id, delay: delay)
        case .serviceUnavailable:
            let page = Answer(status: 503, kind: .proxyPage, body: ErrorPages.serviceUnavailable)
            return send(.answer(page), faultId: id, delay: delay)
        case .reset(let moment):
            process(moment, faultId: id)
            return delayed(.reset, by: delay)
        case .timeout(let moment, let seconds):
            process(moment, faultId: id)
            let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
            let (sum, isTooLong) = milliseconds.addingReportingOverflow(delay)
            return delayed(.close, by: overflow || isTooLong ? .max : sum)
        case .hold(let answersReset):
            return hold(ruleId: id, answersReset: answersReset, delay: delay)
        case .stale(let blocks):
            let past = asOf(blocksAgo: blocks)
            return past.send(past.outcome(), faultId: id, delay: delay)
        case .slow, .truncate, .corrupt: return deformed(decision)
        case .delay where id == FaultBook.latencyId:
            return send(outcome(), faultId: nil, delay: delay)
        case .delay, .push, .connection, .socketRefuse, .socketDrop, .socketMalformed, .socketRepeat,
            .socketWithhold:
            return send(outcome(), faultId: id, delay: delay)
        }
    }

    /// The same read by the node as it was so many blocks ago; a transaction is taken by the node as it is.
    private func asOf(blocksAgo: Int) -> NodeExchange {
        guard submission == nil else { return self }
        var past = self
        past.server = server.past(blocksAgo: blocksAgo)
        return past
    }

    /// Applies a call whose answer is lost; does nothing when the fault comes before.
    private func process(_ moment: FaultMoment, faultId: String) {
        guard moment == .after, case .accepted(_, let id) = outcome() else {
            return record(nil, faultId: faultId)
        }
        record(nil, faultId: faultId, transactionId: id)
    }

    /// Checks a posted transaction, keeps it out of the pool, and answers as if it was taken.
    private func hold(ruleId: String, answersReset: Bool, delay: Int) -> HTTPAction {
        guard let submission, let posted = submission.posted else {
            return send(outcome(), faultId: ruleId, delay: delay)
        }
        let node = server.node
        let backend = server.backend
        let (result, now) = backend.withLedger { ledger, now in
            let checkTime = backend.timestampsCheckedAt(now)
            return (
                Result { () throws(SubmissionRejection) in
                    try ledger.check(submission, node: node, timestampsCheckedAt: checkTime)
                }, now
            )
        }
        server.noteRefusal(result, of: submission)
        switch result {
        case .failure(let rejection) where rejection.neverAnswered:
            return send(.silence, faultId: ruleId)
        case .failure(let rejection) where rejection.isException:
            return send(
                .answer(.failure("API error: " + rejection.message, status: 500)),
                faultId: ruleId,
                delay: delay
            )
        case .failure(let rejection):
            return send(
                .answer(.refusal(rejection.message, second: now.epochSeconds)),
                faultId: ruleId,
                delay: delay
            )
        case .success(let transaction):
            guard backend.hold(transaction, posted: posted, node: node, ruleId: ruleId) else {
                return send(outcome(), faultId: ruleId, delay: delay)
            }
            let id = transaction.id.description
            guard !answersReset else {
                record(nil, faultId: ruleId, transactionId: id)
                return delayed(.reset, by: delay)
            }
            let body: [UInt8]
            if submission.isShownWhenAccepted {
                let entry = PooledTransaction(
                    transaction: transaction,
                    posted: posted,
                    receivedAt: now,
                    relays: 1
                )
                body = [UInt8](acceptanceOf: entry, profile: status.profile, second: now.epochSeconds)
            } else {
                body = [UInt8](acceptanceOf: transaction.id, second: now.epochSeconds)
            }
            return send(.accepted(.success(body), transactionId: id), faultId: ruleId, delay: delay)
        }
    }

    /// What a rule says to answer; the type of the content is told by its first letter.
    private static func answer(status: Int, text: String?) -> Answer {
        let body = Array((text ?? "").utf8)
        let contentType =
            switch body.first {
            case UInt8(ascii: "{"), UInt8(ascii: "["): "application/json; charset=utf-8"
            case UInt8(ascii: "<"): "text/html; charset=utf-8"
            default: "text/plain; charset=utf-8"
            }
        return Answer(status: status, kind: .text(contentType: contentType), body: body)
    }
}
