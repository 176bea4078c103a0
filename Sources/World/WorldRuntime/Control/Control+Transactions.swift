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
            ControlRoute("GET", "/v1/transactions/{id}") { [self] request throws(ControlError) in
                let text = request.parameter("id")
                guard let id = Identifier(text), let json = whereabouts(of: id) else {
                    throw .notFound("no node of this world has seen a transaction '\(text)'")
                }
                return .json(json)
            },
            ControlRoute("GET", "/v1/held", parameters: ListQuery.parameters) {
                [self] request throws(ControlError) in
                let page = try ListQuery.page(request.query)
                return try ListQuery.reply(request.query) { [self] in
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

    /// Submits a transaction to a node as its API would, faults apart.
    func submit(_ transaction: Transaction, node: Int) throws(ControlError) {
        let submission = Submission(
            body: ["transaction": transaction.postedJSON],
            endpoint: .transactionsProcess,
            cryptography: cryptography
        )
        do throws(SubmissionRejection) {
            _ = try withState { state, now throws(SubmissionRejection) in
                try state.ledger.submit(
                    submission,
                    node: node,
                    now: now,
                    timestampsCheckedAt: timestampsCheckedAt(now)
                )
            }
        } catch {
            noteRefusal(submission, message: error.message, node: node)
            throw ControlError(status: 422, code: "refused", message: error.message)
        }
    }

    private func sign(_ order: TransactionOrderForm) throws(ControlError) -> Transaction {
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
            guard order.message == nil, whereabouts(of: transaction.id) != nil else { return transaction }
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

    private func whereabouts(of id: Identifier) -> JSONValue? {
        withState { state, _ in
            if let held = state.held.all.first(where: { $0.transaction.id == id }) {
                return [
                    "id": .string(id.description), "state": "held", "held": .string(held.id),
                    "why": .string(
                        "held back by fault rule \(held.ruleId); POST /v1/held/\(held.id)/release"
                    ),
                ]
            }
            let places = state.nodes.indices.map { state.ledger.location(of: id, node: $0) }
            guard let known = places.lazy.compactMap(\.self).min(by: { $0.progress > $1.progress }) else {
                return nil
            }
            var json = known.json(id: id)
            json.append(
                "nodes",
                .object(
                    JSONObject(
                        zip(state.nodes, places).map { ($0.name, .string($1?.word ?? "unknown")) }
                    )
                )
            )
            return .object(json)
        }
    }
}

/// What `POST /v1/transactions` asks for, checked.
struct TransactionOrderForm {
    let sender: KnownAccount
    let recipient: Address
    let amount: Int64
    let message: String?
    let chatType: Int32
    let node: Int

    private enum Kind: String, CaseIterable { case message, signal, transfer }

    init(_ body: ControlBody, world: World) throws(ControlError) {
        let from = try body.requiredString("from")
        sender = try world.signer(from, field: "from")
        recipient = try world.address(of: try body.requiredString("to"), field: "to")
        message = try body.string("message")
        amount = try body.amount("amount") ?? 0
        node = try world.nodeIndex(try body.string("node"), field: "node")
        let kind = try body.word("kind", as: Kind.self) ?? (message == nil ? .transfer : .message)
        chatType = kind == .signal ? Transaction.ChatKind.signal : Transaction.ChatKind.ordinary
        if kind != .transfer, message == nil {
            throw .invalid("message", "a \(kind.rawValue) needs a message")
        }
        if kind == .transfer, amount == 0 { throw .invalid("amount", "a transfer needs an amount above 0") }
    }
}

extension TransactionLocation {
    /// The place as one word.
    var word: String {
        switch self {
        case .queued: "queued"
        case .unconfirmed: "unconfirmed"
        case .forged: "forged"
        case .dropped: "dropped"
        }
    }

    /// How far a transaction has come.
    var progress: Int {
        switch self {
        case .dropped: 0
        case .queued: 1
        case .unconfirmed: 2
        case .forged: 3
        }
    }

    func json(id: Identifier) -> JSONObject {
        var json = JSONObject([("id", .string(id.description)), ("state", .string(word))])
        switch self {
        case .queued: json.append("why", "it waits for the node's next turn")
        case .unconfirmed: json.append("why", "it waits for the next block")
        case .forged(let height): json.append("height", .int(height))
        case .dropped(let reason): json.append("why", .string(reason))
        }
        return json
    }
}
