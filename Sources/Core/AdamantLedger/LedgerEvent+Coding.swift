import AdamantModel
import Determinism
import JSONValue

extension LedgerEvent {
    /// Version of the layout, the first byte of an encoded event.
    private static let version: UInt8 = 1

    /// The event as bytes for a log.
    public var encoded: [UInt8] {
        var writer = BinaryWriter()
        writer.write(byte: Self.version)
        switch self {
        case .accepted(let node, let transaction, let posted, let receivedAt):
            writer.write(byte: 0)
            writer.write(Int64(node))
            writer.write(transaction)
            writer.write(posted)
            writer.write(receivedAt.milliseconds)
        case .relayed(let node, let id, let receivedAt):
            writer.write(byte: 1)
            writer.write(Int64(node))
            writer.write(id.number)
            writer.write(receivedAt.milliseconds)
        case .unconfirmed(let node, let id):
            writer.write(byte: 2)
            writer.write(Int64(node))
            writer.write(id.number)
        case .dropped(let node, let id, let reason):
            writer.write(byte: 3)
            writer.write(Int64(node))
            writer.write(id.number)
            writer.write(reason)
        case .forged(let block, let transactions):
            writer.write(byte: 4)
            writer.write(block, transactions)
        case .accountStored(let address, let publicKey):
            writer.write(byte: 5)
            writer.write(address.text)
            writer.write(optional: publicKey.map { Hex.encode($0) })
        case .reverted(let block, let transactions):
            writer.write(byte: 6)
            writer.write(block, transactions)
        case .pooled(let node, let entry):
            writer.write(byte: 7)
            writer.write(Int64(node))
            writer.write(entry.transaction)
            writer.write(entry.posted)
            writer.write(entry.receivedAt.milliseconds)
            writer.write(Int64(entry.relays))
        }
        return writer.bytes
    }

    /// The event of bytes; nil when they are none of this version.
    public init?(decoding bytes: [UInt8]) {
        var reader = BinaryReader(bytes)
        do throws(MalformedBytes) {
            guard try reader.byte() == Self.version else { return nil }
            self = try Self.read(&reader)
        } catch {
            return nil
        }
        guard reader.isAtEnd else { return nil }
    }

    private static func read(_ reader: inout BinaryReader) throws(MalformedBytes) -> LedgerEvent {
        switch try reader.byte() {
        case 0:
            return .accepted(
                node: try reader.node(),
                try reader.transaction(),
                posted: try reader.object(),
                receivedAt: Timestamp(milliseconds: try reader.signed())
            )
        case 1:
            return .relayed(
                node: try reader.node(),
                Identifier(try reader.unsigned()),
                receivedAt: Timestamp(milliseconds: try reader.signed())
            )
        case 2: return .unconfirmed(node: try reader.node(), Identifier(try reader.unsigned()))
        case 3:
            return .dropped(
                node: try reader.node(),
                Identifier(try reader.unsigned()),
                reason: try reader.text()
            )
        case 4:
            let (block, transactions) = try reader.blockWithTransactions()
            return .forged(block, transactions)
        case 5:
            let address = try reader.address()
            guard let hexadecimal = try reader.optionalText() else {
                return .accountStored(address: address, publicKey: nil)
            }
            guard let key = Hex.decode(hexadecimal), key.count == 32 else { throw MalformedBytes() }
            return .accountStored(address: address, publicKey: key)
        case 6:
            let (block, transactions) = try reader.blockWithTransactions()
            return .reverted(block, transactions)
        case 7:
            return .pooled(
                node: try reader.node(),
                PooledTransaction(
                    transaction: try reader.transaction(),
                    posted: try reader.object(),
                    receivedAt: Timestamp(milliseconds: try reader.signed()),
                    relays: try reader.integer(Int.self)
                )
            )
        default: throw MalformedBytes()
        }
    }
}

extension BinaryWriter {
    /// A transaction.
    fileprivate mutating func write(_ transaction: Transaction) {
        write(transaction.id.number)
        write(byte: UInt8(truncatingIfNeeded: transaction.type))
        write(Int64(transaction.timestamp))
        write(byte: transaction.timestampMilliseconds == nil ? 0 : 1)
        if let milliseconds = transaction.timestampMilliseconds { write(milliseconds) }
        write(transaction.senderPublicKey)
        write(transaction.sender.text)
        write(optional: transaction.recipient?.text)
        write(transaction.amount)
        write(transaction.fee)
        write(transaction.signature)
        switch transaction.asset {
        case .none: break
        case .delegate(let username): write(username)
        case .votes(let votes): write(.array(votes.map(JSONValue.string)))
        case .chat(let message, let ownMessage, let type):
            write(message)
            write(optional: ownMessage)
            write(Int64(type))
        case .state(let value, let key, let type):
            write(value)
            write(optional: key)
            write(Int64(type))
        }
    }

