/// A random UUID of version 4.
public struct APNsUUID: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// Draws one.
    public init(using generator: inout some RandomNumberGenerator) {
        high = generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        low = generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    }

    /// Reads the canonical form in either case.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard Self.isCanonical(bytes, in: 0..<bytes.count) else { return nil }
        var halves: [UInt64] = [0, 0]
        var digits = 0
        for byte in bytes where byte != UInt8(ascii: "-") {
            halves[digits / 16] = halves[digits / 16] << 4 | UInt64(HexDigit.value(byte) ?? 0)
            digits += 1
        }
        high = halves[0]
        low = halves[1]
    }

    /// The canonical form in lower case.
    public var lowercased: String { String(decoding: utf8(upperCase: false), as: UTF8.self) }

    /// The bytes of the canonical form.
    func utf8(upperCase: Bool) -> [UInt8] {
        let letter = (upperCase ? UInt8(ascii: "A") : UInt8(ascii: "a")) - 10
        var output: [UInt8] = []
        output.reserveCapacity(36)
        func append(_ half: UInt64, _ places: StrideThrough<UInt64>) {
            for place in places {
                let nibble = UInt8(truncatingIfNeeded: half >> place) & 15
                output.append(nibble < 10 ? UInt8(ascii: "0") + nibble : letter + nibble)
            }
        }
        append(high, stride(from: 60, through: 32, by: -4))
        output.append(UInt8(ascii: "-"))
        append(high, stride(from: 28, through: 16, by: -4))
        output.append(UInt8(ascii: "-"))
        append(high, stride(from: 12, through: 0, by: -4))
        output.append(UInt8(ascii: "-"))
        append(low, stride(from: 60, through: 48, by: -4))
        output.append(UInt8(ascii: "-"))
        append(low, stride(from: 44, through: 0, by: -4))
        return output
    }

    /// Whether bytes are 8-4-4-4-12 hexadecimal digits of either case.
    static func isCanonical(_ bytes: [UInt8], in range: Range<Int>) -> Bool {
        guard range.count == 36, range.upperBound <= bytes.count else { return false }
        for offset in 0..<36 {
            let byte = bytes[range.lowerBound + offset]
            if offset == 8 || offset == 13 || offset == 18 || offset == 23 {
                guard byte == UInt8(ascii: "-") else { return false }
            } else {
                guard HexDigit.value(byte) != nil else { return false }
            }
        }
        return true
    }
}

/// Hexadecimal digits.
enum HexDigit {
    @inline(__always)
    static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
