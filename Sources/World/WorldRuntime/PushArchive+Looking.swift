import APNsRules
import Recording

// What is in the record of pushes, in memory and in files; to be asked of a copy, without the lock.

extension PushArchive {
    /// What records are looked for by: numbers in columns, and what makes sure.
    private struct Query {
        let keys: [(key: PushKey, number: UInt32, isExcluded: Bool)]
        let fits: (PushRecord) -> Bool
        /// Records of this number and above are not asked for.
        var before = Int.max
    }

    /// So many blocks' columns are looked through at once.
    private static let blocksAtOnce = 64

    /// Up to `limit` records after a number, and before another, that a filter lets through.
    ///
    /// - Throws: ``WorldLogError`` when a file cannot be read.
    func page(
        after: Int,
        before: Int = .max,
        limit: Int,
        where filter: PushFilter,
        _ search: DocumentSearch = DocumentSearch("")
    ) throws(WorldLogError) -> [PushRecord] {
        let fits = { (record: PushRecord) in filter.matches(record) && search.matches(record.json) }
        return try page(after: after, limit: limit, Query(keys: filter.keys, fits: fits, before: before))
    }

    /// The record of an id in either case.
    func find(id: String) throws(WorldLogError) -> PushRecord? {
        guard let id = APNsUUID(id) else { return nil }
        let fits: (PushRecord) -> Bool = { $0.id == id }
        // One that is asked for is most likely a new one.
        let query = Query(keys: [(.id, id.key, false)], fits: fits)
        if let found = pageInMemory(after: 0, limit: 1, query).first { return found }
        return try page(after: 0, limit: 1, query).first
    }

    /// The record of a number that may be in a file alone.
    func findAway(_ number: Int) throws(WorldLogError) -> PushRecord? {
        let found = try page(after: number - 1, limit: 1, Query(keys: [], fits: { _ in true })).first
        return found.flatMap { Int(clamping: $0.sequence) == number ? $0 : nil }
    }

    private func page(after: Int, limit: Int, _ query: Query) throws(WorldLogError) -> [PushRecord] {
        let old = try pageInFiles(after: after, limit: limit, query)
        guard old.count < limit else { return old }
        return old + pageInMemory(after: after, limit: limit - old.count, query)
    }

    private func pageInMemory(after: Int, limit: Int, _ query: Query) -> [PushRecord] {
        var result: [PushRecord] = []
        guard limit > 0 else { return result }
        for block in blocks[blocks.partitioningIndex { $0.last > after }...] {
            for record in block.records {
                let number = Int(clamping: record.sequence)
                guard number < query.before else { return result }
                guard number > after, query.fits(record) else { continue }
                result.append(record)
                if result.count == limit { return result }
            }
        }
        return result
    }

    private func pageInFiles(after: Int, limit: Int, _ query: Query) throws(WorldLogError) -> [PushRecord] {
        var result: [PushRecord] = []
        let newest = min(lastAway, query.before - 1)
        guard limit > 0, after < newest else { return result }
        let numbers = Int64(after) + 1...Int64(newest)
        let asideNumbers = aside.keys.sorted()
        for (index, file) in files.enumerated() {
            let places = file.places(of: numbers)
            for start in stride(from: 0, to: places.count, by: Self.blocksAtOnce) {
                let batch = places[start..<min(start + Self.blocksAtOnce, places.count)]
                let changed = try changes(of: batch, in: files[index...], asideNumbers)
                for (place, indices) in try candidates(in: file, batch, query.keys) {
                    let found = try records(of: place, indices, in: file, changed: changed, query.fits)
                    for record in found where numbers.contains(record.sequence) {
                        result.append(record)
                        if result.count == limit { return result }
                    }
                }
            }
        }
        return result
    }

    /// The records of some blocks that have changed since these were put away, by their numbers.
    private func changes(
        of batch: ArraySlice<BlockFile.Place>,
        in files: ArraySlice<BlockFile>,
        _ asideNumbers: [Int]
    ) throws(WorldLogError) -> [Int: PushRecord] {
        guard let first = batch.first, let last = batch.last else { return [:] }
        let numbers = first.numbers.lowerBound...last.numbers.upperBound
        var changed: [Int: PushRecord] = [:]
        for file in files {
            for change in try file.changes(of: numbers) {
                var block = PushBlock(bytes: change.body)
                changed[Int(clamping: change.number)] = block.record(at: 0)
            }
        }
        let from = asideNumbers.partitioningIndex { $0 >= numbers.lowerBound }
        for number in asideNumbers[from...] {
            guard number <= Int(clamping: numbers.upperBound) else { break }
            changed[number] = aside[number]
        }
        return changed
    }

    /// Where in some blocks the numbers stand that are looked for.
    private func candidates(
        in file: BlockFile,
        _ batch: ArraySlice<BlockFile.Place>,
        _ keys: [(key: PushKey, number: UInt32, isExcluded: Bool)]
    ) throws(WorldLogError) -> [(place: BlockFile.Place, indices: [Int])] {
        var found = batch.map { Array(0..<$0.count) }
        for (position, (key, number, isExcluded)) in keys.enumerated() {
            guard found.contains(where: { !$0.isEmpty }) else { break }
            try file.forEachColumn(key.rawValue, of: batch) { index, column in
                let places =
                    isExcluded
                    ? PushKey.places(except: number, in: column) : PushKey.places(of: number, in: column)
                let block = index - batch.startIndex
                guard found.indices.contains(block) else { return }
                found[block] = position == 0 ? places : found[block].filter(Set(places).contains)
            }
        }
        return Array(zip(batch, found))
    }

    /// The records of a block that fit, each as it is now.
    private func records(
        of place: BlockFile.Place,
        _ indices: [Int],
        in file: BlockFile,
        changed: [Int: PushRecord],
        _ fits: (PushRecord) -> Bool
    ) throws(WorldLogError) -> [PushRecord] {
        var found: [PushRecord] = []
        if !changed.isEmpty {
            for (number, record) in changed where place.numbers.contains(Int64(number)) && fits(record) {
                found.append(record)
            }
        }
        if !indices.isEmpty, let body = try file.body(of: place) {
            var block = PushBlock(bytes: body)
            for index in indices {
                guard let record = block.record(at: index),
                    changed.isEmpty || changed[Int(clamping: record.sequence)] == nil, fits(record)
                else { continue }
                found.append(record)
            }
        }
        return changed.isEmpty ? found : found.sorted { $0.sequence < $1.sequence }
    }
}
