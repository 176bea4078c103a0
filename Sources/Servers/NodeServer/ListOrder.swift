import AdamantLedger
import JSONValue

/// Reads `orderBy`.
///
/// - Source: adamant:helpers/orderBy.js
enum ListOrder {
    /// What `orderBy` asks for; nil when it is absent or empty.
    ///
    /// A direction other than `desc` ascends; one after two colons is not read.
    static func parse(
        _ value: JSONValue?,
        fields: [TransactionOrder.Field],
        profile: NodeProfile
    ) throws(NodeRefusal) -> TransactionOrder? {
        guard let text = value?.stringValue, !text.isEmpty else { return nil }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        let name = String(parts[0].unicodeScalars.filter(isKept))
        guard !name.isEmpty else { return nil }
        guard let field = TransactionOrder.Field(rawValue: name), fields.contains(field) else {
            throw .list("Invalid sort field")
        }
        let isDescending = parts.count == 2 ? parts[1] == "desc" : profile.descendsByDefault
        return TransactionOrder(field, isDescending: isDescending)
    }

    /// Letters, digits, `_` and white space of ASCII.
    private static func isKept(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", " ", "\t"..."\r": true
        default: false
        }
    }
}

extension JSONValue? {
    /// An integer that a schema has accepted, clamped to what fits.
    var clampedInteger: Int64? {
        guard case .number(let number)? = self else { return nil }
        return number.int64 ?? (number.double < 0 ? .min : .max)
    }

    var clampedInt: Int? { clampedInteger.map { Int(clamping: $0) } }
}
