/// A number that, with its length, changes with what a page shows; made of its rows, it is cheaper than reading the page.
public struct PageDigest: Hashable, Sendable {
    private static let first: UInt64 = 0xA076_1D64_78BD_642F
    private static let second: UInt64 = 0xE703_7ED1_A0B4_28DB

    /// The digest so far.
    public private(set) var value: UInt64

    /// A digest into which nothing has gone but how the node shows rows, as far as no length tells it.
    init(_ profile: NodeProfile) {
        value = Self.second
        add(profile.showsBlockTimestampAlways ? 1 : 0)
    }

    /// Takes something that the page shows beside its rows.
    public mutating func add(_ number: Int64) { add(UInt64(bitPattern: number), 0) }

    /// Takes two numbers by one product.
    mutating func add(_ left: UInt64, _ right: UInt64) {
        let product = (value ^ left).multipliedFullWidth(by: right ^ Self.first)
        value = (product.high ^ product.low) &+ Self.second
    }
}

/// What a page of a list has beside its elements.
public struct PageSummary: Hashable, Sendable {
    /// How many match in all.
    public let count: Int
    /// Changes with the elements and the count where their length does not; nil when that is known of no cheaper way than reading them.
    public let digest: PageDigest?

    /// A page of nothing.
    public static let empty = PageSummary(count: 0, digest: nil)
}

extension Chain {
    /// The digest of a page of rows: a row's text follows from its number, its block's, and what others know by now.
    func digest(_ selection: RowSelection, _ form: TransactionForm, _ profile: NodeProfile) -> PageDigest {
        var digest = PageDigest(profile)
        digest.add(Int64(selection.count))
        if !selection.rows.isEmpty { digest.add(Int64(blocks.count)) }
        for number in selection.rows {
            let row = rows[number]
            let milliseconds = UInt64(UInt16(bitPattern: row.milliseconds))
            let hasKey =
                form.showsRecipientKey && row.recipient != TransactionRow.none
                && accounts[row.recipient].publicKeyHex != nil
            digest.add(row.id, blocks[row.block].id ^ milliseconds << 1 ^ (hasKey ? 1 : 0))
        }
        return digest
    }
}
