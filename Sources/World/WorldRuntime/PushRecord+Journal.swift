import AdamantModel
import APNsRules
import JSONValue

extension PushRecord {
    /// The transaction that the payload names.
    var transaction: Identifier? { transactionId.flatMap { Identifier($0) } }

    /// What the journal tells of a push.
    var facts: JSONValue {
        [
            "push": .string(id.lowercased), "token": .optional(token),
            "status": status.map { .int($0) } ?? .null, "reason": .optional(reason),
            "recipient": .optional(recipient), "delivery": .optional(delivery?.state.rawValue),
        ]
    }
}
