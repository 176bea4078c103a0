import AdamantModel
import APNsRules
import JSONValue

extension PushRecord {
    /// The transaction that the payload names.
    var transaction: Identifier? { transactionId.flatMap { Identifier($0) } }
}

extension PushRecord.Snapshot {
    /// What the journal tells of a push.
    var facts: JSONValue {
        let record = record
        return [
            "push": .string(record.id.lowercased), "token": .optional(record.token),
            "status": record.status.map { .int($0) } ?? .null, "reason": .optional(record.reason),
            "recipient": .optional(record.recipient), "delivery": .optional(deliveryState?.rawValue),
        ]
    }
}
