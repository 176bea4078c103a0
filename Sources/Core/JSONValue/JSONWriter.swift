extension JSONValue {
    /// The document without white space, as `JSON.stringify` writes it.
    public var bytes: [UInt8] {
        var output: [UInt8] = []
        write(to: &output)
        return output
    }

    /// The document as text.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Appends the document, without white space.
    public func write(to output: inout [UInt8]) {
        switch self {
        case .null: output.append(contentsOf: "null".utf8)
        case .bool(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
        case .number(let number): output.append(contentsOf: number.literal.utf8)
        case .string(let text): Self.writeString(text, to: &output)
        case .array(let elements):
            output.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                element.write(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let object):
            output.append(UInt8(ascii: "{"))
            for (index, member) in object.members.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                Self.writeString(member.key, to: &output)
                output.append(UInt8(ascii: ":"))
                member.value.write(to: &output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }

    /// The document with two spaces of indentation, for people.
    public var prettyText: String {
        var output: [UInt8] = []
        writePretty(to: &output, indentation: 0)
        return String(decoding: output, as: UTF8.self)
    }

    /// Appends a quoted string: `"`, `\` and control characters are escaped, `/` is not.
    public static func writeString(_ text: String, to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        if text.utf8.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
            output.append(contentsOf: text.utf8)
        } else {
            writeEscaped(text, to: &output)
        }
        output.append(UInt8(ascii: "\""))
    }

    private static func writeEscaped(_ text: String, to output: inout [UInt8]) {
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""): output.append(contentsOf: "\\\"".utf8)
            case UInt8(ascii: "\\"): output.append(contentsOf: "\\\\".utf8)
            case 8: output.append(contentsOf: "\\b".utf8)
            case 9: output.append(contentsOf: "\\t".utf8)
            case 10: output.append(contentsOf: "\\n".utf8)
            case 12: output.append(contentsOf: "\\f".utf8)
            case 13: output.append(contentsOf: "\\r".utf8)
            case 0..<0x20:
                output.append(contentsOf: "\\u00".utf8)
                output.append(hexDigit(byte >> 4))
                output.append(hexDigit(byte & 15))
            default: output.append(byte)
            }
        }
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }

    private func writePretty(to output: inout [UInt8], indentation: Int) {
        let inner = String(repeating: "  ", count: indentation + 1)
        let outer = String(repeating: "  ", count: indentation)
        switch self {
        case .array(let elements) where !elements.isEmpty:
            output.append(contentsOf: "[\n".utf8)
            for (index, element) in elements.enumerated() {
                output.append(contentsOf: inner.utf8)
                element.writePretty(to: &output, indentation: indentation + 1)
                output.append(contentsOf: (index + 1 < elements.count ? ",\n" : "\n").utf8)
            }
            output.append(contentsOf: (outer + "]").utf8)
        case .object(let object) where !object.members.isEmpty:
            output.append(contentsOf: "{\n".utf8)
            for (index, member) in object.members.enumerated() {
                output.append(contentsOf: inner.utf8)
                Self.writeString(member.key, to: &output)
                output.append(contentsOf: ": ".utf8)
                member.value.writePretty(to: &output, indentation: indentation + 1)
                output.append(contentsOf: (index + 1 < object.members.count ? ",\n" : "\n").utf8)
            }
            output.append(contentsOf: (outer + "}").utf8)
        default: write(to: &output)
        }
    }
}
