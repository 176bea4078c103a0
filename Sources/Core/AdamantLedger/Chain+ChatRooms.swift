import AdamantModel

extension Chain {
    /// The newest rows of a user's rooms that match, and how many rooms there are.
    func rooms(_ query: ChatRoomQuery) -> RowSelection {
        guard let user = accounts.number(query.user), !query.kinds.isEmpty else { return RowSelection() }
        var newest = rooms.rooms(of: user)
        let end = UInt32(rows.count)
        if !query.isPlain || newest.contains(where: { $0 >= end }) {
            newest = newest.compactMap {
                self.newest(query, user: user, companion: companion(of: user, in: $0))
            }
            newest.sort { (rows[$0].time, $0) < (rows[$1].time, $1) }
        }
        return page(newest, query)
    }

    /// The messages between two addresses.
    func messages(_ query: ChatRoomQuery) -> RowSelection {
        guard let companion = query.companion, let user = accounts.number(query.user),
            let other = accounts.number(companion)
        else { return RowSelection() }
        let page = RowPage(
            chain: self,
            order: TransactionOrder(.timestamp, isDescending: query.isDescending),
            offset: query.offset,
            limit: query.limit
        )
        let indexes = exchanged(query, user: user, companion: other)
        return page.select(
            Conjunction(rows: 0..<UInt32(rows.count)),
            from: RowSource(indexes: indexes, tests: [])
        )
    }

    /// The other party of a row of a user.
    func companion(of user: UInt32, in row: UInt32) -> UInt32 {
        rows[row].sender == user ? rows[row].recipient : rows[row].sender
    }

    /// What two accounts sent each other, as far as it matches.
    private func exchanged(_ query: ChatRoomQuery, user: UInt32, companion: UInt32) -> [RowIndex] {
        let kinds = query.kinds
        let sent = rooms.rows(from: user, to: companion).indexes(kinds)
        guard user != companion else { return sent }
        let received = rooms.rows(from: companion, to: user).indexes(kinds)
        return (query.isReceivedByUser ? [] : sent) + (query.isSentByUser ? [] : received)
    }

    /// The newest matching row of a room: by height, then by time.
    private func newest(_ query: ChatRoomQuery, user: UInt32, companion: UInt32) -> UInt32? {
        var best: UInt32?
        for index in exchanged(query, user: user, companion: companion) {
            let inSight = index.rows(before: UInt32(rows.count))
            guard let last = inSight.last else { continue }
            let block = rows[last].block
            for row in inSight.reversed() {
                guard rows[row].block == block else { break }
                if best.map({ isNewer(row, than: $0) }) ?? true { best = row }
            }
        }
        return best
    }

    /// Of equally new ones the first on the chain counts as newer.
    private func isNewer(_ left: UInt32, than right: UInt32) -> Bool {
        let (first, second) = (rows[left], rows[right])
        return (first.block, first.time, right) > (second.block, second.time, left)
    }

    /// The page of rows that are sorted by time, then by row number.
    private func page(_ newest: [UInt32], _ query: ChatRoomQuery) -> RowSelection {
        var selection = RowSelection()
        selection.count = newest.count
        let rows = rows
        var cursor = RowCursor(
            newest,
            in: newest.indices,
            isDescending: query.isDescending,
            skipping: query.offset
        ) { rows[$0].time }
        while selection.rows.count < query.limit, let row = cursor.row {
            selection.rows.append(row)
            cursor.advance()
        }
        selection.visitedRows = selection.rows.count
        return selection
    }

    /// Appends a room's last transaction as 0.9 shows it: what is null is the newest value that is not.
    ///
    /// - Source: adamant:sql/chats.js (`listChats` of v0.9.0: `first(column ORDER BY …)` skips nulls)
    func renderMixed(
        _ number: UInt32,
        _ query: ChatRoomQuery,
        user: UInt32,
        recipientKey: [UInt8]?,
        _ profile: NodeProfile,
        into output: inout [UInt8]
    ) {
        let row = rows[number]
        let start = output.count
        render(number, .room, profile, into: &output)
        if accounts[row.recipient].publicKeyHex == nil, let recipientKey {
            output.replaceFirst(PieceText.noRecipientKey, from: start) { bytes in
                bytes += PieceText.recipientKey
                bytes += recipientKey
                bytes.append(UInt8(ascii: "\""))
            }
        }
        guard lacksOwnMessage(row), case .chat(let message, nil, let type) = transaction(row).asset,
            let text = newestOwnMessage(query, user: user, row: number)
        else { return }
        var shown = transaction(row)
        shown.asset = .chat(message: message, ownMessage: text, type: type)
        output.removeLast(Int(row.lengths.asset) - PieceText.asset.count)
        output.append(confirmedAsset: shown)
        output.append(UInt8(ascii: "}"))
    }

    /// Whether a chat's text ends like `"own_message":null,"type":1}}`, which is seen sooner than read.
    private func lacksOwnMessage(_ row: TransactionRow) -> Bool {
        let lengths = row.lengths
        let asset = pieces.bytes(
            row.pieces,
            from: lengths.assetValue,
            length: lengths.end - lengths.assetValue
        )
        guard let colon = asset.lastIndex(of: UInt8(ascii: ":")) else { return false }
        return asset[..<colon].suffix(PieceText.noOwnMessage.count).elementsEqual(PieceText.noOwnMessage)
    }

    private func newestOwnMessage(_ query: ChatRoomQuery, user: UInt32, row: UInt32) -> String? {
        var lists = exchanged(query, user: user, companion: companion(of: user, in: row))
            .map { $0.rows(before: UInt32(rows.count)) }
        while let place = lists.indices.filter({ !lists[$0].isEmpty })
            .max(by: { (lists[$0].last ?? 0) < (lists[$1].last ?? 0) })
        {
            guard let next = lists[place].popLast() else { break }
            if case .chat(_, let ownMessage?, _) = transaction(rows[next]).asset { return ownMessage }
        }
        return nil
    }
}

extension [UInt8] {
    /// Puts something else in the place of a text's first occurrence.
    fileprivate mutating func replaceFirst(_ text: [UInt8], from start: Int, _ write: (inout [UInt8]) -> Void)
    {
        guard let range = self[start...].firstRange(of: text) else { return }
        var bytes: [UInt8] = []
        write(&bytes)
        replaceSubrange(range, with: bytes)
    }
}
