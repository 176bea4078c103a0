/// Which rows share something: their numbers in chain order and, once that differs, in time order.
struct RowIndex: Sendable {
    /// Row numbers, ascending.
    private(set) var rows: [UInt32] = []
    /// The same by time, then by row number; empty while that is the same order.
    private var rowsByTime: [UInt32] = []

    /// The rows by time, then by row number.
    var byTime: [UInt32] { rowsByTime.isEmpty ? rows : rowsByTime }

    /// The rows from a number on.
    func rows(from row: UInt32) -> ArraySlice<UInt32> {
        rows[rows.firstIndex(from: row)...]
    }

    /// The rows before a number.
    func rows(before row: UInt32) -> ArraySlice<UInt32> {
        rows[..<rows.firstIndex(from: row)]
    }

    /// Adds a row that is newer than all others in the chain, if not in time.
    mutating func append(_ row: UInt32, time: Int64, timeOf: (UInt32) -> Int64) {
        if rowsByTime.isEmpty {
            guard let last = rows.last, timeOf(last) > time else {
                rows.append(row)
                return
            }
            rowsByTime = rows
        }
        rows.append(row)
        let place = rowsByTime.firstIndex(after: time, timeOf: timeOf)
        rowsByTime.insert(row, at: place)
    }

    /// Takes the newest row out again.
    mutating func removeLast(time: Int64, timeOf: (UInt32) -> Int64) {
        rows.removeLast()
        guard !rowsByTime.isEmpty else { return }
        // Among rows of one time the newest is the last.
        rowsByTime.remove(at: rowsByTime.firstIndex(after: time, timeOf: timeOf) - 1)
    }
}

extension [UInt32] {
    /// The place after all rows whose time is at most `time`, in a list by time; found from the end.
    func firstIndex(after time: Int64, timeOf: (UInt32) -> Int64) -> Int {
        var step = 1
        var high = count
        var low = count
        while low > 0, timeOf(self[low - 1]) > time {
            high = low - 1
            low = Swift.max(0, low - step)
            step *= 2
        }
        while low < high {
            let middle = (low + high) / 2
            if timeOf(self[middle]) > time { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// The first place whose row number is not below a bound, in a list in chain order; found from the end.
    func firstIndex(from bound: UInt32) -> Int {
        var step = 1
        var high = count
        var low = count
        while low > 0, self[low - 1] >= bound {
            high = low - 1
            low = Swift.max(0, low - step)
            step *= 2
        }
        while low < high {
            let middle = (low + high) / 2
            if self[middle] >= bound { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// Kinds of transactions that queries tell apart; each row has exactly one.
enum RowKind: UInt8, CaseIterable, Sendable {
    case transfer, delegate, vote, chat0, chat1, chat2, signal, state0, state1, other

    init(type: Int, subtype: Int32?) {
        switch (type, subtype) {
        case (0, _): self = .transfer
        case (2, _): self = .delegate
        case (3, _): self = .vote
        case (8, 0?): self = .chat0
        case (8, 1?): self = .chat1
        case (8, 2?): self = .chat2
        case (8, 3?): self = .signal
        case (9, 0?): self = .state0
        case (9, 1?): self = .state1
        default: self = .other
        }
    }

    /// The transaction type.
    var type: Int {
        switch self {
        case .transfer: 0
        case .delegate: 2
        case .vote: 3
        case .chat0, .chat1, .chat2, .signal: 8
        case .state0, .state1: 9
        case .other: -1
        }
    }
}

/// A set of kinds.
struct RowKinds: OptionSet, Sendable {
    let rawValue: UInt16

    static let all = RowKinds(rawValue: (1 << UInt16(RowKind.allCases.count)) - 1)
    static let chats = RowKinds([.chat0, .chat1, .chat2, .signal])
    static let messages = RowKinds([.chat0, .chat1, .chat2])
    static let transfers = RowKinds([.transfer])
    static let states = RowKinds([.state0, .state1])

    init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    init(_ kinds: [RowKind]) {
        rawValue = kinds.reduce(0) { $0 | 1 << UInt16($1.rawValue) }
    }

    /// All kinds of a transaction type.
    static func ofType(_ type: Int) -> RowKinds {
        RowKinds(RowKind.allCases.filter { $0.type == type && $0 != .other })
    }

    /// Whether a kind is in the set.
    func contains(_ kind: RowKind) -> Bool { rawValue & (1 << UInt16(kind.rawValue)) != 0 }
}

/// One index for each kind that occurs.
struct KindIndexes: Sendable {
    private var entries: [(kind: RowKind, index: RowIndex)] = []

    /// Adds the newest row.
    mutating func append(_ row: UInt32, kind: RowKind, time: Int64, timeOf: (UInt32) -> Int64) {
        if let place = entries.firstIndex(where: { $0.kind == kind }) {
            entries[place].index.append(row, time: time, timeOf: timeOf)
        } else {
            var index = RowIndex()
            index.append(row, time: time, timeOf: timeOf)
            entries.append((kind, index))
        }
    }

    /// Takes the newest row out again.
    mutating func removeLast(kind: RowKind, time: Int64, timeOf: (UInt32) -> Int64) {
        guard let place = entries.firstIndex(where: { $0.kind == kind }) else { return }
        entries[place].index.removeLast(time: time, timeOf: timeOf)
    }

    /// The indexes of the kinds asked for.
    func indexes(_ kinds: RowKinds) -> [RowIndex] {
        entries.lazy.filter { kinds.contains($0.kind) }.map(\.index)
    }

    /// How many rows they hold.
    func count(_ kinds: RowKinds) -> Int {
        entries.reduce(0) { kinds.contains($1.kind) ? $0 + $1.index.rows.count : $0 }
    }
}
