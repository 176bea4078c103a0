import AdamantModel
import Determinism
import JSONValue

extension Ledger {
    /// Appends the elements of a user's list of rooms, joined by commas, and returns how many rooms there are.
    ///
    /// - Source: adamant:modules/chatrooms.js (`listChats`)
    public func rooms(
        _ query: ChatRoomQuery,
        profile: NodeProfile,
        node: Int = 0,
        into output: inout [UInt8]
    ) -> Int {
        guard let conditions = query.unconfirmed, profile.canReturnUnconfirmed else {
            let selection = chain.rooms(query)
            output.append(joining: selection.rows) { row, output in
                appendRoom(row, query, profile, into: &output)
            }
            return selection.count
        }
        let added = unconfirmed(node: node).filter { entry in
            let transaction = entry.transaction
            return !conditions.excludesAll
                && (transaction.sender.text == query.user.text
                    || transaction.recipient?.text == query.user.text)
        }
        let confirmed = chain.rooms(query.widened)
        let window = merge(
            confirmed.rows,
            added,
            order: TransactionOrder(.timestamp, isDescending: query.isDescending),
            offset: query.offset,
            limit: query.limit
        )
        output.append(joining: Self.overwritten(window) { companion(of: query.user, $0) }) { item, output in
            switch item {
            case .confirmed(let row): appendRoom(row, query, profile, into: &output)
            case .waiting(let entry): appendRoom(entry, profile, into: &output)
            }
        }
        return confirmed.count + added.count
    }

    /// Appends the messages of a room, joined by commas; tells how many there are, and who takes part.
    ///
    /// - Source: adamant:modules/chatrooms.js (`listMessages`)
    public func messages(
        _ query: ChatRoomQuery,
        profile: NodeProfile,
        node: Int = 0,
        into output: inout [UInt8]
    ) -> (summary: PageSummary, participants: [UInt8]) {
        var first: MergedTransaction?
        var summary: PageSummary
        if let conditions = query.unconfirmed, profile.canReturnUnconfirmed {
            let parties = [query.user.text, query.companion?.text]
            let added = unconfirmed(node: node).filter { entry in
                guard !conditions.excludesAll, case .chat(_, _, let type) = entry.transaction.asset,
                    conditions.chatType.map({ $0 == Int(type) }) ?? true
                else { return false }
                return parties.contains(entry.transaction.sender.text)
                    && parties.contains(entry.transaction.recipient?.text)
            }
            let confirmed = chain.messages(query.widened)
            let items = merge(
                confirmed.rows,
                added,
                order: TransactionOrder(.timestamp, isDescending: query.isDescending),
                offset: query.offset,
                limit: query.limit
            )
            output.append(joining: items) { item, output in
                append(item, form: .roomMessage, profile: profile, into: &output)
            }
            first = items.first
            summary = PageSummary(count: confirmed.count + added.count, digest: nil)
        } else {
            let selection = chain.messages(query)
            first = selection.rows.first.map(MergedTransaction.confirmed)
            summary = render(selection, .roomMessage, profile, into: &output)
        }
        var participants: [UInt8] = []
        switch first {
        case .confirmed(let row)?: appendParticipants(row, key: recipientKey(row), into: &participants)
        case .waiting(let entry)?: Self.appendParticipants(entry, into: &participants)
        case nil: participants.append("[]")
        }
        return (summary, participants)
    }

    /// A later entry of a companion takes the place of the one before.
    private static func overwritten(
        _ items: [MergedTransaction],
        companion: (MergedTransaction) -> String?
    ) -> [MergedTransaction] {
        var places: [String?: Int] = [:]
        var result: [MergedTransaction] = []
        for item in items {
            let name = companion(item)
            if let place = places[name] {
                result[place] = item
            } else {
                places[name] = result.count
                result.append(item)
            }
        }
        return result
    }

