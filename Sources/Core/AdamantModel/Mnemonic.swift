/// A pass phrase of BIP-39 in English, its checksum being right.
///
/// - Source: bitcoin/bips:bip-0039.mediawiki
public struct Mnemonic: Hashable, Sendable {
    /// 12, 15, 18, 21 or 24 words with one space between them.
    public let phrase: String
    /// The random bytes that the words stand for: 16, 20, 24, 28 or 32.
    public let entropy: [UInt8]

    /// The phrase of random bytes; nil unless there are 16, 20, 24, 28 or 32.
    public init?(entropy: [UInt8], cryptography: some Cryptography) {
        guard Self.isEntropyCount(entropy.count) else { return nil }
        var reader = BitReader(entropy + cryptography.sha256(entropy).prefix(1))
        let count = entropy.count * 3 / 4
        phrase = (0..<count).map { _ in Self.words[reader.next(11)] }.joined(separator: " ")
        self.entropy = entropy
    }

    /// Reads a phrase; nil for unknown words, a wrong number of them, other spaces or a wrong checksum.
    public init?(phrase: String, cryptography: some Cryptography) {
        let words = phrase.split(separator: " ", omittingEmptySubsequences: false)
        var bits: [UInt8] = []
        for word in words {
            guard let index = Self.index(of: word) else { return nil }
            bits += (0..<11).map { UInt8(truncatingIfNeeded: index >> (10 - $0) & 1) }
        }
        let count = words.count / 3 * 4
        guard words.count % 3 == 0, Self.isEntropyCount(count) else { return nil }
        let entropy = (0..<count).map { byte in bits[byte * 8..<byte * 8 + 8].reduce(0) { $0 << 1 | $1 } }
        guard let expected = Mnemonic(entropy: entropy, cryptography: cryptography), expected.phrase == phrase
        else { return nil }
        self = expected
    }

    private static func isEntropyCount(_ count: Int) -> Bool {
        (16...32).contains(count) && count % 4 == 0
    }

    /// The number of a word in the sorted list.
    private static func index(of word: Substring) -> Int? {
        var range = words.startIndex..<words.endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            if words[middle] == word { return middle }
            range = words[middle] < word ? middle + 1..<range.upperBound : range.lowerBound..<middle
        }
        return nil
    }
}

/// Takes numbers of a few bits from bytes, highest bit first; zeros follow the end.
private struct BitReader {
    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func next(_ count: Int) -> Int {
        var value = 0
        for _ in 0..<count {
            let byte = position / 8 < bytes.count ? bytes[position / 8] : 0
            value = value << 1 | Int(byte >> (7 - position % 8) & 1)
            position += 1
        }
        return value
    }
}
