/// An ADAMANT address as text: `U` or `u` and 1 to 21 digits.
///
/// The text is kept as sent: a lower-case `u` or leading zeros are visible on the wire and in look-ups.
public struct Address: Hashable, Sendable, CustomStringConvertible {
    /// The address as written.
    public let text: String

    /// An address in the node's format; nil for anything else.
    ///
    /// - Source: adamant:helpers/z_schema.js (`^U[0-9]{1,21}$`, without regard to case)
    public init?(_ text: String) {
        guard Self.isValid(text) else { return nil }
        self.text = text
    }

    /// The address of a number, in the ordinary form.
    public init(number: UInt64) {
        text = "U" + String(number)
    }

    /// The address of a public key: the first 8 bytes of its SHA-256, little-endian.
    public init(publicKey: [UInt8], cryptography: some Cryptography) {
        self.init(number: littleEndian(cryptography.sha256(publicKey)))
    }

    /// Whether text has the node's address format.
    public static func isValid(_ text: String) -> Bool {
        let bytes = text.utf8
        guard (2...22).contains(bytes.count), bytes.first.map({ $0 | 0x20 }) == UInt8(ascii: "u") else {
            return false
        }
        return bytes.dropFirst().allSatisfy { (48...57).contains($0) }
    }

    /// The address with an upper-case `U`.
    public var uppercased: Address {
        text.utf8.first == UInt8(ascii: "U") ? self : Address(unchecked: "U" + text.dropFirst())
    }

    /// The eight bytes that stand for the address in a transaction.
    ///
    /// A number above 2^64 − 1 is encoded big-endian to a multiple of 8 bytes, of which the first 8 are used.
    /// - Source: adamant:logic/transaction.js (`getBytes`)
    public var transactionBytes: [UInt8] {
        if let number = UInt64(text.dropFirst()) {
            return (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        }
        var bytes: [UInt8] = []
        for digit in text.utf8.dropFirst() {
            var carry = Int(digit) - 48
            for index in bytes.indices.reversed() {
                carry += Int(bytes[index]) * 10
                bytes[index] = UInt8(carry & 255)
                carry >>= 8
            }
            if carry > 0 { bytes.insert(UInt8(carry), at: 0) }
        }
        let width = max(8, (bytes.count + 7) / 8 * 8)
        return Array((Array(repeating: 0, count: width - bytes.count) + bytes).prefix(8))
    }

    /// The address as written.
    public var description: String { text }

    private init(unchecked text: String) {
        self.text = text
    }
}

/// The first 8 bytes as a little-endian number; 0 when there are fewer.
func littleEndian(_ bytes: [UInt8]) -> UInt64 {
    guard bytes.count >= 8 else { return 0 }
    return bytes.prefix(8).reversed().reduce(0) { $0 << 8 | UInt64($1) }
}
