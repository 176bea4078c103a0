/// A random generator whose whole sequence is given by its seed (SplitMix64).
///
/// - Source: Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators (2014)
public struct SeededGenerator: RandomNumberGenerator, Sendable {
    /// What all later numbers follow from; it is also the seed of a generator that goes on from here.
    public private(set) var state: UInt64

    /// A generator that begins at a seed.
    public init(seed: UInt64) {
        state = seed
    }

    /// A generator for one named purpose of a seed, independent of the others.
    public init(seed: UInt64, purpose: String) {
        state = Self.mix(seed ^ Self.hash(purpose))
    }

    /// The next 64 random bits.
    public mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mix(state)
    }

    /// So many random bytes.
    public mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8(truncatingIfNeeded: next() >> 56) }
    }

    /// A number in [0, 1) that depends on nothing but its arguments.
    public static func fraction(seed: UInt64, purpose: String, index: UInt64) -> Double {
        let bits = mix(mix(seed ^ hash(purpose)) &+ index &* 0x9E37_79B9_7F4A_7C15)
        return Double(bits >> 11) * 0x1p-53
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// FNV-1a over the UTF-8 bytes, the same in every process.
    private static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
    }
}
