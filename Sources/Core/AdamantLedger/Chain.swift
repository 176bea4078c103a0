import AdamantModel
import Determinism

/// The confirmed part of a ledger: blocks, their transactions and the indexes of them.
///
/// Rows are in the order of height, and the rows of one block are contiguous.
struct Chain: Sendable {
    /// Height of the first block.
    let startHeight: Int
    private(set) var blocks = PagedArray<BlockRow>()
    private(set) var rows = PagedArray<TransactionRow>()
    var accounts = AccountTable()
    private(set) var pieces = PieceStore()
    private(set) var byKind = KindIndexes()
    private(set) var keys = StateKeys()
    private(set) var rooms = ChatRoomIndex()
    /// Indexes of the blocks of each generator, by its key.
    private var blocksByGenerator: [[UInt8]: [UInt32]] = [:]
    private var rowNumbers: [UInt64: UInt32] = [:]
    private var blockIndexes: [UInt64: UInt32] = [:]
    private var blockBytes = PieceStore()
    /// The numbers of all blocks and rows while the newest are out of sight.
    private var whole: (blocks: Int, rows: Int)?

    /// An empty chain whose first block will have a height.
    init(startHeight: Int) {
        self.startHeight = startHeight
    }

    /// Height of the newest block.
    var height: Int { startHeight + blocks.count - 1 }

    /// Height of a block.
    func height(block: UInt32) -> Int { startHeight + Int(block) }

    /// The row of a transaction.
    func row(_ id: Identifier) -> UInt32? {
        rowNumbers[id.number].flatMap { $0 < UInt32(rows.count) ? $0 : nil }
    }

    /// The row of a transaction that is out of sight.
    func hiddenRow(_ id: Identifier) -> UInt32? {
        guard whole != nil else { return nil }
        return rowNumbers[id.number].flatMap { $0 < UInt32(rows.count) ? nil : $0 }
    }

    /// The index of a block.
    func blockIndex(_ id: Identifier) -> UInt32? {
        blockIndexes[id.number].flatMap { $0 < UInt32(blocks.count) ? $0 : nil }
    }

    /// Height of the newest block, also while that is out of sight.
    var wholeHeight: Int { startHeight + (whole?.blocks ?? blocks.count) - 1 }

    /// The rows that are out of sight.
    var hiddenRows: Range<UInt32> { UInt32(rows.count)..<UInt32(whole?.rows ?? rows.count) }

    /// Puts the newest blocks out of sight, but for the first of the chain; nothing may be added meanwhile.
    mutating func hideNewest(_ count: Int) {
        let visible = max(1, blocks.count - max(0, count))
        guard whole == nil, visible < blocks.count else { return }
        whole = (blocks.count, rows.count)
        rows.show(first: Int(blocks[visible].firstRow))
        blocks.show(first: visible)
        accounts.visibleBlocks = UInt32(visible)
    }

    /// Brings all blocks back into sight.
    mutating func showAll() {
        guard let whole else { return }
        blocks.show(first: whole.blocks)
        rows.show(first: whole.rows)
        accounts.visibleBlocks = .max
        self.whole = nil
    }

    /// The indexes of a generator's blocks, ascending.
    func blocks(by generator: [UInt8]) -> [UInt32] {
        let all = blocksByGenerator[generator] ?? []
        return whole == nil ? all : Array(all[..<all.firstIndex(from: UInt32(blocks.count))])
    }

    /// The rows of blocks from one index up to, not including, another; any integers.
    func rows(blocks range: Range<Int>) -> Range<UInt32> {
        let bounded = range.clamped(to: 0..<blocks.count)
        func first(_ index: Int) -> UInt32 {
            index < blocks.count ? blocks[index].firstRow : UInt32(rows.count)
        }
        return first(bounded.lowerBound)..<first(bounded.upperBound)
    }

    /// The block at an index.
    func block(_ index: Int) -> Block {
        let row = blocks[index]
        let bytes = Array(blockBytes.bytes(row.bytes, from: 0, length: BlockRow.bytesLength))
        return Block(
            id: Identifier(row.id),
            height: startHeight + index,
            timestamp: row.timestamp,
            previousBlock: index > 0 ? Identifier(blocks[index - 1].id) : nil,
            numberOfTransactions: row.numberOfTransactions,
            totalAmount: row.totalAmount,
            totalFee: row.totalFee,
            reward: row.reward,
            payloadLength: row.payloadLength,
            payloadHash: Array(bytes[0..<32]),
            generatorPublicKey: Array(bytes[96...]),
            signature: Array(bytes[32..<96])
        )
    }

    /// The key of the generator of the block at an index.
    func generator(_ index: UInt32) -> [UInt8] {
        Array(blockBytes.bytes(blocks[index].bytes, from: BlockRow.bytesLength - 32, length: 32))
    }

