import AdamantModel

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
