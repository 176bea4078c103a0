import AdamantModel
import JSONValue

/// The pieces between the rendered ones.
private enum Literal {
    static let null = Array("null".utf8)
    static let milliseconds = Array(",\"timestampMs\":".utf8)
    static let requester = Array(",\"requesterPublicKey\":null".utf8)
    static let recipientKey = Array(",\"recipientPublicKey\":".utf8)
    static let signatures = Array(",\"signatures\":[],\"confirmations\":".utf8)
    static let signSignature = Array(",\"signSignature\":null,\"signatures\":[],\"confirmations\":".utf8)
    static let asset = Array(",\"asset\":".utf8)
    static let emptyAsset = Array(",\"asset\":{}}".utf8)
}

extension TransactionForm {
    /// Whether it is one of the forms of `/api/transactions`.
    var isGeneral: Bool {
        switch self {
        case .transactions, .single: true
        case .chats, .states: false
        }
    }

    var returnsAsset: Bool {
        switch self {
        case .transactions(let returnsAsset), .single(let returnsAsset): returnsAsset
        case .chats, .states: true
        }
    }

    /// Whether a block time of 0 is shown as null.
    var hidesEpochStart: Bool {
        switch self {
        case .single, .chats: true
        case .transactions, .states: false
        }
    }
}

extension Chain {
    /// Appends a confirmed transaction as JSON.
    ///
    /// - Source: adamant:logic/transaction.js (`dbRead`), modules/chats.js, modules/states.js
    func render(_ number: UInt32, _ form: TransactionForm, _ profile: NodeProfile, into output: inout [UInt8])
    {
        let row = rows[number]
        let lengths = row.lengths
        var place = 0
        func piece(_ length: Int) -> ArraySlice<UInt8> {
            defer { place += length }
            return pieces.bytes(row.pieces, from: place, length: length)
        }
        output.append(contentsOf: piece(Int(lengths.head)))
        appendBlockTimestamp(row, form, profile, into: &output)
        output.append(contentsOf: piece(Int(lengths.time)))
        if profile.storesTimestampMilliseconds {
            output.append(contentsOf: Literal.milliseconds)
            if row.milliseconds >= 0 {
                output.append(decimal: row.time)
            } else {
                output.append(contentsOf: Literal.null)
            }
        }
        output.append(contentsOf: piece(PieceLengths.senderKey))
        if !form.isGeneral { output.append(contentsOf: Literal.requester) }
        let partiesStart = output.count
        output.append(contentsOf: piece(Int(lengths.parties)))
        if form.isGeneral, lengths.recipientOffset > 0 {
            output[partiesStart + Int(lengths.recipientOffset)] = UInt8(ascii: "U")
        }
        output.append(contentsOf: Literal.recipientKey)
        let recipientKey =
            form.isGeneral && row.recipient != TransactionRow.none
            ? accounts[row.recipient].publicKeyHex : nil
        if let recipientKey {
            output.append(UInt8(ascii: "\""))
            output.append(contentsOf: recipientKey)
            output.append(UInt8(ascii: "\""))
        } else {
            output.append(contentsOf: Literal.null)
        }
        output.append(contentsOf: piece(Int(lengths.amounts)))
        output.append(contentsOf: form.isGeneral ? Literal.signatures : Literal.signSignature)
        output.append(decimal: Int64(blocks.count - Int(row.block)))
        guard form.returnsAsset else {
            output.append(contentsOf: Literal.emptyAsset)
            appendVotes(row, form, into: &output)
            return
        }
        output.append(contentsOf: Literal.asset)
        output.append(contentsOf: piece(Int(lengths.asset)))
        output.append(UInt8(ascii: "}"))
        appendVotes(row, form, into: &output)
    }

    private func appendBlockTimestamp(
        _ row: TransactionRow,
        _ form: TransactionForm,
        _ profile: NodeProfile,
        into output: inout [UInt8]
    ) {
        let showsBlocks = form.returnsAsset || profile.showsBlockTimestampAlways
        let value = showsBlocks ? blocks[row.block].timestamp : row.timestamp
        if value == 0, form.hidesEpochStart {
            output.append(contentsOf: Literal.null)
        } else {
            output.append(decimal: Int64(value))
        }
    }

    /// The lists of a vote's object on `/api/transactions/get`, put before the closing brace.
    private func appendVotes(_ row: TransactionRow, _ form: TransactionForm, into output: inout [UInt8]) {
        guard row.kind == .vote, case .single = form,
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
        let keyStart = Int(lengths.head) + Int(lengths.time)
        let amountsEnd = keyStart + PieceLengths.senderKey + Int(lengths.parties) + Int(lengths.amounts)
        let key = pieces.bytes(row.pieces, from: keyStart + PieceLengths.senderKey - 65, length: 64)
        let signature = pieces.bytes(row.pieces, from: amountsEnd - 129, length: 128)
        let asset = pieces.bytes(row.pieces, from: amountsEnd, length: Int(lengths.asset))
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
