/// A JSON value that keeps what the wire can show: member order and the form of number literals.
public enum JSONValue: Hashable, Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number, with its literal.
    case number(JSONNumber)
    /// A string.
    case string(String)
    /// An array.
    case array([JSONValue])
    /// An object with its members in order.
    case object(JSONObject)
}

extension JSONValue {
    /// The member of an object; nil when absent, or when this is no object.
    public subscript(_ key: String) -> JSONValue? {
        guard case .object(let object) = self else { return nil }
        return object[key]
    }

    /// The text of a string.
    public var stringValue: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The number as an integer, when it is one and fits.
    public var intValue: Int64? {
        guard case .number(let number) = self else { return nil }
        return number.int64
    }

    /// The number as a count that can still grow: from 0 to half of what an `Int` holds; nil for any other value.
    public var countValue: Int? {
        intValue.flatMap { Int(exactly: $0) }.flatMap { (0..<Int.max / 2).contains($0) ? $0 : nil }
    }

    /// The number as a double.
    public var doubleValue: Double? {
        guard case .number(let number) = self else { return nil }
        return number.double
    }

    /// The truth value.
    public var boolValue: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The elements of an array.
    public var arrayValue: [JSONValue]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The members of an object.
    public var objectValue: JSONObject? {
        guard case .object(let object) = self else { return nil }
        return object
    }

    /// Whether this is `null`.
    public var isNull: Bool { self == .null }

    /// A number from an integer.
    public static func int(_ value: some BinaryInteger) -> JSONValue {
        Int64(exactly: value).map { .number(JSONNumber($0)) } ?? .number(JSONNumber(unchecked: String(value)))
    }

    /// A string, or `null` when there is none.
    public static func optional(_ text: String?) -> JSONValue {
        text.map(JSONValue.string) ?? .null
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    /// A string.
    public init(stringLiteral value: String) { self = .string(value) }
    /// A number.
    public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
    /// A truth value.
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    /// An array.
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    /// An object with its members in the order written.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self = .object(JSONObject(elements))
    }
    /// The value `null`.
    public init(nilLiteral: ()) { self = .null }
}
