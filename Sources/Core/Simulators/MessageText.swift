import AdamantModel
import JSONValue

/// The text that a banner shows for a transaction.
struct MessageText: Hashable, Sendable {
    /// The partner's address.
    var partner: String
    /// Nil when the text of the push stays.
    var body: String?

    /// Reads a transaction with the keys of one of its parties, as the Notification Service Extension does.
    ///
    /// The texts for what is no plain message are this project's own.
    /// - Source: adamant-iOS:NotificationServiceExtension/NotificationService.swift
    init(of transaction: SeenTransaction, for pair: KeyPair, cryptography: some Cryptography) {
        let own = pair.address(cryptography: cryptography)
        let isOwn = transaction.sender == own
        partner = (isOwn ? transaction.recipient : transaction.sender)?.text ?? ""
        let amount = Self.adm(transaction.amount) + " ADM"
        let transfer = isOwn ? "You sent \(amount)" : "You received \(amount)"
        guard transaction.type == Transaction.Kind.chat, let chat = transaction.chat else {
            body = transaction.type == Transaction.Kind.transfer ? transfer : nil
            return
        }
        let partnerKey = isOwn ? transaction.recipientPublicKey ?? [] : transaction.senderPublicKey
        let text = chat.box.open(
            publicKey: partnerKey,
            privateKey: pair.privateKey,
            cryptography: cryptography
        )
        guard let text else {
            body = nil
            return
        }
        switch chat.type {
        case 0, 1: body = transaction.amount > 0 ? (text.isEmpty ? transfer : "\(transfer): \(text)") : text
        case 2: body = Self.rich(text, isOwn: isOwn)
        default: body = nil
        }
    }

    /// Units of 1e-8 ADM as a decimal number without trailing zeros.
    static func adm(_ units: Int64) -> String {
        let whole = units.magnitude / 100_000_000
        let fraction = String(units.magnitude % 100_000_000)
        var digits = String(repeating: "0", count: 8 - fraction.count) + fraction
        while digits.last == "0" { digits.removeLast() }
        return (units < 0 ? "-" : "") + String(whole) + (digits.isEmpty ? "" : "." + digits)
    }

    /// A transfer of another coin, a reply, a reaction or files; the text itself when it is none of them.
    private static func rich(_ text: String, isOwn: Bool) -> String {
        guard let value = try? JSONValue(parsing: text), value.objectValue != nil else { return text }
        if value["replyto_id"] != nil, let reply = value["reply_message"] {
            return reply.stringValue ?? rich(reply.text, isOwn: isOwn)
        }
        if value["reactto_id"] != nil, let reaction = value["react_message"]?.stringValue {
            return reaction.isEmpty ? "Removed a reaction" : "Reacted: \(reaction)"
        }
        if let files = value["files"]?.arrayValue {
            let comment = value["comment"]?.stringValue ?? ""
            let count = files.count == 1 ? "1 file" : "\(files.count) files"
            return comment.isEmpty ? count : "\(count): \(comment)"
        }
        let suffix = "_transaction"
        if let type = value["type"]?.stringValue?.lowercased(), type.hasSuffix(suffix),
            let sum = amount(value)
        {
            let coin = type.dropLast(suffix.count).uppercased()
            let comment = value["comments"]?.stringValue ?? ""
            let transfer = (isOwn ? "You sent " : "You received ") + "\(sum) \(coin)"
            return comment.isEmpty ? transfer : "\(transfer): \(comment)"
        }
        return text
    }

    private static func amount(_ value: JSONValue) -> String? {
        switch value["amount"] {
        case .string(let text)?: text
        case .number(let number)?: number.javaScriptText
        default: nil
        }
    }
}
