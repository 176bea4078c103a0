/// A number that stands for bytes: the same in every process, and as good as never the same for others.
public struct Fingerprint: Sendable {
    /// The number of all that was added.
    public private(set) var value: UInt64 = 0xA076_1D64_78BD_642F

    /// The number of nothing.
    public init() {}

    /// The number of a text without regard to the case of its letters.
    public static func folded(_ text: String) -> UInt64 {
        var fingerprint = Fingerprint()
        let bytes = Array(text.utf8)
        fingerprint.add(bytes, bytes.indices, foldsCase: true)
        return fingerprint.value
    }

    /// Adds a part of some bytes, as far as it lies within them; A to Z may count as a to z.
    public mutating func add(_ bytes: [UInt8], _ range: Range<Int>, foldsCase: Bool = false) {
        let span = bytes.span
        let end = min(range.upperBound, span.count)
        var index = max(0, range.lowerBound)
        while index < end {
            let rest = end &- index
            // Most words are whole: told apart, they are read at once.
            let word =
                rest >= 8
                ? Self.half(span, index) | Self.half(span, index &+ 4) &<< 32
                : Self.remainder(span, index, end)
            mix(foldsCase ? Self.folded(word) : word)
            index &+= 8
        }
        mix(UInt64(truncatingIfNeeded: range.count))
    }

    private static func half(_ span: Span<UInt8>, _ index: Int) -> UInt64 {
        UInt64(span[index]) | UInt64(span[index &+ 1]) &<< 8 | UInt64(span[index &+ 2]) &<< 16
            | UInt64(span[index &+ 3]) &<< 24
    }

    private static func remainder(_ span: Span<UInt8>, _ start: Int, _ end: Int) -> UInt64 {
        var word: UInt64 = 0
        for index in start..<end { word |= UInt64(span[index]) &<< UInt64(8 &* (index &- start)) }
        return word
    }

    private mutating func mix(_ word: UInt64) {
        let product = (value ^ word).multipliedFullWidth(by: 0xE703_7ED1_A0B4_28DB)
        value = product.high ^ product.low &+ 0x9E37_79B9_7F4A_7C15
    }

    /// Eight bytes with A to Z in lower case.
    private static func folded(_ word: UInt64) -> UInt64 {
        let low = word & 0x7F7F_7F7F_7F7F_7F7F
        let fromA = low &+ 0x3F3F_3F3F_3F3F_3F3F
        let beyondZ = low &+ 0x2525_2525_2525_2525
        let isLetter = ~word & (fromA ^ beyondZ) & 0x8080_8080_8080_8080
        return word | isLetter &>> 2
    }
}
