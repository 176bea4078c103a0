/// What pushes are looked for by, each a column of short numbers: equal texts have equal numbers, others rarely.
public enum PushKey: Int, CaseIterable, Sendable {
    case id, apnsId, token, recipient, transactionId, topic, status, reason, delivery

    /// Bytes of a number in a column.
    static let width = 4

    /// The column of records, four bytes for each with the lowest first.
    public func column(of records: [PushRecord]) -> [UInt8] {
        var column: [UInt8] = []
        column.reserveCapacity(records.count * Self.width)
        for record in records {
            let number = number(of: record)
            for shift: UInt32 in [0, 8, 16, 24] { column.append(UInt8(truncatingIfNeeded: number >> shift)) }
        }
        return column
    }

    /// The places in a column where any other number stands.
    public static func places(except number: UInt32, in column: [UInt8]) -> [Int] {
        let excluded = Set(places(of: number, in: column))
        return (0..<column.count / width).filter { !excluded.contains($0) }
    }

    /// The places in a column where a number stands.
    public static func places(of number: UInt32, in column: [UInt8]) -> [Int] {
        let span = column.span
        let lowest = UInt8(truncatingIfNeeded: number)
        var places: [Int] = []
        var start = 0
        while start &+ 3 < span.count {
            // Most differ in their first byte already.
            if span[start] == lowest {
                let found =
                    UInt32(span[start]) | UInt32(span[start &+ 1]) << 8 | UInt32(span[start &+ 2]) << 16
                    | UInt32(span[start &+ 3]) << 24
                if found == number { places.append(start / width) }
            }
            start &+= width
        }
        return places
    }

    private func number(of record: PushRecord) -> UInt32 {
        switch self {
        case .id: Self.number(record.id)
        case .apnsId: Self.number(folding: record.apnsId)
        case .token:
            record.request.path.token.map { Self.number(folding: record.request.headers.bytes[$0]) } ?? 0
        case .recipient: Self.number(record.request, record.request.payload.recipient)
        case .transactionId: Self.number(record.request, record.request.payload.transactionId)
        case .topic: Self.number(folding: record.request.headers.value(.topic) ?? [])
        case .status: Self.number(record.status)
        case .reason: Self.number(record.reason)
        case .delivery: Self.number(record.delivery?.state)
        }
    }

    static func number(_ id: APNsUUID) -> UInt32 { UInt32(truncatingIfNeeded: id.low) }

    static func number(_ status: Int?) -> UInt32 { status.map { UInt32(truncatingIfNeeded: $0) } ?? .max }

    /// The number of a text of the payload, mostly without making a text of it.
    private static func number(_ request: APNsRequest, _ range: Range<Int>?) -> UInt32 {
        guard let plain = PayloadScan.plain(request.body, range) else {
            return number(PayloadScan.text(request.body, range))
        }
        return number(folding: plain)
    }

    static func number(_ text: String?) -> UInt32 { text.map { number(folding: Array($0.utf8)[...]) } ?? 0 }

    /// The number of what became of a push.
    public static func number(_ state: PushDelivery.State?) -> UInt32 {
        guard let state, let place = PushDelivery.State.allCases.firstIndex(of: state) else { return 0 }
        return UInt32(truncatingIfNeeded: place + 1)
    }

    /// FNV-1a of bytes, in which upper and lower case are the same; of a long text, of its ends and its length.
    static func number(folding bytes: ArraySlice<UInt8>) -> UInt32 {
        let span = bytes.span
        var hash = 0x811C_9DC5 ^ UInt32(truncatingIfNeeded: span.count)
        func fold(_ range: Range<Int>) {
            for place in range {
                let byte = span[place]
                hash = (hash ^ UInt32(byte &- 65 < 26 ? byte | 32 : byte)) &* 0x0100_0193
            }
        }
        guard span.count > 2 * endBytes else {
            fold(0..<span.count)
            return hash
        }
        fold(0..<endBytes)
        fold(span.count - endBytes..<span.count)
        return hash
    }

    /// So many bytes at each end of a long text count.
    private static let endBytes = 16
}

extension PushFilter {
    /// Numbers that stand in the columns of every record that fits, and seldom of others; or stand in none of them.
    public var keys: [(key: PushKey, number: UInt32, isExcluded: Bool)] {
        var keys: [(PushKey, UInt32, Bool)] = []
        if let apnsId { keys.append((.apnsId, PushKey.number(apnsId), false)) }
        if let token { keys.append((.token, PushKey.number(token), false)) }
        if let transactionId { keys.append((.transactionId, PushKey.number(transactionId), false)) }
        if let recipient { keys.append((.recipient, PushKey.number(recipient), false)) }
        if let reason { keys.append((.reason, PushKey.number(reason), false)) }
        if let status { keys.append((.status, PushKey.number(status), false)) }
        if let exceptStatus { keys.append((.status, PushKey.number(exceptStatus), true)) }
        if let delivery { keys.append((.delivery, PushKey.number(delivery), false)) }
        if let topic { keys.append((.topic, PushKey.number(topic), false)) }
        return keys
    }
}

extension APNsUUID {
    /// The number that stands in the column of a record with this id.
    public var key: UInt32 { PushKey.number(self) }
}
