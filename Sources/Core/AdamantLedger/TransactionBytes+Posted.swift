import AdamantModel
import JSONValue

/// An error that the node's byte functions throw at a field of the wrong type.
struct ByteError: Error {
    /// The `error` text of the answer.
    let message: String

    init(_ text: String, kind: String = "TypeError") {
        message = "\(kind): \(text)"
    }
}

extension TransactionBytes {
    /// The fields of a posted object as the node serialises them.
    ///
    /// Wrong types that the node's byte functions let pass get through here as well; a later check refuses them.
    /// - Source: adamant:logic/transaction.js (`getBytes`), logic/chat.js, logic/state.js, logic/delegate.js,
    ///   logic/vote.js; bytebuffer (`writeInt32`, `writeInt64`)
    init(posted: JSONObject, senderPublicKey: [UInt8]) throws(ByteError) {
        let sent = posted["type"]
        let type = sent?.doubleValue ?? Double(sent.javaScriptText) ?? 0
        let asset = try Asset(posted: posted["asset"], type: Int(type.javaScriptInt32))
        let requester = posted["requesterPublicKey"]?.stringValue ?? ""
        self.init(
            type: UInt8(truncatingIfNeeded: type.javaScriptInt32),
            timestamp: try Self.int32(posted["timestamp"]),
            senderPublicKey: senderPublicKey,
            requesterPublicKey: Hex.decodeLeniently(requester),
            recipient: posted["recipientId"]?.stringValue.flatMap(Address.init),
            amount: try Self.amount(posted["amount"]),
            asset: asset
        )
    }

    /// What `writeInt32` makes of a value.
    static func int32(_ value: JSONValue?) throws(ByteError) -> Int32 {
        guard case .number(let number)? = value, number.isInteger else {
            throw ByteError("Illegal value: \(value.javaScriptText) (not an integer)")
        }
        return number.double.javaScriptInt32
    }

    private static func amount(_ value: JSONValue?) throws(ByteError) -> Int64 {
        switch value {
        case .number(let number)?:
            if let exact = number.int64 { return exact }
            let double = number.double
            return double.isFinite && double.magnitude < 0x1p63 ? Int64(double) : 0
        case .string(let text)?:
            guard !text.isEmpty else { throw ByteError("empty string", kind: "Error") }
            return Int64(text) ?? 0
        default: throw ByteError("Illegal value: \(value.javaScriptText) (not an integer or Long)")
        }
    }
}

extension Asset {
    /// The asset of a posted transaction, as far as its bytes can be made.
    init(posted asset: JSONValue?, type: Int) throws(ByteError) {
        switch type {
        case Transaction.Kind.chat:
            let chat = try Self.member("chat", of: asset, reading: "message")
            let message = try Self.text(chat["message"])
            var ownMessage = chat["own_message"]?.stringValue
            if ownMessage == nil, chat["own_message"].isTruthy {
                ownMessage = try Self.text(chat["own_message"])
            }
            self = .chat(
                message: message,
                ownMessage: ownMessage,
                type: try TransactionBytes.int32(chat["type"])
            )
        case Transaction.Kind.state:
            let state = try Self.member("state", of: asset, reading: "value")
            let value = try Self.text(state["value"])
            var key = state["key"]?.stringValue
            if key == nil, state["key"].isTruthy { key = try Self.text(state["key"]) }
            self = .state(value: value, key: key, type: try TransactionBytes.int32(state["type"]))
        case Transaction.Kind.delegate:
            let delegate = try Self.member("delegate", of: asset, reading: "username")
            self = .delegate(username: delegate["username"]?.stringValue ?? "")
        case Transaction.Kind.vote:
            guard let asset, !asset.isNull else { throw Self.unreadable(asset, "votes") }
            self = .votes(asset["votes"]?.arrayValue?.compactMap(\.stringValue) ?? [])
        default: self = .none
        }
    }

    private static func member(
        _ name: String,
        of asset: JSONValue?,
        reading inner: String
    ) throws(ByteError) -> JSONValue {
        guard let asset, !asset.isNull else { throw unreadable(asset, name) }
        let value = asset[name]
        guard let value, !value.isNull else { throw unreadable(value, inner) }
        return value
    }

    private static func unreadable(_ value: JSONValue?, _ name: String) -> ByteError {
        ByteError("Cannot read properties of \(value.javaScriptText) (reading '\(name)')")
    }

    /// What `Buffer.from` accepts; an array or object of bytes gets through and is refused by the schema.
    private static func text(_ value: JSONValue?) throws(ByteError) -> String {
        switch value {
        case .string(let text)?: return text
        case .array?: return ""
        case .number?:
            throw ByteError(
                "The \"value\" argument must not be of type number. Received \(value.receivedText)",
                kind: "TypeError [ERR_INVALID_ARG_TYPE]"
            )
        default:
            throw ByteError(
                "The first argument must be of type string or an instance of Buffer, ArrayBuffer, or Array "
                    + "or an Array-like Object. Received \(value.receivedText)",
                kind: "TypeError [ERR_INVALID_ARG_TYPE]"
            )
        }
    }
}
