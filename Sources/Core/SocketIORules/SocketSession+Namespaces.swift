import JSONValue

extension SocketSession {
    /// What is repeated of the name of an unknown namespace.
    private static let maximumNameBytes = 1024

    /// Takes a packet of Socket.IO; one that is none, or not in its place, ends the connection.
    mutating func receive(message text: [UInt8], now: Int64, knowsBlocks: Bool) {
        guard attachmentsDue == 0, let packet = SocketPacket(text) else { return closeOrderly(now: now) }
        let name = revision == .three ? String(packet.namespace.prefix { $0 != "?" }) : packet.namespace
        guard name == "/" else {
            guard packet.kind == .connect else { return closeOrderly(now: now) }
            return send(.message(Self.refusal(name)))
        }
        guard isJoined else {
            guard packet.kind == .connect else { return closeOrderly(now: now) }
            return join()
        }
        switch packet.kind {
        case .connect, .connectError: closeOrderly(now: now)
        case .disconnect:
            isJoined = false
            subscription = SocketSubscription()
        case .event:
            eventsTaken += 1
            guard let (event, argument) = packet.event else { return }
            subscription.apply(event: event, argument, knowsBlocks: knowsBlocks)
        case .binaryEvent, .binaryAcknowledgement: attachmentsDue = packet.attachments
        case .acknowledgement: break
        }
    }

    /// Takes bytes, which belong to an event that no node knows.
    mutating func receiveBinary(now: Int64) {
        guard attachmentsDue > 0 else { return closeOrderly(now: now) }
        attachmentsDue -= 1
    }

    /// Lets the client into the default namespace and tells so.
    mutating func join() {
        isJoined = true
        joinDue = nil
        let payload: JSONValue = ["sid": .string(socketId)]
        send(.message(Array("0".utf8) + (revision == .four ? payload.bytes : [])))
    }

    /// `4/name,{…}`: a namespace that is not there.
    ///
    /// No namespace in use has a name that is cut here; those that are longer come of clients that mean harm.
    private static func refusal(_ namespace: String) -> [UInt8] {
        let payload: JSONValue = ["message": "Invalid namespace"]
        let name = String(decoding: namespace.utf8.prefix(maximumNameBytes), as: UTF8.self)
        return Array("4\(name),".utf8) + payload.bytes
    }
}
