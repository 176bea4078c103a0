import AdamantModel
import JSONValue

/// Lengths of the fixed pieces that come before `asset`.
struct PieceLengths: Sendable {
    /// From the opening brace to the name `block_timestamp`.
    let head: UInt8
    /// The member `timestamp`.
    let time: UInt8
    /// The members `senderId` and `recipientId`.
    let parties: UInt8
    /// The members `amount`, `fee` and `signature`.
    let amounts: UInt8
    /// Number of bytes from the start of the parties to the first letter of the recipient; 0 without one.
    let recipientOffset: UInt8
    /// The value of the member `asset`.
    let asset: UInt32

    /// The member `senderPublicKey`.
    static let senderKey = 20 + 64 + 1
}

/// The parts of a transaction's JSON that never change once it is in a block.
struct TransactionPieces {
    private(set) var bytes: [UInt8] = []
    let lengths: PieceLengths

    init(_ transaction: Transaction, block: Block) {
        bytes.reserveCapacity(1024)
        var start = 0
        func finish(_ bytes: [UInt8]) -> Int {
            defer { start = bytes.count }
            return bytes.count - start
        }
        bytes.append("{\"id\":\"", transaction.id.description, "\",\"height\":")
        bytes.append(decimal: Int64(block.height))
        bytes.append(",\"blockId\":\"", block.id.description, "\",\"type\":")
        bytes.append(decimal: Int64(transaction.type))
        bytes.append(",\"block_timestamp\":")
        let head = finish(bytes)
        bytes.append(",\"timestamp\":")
        bytes.append(decimal: Int64(transaction.timestamp))
        let time = finish(bytes)
        bytes.append(",\"senderPublicKey\":\"", Hex.encode(transaction.senderPublicKey), "\"")
        _ = finish(bytes)
        bytes.append(",\"senderId\":\"", transaction.sender.text, "\",\"recipientId\":")
        var recipientOffset = 0
        if let recipient = transaction.recipient {
            recipientOffset = bytes.count - start + 1
            bytes.append("\"", recipient.text, "\"")
        } else {
            bytes.append("null")
        }
        let parties = finish(bytes)
        bytes.append(",\"amount\":")
        bytes.append(decimal: transaction.amount)
        bytes.append(",\"fee\":")
        bytes.append(decimal: transaction.fee)
        bytes.append(",\"signature\":\"", Hex.encode(transaction.signature), "\"")
        let amounts = finish(bytes)
        bytes.append(confirmedAsset: transaction)
        lengths = PieceLengths(
            head: UInt8(clamping: head),
            time: UInt8(clamping: time),
            parties: UInt8(clamping: parties),
            amounts: UInt8(clamping: amounts),
            recipientOffset: UInt8(clamping: recipientOffset),
            asset: UInt32(clamping: finish(bytes))
        )
    }
}

extension [UInt8] {
    /// Appends texts as they are.
    mutating func append(_ texts: String...) {
        for text in texts { append(contentsOf: text.utf8) }
    }

    /// Appends decimal digits.
    mutating func append(decimal value: Int64) {
        if value < 0 { append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        let start = count
        repeat {
            append(48 + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        self[start...].reverse()
    }

    /// Appends the `asset` of a confirmed transaction, in which omitted parts read back as null.
    mutating func append(confirmedAsset transaction: Transaction) {
        switch transaction.asset {
        case .none: append("{}")
        case .chat(let message, let ownMessage, let type):
            append("{\"chat\":{\"message\":")
            JSONValue.writeString(message, to: &self)
            append(",\"own_message\":")
            append(orNull: ownMessage)
            append(",\"type\":")
            append(decimal: Int64(type))
            append("}}")
        case .state(let value, let key, let type):
            append("{\"state\":{\"value\":")
            JSONValue.writeString(value, to: &self)
            append(",\"key\":")
            append(orNull: key)
            append(",\"type\":")
            append(decimal: Int64(type))
            append("}}")
        case .delegate(let username):
            append("{\"delegate\":{\"username\":")
            JSONValue.writeString(username, to: &self)
            append(",\"publicKey\":\"", Hex.encode(transaction.senderPublicKey), "\",\"address\":\"")
            append(transaction.sender.text, "\"}}")
        case .votes(let votes):
            append("{\"votes\":")
            JSONValue.array(votes.map(JSONValue.string)).write(to: &self)
            append("}")
        }
    }

    private mutating func append(orNull text: String?) {
        guard let text else {
            append("null")
            return
        }
        JSONValue.writeString(text, to: &self)
    }
}
