public import AdamantModel

/// Accounts made in numbers from a seed; they have keys and no phrases.
public enum FixtureAccounts {
    /// Most accounts of a seed.
    public static let maximum = 100_000

    /// The pair of an account, counted from 0: its seed is SHA-256 of `mocknet PURPOSE SEED NUMBER`.
    public static func pair(
        _ number: Int,
        purpose: String,
        seed: UInt64,
        cryptography: some Cryptography
    ) -> KeyPair? {
        cryptography.keyPair(seed: cryptography.sha256(Array("mocknet \(purpose) \(seed) \(number)".utf8)))
    }
}
