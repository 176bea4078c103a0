import AdamantLedger
import AdamantModel
import Determinism
import JSONValue

extension NodeServer {
    static let transactionRoutes = [
        Route(.get, lists: "/api/transactions", TransactionListRequest.parse),
        Route("/api/transactions", takes: .transactions),
        Route(.get, "/api/transactions/get") { server, call throws(NodeRefusal) in
            try server.transaction(call)
        },
        Route("/api/transactions/process", takes: .transactionsProcess),
    ]

    /// The elements of a list and how many match in all.
    func list(_ query: TransactionQuery, _ call: Call) throws(NodeRefusal) -> Reply {
        do {
            return try backend.withLedger { ledger, now in
                var output: [UInt8] = []
                output.openEnvelope(now.epochSeconds)
                output.append(",\"transactions\":[")
                let summary = try ledger.page(query, profile: call.profile, node: node, into: &output)
                output.append("]")
                output.append(count: summary.count, call.profile)
                output.append("}")
                return .page(output, summary, second: now.epochSeconds, height: ledger.height)
            }
        } catch let error as QueryError {
            throw NodeRefusal(error.message)
        } catch {
            throw .exception("\(error)")
        }
    }

    /// - Source: adamant:modules/transactions.js (`getTransaction`)
    private func transaction(_ call: Call) throws(NodeRefusal) -> Reply {
        try check(call, by: .transaction)
        if call.profile.canReturnUnconfirmed, call.parameters["returnUnconfirmed"].isTruthy {
            throw .exception("__private.getUnconfirmedTransaction is not a function")
        }
        let returnsAsset = call.parameters["returnAsset"].isTruthy
        let id = Identifier(call.parameters["id"]?.stringValue ?? "")
        let (found, now) = backend.withLedger { ledger, now in
            (
                id.flatMap {
                    ledger.transactionJSON(
                        $0,
                        form: .single(returnsAsset: returnsAsset),
                        profile: call.profile
                    )
                }, now
            )
        }
        guard let found else { throw NodeRefusal("Transaction not found") }
        return .success(
            [UInt8](envelope: now.epochSeconds, capacity: found.count + 128) { output in
                output.append(",\"transaction\":")
                output.append(contentsOf: found)
            }
        )
    }

    /// Takes a posted transaction.
    func submit(_ call: Call) throws(NodeRefusal) -> Reply {
        guard let submission = call.submission else { throw NodeRefusal("Invalid transaction body") }
        let (result, now, entry) = backend.withLedger { ledger, now in
            let checkTime = backend.timestampsCheckedAt(now)
            let result = Result { () throws(SubmissionRejection) in
                try ledger.submit(submission, node: node, now: now, timestampsCheckedAt: checkTime)
            }
            return (result, now, submission.isShownWhenAccepted ? ledger.queued(node: node).last : nil)
        }
        noteRefusal(result, of: submission)
        switch result {
        case .success(let id):
            guard let entry else { return .accepted(id, second: now.epochSeconds) }
            let body = [UInt8](acceptanceOf: entry, profile: call.profile, second: now.epochSeconds)
            return .accepted(body, transactionId: id.description)
        case .failure(let rejection) where rejection.neverAnswered: return .silence
        case .failure(let rejection): throw NodeRefusal(rejection)
        }
    }

    /// Tells the world of a refusal that the client is told of.
    func noteRefusal(_ result: Result<some Any, SubmissionRejection>, of submission: Submission) {
        guard case .failure(let rejection) = result, !rejection.neverAnswered else { return }
        backend.noteRefusal(submission, message: rejection.message, node: node)
    }
}

extension Submission {
    /// Whether the answer shows the whole transaction, not its id alone.
    var isShownWhenAccepted: Bool { endpoint == .delegates || endpoint == .votes }
}

extension [UInt8] {
    /// The body that shows a client the transaction that was taken.
    init(acceptanceOf entry: PooledTransaction, profile: NodeProfile, second: Int64) {
        var profile = profile
        profile.poolObjectsHaveHeight = false
        let object = JSONValue.object(entry.json(profile: profile))
        self.init(envelope: second) { output in
            output.append(",\"transaction\":")
            object.write(to: &output)
        }
    }
}

extension NodeRefusal {
    init(_ rejection: SubmissionRejection) {
        self.init(rejection.message)
        isException = rejection.isException
    }
}
