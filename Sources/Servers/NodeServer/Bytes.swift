import JSONValue

extension [UInt8] {
    /// Appends text as it is.
    mutating func append(_ text: String) {
        append(contentsOf: text.utf8)
    }

    /// Appends decimal digits.
    mutating func append(decimal value: Int) {
        append(decimal: Int64(value))
    }
}
