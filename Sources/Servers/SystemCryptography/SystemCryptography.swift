public import AdamantModel
import OpenSSLCrypto
import Sodium
import Synchronization

/// The primitives of the ADAMANT formats, filled by libsodium and OpenSSL.
public struct SystemCryptography: Cryptography {
    private let seeds = Memory<String, [UInt8]>()
    private let addresses = Memory<[UInt8], Address>()

    /// The primitives; copies share the seeds that were derived, and the addresses.
    public init() {}

    /// The 32-byte SHA-256 digest.
    public func sha256(_ bytes: [UInt8]) -> [UInt8] {
        // OpenSSL uses the processor's own instructions; libsodium does not, but needs no memory that can run out.
        (try? SHA256.digest(bytes)) ?? Sodium.sha256(bytes)
    }

    /// The address of a public key.
    public func address(of publicKey: [UInt8]) -> Address {
        addresses.value(of: publicKey) { Address(publicKey: publicKey, cryptography: self) }
    }

    /// The 64-byte SHA-512 digest.
    public func sha512(_ bytes: [UInt8]) -> [UInt8] { Sodium.sha512(bytes) }

    /// The 64-byte seed of a BIP-39 phrase with the empty password; derived once for each phrase.
    public func bip39Seed(phrase: String) -> [UInt8] {
        seeds.value(of: phrase) {
            // Nil only for lengths beyond 2 GiB, which no phrase has.
            KeyDerivation.pbkdf2SHA512(
                password: Array(phrase.utf8),
                salt: Array("mnemonic".utf8),
                rounds: 2048,
                length: 64
            ) ?? []
        }
    }

    /// The Ed25519 pair of a 32-byte seed.
    public func keyPair(seed: [UInt8]) -> KeyPair? {
        Sodium.signingKeyPair(seed: seed).map { KeyPair(publicKey: $0.publicKey, privateKey: $0.secretKey) }
    }

    /// The 64-byte Ed25519 signature; empty when the private key has no 64 bytes.
    public func sign(_ message: [UInt8], privateKey: [UInt8]) -> [UInt8] {
        Sodium.sign(message, secretKey: privateKey) ?? []
    }

    /// Whether an Ed25519 signature belongs to a message and a key.
    public func verify(signature: [UInt8], message: [UInt8], publicKey: [UInt8]) -> Bool {
        Sodium.verify(signature: signature, message: message, publicKey: publicKey)
    }

    /// A NaCl box between Ed25519 keys converted to X25519.
    public func sealBox(_ text: [UInt8], nonce: [UInt8], publicKey: [UInt8], privateKey: [UInt8]) -> [UInt8]?
    {
        guard let theirs = Sodium.boxPublicKey(ofSigningKey: publicKey),
            let ours = Sodium.boxSecretKey(ofSigningKey: privateKey)
        else { return nil }
        return Sodium.sealBox(text, nonce: nonce, publicKey: theirs, secretKey: ours)
    }

    /// Opens a NaCl box between Ed25519 keys converted to X25519.
    public func openBox(_ box: [UInt8], nonce: [UInt8], publicKey: [UInt8], privateKey: [UInt8]) -> [UInt8]? {
        guard let theirs = Sodium.boxPublicKey(ofSigningKey: publicKey),
            let ours = Sodium.boxSecretKey(ofSigningKey: privateKey)
        else { return nil }
        return Sodium.openBox(box, nonce: nonce, publicKey: theirs, secretKey: ours)
    }

    /// A NaCl secretbox under a 32-byte key.
    public func sealSecretBox(_ text: [UInt8], nonce: [UInt8], key: [UInt8]) -> [UInt8]? {
        Sodium.sealSecretBox(text, nonce: nonce, key: key)
    }

    /// Opens a NaCl secretbox under a 32-byte key.
    public func openSecretBox(_ box: [UInt8], nonce: [UInt8], key: [UInt8]) -> [UInt8]? {
        Sodium.openSecretBox(box, nonce: nonce, key: key)
    }
}

/// What was derived before: a seed takes milliseconds, and most transactions come from a sender that was seen.
private final class Memory<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// More than a test world has; beyond it all are forgotten.
    private static var limit: Int { 10_000 }

    private let values = Mutex<[Key: Value]>([:])

    func value(of key: Key, derive: () -> Value) -> Value {
        if let known = values.withLock({ $0[key] }) { return known }
        // Outside the lock: two threads may derive the same value, none waits for another's.
        let value = derive()
        values.withLock { values in
            if values.count >= Self.limit { values = [:] }
            values[key] = value
        }
        return value
    }
}