    /// Adds a block and its transactions, which are in block order; balances are not its business.
    mutating func append(_ block: Block, _ transactions: [Transaction]) {
        precondition(block.payloadHash.count == 32 && block.signature.count == 64)
        precondition(block.generatorPublicKey.count == 32)
        let index = UInt32(blocks.count)
        blocks.append(
            BlockRow(
                id: block.id.number,
                timestamp: block.timestamp,
                numberOfTransactions: Int32(clamping: transactions.count),
                firstRow: UInt32(rows.count),
                totalAmount: block.totalAmount,
                totalFee: block.totalFee,
                reward: block.reward,
                payloadLength: block.payloadLength,
                bytes: blockBytes.append(block.payloadHash + block.signature + block.generatorPublicKey)
            )
        )
        blockIndexes[block.id.number] = index
        blocksByGenerator[block.generatorPublicKey, default: []].append(index)
        for transaction in transactions { append(transaction, in: block, index: index) }
    }

    private mutating func append(_ transaction: Transaction, in block: Block, index: UInt32) {
        var subtype: Int32?
        var key = TransactionRow.none
        switch transaction.asset {
        case .chat(_, _, let type): subtype = type
        case .state(_, let name, let type):
            subtype = type
            if let name { key = keys.intern(name) }
        case .none, .delegate, .votes: break
        }
        let rendered = TransactionPieces(transaction, block: block)
        let milliseconds = transaction.timestampMilliseconds.map {
            $0.subtractingClamped(Int64(transaction.timestamp) * 1000)
        }
        let row = TransactionRow(
            id: transaction.id.number,
            amount: transaction.amount,
            fee: transaction.fee,
            timestamp: transaction.timestamp,
            milliseconds: Int16(clamping: milliseconds ?? -1),
            kind: RowKind(type: transaction.type, subtype: subtype),
            block: index,
            sender: accounts.intern(transaction.sender),
            recipient: transaction.recipient.map { accounts.intern($0) } ?? TransactionRow.none,
            key: key,
            pieces: pieces.append(rendered.bytes),
            lengths: rendered.lengths
        )
        let number = UInt32(rows.count)
        rows.append(row)
        rowNumbers[row.id] = number
        addToIndexes(row, number: number)
    }

    /// Takes the newest block and its rows off; addresses and keys that occurred keep their numbers.
    mutating func removeLastBlock() {
        guard let block = blocks.last else { return }
        while rows.count > Int(block.firstRow), let row = rows.last {
            removeFromIndexes(row)
            rowNumbers[row.id] = nil
            pieces.removeAll(from: row.pieces)
            rows.removeLast()
        }
        blockIndexes[block.id] = nil
        let generator = blockBytes.bytes(block.bytes, from: BlockRow.bytesLength - 32, length: 32)
        blocksByGenerator[Array(generator)]?.removeLast()
        blockBytes.removeAll(from: block.bytes)
        blocks.removeLast()
    }

    private mutating func addToIndexes(_ row: TransactionRow, number: UInt32) {
        let time = row.time
        let rows = rows
        let timeOf: (UInt32) -> Int64 = { rows[$0].time }
        byKind.append(number, kind: row.kind, time: time, timeOf: timeOf)
        if row.key != TransactionRow.none {
            keys.append(
                number,
                key: row.key,
                account: row.sender,
                kind: row.kind,
                time: time,
                timeOf: timeOf
            )
        }
        if row.recipient != TransactionRow.none { self.rooms.append(number, row) { rows[$0] } }
        withAccountIndexes(of: row) { $0.append(number, kind: row.kind, time: time, timeOf: timeOf) }
    }

    /// The opposite of ``addToIndexes(_:number:)`` for the newest row.
    private mutating func removeFromIndexes(_ row: TransactionRow) {
        let time = row.time
        let rows = rows
        let timeOf: (UInt32) -> Int64 = { rows[$0].time }
        byKind.removeLast(kind: row.kind, time: time, timeOf: timeOf)
        if row.key != TransactionRow.none {
            keys.removeLast(key: row.key, account: row.sender, kind: row.kind, time: time, timeOf: timeOf)
        }
        if row.recipient != TransactionRow.none {
            self.rooms.removeLast(UInt32(rows.count - 1), row) { rows[$0] }
        }
        withAccountIndexes(of: row) { $0.removeLast(kind: row.kind, time: time, timeOf: timeOf) }
    }

    /// Changes the one or two lists of accounts in which a row belongs.
    private mutating func withAccountIndexes(of row: TransactionRow, _ change: (inout KindIndexes) -> Void) {
        guard row.recipient != TransactionRow.none else {
            change(&accounts[row.sender].outgoing)
            return
        }
        if row.recipient == row.sender {
            change(&accounts[row.sender].own)
            return
        }
        change(&accounts[row.sender].outgoing)
        if accounts[row.recipient].address.uppercased == accounts[row.sender].address {
            change(&accounts[row.recipient].own)
        } else {
            change(&accounts[row.recipient].incoming)
        }
    }
}
