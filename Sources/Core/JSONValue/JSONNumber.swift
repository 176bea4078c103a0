/// A JSON number that keeps its literal.
public struct JSONNumber: Hashable, Sendable {
    private enum Form: Hashable, Sendable {
        /// A literal that is exactly the decimal form of this integer.
        case integer(Int64)
        /// Any other literal.
        case literal(String)
    }

    private let form: Form

    /// The number of an integer.
    public init(_ value: Int64) {
        form = .integer(value)
    }

    /// The number of a finite double as `JSON.stringify` writes it; nil for infinities and NaN.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        // From 2^53 on JavaScript prints fewer digits than the integer has.
        if value.magnitude < 0x1p53, let integer = Int64(exactly: value),
            !(value == 0 && value.sign == .minus)
        {
            form = .integer(integer)
        } else {
            form = .literal(Self.javaScriptText(value))
        }
    }

    /// The number of a literal that is known to follow JSON's grammar.
    init(unchecked literal: String) {
        if let integer = Int64(literal), String(integer) == literal {
            form = .integer(integer)
        } else {
            form = .literal(literal)
        }
    }

    /// The literal as written.
    public var literal: String {
        switch form {
        case .integer(let value): String(value)
        case .literal(let text): text
        }
    }

    /// The value as a double, as JavaScript reads it; infinite when too large.
    public var double: Double {
        switch form {
        case .integer(let value): Double(value)
        case .literal(let text): Double(text) ?? .nan
        }
    }

    /// The exact integer, when the number is one and fits (`1.0` and `1e3` are integers).
    public var int64: Int64? {
        switch form {
        case .integer(let value): value
        case .literal: Int64(exactly: double)
        }
    }

    /// Whether the value is an integer in JavaScript's sense.
    public var isInteger: Bool {
        switch form {
        case .integer: true
        case .literal: double.isFinite && (double.magnitude >= 0x1p53 || Int64(exactly: double) != nil)
        }
    }

    /// The value as JavaScript prints it, for example `1e-8` and `0.5`.
    public var javaScriptText: String {
        switch form {
        case .integer(let value):
            Double(value).magnitude < 0x1p53 ? String(value) : Self.javaScriptText(Double(value))
        case .literal:
            Self.javaScriptText(double)
        }
    }

    /// A double as JavaScript's `String(value)` prints it.
    ///
    /// - Source: ECMA-262, Number::toString
    public static func javaScriptText(_ value: Double) -> String {
        guard value.isFinite else { return value.isNaN ? "NaN" : value < 0 ? "-Infinity" : "Infinity" }
        guard value != 0 else { return "0" }
        let (digits, exponent) = shortestDigits(value.magnitude)
        let sign = value < 0 ? "-" : ""
        let count = digits.count
        if (1...21).contains(exponent) {
            if count <= exponent { return sign + digits + String(repeating: "0", count: exponent - count) }
            return sign + digits.prefix(exponent) + "." + digits.dropFirst(exponent)
        }
        if (-5...0).contains(exponent) {
            return sign + "0." + String(repeating: "0", count: -exponent) + digits
        }
        let power = exponent - 1
        let mantissa = count == 1 ? digits : digits.prefix(1) + "." + digits.dropFirst()
        return sign + mantissa + "e" + (power < 0 ? "-" : "+") + String(power.magnitude)
    }

    /// The fewest digits that read back as the value, and the place of the decimal point before them.
    private static func shortestDigits(_ value: Double) -> (String, Int) {
        var digits = ""
        var exponent = 0
        var point: Int?
        let parts = value.description.split(separator: "e")
        for character in parts.first ?? "" {
            if character == "." { point = digits.count } else { digits.append(character) }
        }
        exponent = (point ?? digits.count) + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
        let leading = digits.prefix { $0 == "0" }.count
        digits = String(digits.dropFirst(leading))
        exponent -= leading
        while digits.last == "0" { digits.removeLast() }
        return (digits, exponent)
    }
}