    private func companion(of user: Address, _ item: MergedTransaction) -> String? {
        let (sender, recipient): (Address, Address?)
        switch item {
        case .confirmed(let number):
            let row = chain.rows[number]
            sender = chain.accounts[row.sender].address
            recipient = chain.accounts[row.recipient].address
        case .waiting(let entry):
            (sender, recipient) = (entry.transaction.sender, entry.transaction.recipient)
        }
        return sender == user ? recipient?.text : sender.text
    }

    private func appendRoom(
        _ row: UInt32,
        _ query: ChatRoomQuery,
        _ profile: NodeProfile,
        into output: inout [UInt8]
    ) {
        output.append("{\"lastTransaction\":")
        var key = recipientKey(row)
        if profile.mixesRoomColumns, let user = chain.accounts.number(query.user) {
            key = key ?? keyOfReplies(row, query, user: user)
            chain.renderMixed(row, query, user: user, recipientKey: key, profile, into: &output)
        } else {
            chain.render(row, .room, profile, into: &output)
        }
        output.append(",\"participants\":")
        appendParticipants(row, key: key, into: &output)
        output.append("}")
    }

    private func appendRoom(_ entry: PooledTransaction, _ profile: NodeProfile, into output: inout [UInt8]) {
        output.append("{\"lastTransaction\":")
        append(.waiting(entry), form: .room, profile: profile, into: &output)
        output.append(",\"participants\":")
        Self.appendParticipants(entry, into: &output)
        output.append("}")
    }

    /// The key of a row's recipient, as shown.
    private func recipientKey(_ row: UInt32) -> [UInt8]? {
        chain.accounts[chain.rows[row].recipient].publicKeyHex
    }

    /// The key of the recipient of what came back, where anything did.
    private func keyOfReplies(_ row: UInt32, _ query: ChatRoomQuery, user: UInt32) -> [UInt8]? {
        let (sender, recipient) = (chain.rows[row].sender, chain.rows[row].recipient)
        let replies = chain.rooms.rows(from: recipient, to: sender)
        let hasReplies = replies.indexes(query.kinds)
            .contains { !$0.rows(before: UInt32(chain.rows.count)).isEmpty }
        return hasReplies ? chain.accounts[sender].publicKeyHex : nil
    }

    private func appendParticipants(_ number: UInt32, key: [UInt8]?, into output: inout [UInt8]) {
        let row = chain.rows[number]
        let sender = chain.accounts[row.sender]
        output.append("[{\"address\":\"", sender.address.text, "\",\"publicKey\":\"")
        output += sender.publicKeyHex ?? []
        output.append("\"},{\"address\":\"", chain.accounts[row.recipient].address.text, "\",\"publicKey\":")
        if let key {
            output.append("\"")
            output += key
            output.append("\"}]")
        } else {
            output.append("null}]")
        }
    }

    /// Waiting transactions do not know their recipients' keys.
    private static func appendParticipants(_ entry: PooledTransaction, into output: inout [UInt8]) {
        let transaction = entry.transaction
        output.append("[{\"address\":\"", transaction.sender.text, "\",\"publicKey\":\"")
        output.append(Hex.encode(transaction.senderPublicKey), "\"},{")
        if let recipient = transaction.recipient { output.append("\"address\":\"", recipient.text, "\"") }
        output.append("}]")
    }
}

extension ChatRoomQuery {
    /// The same without an offset and so wide that everything up to the page's end is in it.
    fileprivate var widened: ChatRoomQuery {
        var query = self
        query.offset = 0
        query.limit = Int(clamping: Int64(offset).addingClamped(Int64(limit)))
        return query
    }
}

extension [UInt8] {
    /// Appends elements with commas between them.
    mutating func append<Item>(joining elements: [Item], _ write: (Item, inout [UInt8]) -> Void) {
        for (index, element) in elements.enumerated() {
            if index > 0 { append(UInt8(ascii: ",")) }
            write(element, &self)
        }
    }
}

extension Ledger {
    /// The rows of a page without rendering them.
    package func roomSelection(_ query: ChatRoomQuery) -> RowSelection {
        query.companion == nil ? chain.rooms(query) : chain.messages(query)
    }
}
