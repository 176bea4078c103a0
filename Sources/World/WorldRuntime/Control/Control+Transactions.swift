import AdamantLedger
import AdamantModel
import ControlServer
import Determinism
import JSONValue

extension World {
    var transactionRoutes: [ControlRoute] {
        [
            ControlRoute(
                "POST",
                "/v1/transactions",
                members: ["from", "to", "amount", "message", "node", "kind"]
            ) { [self] request throws(ControlError) in
                let order = try TransactionOrderForm(request.body, world: self)
                let transaction = try sign(order)
                try submit(transaction, node: order.node)
                return .json(["transactionId": .string(transaction.id.description)], status: 201)
            },
            ControlRoute(
                "GET",
                "/v1/transactions",
                parameters: ListQuery.searchParameters + TransactionFilter.parameters
            ) { [self] request throws(ControlError) in
                let page = try page(request.query)
                let filter = try TransactionFilter(request.query, world: self)
                if page.before != nil { return .json(newestTransactions(page, filter)) }
                return try ListQuery.reply(request.query, page) { [self] page in
                    let list = transactions(page, filter)
                    let document: JSONValue = [
                        "transactions": .array(list.map(\.json)), "next": .int(list.last?.seq ?? page.after),
                    ]
                    return (document, list.count)
                }
            },
            ControlRoute("GET", "/v1/transactions/{id}") { [self] request throws(ControlError) in
                let text = request.parameter("id")
                let sighting = withState { state, _ in
                    Identifier(text).flatMap { state.sighting(of: $0) }
                }
                guard let sighting else {
                    throw .notFound("no node of this world has seen a transaction '\(text)'")
                }
                return .json(sighting.json)
            },
            ControlRoute("GET", "/v1/held", parameters: ListQuery.parameters) {
                [self] request throws(ControlError) in
                let page = try ListQuery.page(request.query)
                return try ListQuery.reply(request.query, page) { [self] page in
                    let held = withState { state, _ in
                        state.held.all.filter { $0.seq > page.after }.prefix(page.limit)
                    }
                    let document: JSONValue = [
                        "held": .array(held.map { $0.json(nodes: nodeNames) }),
                        "next": .int(held.last?.seq ?? page.after),
                    ]
                    return (document, held.count)
                }
            },
            ControlRoute("POST", "/v1/held/{id}/release") { [self] request throws(ControlError) in
                .json(try release(request.parameter("id")))
            },
        ]
    }

    /// How many transactions are looked at before the lock is let go.
    private static let slice = 1000

    /// The transactions of a page in the order in which they came.
    private func transactions(_ page: ListQuery.Page, _ filter: TransactionFilter) -> [TransactionSighting] {
        var result: [TransactionSighting] = []
        var place = withState { state, _ in state.arrivals.place(after: page.after) }
        while result.count < page.limit {
            let wanted = page.limit - result.count
            let (seen, fitting) = withState { state, _ in
                let slice = state.arrivals.slice(from: place, limit: Self.slice)
                var fitting: [TransactionSighting] = []
                for arrival in slice where fitting.count < wanted || !page.search.isEmpty {
                    guard let sighting = state.sighting(of: arrival.id), filter.matches(sighting) else {
                        continue
                    }
                    fitting.append(sighting)
                }
                return (slice.count, fitting)
            }
            result += fitting.filter { page.search.matches($0.json) }.prefix(wanted)
            guard seen == Self.slice else { break }
            place += seen
        }
        return result
    }

    /// The transactions of a page, the newest first.
    private func newestTransactions(_ page: ListQuery.Page, _ filter: TransactionFilter) -> JSONValue {
        // Places count without gaps, from 1 on here; numbers do not.
        let (first, count) = withState { state, _ in
            let places = page.before.map { $0 < Int.max ? state.arrivals.place(after: $0 - 1) : nil } ?? nil
            return (places, state.arrivals.count)
        }
        var places = page
        places.before = first.map { $0 + 1 } ?? Int.max
        let found = NewestFirst(places, newest: count) { after, before in
            var elements: [NewestFirst.Element] = []
            for start in stride(from: after, to: before - 1, by: Self.slice) {
                let fitting = withState { state, _ in
                    let slice = state.arrivals.slice(from: start, limit: min(Self.slice, before - 1 - start))
                    return slice.enumerated().compactMap { offset, arrival in
                        state.sighting(of: arrival.id).map { (start + offset + 1, $0) }
                    }.filter { filter.matches($0.1) }
                }
                for (place, sighting) in fitting {
                    let json = sighting.json
                    if page.search.matches(json) { elements.append((place, json)) }
                }
            }
            return elements
        }
        let next = withState { state, _ in state.arrivals.seq(at: found.next - 1) }
        return found.document("transactions", next: next ?? page.before ?? Int.max)
    }

    /// Submits a transaction to a node as its API would, faults apart.
    func submit(_ transaction: Transaction, node: Int) throws(ControlError) {
        let submission = Submission(
            body: ["transaction": transaction.postedJSON],
            endpoint: .transactionsProcess,
            cryptography: cryptography
        )
        do throws(SubmissionRejection) {
            try withState { state, now throws(SubmissionRejection) in
                let situation = state.ledger.profiles[node].situation
                let skew = situation.clockSkewMilliseconds
                let checkTime = timestampsCheckedAt(now)?.adding(milliseconds: skew)
                _ = try state.ledger.past(blocksAgo: situation.lagBlocks) {
                    past throws(SubmissionRejection) in
                    try past.submit(
                        submission,
                        node: node,
                        now: now.adding(milliseconds: skew),
                        timestampsCheckedAt: checkTime
                    )
                }
            }
        } catch {
            noteRefusal(submission, message: error.message, node: node)
            throw ControlError(status: 422, code: "refused", message: error.message)
        }
    }

    /// The transaction that an order asks for.
    func sign(_ order: TransactionOrderForm) throws(ControlError) -> Transaction {
        var asset = Asset.none
        if let message = order.message {
            guard let key = publicKey(of: order.recipient) else {
                throw .invalid("to", "\(order.recipient) has no public key on the chain to encrypt for")
            }
            let nonce = withState { state, _ in state.generator.bytes(24) }
            guard
                let box = MessageBox(
                    sealing: message,
                    nonce: nonce,
                    to: key,
                    from: order.sender.keys,
                    cryptography: cryptography
                )
            else { throw .invalid("to", "the public key of \(order.recipient) cannot be used") }
            asset = .chat(message: box.message, ownMessage: box.nonce, type: order.chatType)
        }
        var timestamp = signingTimestamp
        while true {
            let transaction = Transaction(
                signing: asset,
                type: order.message == nil ? Transaction.Kind.transfer : Transaction.Kind.chat,
                timestamp: timestamp,
                recipient: order.recipient,
                amount: order.amount,
                by: order.sender.keys,
                cryptography: cryptography
            )
            // Two equal transfers of one second would be the same transaction.
            guard order.message == nil, withState({ state, _ in state.hasSeen(transaction.id) }) else {
                return transaction
            }
            timestamp = timestamp &- 1
        }
    }

    /// Epoch seconds to sign with, so that the nodes' checks take it for the present.
    var signingTimestamp: Int32 {
        let moment =
            configuration.timestampChecks == .machine ? machineNow : withState { _, now in now }
        return Int32(clamping: moment.epochSeconds)
    }

    /// The key of an account: one whose passphrase is known, or one that the chain has stored.
    func publicKey(of address: Address) -> [UInt8]? {
        withState { state, _ in
            state.accounts.find(address.text)?.keys.publicKey ?? state.ledger.account(address.text)?.publicKey
        }
    }
}
