import CSodium

/// Digests and Ed25519 signatures of libsodium.
///
/// A wrong length is an answer (nil, `false`), never a trap.
public enum Sodium {
    /// Starts libsodium once; it then uses the machine's fastest code.
    static let isReady = sodium_init() >= 0

    /// The 32-byte SHA-256 digest.
    public static func sha256(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        _ = isReady
        _ = unsafe crypto_hash_sha256(&digest, bytes, UInt64(bytes.count))
        return digest
    }

    /// The 64-byte SHA-512 digest.
    public static func sha512(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 64)
        _ = isReady
        _ = unsafe crypto_hash_sha512(&digest, bytes, UInt64(bytes.count))
        return digest
    }

    /// So many random bytes from the operating system.
    public static func randomBytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: max(0, count))
        _ = isReady
        unsafe randombytes_buf(&bytes, bytes.count)
        return bytes
    }

    /// The Ed25519 pair of a 32-byte seed; the secret key is the seed followed by the public key.
    public static func signingKeyPair(seed: [UInt8]) -> (publicKey: [UInt8], secretKey: [UInt8])? {
        guard seed.count == 32, isReady else { return nil }
        var publicKey = [UInt8](repeating: 0, count: 32)
        var secretKey = [UInt8](repeating: 0, count: 64)
        guard unsafe crypto_sign_seed_keypair(&publicKey, &secretKey, seed) == 0 else { return nil }
        return (publicKey, secretKey)
    }

    /// The 64-byte Ed25519 signature; nil when the secret key has no 64 bytes.
    public static func sign(_ message: [UInt8], secretKey: [UInt8]) -> [UInt8]? {
        guard secretKey.count == 64, isReady else { return nil }
        var signature = [UInt8](repeating: 0, count: 64)
        guard unsafe crypto_sign_detached(&signature, nil, message, UInt64(message.count), secretKey) == 0
        else { return nil }
        return signature
    }

    /// Whether a 64-byte Ed25519 signature belongs to a message and a 32-byte key.
    public static func verify(signature: [UInt8], message: [UInt8], publicKey: [UInt8]) -> Bool {
        guard signature.count == 64, publicKey.count == 32, isReady else { return false }
        return unsafe crypto_sign_verify_detached(signature, message, UInt64(message.count), publicKey) == 0
    }
}
