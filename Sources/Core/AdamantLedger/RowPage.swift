import AdamantModel
import Determinism

/// The part of the matches that a request wants, in its order.
struct RowPage {
    /// Row visits that are always granted before falling back to looking at all matches.
    private static let smallBudget = 512

    let chain: Chain
    let order: TransactionOrder
    let offset: Int
    let limit: Int

    /// The page of one group.
    func select(_ group: Conjunction, from source: RowSource) -> RowSelection {
        let all = 0..<UInt32(chain.rows.count)
        let hasAllTimes = group.seconds == Int64.min...Int64.max
        guard source.tests.isEmpty, hasAllTimes || group.rows == all else {
            return finish(gather(group, source))
        }
        var selection = RowSelection()
        let ranges = source.indexes.map { hasAllTimes ? chainRange($0, group) : timeRange($0, group) }
        selection.count = ranges.reduce(0) { $0 + $1.count }
        if !hasAllTimes { selection.count -= hiddenCount(source, group) }
        guard offset < selection.count, limit > 0 else { return selection }
        if let key = chainOrderKey, hasAllTimes {
            let runs = zip(source.indexes, ranges).map { ($0.rows, $1) }
            walk(runs, key: key.key, isDescending: key.isDescending, into: &selection) { _ in true }
            return selection
        }
        if order.field == .timestamp, walkByTime(group, source, hasAllTimes, into: &selection) {
            return selection
        }
        return finish(gather(group, source))
    }

    /// The page of several groups, each match once.
    func select(anyOf groups: [(Conjunction, RowSource)]) -> RowSelection {
        var selection = RowSelection()
        for (group, source) in groups {
            let found = gather(group, source)
            selection.rows += found.rows
            selection.visitedRows += found.visitedRows
            // So many cannot all be different ones.
            if selection.rows.count > chain.rows.count { Self.dropRepeated(&selection.rows) }
        }
        Self.dropRepeated(&selection.rows)
        return finish(selection)
    }

    private static func dropRepeated(_ rows: inout [UInt32]) {
        rows.sort()
        var last: UInt32?
        rows.removeAll { row in
            defer { last = row }
            return row == last
        }
    }

    /// All matches of a group, in no order.
    private func gather(_ group: Conjunction, _ source: RowSource) -> RowSelection {
        var selection = RowSelection()
        for index in source.indexes {
            let (byTime, byChain) = (timeRange(index, group), chainRange(index, group))
            let (list, range) =
                byTime.count < byChain.count ? (index.byTime, byTime) : (index.rows, byChain)
            selection.visitedRows += range.count
            for place in range where group.rows.contains(list[place]) {
                let row = chain.rows[list[place]]
                guard group.seconds.contains(Int64(row.timestamp)),
                    source.tests.allSatisfy({ $0.accepts(row) })
                else { continue }
                selection.rows.append(list[place])
            }
        }
        return selection
    }

    /// Counts all matches and keeps the page of them.
    private func finish(_ matches: RowSelection) -> RowSelection {
        var selection = matches
        selection.count = matches.rows.count
        guard offset < selection.count, limit > 0 else {
            selection.rows = []
            return selection
        }
        selection.rows = page(matches.rows)
        return selection
    }

    private func chainRange(_ index: RowIndex, _ group: Conjunction) -> Range<Int> {
        let low = index.rows.firstIndex(from: group.rows.lowerBound)
        return low..<max(low, index.rows.firstIndex(from: group.rows.upperBound))
    }

    /// How many rows of the group's times are out of sight.
    private func hiddenCount(_ source: RowSource, _ group: Conjunction) -> Int {
        guard !chain.hiddenRows.isEmpty else { return 0 }
        return source.indexes.reduce(0) { count, index in
            count
                + index.rows(from: chain.hiddenRows.lowerBound)
                .count { group.seconds.contains(Int64(chain.rows[$0].timestamp)) }
        }
    }

