/// Walks one sorted run of rows: by key in either direction, equal keys always by ascending row number.
struct RowCursor {
    private let rows: [UInt32]
    private let range: Range<Int>
    private let isDescending: Bool
    private let keyOf: (UInt32) -> Int64
    /// The rows with the current key, descending only.
    private var group: Range<Int>
    private var place: Int
    /// The current row; nil at the end.
    private(set) var row: UInt32?
    /// Its key.
    private(set) var key: Int64 = 0

    /// A cursor over a part of rows that ascend by key, then by number; `skipping` leading rows are left out.
    init(
        _ rows: [UInt32],
        in range: Range<Int>,
        isDescending: Bool,
        skipping: Int = 0,
        keyOf: @escaping (UInt32) -> Int64
    ) {
        self.rows = rows
        self.range = range
        self.isDescending = isDescending
        self.keyOf = keyOf
        group = range.upperBound..<range.upperBound
        let skipped = min(max(0, skipping), range.count)
        place = range.lowerBound + skipped
        if isDescending {
            place = range.upperBound
            skipDescending(skipped)
        }
        read()
    }

    /// Goes to the next row.
    mutating func advance() {
        place += 1
        if isDescending, place == group.upperBound { enterGroup(endingAt: group.lowerBound) }
        read()
    }

    private mutating func read() {
        let end = isDescending ? group.upperBound : range.upperBound
        guard place < end else {
            row = nil
            return
        }
        row = rows[place]
        key = keyOf(rows[place])
    }

    private mutating func skipDescending(_ count: Int) {
        guard count < range.count else {
            group = range.lowerBound..<range.lowerBound
            place = range.lowerBound
            return
        }
        let target = range.upperBound - 1 - count
        let key = keyOf(rows[target])
        let end = firstPlace(above: key, from: target)
        enterGroup(endingAt: end)
        place = group.lowerBound + count - (range.upperBound - end)
    }

    /// Makes the rows that share the key of the row before `end` the current ones.
    private mutating func enterGroup(endingAt end: Int) {
        guard end > range.lowerBound else {
            group = end..<end
            place = end
            return
        }
        let key = keyOf(rows[end - 1])
        var low = end - 1
        var high = end - 1
        var step = 1
        while low > range.lowerBound, keyOf(rows[low - 1]) == key {
            high = low - 1
            low = max(range.lowerBound, low - step)
            step *= 2
        }
        while low < high {
            let middle = (low + high) / 2
            if keyOf(rows[middle]) == key { high = middle } else { low = middle + 1 }
        }
        group = low..<end
        place = low
    }

    private func firstPlace(above key: Int64, from start: Int) -> Int {
        var low = start + 1
        var high = range.upperBound
        while low < high {
            let middle = (low + high) / 2
            if keyOf(rows[middle]) > key { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
