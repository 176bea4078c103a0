import AdamantModel
import JSONValue

extension TransactionForm {
    /// Whether `requesterPublicKey` and `signSignature` are shown, which are always null.
    var showsRequester: Bool {
        switch self {
        case .transactions, .single, .room: false
        case .chats, .states, .roomMessage: true
        }
    }

    /// Whether the key of the recipient's account is looked up.
    var showsRecipientKey: Bool {
        switch self {
        case .transactions, .single, .room, .roomMessage: true
        case .chats, .states: false
        }
    }

    /// Whether the recipient is shown in upper case.
    var uppercasesRecipient: Bool {
        switch self {
        case .transactions, .single: true
        case .chats, .states, .roomMessage, .room: false
        }
    }

    var returnsAsset: Bool {
        switch self {
        case .transactions(let returnsAsset), .single(let returnsAsset): returnsAsset
        case .chats, .states, .roomMessage, .room: true
        }
    }

    /// Whether a block time of 0 is shown as null.
    var hidesEpochStart: Bool {
        switch self {
        case .single, .chats, .roomMessage: true
        case .transactions, .states, .room: false
        }
    }
}

extension Chain {
    /// Room for any form of a row, but for the lists of votes.
    func greatestLength(_ number: UInt32) -> Int { rows[number].lengths.end + Self.variableBytes }

    /// The time in milliseconds, the recipient's key, the number of confirmations and a comma.
    private static let variableBytes = 144

    /// Appends a confirmed transaction as JSON.
    ///
    /// - Source: adamant:logic/transaction.js (`dbRead`), modules/chats.js, modules/states.js
    func render(_ number: UInt32, _ form: TransactionForm, _ profile: NodeProfile, into output: inout [UInt8])
    {
        let row = rows[number]
        let lengths = row.lengths
        let text = pieces.page(row.pieces)
        let start = Int(row.pieces.offset)
        let showsBlockTime = form.returnsAsset || profile.showsBlockTimestampAlways
        let blockTime = showsBlockTime ? blocks[row.block].timestamp : row.timestamp
        var copied = 0
        func copy(to end: Int, into output: inout [UInt8]) {
            output.append(contentsOf: text[start + copied..<start + end])
            copied = end
        }

        let hidesBlockTime = blockTime == 0 && form.hidesEpochStart
        if !showsBlockTime || hidesBlockTime {
            copy(to: Int(lengths.head), into: &output)
            if hidesBlockTime { output += PieceText.null } else { output.append(decimal: Int64(blockTime)) }
            copied = lengths.timeStart
        }
        if profile.storesTimestampMilliseconds {
            copy(to: lengths.keyStart, into: &output)
            output += PieceText.milliseconds
            if row.milliseconds >= 0 { output.append(decimal: row.time) } else { output += PieceText.null }
        }
        if !form.showsRequester {
            copy(to: lengths.keyEnd, into: &output)
            copied = lengths.partiesStart
        }
        if form.uppercasesRecipient, lengths.recipientOffset > 0 {
            copy(to: lengths.partiesStart, into: &output)
            let recipient = output.count + Int(lengths.recipientOffset)
            copy(to: lengths.partiesEnd, into: &output)
            output[recipient] = UInt8(ascii: "U")
        }
        if form.showsRecipientKey, row.recipient != TransactionRow.none,
            let key = accounts[row.recipient].publicKeyHex
        {
            copy(to: lengths.partiesEnd, into: &output)
            output += PieceText.recipientKey
            output += key
            output.append(UInt8(ascii: "\""))
            copied = lengths.amountsStart
        }
        if case .room = form {
            copy(to: lengths.signatureStart, into: &output)
            copied = lengths.signaturesStart
        } else if !form.showsRequester {
            copy(to: lengths.amountsEnd, into: &output)
            copied = lengths.signaturesStart
        }
        copy(to: lengths.confirmations, into: &output)
        output.append(decimal: Int64(blocks.count - Int(row.block)))
        if form.returnsAsset { copy(to: lengths.end, into: &output) } else { output += PieceText.emptyAsset }
        if row.kind == .vote { appendVotes(row, form, into: &output) }
    }

    /// The lists of a vote's object on `/api/transactions/get`, put before the closing brace.
    private func appendVotes(_ row: TransactionRow, _ form: TransactionForm, into output: inout [UInt8]) {
        guard case .single = form,
            case .votes(let votes) = transaction(row).asset
        else { return }
        func list(_ sign: Character) -> JSONValue {
            .array(votes.filter { $0.first == sign }.map { .string(String($0.dropFirst())) })
        }
        output.removeLast()
        output.append(",\"votes\":")
        JSONValue.object(JSONObject([("added", list("+")), ("deleted", list("-"))])).write(to: &output)
        output.append(UInt8(ascii: "}"))
    }

    /// The transaction of a row, read back from its pieces.
    func transaction(_ row: TransactionRow) -> Transaction {
        let lengths = row.lengths
        func text(from start: Int, to end: Int) -> ArraySlice<UInt8> {
            pieces.bytes(row.pieces, from: start, length: end - start)
        }
        let key = text(from: lengths.keyEnd - 65, to: lengths.keyEnd - 1)
        let signature = text(from: lengths.amountsEnd - 129, to: lengths.amountsEnd - 1)
        let asset = text(from: lengths.assetValue, to: lengths.end - 1)
        return Transaction(
            id: Identifier(row.id),
            type: row.kind.type,
            timestamp: row.timestamp,
            timestampMilliseconds: row.milliseconds < 0 ? nil : row.time,
            senderPublicKey: Hex.decodeLeniently(String(decoding: key, as: UTF8.self)),
            sender: accounts[row.sender].address,
            recipient: row.recipient == TransactionRow.none ? nil : accounts[row.recipient].address,
            amount: row.amount,
            fee: row.fee,
            asset: Asset(confirmed: Array(asset)),
            signature: Hex.decodeLeniently(String(decoding: signature, as: UTF8.self))
        )
    }
}

extension Asset {
    /// The asset of its JSON as confirmed transactions show it.
    init(confirmed bytes: [UInt8]) {
        let json = try? JSONValue(parsing: bytes)
        func int32(_ value: JSONValue?) -> Int32 { Int32(clamping: value?.intValue ?? 0) }
        if let chat = json?["chat"] {
            self = .chat(
                message: chat["message"]?.stringValue ?? "",
                ownMessage: chat["own_message"]?.stringValue,
                type: int32(chat["type"])
            )
        } else if let state = json?["state"] {
            self = .state(
                value: state["value"]?.stringValue ?? "",
                key: state["key"]?.stringValue,
                type: int32(state["type"])
            )
        } else if let username = json?["delegate"]?["username"]?.stringValue {
            self = .delegate(username: username)
        } else if let votes = json?["votes"]?.arrayValue {
            self = .votes(votes.compactMap(\.stringValue))
        } else {
            self = .none
        }
    }
}
