/// A call of `/api/blocks`, read from its query string; all conditions must hold.
public struct BlockQuery: Hashable, Sendable {
    /// What `orderBy` can name; raw values are the names on the wire.
    public enum Field: String, CaseIterable, Hashable, Sendable {
        /// By number text.
        case id
        /// By epoch seconds.
        case timestamp
        /// By height.
        case height
        /// By number text of the parent; the first block last.
        case previousBlock
        /// By units of 1e-8 ADM.
        case totalAmount
        /// By units of 1e-8 ADM.
        case totalFee
        /// By units of 1e-8 ADM.
        case reward
        /// By count.
        case numberOfTransactions
        /// By hexadecimal text.
        case generatorPublicKey
    }

    /// Hexadecimal text of the generator's key.
    public var generatorPublicKey: String?
    /// The parent's number as text.
    public var previousBlock: String?
    /// The height.
    public var height: Int?
    /// The count of transactions.
    public var numberOfTransactions: Int64?
    /// Units of 1e-8 ADM.
    public var totalAmount: Int64?
    /// Units of 1e-8 ADM.
    public var totalFee: Int64?
    /// Units of 1e-8 ADM.
    public var reward: Int64?
    /// The key.
    public var order = Field.height
    /// Whether the greatest key comes first.
    public var isDescending = true
    /// How many matches are skipped.
    public var offset = 0
    /// How many are returned at most.
    public var limit = 100

    /// All blocks, the newest first.
    public init() {}
}

extension BlockQuery {
    /// Whether there are more conditions than the one that an index answers.
    var hasTests: Bool {
        let indexed = [height != nil, previousBlock != nil, generatorPublicKey != nil].filter(\.self).count
        return indexed > 1 || numberOfTransactions != nil || totalAmount != nil || totalFee != nil
            || reward != nil
    }
}
