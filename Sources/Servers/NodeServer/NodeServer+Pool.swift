import AdamantLedger
import AdamantModel
import Determinism
import JSONValue

extension NodeServer {
    static let poolRoutes = [
        Route(.get, "/api/transactions/count") { server, _ throws(NodeRefusal) in
            let node = server.node
            let (counts, now) = server.backend.withLedger { ledger, now in
                (
                    (
                        ledger.transactionCount, ledger.unconfirmed(node: node).count,
                        ledger.queued(node: node).count
                    ), now
                )
            }
            return .members(
                [
                    ("confirmed", .int(counts.0)), ("multisignature", 0), ("unconfirmed", .int(counts.1)),
                    ("queued", .int(counts.2)),
                ],
                second: now.epochSeconds
            )
        },
        Route(.get, "/api/transactions/queued", waiting: .queued),
        Route(.get, "/api/transactions/unconfirmed", waiting: .unconfirmed),
        Route(.get, "/api/transactions/queued/get", oneOf: .queued),
        Route(.get, "/api/transactions/unconfirmed/get", oneOf: .unconfirmed),
    ]

    /// A part of a node's pool.
    fileprivate enum PoolPart {
        case queued, unconfirmed

        /// Its transactions in the order of entry.
        func entries(_ ledger: Ledger, node: Int) -> [PooledTransaction] {
            switch self {
            case .queued: ledger.queued(node: node)
            case .unconfirmed: ledger.unconfirmed(node: node)
            }
        }
    }

    /// - Source: adamant:modules/transactions.js (`getQueuedTransactions`): where only a key is asked for, those without
    ///   a recipient match as well, and the count is that of the whole part
    fileprivate func waiting(_ part: PoolPart, _ call: Call) throws(NodeRefusal) -> Reply {
        try check(call, by: .pool)
        let key = call.parameters["senderPublicKey"]
        let address = call.parameters["address"]
        let isFiltered = key.isTruthy || address.isTruthy
        return .success(
            backend.withLedger { ledger, now in
                let entries = part.entries(ledger, node: node)
                let matches = entries.reversed().filter { entry in
                    !isFiltered || entry.posted["senderPublicKey"] == key
                        || entry.transaction.recipient?.text == address?.stringValue
                }
                return [UInt8](envelope: now.epochSeconds) { output in
                    output.append(",\"transactions\":")
                    JSONValue.array(matches.map { .object(json($0, ledger, call)) }).write(to: &output)
                    output.append(",\"count\":\(entries.count)")
                }
            }
        )
    }

    fileprivate func waitingTransaction(_ part: PoolPart, _ call: Call) throws(NodeRefusal) -> Reply {
        try check(call, by: .pooled)
        let id = call.parameters["id"]?.stringValue
        let (found, now) = backend.withLedger { ledger, now in
            (
                part.entries(ledger, node: node).first { $0.transaction.id.description == id }
                    .map { json($0, ledger, call) }, now
            )
        }
        guard let found else { throw NodeRefusal("Transaction not found") }
        return .members([("transaction", .object(found))], second: now.epochSeconds)
    }

    private func json(_ entry: PooledTransaction, _ ledger: Ledger, _ call: Call) -> JSONObject {
        entry.json(
            profile: call.profile,
            keepsMilliseconds: ledger.height >= Ledger.millisecondsHeight
        )
    }
}

extension Route {
    /// An endpoint that lists a part of the pool.
    fileprivate init(_ method: Method, _ path: String, waiting part: NodeServer.PoolPart) {
        self.init(method, path) { server, call throws(NodeRefusal) in try server.waiting(part, call) }
    }

    /// An endpoint that finds a transaction in a part of the pool.
    fileprivate init(_ method: Method, _ path: String, oneOf part: NodeServer.PoolPart) {
        self.init(method, path) { server, call throws(NodeRefusal) in
            try server.waitingTransaction(part, call)
        }
    }
}

extension ObjectSchema {
    /// What the lists of the pool ask for.
    ///
    /// - Source: adamant:schema/transactions.js (`getPooledTransactions`)
    fileprivate static let pool = ObjectSchema(
        required: [],
        members: ["senderPublicKey": .publicKey, "address": .address]
    )

    /// What the calls for one transaction of the pool ask for.
    fileprivate static let pooled = ObjectSchema(required: ["id"], members: ["id": .identifier])
}
