import AdamantModel
import JSONValue

/// Where the fixed text of a confirmed transaction can be cut.
///
/// The text is what chats and states show without `timestampMs`, less the number of confirmations:
/// `{"id"…"block_timestamp":` T `,"timestamp"…` M `,"senderPublicKey"…` R `,"senderId"…"recipientId"…` K
/// `,"amount"…"signature"…` S `,"signatures":[],"confirmations":` C `,"asset":…}`, where at T stands the block's
/// time, at R, K and S stand members that other forms lack or fill, and at C nothing.
struct PieceLengths: Sendable {
    /// The member `senderPublicKey`.
    static let senderKey = 20 + 64 + 1
    // Lengths of texts of ``PieceText``, known when compiling: they are added for every element of a page.
    private static let requester = 26
    private static let signature = 15 + 128
    private static let noRecipientKey = 26
    private static let signSignature = 21
    private static let signatures = 33
    private static let assetName = 9

    /// Up to the block's time.
    let head: UInt8
    /// The block's time.
    let blockTime: UInt8
    /// The member `timestamp`.
    let time: UInt8
    /// The members `senderId` and `recipientId`.
    let parties: UInt8
    /// The members `amount`, `fee` and `signature`.
    let amounts: UInt8
    /// Number of bytes from the start of the parties to the first letter of the recipient; 0 without one.
    let recipientOffset: UInt8
    /// From the member `asset` to the closing brace.
    let asset: UInt32

    /// Start of the member `timestamp`.
    var timeStart: Int { Int(head) + Int(blockTime) }
    /// Start of the member `senderPublicKey`.
    var keyStart: Int { timeStart + Int(time) }
    /// End of the member `senderPublicKey`.
    var keyEnd: Int { keyStart + Self.senderKey }
    /// Start of the member `senderId`.
    var partiesStart: Int { keyEnd + Self.requester }
    /// End of the member `recipientId`.
    var partiesEnd: Int { partiesStart + Int(parties) }
    /// Start of the member `amount`.
    var amountsStart: Int { partiesEnd + Self.noRecipientKey }
    /// Start of the member `signature`.
    var signatureStart: Int { amountsEnd - Self.signature }
    /// End of the member `signature`.
    var amountsEnd: Int { amountsStart + Int(amounts) }
    /// Start of the member `signatures`.
    var signaturesStart: Int { amountsEnd + Self.signSignature }
    /// Where the number of confirmations belongs.
    var confirmations: Int { signaturesStart + Self.signatures }
    /// Start of the value of the member `asset`.
    var assetValue: Int { confirmations + Self.assetName }
    /// The end.
    var end: Int { confirmations + Int(asset) }
}

/// Text between the parts that differ.
enum PieceText {
    static let null = Array("null".utf8)
    static let milliseconds = Array(",\"timestampMs\":".utf8)
    static let requester = Array(",\"requesterPublicKey\":null".utf8)
    static let recipientKey = Array(",\"recipientPublicKey\":\"".utf8)
    static let noRecipientKey = Array(",\"recipientPublicKey\":null".utf8)
    static let signSignature = Array(",\"signSignature\":null".utf8)
    static let signatures = Array(",\"signatures\":[],\"confirmations\":".utf8)
    static let asset = Array(",\"asset\":".utf8)
    static let noOwnMessage = Array("\"own_message\":null,\"type\"".utf8)
    static let emptyAsset = Array(",\"asset\":{}}".utf8)
}

/// The text of a transaction that never changes once it is in a block.
struct TransactionPieces {
    private(set) var bytes: [UInt8] = []
    let lengths: PieceLengths

    init(_ transaction: Transaction, block: Block) {
        bytes.reserveCapacity(1024)
        bytes.append("{\"id\":\"", transaction.id.description, "\",\"height\":")
        bytes.append(decimal: Int64(block.height))
        bytes.append(",\"blockId\":\"", block.id.description, "\",\"type\":")
        bytes.append(decimal: Int64(transaction.type))
        bytes.append(",\"block_timestamp\":")
        let head = bytes.count
        bytes.append(decimal: Int64(block.timestamp))
        let timeStart = bytes.count
        bytes.append(",\"timestamp\":")
        bytes.append(decimal: Int64(transaction.timestamp))
        let keyStart = bytes.count
        bytes.append(",\"senderPublicKey\":\"", Hex.encode(transaction.senderPublicKey), "\"")
        bytes += PieceText.requester
        let partiesStart = bytes.count
        bytes.append(",\"senderId\":\"", transaction.sender.text, "\",\"recipientId\":")
        let recipient = bytes.count + 1 - partiesStart
        if let recipient = transaction.recipient {
            bytes.append("\"", recipient.text, "\"")
        } else {
            bytes += PieceText.null
        }
        let partiesEnd = bytes.count
        bytes += PieceText.noRecipientKey
        let amountsStart = bytes.count
        bytes.append(",\"amount\":")
        bytes.append(decimal: transaction.amount)
        bytes.append(",\"fee\":")
        bytes.append(decimal: transaction.fee)
        bytes.append(",\"signature\":\"", Hex.encode(transaction.signature), "\"")
        let amountsEnd = bytes.count
        bytes += PieceText.signSignature
        bytes += PieceText.signatures
        let confirmations = bytes.count
        bytes += PieceText.asset
        bytes.append(confirmedAsset: transaction)
        bytes.append(UInt8(ascii: "}"))
        lengths = PieceLengths(
            head: UInt8(clamping: head),
            blockTime: UInt8(clamping: timeStart - head),
            time: UInt8(clamping: keyStart - timeStart),
            parties: UInt8(clamping: partiesEnd - partiesStart),
            amounts: UInt8(clamping: amountsEnd - amountsStart),
            recipientOffset: transaction.recipient == nil ? 0 : UInt8(clamping: recipient),
            asset: UInt32(clamping: bytes.count - confirmations)
        )
    }
}

extension [UInt8] {
    /// Appends texts as they are.
    mutating func append(_ texts: String...) {
        for text in texts { append(contentsOf: text.utf8) }
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