    private func timeRange(_ index: RowIndex, _ group: Conjunction) -> Range<Int> {
        let list = index.byTime
        guard group.seconds != Int64.min...Int64.max else { return 0..<list.count }
        let timeOf: (UInt32) -> Int64 = { chain.rows[$0].time }
        let first = group.seconds.lowerBound.multipliedClamped(by: 1000).subtractingClamped(1)
        let last = group.seconds.upperBound.multipliedClamped(by: 1000).addingClamped(999)
        let low = list.firstIndex(after: first, timeOf: timeOf)
        return low..<max(low, list.firstIndex(after: last, timeOf: timeOf))
    }

    /// How to walk rows in chain order; nil for orders that do not follow it.
    private var chainOrderKey: (key: (UInt32) -> Int64, isDescending: Bool)? {
        switch order.field {
        case nil: ({ Int64($0) }, false)
        case .height?: ({ Int64(chain.rows[$0].block) }, order.isDescending)
        case .confirmations?: ({ Int64(chain.rows[$0].block) }, !order.isDescending)
        default: nil
        }
    }

    /// Reads the page from lists in time order; false when looking at all matches is cheaper.
    private func walkByTime(
        _ group: Conjunction,
        _ source: RowSource,
        _ hasAllTimes: Bool,
        into selection: inout RowSelection
    ) -> Bool {
        let hasAllRows = group.rows == 0..<UInt32(chain.rows.count)
        guard hasAllRows || selection.count > Self.smallBudget else { return false }
        let runs = source.indexes.map {
            ($0.byTime, hasAllTimes ? 0..<$0.rows.count : timeRange($0, group))
        }
        let budget = hasAllRows ? Int.max : 2 * selection.count
        let rows = chain.rows
        return walk(
            runs,
            key: { rows[$0].time },
            isDescending: order.isDescending,
            budget: budget,
            hasOthers: !chain.hiddenRows.isEmpty,
            into: &selection
        ) { group.rows.contains($0) }
    }

    /// Merges runs until the page is full; false when the budget of visits did not suffice.
    ///
    /// `hasOthers` says that runs may hold rows that are not accepted although nothing bounds the visits.
    @discardableResult
    private func walk(
        _ runs: [([UInt32], Range<Int>)],
        key: @escaping (UInt32) -> Int64,
        isDescending: Bool,
        budget: Int = .max,
        hasOthers: Bool = false,
        into selection: inout RowSelection,
        accepts: (UInt32) -> Bool
    ) -> Bool {
        let skipsAtOnce = runs.count == 1 && budget == .max && !hasOthers
        var cursors = runs.map {
            RowCursor(
                $0.0,
                in: $0.1,
                isDescending: isDescending,
                skipping: skipsAtOnce ? offset : 0,
                keyOf: key
            )
        }
        cursors.removeAll { $0.row == nil }
        var toSkip = skipsAtOnce ? 0 : offset
        var visited = 0
        while selection.rows.count < limit, !cursors.isEmpty {
            visited += 1
            guard visited <= budget else {
                selection.rows = []
                return false
            }
            let best = cursors.count == 1 ? 0 : firstCursor(cursors, isDescending: isDescending)
            if let row = cursors[best].row, accepts(row) {
                if toSkip > 0 { toSkip -= 1 } else { selection.rows.append(row) }
            }
            cursors[best].advance()
            if cursors[best].row == nil { cursors.remove(at: best) }
        }
        selection.visitedRows += visited
        return true
    }

    private func firstCursor(_ cursors: [RowCursor], isDescending: Bool) -> Int {
        var best = 0
        for index in cursors.indices.dropFirst() {
            let (left, right) = (cursors[index], cursors[best])
            let isFirst =
                left.key == right.key
                ? (left.row ?? .max) < (right.row ?? .max)
                : (left.key > right.key) == isDescending
            if isFirst { best = index }
        }
        return best
    }
}
