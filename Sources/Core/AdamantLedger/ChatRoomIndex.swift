/// Who wrote to whom, and which transaction is the newest of each room.
///
/// A room belongs to two addresses as they are stored, or to one that writes to itself; transfers and messages count,
/// signals only when somebody asks for them.
struct ChatRoomIndex: Sendable {
    /// What makes a room, and what is its newest transaction.
    static let kinds = RowKinds.messages.union(.transfers)

    /// Rows from one account to another.
    private var rows: [UInt64: KindIndexes] = [:]
    /// The newest row of each room.
    private var newest: [UInt64: UInt32] = [:]
    /// The newest rows of an account's rooms, by time, then by row number.
    private var rooms: [UInt32: [UInt32]] = [:]

    /// The newest rows of an account's rooms, by time, then by row number.
    func rooms(of account: UInt32) -> [UInt32] { rooms[account] ?? [] }

    /// Rows that one account sent to another.
    func rows(from sender: UInt32, to recipient: UInt32) -> KindIndexes {
        rows[Self.key(sender, recipient)] ?? KindIndexes()
    }

    /// Adds the newest row, which has a recipient.
    mutating func append(_ number: UInt32, _ row: TransactionRow, rowOf: (UInt32) -> TransactionRow) {
        guard Self.kinds.union(.chats).contains(row.kind) else { return }
        let timeOf: (UInt32) -> Int64 = { rowOf($0).time }
        rows[Self.key(row.sender, row.recipient), default: KindIndexes()]
            .append(number, kind: row.kind, time: row.time, timeOf: timeOf)
        guard Self.kinds.contains(row.kind) else { return }
        let room = Self.key(min(row.sender, row.recipient), max(row.sender, row.recipient))
        let before = newest[room]
        if let before, !Self.isNewer(row, than: rowOf(before)) { return }
        newest[room] = number
        for account in Set([row.sender, row.recipient]) {
            if let before { rooms[account]?.removeRow(before, timeOf: timeOf) }
            rooms[account, default: []].insertRow(number, timeOf: timeOf)
        }
    }

    /// Takes the newest row out again, which has a recipient.
    mutating func removeLast(_ number: UInt32, _ row: TransactionRow, rowOf: (UInt32) -> TransactionRow) {
        guard Self.kinds.union(.chats).contains(row.kind) else { return }
        let timeOf: (UInt32) -> Int64 = { rowOf($0).time }
        rows[Self.key(row.sender, row.recipient)]?
            .removeLast(kind: row.kind, time: row.time, timeOf: timeOf)
        let room = Self.key(min(row.sender, row.recipient), max(row.sender, row.recipient))
        guard newest[room] == number else { return }
        let before = newestRow(between: row.sender, and: row.recipient, rowOf: rowOf)
        newest[room] = before
        for account in Set([row.sender, row.recipient]) {
            rooms[account]?.removeRow(number, timeOf: timeOf)
            if let before { rooms[account]?.insertRow(before, timeOf: timeOf) }
        }
    }

    /// The newest row of a room: of its last block the first row of the latest time.
    private func newestRow(
        between first: UInt32,
        and second: UInt32,
        rowOf: (UInt32) -> TransactionRow
    ) -> UInt32? {
        let lists = Set([Self.key(first, second), Self.key(second, first)])
            .flatMap { rows[$0]?.indexes(Self.kinds) ?? [] }.map(\.rows)
        guard let last = lists.compactMap(\.last).max() else { return nil }
        let block = rowOf(last).block
        let candidates = lists.flatMap { list in
            list.reversed().prefix { rowOf($0).block == block }
        }
        return candidates.sorted().reduce(into: nil as UInt32?) { newest, number in
            if let known = newest, !Self.isNewer(rowOf(number), than: rowOf(known)) { return }
            newest = number
        }
    }

    /// Whether a row that comes later on the chain is the newer one: by height, then by time.
    static func isNewer(_ row: TransactionRow, than before: TransactionRow) -> Bool {
        row.block > before.block || row.time > before.time
    }

    private static func key(_ first: UInt32, _ second: UInt32) -> UInt64 {
        UInt64(first) << 32 | UInt64(second)
    }
}

extension [UInt32] {
    /// Puts a row into a list by time, then by row number.
    fileprivate mutating func insertRow(_ row: UInt32, timeOf: (UInt32) -> Int64) {
        let time = timeOf(row)
        var place = firstIndex(after: time, timeOf: timeOf)
        // Only a row that comes back is not the newest of its time.
        while place > 0, self[place - 1] > row, timeOf(self[place - 1]) == time { place -= 1 }
        insert(row, at: place)
    }

    /// Takes a row out of a list by time, then by row number.
    fileprivate mutating func removeRow(_ row: UInt32, timeOf: (UInt32) -> Int64) {
        let end = firstIndex(after: timeOf(row), timeOf: timeOf)
        if let place = self[..<end].lastIndex(of: row) { remove(at: place) }
    }
}
