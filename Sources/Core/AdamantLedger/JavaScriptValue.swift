import JSONValue

/// A member of a posted object as JavaScript treats it; nil is `undefined`.
extension JSONValue? {
    /// What `String(value)` gives.
    package var javaScriptText: String {
        switch self {
        case nil: "undefined"
        case .null?: "null"
        case .bool(let value)?: value ? "true" : "false"
        case .number(let number)?: number.javaScriptText
        case .string(let text)?: text
        case .array(let elements)?:
            elements.map { $0.isNull ? "" : JSONValue?.some($0).javaScriptText }.joined(separator: ",")
        case .object?: "[object Object]"
        }
    }

    /// What `Number(value)` gives, for the values that occur.
    var javaScriptNumber: Double {
        switch self {
        case nil, .array?, .object?: .nan
        case .null?: 0
        case .bool(let value)?: value ? 1 : 0
        case .number(let number)?: number.double
        case .string(let text)?: text.isEmpty ? 0 : Double(text) ?? .nan
        }
    }

    /// Whether the value counts as true.
    package var isTruthy: Bool {
        switch self {
        case nil, .null?: false
        case .bool(let value)?: value
        case .number(let number)?: number.double != 0
        case .string(let text)?: !text.isEmpty
        case .array?, .object?: true
        }
    }

    /// How z-schema names the type.
    package var schemaType: String {
        switch self {
        case nil: "undefined"
        case .null?: "null"
        case .bool?: "boolean"
        case .number(let number)?: number.isInteger ? "integer" : "number"
        case .string?: "string"
        case .array?: "array"
        case .object?: "object"
        }
    }

    /// How Node's argument errors describe the value.
    var receivedText: String {
        switch self {
        case nil: "undefined"
        case .null?: "null"
        case .bool?: "type boolean (\(javaScriptText))"
        case .number?: "type number (\(javaScriptText))"
        case .string(let text)?: "type string ('\(text)')"
        case .array?: "an instance of Array"
        case .object?: "an instance of Object"
        }
    }
}

extension String {
    /// Whether JavaScript's `trim` would take anything away, or nothing is left of it.
    var isBlankOrPadded: Bool {
        guard let first = unicodeScalars.first, let last = unicodeScalars.last else { return true }
        return first.isJavaScriptSpace || last.isJavaScriptSpace
    }

    /// Whether nothing but white space is in it.
    var isBlank: Bool { unicodeScalars.allSatisfy(\.isJavaScriptSpace) }
}

extension Unicode.Scalar {
    /// White space and line ends in ECMA-262's sense.
    var isJavaScriptSpace: Bool {
        switch value {
        case 0x09...0x0D, 0x20, 0xA0, 0x1680, 0x2000...0x200A, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000, 0xFEFF:
            true
        default: false
        }
    }
}

extension Double {
    /// The 32-bit integer that JavaScript's `value | 0` gives.
    var javaScriptInt32: Int32 {
        guard isFinite else { return 0 }
        let modulus = truncatingRemainder(dividingBy: 4_294_967_296)
        return Int32(truncatingIfNeeded: Int64(modulus))
    }
}
