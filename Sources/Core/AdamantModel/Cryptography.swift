/// The primitives that the ADAMANT formats are made of.
///
/// The composition layer fills it with libsodium and OpenSSL, the explorer with stand-ins.
/// A wrong length is an answer (`false`, nil), never a trap: keys and signatures come from the network.
public protocol Cryptography: Sendable {
    /// The 32-byte SHA-256 digest.
    func sha256(_ bytes: [UInt8]) -> [UInt8]
    /// The 64-byte SHA-512 digest.
    func sha512(_ bytes: [UInt8]) -> [UInt8]
    /// The 64-byte seed of a BIP-39 phrase: PBKDF2-HMAC-SHA512, 2048 rounds, salt `mnemonic`. Takes milliseconds.
    func bip39Seed(phrase: String) -> [UInt8]
    /// The Ed25519 pair of a 32-byte seed; nil for another length.
    func keyPair(seed: [UInt8]) -> KeyPair?
    /// The 64-byte Ed25519 signature; empty when the private key has no 64 bytes.
    func sign(_ message: [UInt8], privateKey: [UInt8]) -> [UInt8]
    /// Whether a 64-byte Ed25519 signature belongs to a message and a 32-byte key.
    func verify(signature: [UInt8], message: [UInt8], publicKey: [UInt8]) -> Bool
    /// A NaCl box (16-byte tag, then ciphertext) between Ed25519 keys converted to X25519; nil for unusable keys.
    func sealBox(_ text: [UInt8], nonce: [UInt8], publicKey: [UInt8], privateKey: [UInt8]) -> [UInt8]?
    /// Opens a NaCl box; nil when it does not authenticate.
    func openBox(_ box: [UInt8], nonce: [UInt8], publicKey: [UInt8], privateKey: [UInt8]) -> [UInt8]?
    /// A NaCl secretbox (tag first) under a 32-byte key and a 24-byte nonce; nil for other lengths.
    func sealSecretBox(_ text: [UInt8], nonce: [UInt8], key: [UInt8]) -> [UInt8]?
    /// Opens a NaCl secretbox; nil when it does not authenticate.
    func openSecretBox(_ box: [UInt8], nonce: [UInt8], key: [UInt8]) -> [UInt8]?
    /// The address of a public key, as ``Address/init(publicKey:cryptography:)`` makes it; it may be remembered.
    func address(of publicKey: [UInt8]) -> Address
}

extension Cryptography {
    /// The address of a public key, made anew.
    public func address(of publicKey: [UInt8]) -> Address {
        Address(publicKey: publicKey, cryptography: self)
    }
}

/// An Ed25519 key pair.
public struct KeyPair: Hashable, Sendable {
    /// 32 bytes.
    public let publicKey: [UInt8]
    /// 64 bytes: the seed, then the public key.
    public let privateKey: [UInt8]

    /// A pair of 32 and 64 bytes.
    public init(publicKey: [UInt8], privateKey: [UInt8]) {
        self.publicKey = publicKey
        self.privateKey = privateKey
    }

    /// The pair of a pass phrase: SHA-256 of its BIP-39 seed is the Ed25519 seed.
    ///
    /// - Source: adamant:helpers/accounts.js
    public init?(phrase: String, cryptography: some Cryptography) {
        let seed = cryptography.sha256(cryptography.bip39Seed(phrase: phrase))
        guard let pair = cryptography.keyPair(seed: seed) else { return nil }
        self = pair
    }

    /// The address of the public key.
    public func address(cryptography: some Cryptography) -> Address {
        Address(publicKey: publicKey, cryptography: cryptography)
    }
}
