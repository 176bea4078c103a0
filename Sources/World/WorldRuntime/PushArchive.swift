import APNsRules

/// The newest push records of a world, in the order in which they came.
struct PushArchive: Sendable {
    /// Most records kept; older ones give way, and are counted.
    static let capacity = 100_000

    private var records: [PushRecord] = []
    private var start = 0
    /// Number of the newest record; 0 when there was none yet.
    private(set) var last = 0
    /// How many records had to give way.
    private(set) var evicted = 0

    private var oldest: Int { last - records.count + 1 }

    /// Appends a record under the next number.
    mutating func append(_ record: PushRecord) -> PushRecord {
        last += 1
        var numbered = record
        numbered.sequence = Int64(last)
        if records.count < Self.capacity {
            records.append(numbered)
        } else {
            records[start] = numbered
            start = (start + 1) % Self.capacity
            evicted += 1
        }
        return numbered
    }

    /// Puts back a record that was kept, under its own number.
    mutating func restore(_ record: PushRecord) {
        last = max(last, Int(clamping: record.sequence) - 1)
        _ = append(record)
    }

    /// Up to `limit` records after a number that fit.
    func page(after: Int, limit: Int, where fits: (PushRecord) -> Bool) -> [PushRecord] {
        var result: [PushRecord] = []
        let first = max(after, oldest - 1, 0)
        guard first < last else { return [] }
        for number in first + 1...last {
            let record = records[place(number)]
            if fits(record) { result.append(record) }
            if result.count == limit { break }
        }
        return result
    }

    /// The record of an id in either case.
    func find(id: String) -> PushRecord? {
        let id = id.lowercased()
        return records.last { $0.id.lowercased == id }
    }

    /// Changes a record that is still kept.
    mutating func update(_ number: Int, _ change: (inout PushRecord) -> Void) {
        guard number >= oldest, number <= last else { return }
        change(&records[place(number)])
    }

    /// Forgets all records; numbers go on.
    mutating func removeAll() {
        records = []
        start = 0
    }

    private func place(_ number: Int) -> Int {
        (start + number - oldest) % records.count
    }
}
