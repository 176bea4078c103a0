public import AdamantModel
public import JSONValue

/// A posted body: parsed, hashed and with its signature checked, before any lock is taken.
///
/// Everything that needs neither the ledger, nor a node's profile, nor the time is decided here.
public final class Submission: Sendable {
    /// Where it was posted.
    public let endpoint: SubmissionEndpoint
    /// The whole body.
    public let body: JSONValue
    /// The transaction, when it is an object.
    public let posted: JSONObject?
    /// The transaction type, where it can be told.
    public let type: Int?
    /// The chat type, where it can be told.
    public let chatType: Int?
    /// The address of the sender's key, where that can be told.
    public let sender: Address?
    /// The recipient as posted, where it is text.
    public let recipient: String?
    /// The id that the bytes give, where they can be made.
    public let id: Identifier?

    /// The refusal of the checks that come before the sender's account is written.
    let earlyRejection: SubmissionRejection?
    /// The sender's key, once the early checks are passed.
    let senderPublicKey: [UInt8]?
    /// Why the bytes cannot be made.
    let byteError: String?
    /// What the fields amount to, as far as bytes could be made of them.
    let bytes: TransactionBytes?
    /// What the node charges.
    let fee: Int64
    /// The posted signature's bytes.
    let signature: [UInt8]
    /// Why the members are refused where `timestampMs` does not count.
    let schemaError: String?
    /// Why the members are refused where it does.
    let schemaErrorWithMilliseconds: String?
    /// Whether the signature belongs to the bytes and the sender's key.
    let hasValidSignature: Bool

    /// Reads a body.
    public init(body: JSONValue, endpoint: SubmissionEndpoint, cryptography: some Cryptography) {
        self.endpoint = endpoint
        self.body = body
        let posted = endpoint.transaction(in: body)?.objectValue
        self.posted = posted
        type = Self.integer(posted?["type"])
        chatType = Self.integer(posted?["asset"]?["chat"]?["type"])
        recipient = posted?["recipientId"]?.stringValue

        let key = Self.senderPublicKey(posted)
        sender = key.map(cryptography.address(of:))
        earlyRejection = Self.earlyRejection(body: body, posted: posted, endpoint: endpoint, key: key)
        var checked: (key: [UInt8], posted: JSONObject)?
        if earlyRejection == nil, let key, let posted { checked = (key, posted) }
        senderPublicKey = checked?.key
        let signature = Hex.decodeLeniently(checked?.posted["signature"]?.stringValue ?? "")
        self.signature = signature
        (bytes, byteError) = checked.map { Self.bytes(of: $0.posted, key: $0.key) } ?? (nil, nil)
        guard let bytes, let checked else {
            (id, fee, hasValidSignature, schemaError, schemaErrorWithMilliseconds) = (nil, 0, false, nil, nil)
            return
        }
        let unsigned = bytes.unsigned
        let second = Hex.decodeLeniently(checked.posted["signSignature"]?.stringValue ?? "")
        id = TransactionBytes.id(
            unsigned: unsigned,
            signatures: signature + second,
            cryptography: cryptography
        )
        fee = Fees.fee(asset: bytes.asset, amount: bytes.amount)
        schemaError = ObjectSchema.refusal(of: checked.posted, type: bytes.type, checksMilliseconds: false)
        schemaErrorWithMilliseconds =
            checked.posted["timestampMs"] == nil
            ? schemaError
            : ObjectSchema.refusal(of: checked.posted, type: bytes.type, checksMilliseconds: true)
        hasValidSignature =
            schemaError == nil
            && cryptography.verify(
                signature: signature,
                message: cryptography.sha256(unsigned),
                publicKey: checked.key
            )
    }

    private static func bytes(of posted: JSONObject, key: [UInt8]) -> (TransactionBytes?, String?) {
        do throws(ByteError) {
            return (try TransactionBytes(posted: posted, senderPublicKey: key), nil)
        } catch {
            return (nil, error.message)
        }
    }

    private static func integer(_ value: JSONValue?) -> Int? {
        value?.intValue.flatMap { Int(exactly: $0) }
    }

    private static func senderPublicKey(_ posted: JSONObject?) -> [UInt8]? {
        guard let text = posted?["senderPublicKey"]?.stringValue, let key = Hex.decode(text), key.count == 32
        else { return nil }
        return key
    }

    /// Checks 1, 2 and 4; check 3 never refuses, since a node always knows some account.
    private static func earlyRejection(
        body: JSONValue,
        posted: JSONObject?,
        endpoint: SubmissionEndpoint,
        key: [UInt8]?
    ) -> SubmissionRejection? {
        guard let posted else {
            return SubmissionRejection(
                "Expected type object but found type \(endpoint.transaction(in: body).schemaType)"
            )
        }
        if let error = endpoint.schema.errors(posted).first { return SubmissionRejection(error) }
        let value = posted["senderPublicKey"]
        guard value.isTruthy else { return SubmissionRejection("Missing address or public key") }
        guard key == nil else { return nil }
        let message = "Invalid public key: \(value.javaScriptText)"
        let answers = endpoint == .statesStore || (endpoint == .transactions && integer(posted["type"]) == 9)
        return answers ? SubmissionRejection(message) : .exception(message)
    }

    /// What POST `/api/transactions` does with this body; nil when it is treated as the other endpoints treat it.
    ///
    /// - Source: adamant:modules/transactions.js; v0.9.0 for the old forms
    func rejectionOfGeneralEndpoint(_ profile: NodeProfile) -> SubmissionRejection? {
        guard endpoint == .transactions else { return nil }
        let type = body["transaction"]?["type"] ?? body["type"]
        let number = Self.integer(type)
        if number == Transaction.Kind.chat || number == Transaction.Kind.state { return nil }
        guard profile.hasPassPhraseForms else { return .silence }
        let form = body["transaction"] == nil ? body : [:]
        if number != Transaction.Kind.delegate, number != Transaction.Kind.vote {
            if form["recipientId"] == nil {
                return SubmissionRejection("Missing required property: recipientId")
            }
            if form["amount"] == nil { return SubmissionRejection("Missing required property: amount") }
        }
        return SubmissionRejection("Missing required property: secret")
    }
}
