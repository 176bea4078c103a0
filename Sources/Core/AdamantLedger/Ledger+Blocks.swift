public import AdamantModel
import Determinism
import JSONValue

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

extension Ledger {
    /// The blocks of a page in its order.
    ///
    /// Pages in the order of height or time, of all blocks or of one generator's, cost no more on a long chain; other
    /// conditions and orders look at every block.
    public func blocks(_ query: BlockQuery) -> [Block] {
        chain.blockIndexes(query).map { chain.block(Int($0)) }
    }

    /// Appends a block as JSON.
    ///
    /// - Source: adamant:logic/block.js (`dbRead`)
    public func append(_ block: Block, into output: inout [UInt8]) {
        let key = block.generatorPublicKey
        output.append("{\"id\":\"", block.id.description, "\",\"version\":0,\"timestamp\":")
        output.append(decimal: Int64(block.timestamp))
        output.append(",\"height\":")
        output.append(decimal: Int64(block.height))
        output.append(",\"previousBlock\":", block.previousBlock.map { "\"\($0)\"" } ?? "null")
        output.append(",\"numberOfTransactions\":")
        output.append(decimal: Int64(block.numberOfTransactions))
        output.append(",\"totalAmount\":")
        output.append(decimal: block.totalAmount)
        output.append(",\"totalFee\":")
        output.append(decimal: block.totalFee)
        output.append(",\"reward\":")
        output.append(decimal: block.reward)
        output.append(",\"payloadLength\":")
        output.append(decimal: Int64(block.payloadLength))
        output.append(",\"payloadHash\":\"", Hex.encode(block.payloadHash))
        output.append("\",\"generatorPublicKey\":\"", Hex.encode(key))
        output.append("\",\"generatorId\":\"", address(publicKey: key).text)
        output.append("\",\"blockSignature\":\"", Hex.encode(block.signature), "\",\"confirmations\":")
        output.append(decimal: Int64(height - block.height + 1))
        output.append(",\"totalForged\":\"")
        output.append(decimal: block.totalFee.addingClamped(block.reward))
        output.append("\"}")
    }
}

extension Chain {
    /// The indexes of a page of blocks.
    func blockIndexes(_ query: BlockQuery) -> [UInt32] {
        let followsChain = query.order == .height || query.order == .timestamp
        if followsChain, !query.hasTests { return chainOrdered(candidates(query), query) }
        var matches = candidates(query).filter { accepts($0, query) }
        if followsChain { return chainOrdered(matches, query) }
        sort(&matches, query)
        return Array(matches.dropFirst(query.offset).prefix(query.limit))
    }

    /// Blocks among which all matches are, ascending.
    private func candidates(_ query: BlockQuery) -> any RandomAccessCollection<UInt32> & Sendable {
        if let height = query.height {
            let index = height.subtractingReportingOverflow(startHeight)
            guard !index.overflow, (0..<blocks.count).contains(index.partialValue) else { return [UInt32]() }
            return [UInt32(index.partialValue)]
        }
        if let text = query.previousBlock {
            guard let id = Identifier(text), id.description == text, let index = blockIndex(id),
                Int(index) + 1 < blocks.count
            else { return [UInt32]() }
            return [index + 1]
        }
        if let text = query.generatorPublicKey {
            guard let key = Hex.decode(text), Hex.encode(key) == text else { return [UInt32]() }
            return blocks(by: key)
        }
        return 0..<UInt32(blocks.count)
    }

    private func chainOrdered(_ indexes: some RandomAccessCollection<UInt32>, _ query: BlockQuery) -> [UInt32]
    {
        query.isDescending
            ? Array(indexes.reversed().dropFirst(query.offset).prefix(query.limit))
            : Array(indexes.dropFirst(query.offset).prefix(query.limit))
    }

    private func accepts(_ index: UInt32, _ query: BlockQuery) -> Bool {
        let row = blocks[index]
        if let height = query.height, startHeight + Int(index) != height { return false }
        if let text = query.previousBlock {
            guard index > 0, String(blocks[index - 1].id) == text else { return false }
        }
        if let text = query.generatorPublicKey, Hex.encode(generator(index)) != text { return false }
        return (query.numberOfTransactions.map { $0 == Int64(row.numberOfTransactions) } ?? true)
            && (query.totalAmount.map { $0 == row.totalAmount } ?? true)
            && (query.totalFee.map { $0 == row.totalFee } ?? true)
            && (query.reward.map { $0 == row.reward } ?? true)
    }

    /// Sorts by a key that does not follow the chain, equal keys by height.
    private func sort(_ indexes: inout [UInt32], _ query: BlockQuery) {
        switch query.order {
        case .id: sort(&indexes, query) { SortText(String(blocks[$0].id).utf8) }
        case .previousBlock:
            sort(&indexes, query) { $0 == 0 ? .null : SortText(String(blocks[$0 - 1].id).utf8) }
        case .generatorPublicKey: sort(&indexes, query) { SortText(generator($0)) }
        case .totalAmount: sort(&indexes, query) { blocks[$0].totalAmount }
        case .totalFee: sort(&indexes, query) { blocks[$0].totalFee }
        case .reward: sort(&indexes, query) { blocks[$0].reward }
        case .numberOfTransactions: sort(&indexes, query) { Int64(blocks[$0].numberOfTransactions) }
        case .height, .timestamp: sort(&indexes, query) { Int64($0) }
        }
    }

    private func sort<Key: Comparable>(
        _ indexes: inout [UInt32],
        _ query: BlockQuery,
        _ keyOf: (UInt32) -> Key
    ) {
        var keyed = indexes.map { (key: keyOf($0), index: $0) }
        keyed.sort { left, right in
            guard left.key != right.key else { return left.index < right.index }
            return (left.key > right.key) == query.isDescending
        }
        indexes = keyed.map(\.index)
    }
}

extension BlockQuery {
    /// Whether there are more conditions than the one that an index answers.
    fileprivate var hasTests: Bool {
        let indexed = [height != nil, previousBlock != nil, generatorPublicKey != nil].filter(\.self).count
        return indexed > 1 || numberOfTransactions != nil || totalAmount != nil || totalFee != nil
            || reward != nil
    }
}
