import JSONValue

/// What a list is searched for: words, `"several words"`, `field:value`, each with `-` before it for what must not be.
///
/// All must hold. A word is found in any text or number of a document, in upper or lower case; a field at any depth.
/// A word that is somebody's name is found where his address is, too.
struct DocumentSearch: Sendable {
    private struct Term: Sendable {
        var field: [UInt8]?
        /// What is looked for, and what may stand in its place.
        var texts: [[UInt8]]
        var isExcluded: Bool
    }

    private let terms: [Term]

    /// Whether everything fits.
    var isEmpty: Bool { terms.isEmpty }

    /// Reads what a person typed; `addressOf` knows the addresses of names in lower case.
    init(_ text: String, addressOf: (String) -> String? = { _ in nil }) {
        terms = Self.words(text).compactMap { word in
            guard var term = Self.term(word) else { return nil }
            let address = term.texts.first.flatMap { addressOf(String(decoding: $0, as: UTF8.self)) }
            if let address { term.texts.append(address.utf8.map(Self.lower)) }
            return term
        }
    }

    /// Whether a document holds what is looked for.
    func matches(_ document: @autoclosure () -> JSONValue) -> Bool {
        guard !terms.isEmpty else { return true }
        let document = document()
        return terms.allSatisfy { term in
            let isFound = term.texts.contains { text in
                term.field.map { Self.holds(text, in: document, field: $0) } ?? Self.holds(text, in: document)
            }
            return isFound != term.isExcluded
        }
    }

    /// Words by their bytes, with the marks that stay; what is between double quotes is one.
    private static func words(_ text: String) -> [[UInt8]] {
        var words: [[UInt8]] = [[]]
        var isQuoted = false
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): isQuoted.toggle()
            case UInt8(ascii: " ") where !isQuoted: words.append([])
            default: words[words.count - 1].append(lower(byte))
            }
        }
        return words
    }

    private static func term(_ word: [UInt8]) -> Term? {
        let isExcluded = word.count > 1 && word.first == UInt8(ascii: "-")
        let rest = isExcluded ? Array(word.dropFirst()) : word
        guard !rest.isEmpty else { return nil }
        let name = rest.prefix { isNameByte($0) }
        guard !name.isEmpty, name.count + 1 < rest.count, rest[name.count] == UInt8(ascii: ":") else {
            return Term(field: nil, texts: [rest], isExcluded: isExcluded)
        }
        return Term(
            field: Array(name),
            texts: [Array(rest[(name.count + 1)...])],
            isExcluded: isExcluded
        )
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (97...122).contains(byte) || (48...57).contains(byte) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: "_")
    }

    private static func lower(_ byte: UInt8) -> UInt8 { byte &- 65 < 26 ? byte | 32 : byte }

    private static func holds(_ text: [UInt8], in value: JSONValue) -> Bool {
        switch value {
        case .object(let object): object.members.contains { holds(text, in: $0.value) }
        case .array(let elements): elements.contains { holds(text, in: $0) }
        case .string(let string): contains(text, string)
        case .null, .bool: false
        case .number: contains(text, value.text)
        }
    }

    private static func holds(_ text: [UInt8], in value: JSONValue, field: [UInt8]) -> Bool {
        switch value {
        case .object(let object):
            object.members.contains { member in
                (member.key.utf8.lazy.map(lower).elementsEqual(field) && isHeld(text, by: member.value))
                    || holds(text, in: member.value, field: field)
            }
        case .array(let elements): elements.contains { holds(text, in: $0, field: field) }
        case .null, .bool, .number, .string: false
        }
    }

    /// Whether the value of a named field is meant: of a text a part will do, other values are taken as they are written.
    private static func isHeld(_ text: [UInt8], by value: JSONValue) -> Bool {
        switch value {
        case .object, .array, .string: holds(text, in: value)
        case .null, .bool, .number: value.text.utf8.elementsEqual(text)
        }
    }

    private static func contains(_ text: [UInt8], _ string: String) -> Bool {
        let bytes = Array(string.utf8)
        guard let first = text.first, bytes.count >= text.count else { return text.isEmpty }
        return (0...bytes.count - text.count).contains { start in
            lower(bytes[start]) == first
                && text.indices.allSatisfy { lower(bytes[start + $0]) == text[$0] }
        }
    }
}
