/// A confirmed transaction: what queries look at, and where its rendered pieces lie.
struct TransactionRow: Sendable {
    /// Stands for an absent recipient or key.
    static let none = UInt32.max

    /// The transaction's number.
    let id: UInt64
    /// Units of 1e-8 ADM.
    let amount: Int64
    /// Units of 1e-8 ADM.
    let fee: Int64
    /// Epoch seconds.
    let timestamp: Int32
    /// Milliseconds within the second; -1 when unknown.
    let milliseconds: Int16
    /// Type and chat or state type.
    let kind: RowKind
    /// Index of the block.
    let block: UInt32
    /// Number of the sender's account.
    let sender: UInt32
    /// Number of the recipient's address as stored; ``none`` without.
    let recipient: UInt32
    /// Number of the key of a state transaction; ``none`` without.
    let key: UInt32
    /// Where the rendered pieces lie.
    let pieces: PieceLocation
    /// Lengths of the pieces before `asset`.
    let lengths: PieceLengths

    /// What `timestamp` sorts by: epoch milliseconds.
    var time: Int64 { Int64(timestamp) * 1000 + Int64(max(milliseconds, 0)) }
}

/// A confirmed block, compact.
struct BlockRow: Sendable {
    /// Payload hash, signature and generator's key.
    static let bytesLength = 32 + 64 + 32

    let id: UInt64
    let timestamp: Int32
    let numberOfTransactions: Int32
    let firstRow: UInt32
    let totalAmount: Int64
    let totalFee: Int64
    let reward: Int64
    let payloadLength: Int32
    let bytes: PieceLocation
}

/// Where bytes lie in a ``PieceStore``.
struct PieceLocation: Sendable {
    let page: UInt32
    let offset: UInt32
}

/// Bytes in large pages, so that a million small texts cost no million allocations.
struct PieceStore: Sendable {
    private static var pageLength: Int { 1 << 20 }

    private var pages: [[UInt8]] = []

    /// Keeps bytes.
    mutating func append(_ bytes: [UInt8]) -> PieceLocation {
        if pages.isEmpty || pages[pages.count - 1].count + bytes.count > Self.pageLength {
            pages.append([])
            pages[pages.count - 1].reserveCapacity(max(Self.pageLength, bytes.count))
        }
        let offset = pages[pages.count - 1].count
        pages[pages.count - 1].append(contentsOf: bytes)
        return PieceLocation(page: UInt32(pages.count - 1), offset: UInt32(offset))
    }

    /// Forgets the bytes at a place and all that were kept after them.
    mutating func removeAll(from location: PieceLocation) {
        pages.removeLast(pages.count - 1 - Int(location.page))
        let rest = pages[pages.count - 1].count - Int(location.offset)
        pages[pages.count - 1].removeLast(rest)
    }

    /// All bytes around a place.
    func page(_ location: PieceLocation) -> [UInt8] { pages[Int(location.page)] }

    /// So many bytes from a place.
    func bytes(_ location: PieceLocation, from start: Int, length: Int) -> ArraySlice<UInt8> {
        let first = Int(location.offset) + start
        return pages[Int(location.page)][first..<first + length]
    }
}