    /// A block's header and its transactions.
    fileprivate mutating func write(_ block: Block, _ transactions: [Transaction]) {
        write(block)
        write(UInt64(transactions.count))
        for transaction in transactions { write(transaction) }
    }

    /// A block's header.
    private mutating func write(_ block: Block) {
        write(block.id.number)
        write(Int64(block.height))
        write(Int64(block.timestamp))
        write(byte: block.previousBlock == nil ? 0 : 1)
        if let previous = block.previousBlock { write(previous.number) }
        write(Int64(block.numberOfTransactions))
        write(block.totalAmount)
        write(block.totalFee)
        write(block.reward)
        write(Int64(block.payloadLength))
        write(block.payloadHash)
        write(block.generatorPublicKey)
        write(block.signature)
    }
}

extension BinaryReader {
    /// A node's number.
    fileprivate mutating func node() throws(MalformedBytes) -> Int {
        let node = try integer(Int.self)
        guard node >= 0 else { throw MalformedBytes() }
        return node
    }

    /// An address.
    fileprivate mutating func address() throws(MalformedBytes) -> Address {
        guard let address = Address(try text()) else { throw MalformedBytes() }
        return address
    }

    /// A transaction.
    fileprivate mutating func transaction() throws(MalformedBytes) -> Transaction {
        let id = Identifier(try unsigned())
        let type = Int(try byte())
        let timestamp = try integer(Int32.self)
        let milliseconds = try byte() == 0 ? nil : try signed()
        if let milliseconds, milliseconds.flooredDivision(by: 1000) != Int64(timestamp) {
            throw MalformedBytes()
        }
        let senderPublicKey = try bytes(count: 32)
        let sender = try address()
        guard sender == sender.uppercased else { throw MalformedBytes() }
        var recipient: Address?
        if let text = try optionalText() {
            guard let address = Address(text) else { throw MalformedBytes() }
            recipient = address
        }
        return Transaction(
            id: id,
            type: type,
            timestamp: timestamp,
            timestampMilliseconds: milliseconds,
            senderPublicKey: senderPublicKey,
            sender: sender,
            recipient: recipient,
            amount: try amount(),
            fee: try amount(),
            asset: .none,
            signature: try bytes(count: 64)
        ).carrying(try asset(type: type))
    }

    private mutating func amount() throws(MalformedBytes) -> Int64 {
        let amount = try signed()
        guard amount >= 0 else { throw MalformedBytes() }
        return amount
    }

    private mutating func asset(type: Int) throws(MalformedBytes) -> Asset {
        switch type {
        case Transaction.Kind.transfer: return .none
        case Transaction.Kind.delegate: return .delegate(username: try text())
        case Transaction.Kind.vote:
            guard let votes = try json().arrayValue else { throw MalformedBytes() }
            return .votes(votes.compactMap(\.stringValue))
        case Transaction.Kind.chat:
            return .chat(
                message: try text(),
                ownMessage: try optionalText(),
                type: try integer(Int32.self)
            )
        case Transaction.Kind.state:
            return .state(value: try text(), key: try optionalText(), type: try integer(Int32.self))
        default: throw MalformedBytes()
        }
    }

    /// A block's header and its transactions.
    fileprivate mutating func blockWithTransactions() throws(MalformedBytes) -> (Block, [Transaction]) {
        let block = try block()
        let count = try unsigned()
        guard count <= UInt64(Block.maximumTransactions) else { throw MalformedBytes() }
        var transactions: [Transaction] = []
        for _ in 0..<count { transactions.append(try transaction()) }
        return (block, transactions)
    }

    /// A block's header.
    private mutating func block() throws(MalformedBytes) -> Block {
        Block(
            id: Identifier(try unsigned()),
            height: try integer(Int.self),
            timestamp: try integer(Int32.self),
            previousBlock: try byte() == 0 ? nil : Identifier(try unsigned()),
            numberOfTransactions: try integer(Int32.self),
            totalAmount: try amount(),
            totalFee: try amount(),
            reward: try amount(),
            payloadLength: try integer(Int32.self),
            payloadHash: try bytes(count: 32),
            generatorPublicKey: try bytes(count: 32),
            signature: try bytes(count: 64)
        )
    }
}

extension Transaction {
    /// The same transaction with another asset.
    fileprivate func carrying(_ asset: Asset) -> Transaction {
        var copy = self
        copy.asset = asset
        return copy
    }
}
