import AdamantModel

/// What a conjunction asks of a row beyond the rows that were looked up for it.
enum RowTest: Sendable {
    case sender([UInt32])
    case recipient([UInt32])
    case party(senders: [UInt32], recipients: [UInt32])
    case kinds(RowKinds)
    case key([UInt32])
    case minAmount(Int64)
    case maxAmount(Int64)
    case minFee(Int64)
    case maxFee(Int64)
    case withoutClutter

    /// Whether a row passes.
    func accepts(_ row: TransactionRow) -> Bool {
        switch self {
        case .sender(let numbers): numbers.contains(row.sender)
        case .recipient(let numbers): numbers.contains(row.recipient)
        case .party(let senders, let recipients):
            senders.contains(row.sender) || recipients.contains(row.recipient)
        case .kinds(let kinds): kinds.contains(row.kind)
        case .key(let numbers): numbers.contains(row.key)
        case .minAmount(let bound): row.amount >= bound
        case .maxAmount(let bound): row.amount <= bound
        case .minFee(let bound): row.fee >= bound
        case .maxFee(let bound): row.fee <= bound
        case .withoutClutter: row.amount > 0 || row.kind.type < Transaction.Kind.chat
        }
    }
}

/// Conditions that must all hold, sorted by how they can be looked up.
struct Conjunction: Sendable {
    /// Rows by number, from height, block and confirmations.
    var rows: Range<UInt32>
    /// Epoch seconds.
    var seconds: ClosedRange<Int64> = Int64.min...Int64.max
    /// Kinds that can match.
    var kinds = RowKinds.all
    /// Conditions on parties and keys, each of which could be looked up.
    var lookups: [RowTest] = []
    /// Conditions that can only be tested.
    var tests: [RowTest] = []
    /// Whether nothing can match.
    var isImpossible = false

    /// Keeps the rows that are in a range as well.
    mutating func restrict(_ other: Range<UInt32>) {
        rows = rows.clamped(to: other)
    }

    /// Keeps the times from one second to another.
    mutating func restrict(from: Int64 = .min, to: Int64 = .max) {
        let low = max(seconds.lowerBound, from)
        let high = min(seconds.upperBound, to)
        if low <= high { seconds = low...high } else { isImpossible = true }
    }
}
