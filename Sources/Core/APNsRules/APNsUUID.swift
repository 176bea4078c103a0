/// A random UUID of version 4.
public struct APNsUUID: Hashable, Sendable {
    let high: UInt64
    let low: UInt64

    /// The one of two halves, as they were before.
    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Draws one.
    public init(using generator: inout some RandomNumberGenerator) {
        high = generator.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        low = generator.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
    }

    /// Reads the canonical form in either case.
    public init?(_ text: String) { self.init(utf8: Array(text.utf8)) }

    /// Reads the bytes of the canonical form in either case.
    init?(utf8 bytes: [UInt8]) {
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
        var output: [UInt8] = []
        // Cheaper than `Array(repeating:count:)`, which asks the runtime for its type each time.
        output.append(contentsOf: repeatElement(UInt8(ascii: "-"), count: 36))
        var span = output.mutableSpan
        var position = 0
        for piece in 0..<8 {
            let half = piece < 4 ? high : low
            let bits = UInt16(truncatingIfNeeded: half >> UInt64(48 - 16 * (piece & 3)))
            var digits = HexDigit.fourDigits(bits, upperCase: upperCase)
            if piece > 1, piece < 6 { position &+= 1 }
            for _ in 0..<4 {
                span[position] = UInt8(truncatingIfNeeded: digits)
                digits >>= 8
                position &+= 1
            }
        }
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
                guard HexDigit.isDigit(byte) else { return false }
            }
        }
        return true
    }
}

/// Hexadecimal digits.
enum HexDigit {
    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool {
        byte &- UInt8(ascii: "0") < 10 || (byte | 32) &- UInt8(ascii: "a") < 6
    }

    /// Four digits at once, the first in the lowest byte.
    @inline(__always)
    static func fourDigits(_ bits: UInt16, upperCase: Bool) -> UInt32 {
        let swapped = UInt32(bits.byteSwapped)
        let bytes = (swapped | swapped << 8) & 0x00FF_00FF
        let nibbles = bytes >> 4 & 0x000F_000F | bytes << 8 & 0x0F00_0F00
        // From 10 on, letters follow; in ASCII they do not stand behind the digits.
        let letters = (nibbles &+ 0x0606_0606) >> 4 & 0x0101_0101
        return nibbles &+ 0x3030_3030 &+ letters &* (upperCase ? 7 : 39)
    }

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
