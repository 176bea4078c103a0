public import AdamantLedger
import AdamantModel
import FaultRules
import JSONValue
import SocketIORules
import WebSockets

extension SocketServer {
    /// What a broken node sends over a WebSocket: a frame of a kind that does not exist.
    private static let brokenFrame: [UInt8] = [0xFF, 0x02, 0x00, 0x00]
    /// The same as a packet, for a client that polls.
    private static let brokenPacket = EnginePacket.message(Array("2[\"newTrans\",{\"id\":".utf8))

    /// One event on its way to the sockets that want it.
    private struct Event {
        let name: String
        let payload: JSONValue
        let wants: @Sendable (SocketSession) -> Bool
        /// The transaction it is about.
        var transaction: Transaction?
    }

    /// Tells the sockets what a node has to tell, as its version does.
    ///
    /// To be called on one thread, so that events keep their order.
    public func deliver(_ notice: LedgerNotice, profile: NodeProfile) {
        switch notice.content {
        case .transaction(let announced):
            let facts = announced.transaction.subscribed
            let event = Event(
                name: "newTrans",
                payload: .object(announced.json(profile: profile)),
                wants: { $0.wants(facts) },
                transaction: announced.transaction
            )
            send(event)
        case .block(let block):
            guard profile.hasBlockEvents else { return }
            send(
                Event(name: "newBlock", payload: block.announced) { session in
                    session.isJoined && session.subscription.wantsBlocks
                }
            )
        case .balances(let changes):
            guard profile.hasBlockEvents else { return }
            for change in changes { deliver(change) }
        }
    }

    /// Tells of one account: each socket gets the figures that it follows, if they changed.
    private func deliver(_ change: BalanceChange) {
        let figures: [(SocketSubscription.BalanceField, Int64?)] = [
            (.balance, change.balance), (.unconfirmedBalance, change.unconfirmedBalance),
        ]
        let changed = figures.filter { $0.1 != nil }
        var choices: [Set<SocketSubscription.BalanceField>] = changed.map { [$0.0] }
        if changed.count > 1 { choices.append(Set(changed.map(\.0))) }
        let all = Set(changed.map(\.0))
        for choice in choices {
            var payload = JSONObject([("address", .string(change.address.text))])
            for (field, value) in changed where choice.contains(field) {
                payload.append(field.rawValue, .string(String(value ?? 0)))
            }
            send(
                Event(name: "balances/change", payload: .object(payload)) { session in
                    session.isJoined && session.subscription.addresses.contains(change.address.text)
                        && session.subscription.balances.intersection(all) == choice
                }
            )
        }
    }

    /// Sends an event, or what a fault makes of it.
    private func send(_ event: Event) {
        let decision = fate(of: event)
        if decision?.effect == .socketWithhold { return }
        let packet = SocketSession.event(event.name, event.payload.bytes)
        switch decision?.effect {
        case .socketMalformed?: sendBroken(where: event.wants)
        case .socketRepeat?:
            emit(packet, where: event.wants)
            let delay = decision?.delayMilliseconds ?? 0
            noteService(event)
            guard delay > 0 else { return emit(packet, where: event.wants) }
            let wants = event.wants
            after(milliseconds: delay) { [weak self] in self?.emit(packet, where: wants) }
        default:
            emit(packet, where: event.wants)
            noteService(event)
        }
    }

    /// Says that a service hears of a transaction by its sockets.
    ///
    /// One that follows nobody's address hears of everybody's, as no app does; others hear of signals to the service.
    private func noteService(_ event: Event) {
        guard let transaction = event.transaction,
            [Transaction.Kind.transfer, Transaction.Kind.chat].contains(transaction.type)
        else { return }
        let service = backend.serviceAddress
        let isSignal =
            transaction.subscribed.chatType == Int(Transaction.ChatKind.signal)
            && transaction.recipient?.text == service
        var count = 0
        forEachClient(where: { session in
            let addresses = session.subscription.addresses
            return (addresses.isEmpty || isSignal && addresses.contains(service)) && event.wants(session)
        }) { _ in count += 1 }
        if count > 0 { backend.noteTold(of: transaction.id, node: node, sockets: count) }
    }

    private func sendBroken(where wants: (SocketSession) -> Bool) {
        forEachClient(where: { wants($0) && $0.transport == .webSocket }) { client in
            client.socket?.send(unframed: Self.brokenFrame)
        }
        emit(Self.brokenPacket) { wants($0) && $0.transport == .polling }
    }

    /// What the fault rules have for an event that somebody wants.
    private func fate(of event: Event) -> FaultDecision? {
        guard backend.hasFaults, hasClient(where: event.wants) else { return nil }
        var facts = FaultRequest(target: .node)
        facts.occasion = .socketEvent
        facts.node = name
        facts.event = event.name
        if let transaction = event.transaction {
            facts.transactionType = transaction.type
            facts.chatType = transaction.subscribed.chatType
            facts.sender = transaction.sender.text
            facts.recipient = transaction.recipient?.text
            facts.transactionId = transaction.id.description
        }
        return backend.decide(facts)
    }
}

extension Transaction {
    /// What the delivery rule looks at.
    fileprivate var subscribed: SubscribedTransaction {
        var chatType: Int?
        if case .chat(_, _, let type) = asset { chatType = Int(type) }
        return SubscribedTransaction(
            sender: sender.text,
            recipient: recipient?.text,
            type: type,
            chatType: chatType
        )
    }
}

extension Block {
    /// The object that `newBlock` carries.
    fileprivate var announced: JSONValue {
        [
            "id": .string(id.description), "height": .int(height), "timestamp": .int(timestamp),
            "generatorPublicKey": .string(Hex.encode(generatorPublicKey)),
            "numberOfTransactions": .int(numberOfTransactions), "totalAmount": .int(totalAmount),
            "totalFee": .int(totalFee), "reward": .int(reward),
        ]
    }
}
