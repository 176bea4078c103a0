import HTTPDaemon
import JSONValue

/// The parameters of a query string, as the node's handlers see them.
enum QueryString {
    /// Parameters beyond this many are not read.
    ///
    /// - Source: qs, `parameterLimit`
    private static let maximumParameters = 1000

    /// Names whose values stay text, whatever they look like.
    ///
    /// - Source: adamant:app.js
    private static let textNames: Set<String> = [
        "id", "name", "lastBlockId", "blockId", "transactionId", "address", "recipientId", "senderId",
        "previousBlock",
    ]
    private static let textSuffixes: Set<Substring> = ["blockId", "recipientId", "senderId"]

    /// The parameters in order: values that look like integers are numbers, repeated ones arrays.
    static func parameters(_ query: String) -> JSONObject {
        guard !query.isEmpty else { return JSONObject() }
        var result = JSONObject()
        for (name, text) in PercentCoding.pairs(query, limit: maximumParameters) {
            let value = keepsText(name) ? .string(text) : self.value(text)
            switch result[name] {
            case nil: result.append(name, value)
            case .array(let values)?: result[name] = .array(values + [value])
            case let first?: result[name] = .array([first, value])
            }
        }
        return result
    }

    private static func keepsText(_ name: String) -> Bool {
        guard let colon = name.utf8.lastIndex(of: UInt8(ascii: ":")) else { return textNames.contains(name) }
        return colon != name.startIndex && textSuffixes.contains(name[name.utf8.index(after: colon)...])
    }

    private static func value(_ text: String) -> JSONValue {
        integer(text).map(JSONValue.number) ?? .string(text)
    }

    /// The number of text for which `parseInt(text) == text` holds in JavaScript.
    ///
    /// - Source: adamant:app.js, helpers/express-query-int.js
    static func integer(_ text: String) -> JSONNumber? {
        // Nothing that begins with a letter is a number.
        guard let first = text.utf8.first, first < UInt8(ascii: "A") || first >= 0x80 else { return nil }
        var digits = text.trimmingSpace.utf8
        if let hexadecimal = hexadecimal(digits) { return hexadecimal }
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative || digits.first == UInt8(ascii: "+") { digits = digits.dropFirst() }
        let whole = digits.prefix { (48...57).contains($0) }
        let rest = digits.dropFirst(whole.count)
        guard !whole.isEmpty, rest.isEmpty || rest.first == UInt8(ascii: ".") else { return nil }
        guard rest.dropFirst().allSatisfy({ $0 == UInt8(ascii: "0") }) else { return nil }
        if whole.count <= 15 {
            let value = whole.reduce(Int64(0)) { $0 &* 10 &+ Int64($1 &- 48) }
            return JSONNumber(isNegative ? -value : value)
        }
        guard let value = Double(String(decoding: whole, as: UTF8.self)) else { return nil }
        return JSONNumber(isNegative ? -value : value)
    }

    private static func hexadecimal(_ text: Substring.UTF8View) -> JSONNumber? {
        guard text.count > 2, text.first == UInt8(ascii: "0"),
            text.dropFirst().first.map({ $0 | 0x20 }) == 120
        else { return nil }
        var value = 0.0
        for byte in text.dropFirst(2) {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 128 else { return nil }
            value = value * 16 + Double(digit)
        }
        return JSONNumber(value)
    }
}

extension String {
    /// The text without the white space that JavaScript's `Number` ignores at both ends.
    fileprivate var trimmingSpace: Substring {
        guard let head = utf8.first, let tail = utf8.last else { return "" }
        if (0x21..<0x7F).contains(head), (0x21..<0x7F).contains(tail) { return self[...] }
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return self[first...last]
    }
}
