/// Keys of the key-value store, by their bytes, with the rows of each.
struct StateKeys: Sendable {
    private var numbers: [[UInt8]: UInt32] = [:]
    private var byKey = PagedArray<KindIndexes>()
    private var byAccountAndKey: [UInt64: KindIndexes] = [:]

    /// The number of a key; nil when it never occurred.
    func number(_ key: String) -> UInt32? { numbers[Array(key.utf8)] }

    /// The number of a key.
    mutating func intern(_ key: String) -> UInt32 {
        let bytes = Array(key.utf8)
        if let number = numbers[bytes] { return number }
        let number = UInt32(byKey.count)
        byKey.append(KindIndexes())
        numbers[bytes] = number
        return number
    }

    /// Adds the newest row.
    mutating func append(
        _ row: UInt32,
        key: UInt32,
        account: UInt32,
        kind: RowKind,
        time: Int64,
        timeOf: (UInt32) -> Int64
    ) {
        byKey[key].append(row, kind: kind, time: time, timeOf: timeOf)
        byAccountAndKey[UInt64(account) << 32 | UInt64(key), default: KindIndexes()]
            .append(row, kind: kind, time: time, timeOf: timeOf)
    }

    /// Takes the newest row out again.
    mutating func removeLast(
        key: UInt32,
        account: UInt32,
        kind: RowKind,
        time: Int64,
        timeOf: (UInt32) -> Int64
    ) {
        byKey[key].removeLast(kind: kind, time: time, timeOf: timeOf)
        byAccountAndKey[UInt64(account) << 32 | UInt64(key)]?
            .removeLast(kind: kind, time: time, timeOf: timeOf)
    }

    /// Rows of a key.
    func indexes(key: UInt32) -> KindIndexes { byKey[key] }

    /// Rows of a key of one sender.
    func indexes(key: UInt32, account: UInt32) -> KindIndexes? {
        byAccountAndKey[UInt64(account) << 32 | UInt64(key)]
    }
}
