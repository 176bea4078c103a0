import APNsRules

/// The newest push records of a world, in the order of their numbers, which are those of their events.
struct PushArchive: Sendable {
    /// Most records kept; older ones give way, and are counted.
    static let capacity = 100_000

    /// From this many records on there is room for all.
    private static let firstRoom = 1024

    /// A ring: the oldest record is at `start`.
    private var records: [PushRecord] = []
    private var start = 0
    /// How many records had to give way.
    private(set) var evicted = 0

    /// Number of the newest record; 0 when there is none.
    var last: Int { records.isEmpty ? 0 : number(records.count - 1) }

    /// Appends a record whose number is above all others.
    mutating func append(_ record: PushRecord) {
        if records.count < Self.capacity {
            // Room that is not used yet takes no memory, while growing step by step would copy.
            if records.count == Self.firstRoom { records.reserveCapacity(Self.capacity) }
            records.append(record)
        } else {
            records[start] = record
            start = (start + 1) % Self.capacity
            evicted += 1
        }
    }

    /// Puts back a record that was kept, or what was kept of it later.
    mutating func restore(_ record: PushRecord) {
        let number = Int(clamping: record.sequence)
        if number > last { append(record) } else { update(number) { $0 = record } }
    }

    /// The record of a number.
    func find(_ number: Int) -> PushRecord? {
        place(number).map { records[$0] }
    }

    /// The record of an id in either case.
    func find(id: String) -> PushRecord? {
        guard let id = APNsUUID(id) else { return nil }
        return records.first { $0.id == id }
    }

    /// Up to `limit` records after a number that fit.
    func page(after: Int, limit: Int, where fits: (PushRecord) -> Bool) -> [PushRecord] {
        var result: [PushRecord] = []
        for index in firstIndex(after: after)..<records.count {
            let record = records[ring(index)]
            if fits(record) { result.append(record) }
            if result.count == limit { break }
        }
        return result
    }

    /// Changes a record that is still kept.
    mutating func update(_ number: Int, _ change: (inout PushRecord) -> Void) {
        if let place = place(number) { change(&records[place]) }
    }

    /// Forgets all records.
    mutating func removeAll() {
        records = []
        start = 0
    }

    /// Where the record of a number lies in the ring.
    private func place(_ number: Int) -> Int? {
        guard number > 0 else { return nil }
        let index = firstIndex(after: number - 1)
        guard index < records.count, self.number(index) == number else { return nil }
        return ring(index)
    }

    /// Index, counted from the oldest, of the first record above a number.
    private func firstIndex(after number: Int) -> Int {
        var low = 0
        var high = records.count
        while low < high {
            let middle = (low + high) / 2
            if self.number(middle) > number { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private func number(_ index: Int) -> Int { Int(clamping: records[ring(index)].sequence) }

    private func ring(_ index: Int) -> Int { (start + index) % records.count }
}
