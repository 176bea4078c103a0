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
        guard let sent = named(value), !sent.name.isEmpty else { return nil }
        guard let field = fields.first(where: { $0.rawValue == sent.name }) else {
            throw .list("Invalid sort field")
        }
        return TransactionOrder(field, isDescending: sent.isDescending ?? profile.descendsByDefault)
    }

    /// The field that `orderBy` names, which may be empty, and the direction where there is one.
    static func named(_ value: JSONValue?) -> (name: String, isDescending: Bool?)? {
        guard let text = value?.stringValue, !text.isEmpty else { return nil }
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        let name = String(decoding: parts[0].filter(isKept), as: UTF8.self)
        return (name, parts.count == 2 ? parts[1].elementsEqual("desc".utf8) : nil)
    }

    /// Letters, digits, `_` and white space of ASCII.
    private static func isKept(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: " "),
            UInt8(ascii: "\t")...UInt8(ascii: "\r"):
            true
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
