import CSodium

extension Sodium {
    /// Bytes of a nonce of boxes and secret boxes.
    public static let nonceCount = 24
    /// Bytes that a box is longer than its text.
    public static let tagCount = 16

    /// The X25519 key of an Ed25519 public key; nil when it is no usable point.
    public static func boxPublicKey(ofSigningKey publicKey: [UInt8]) -> [UInt8]? {
        guard publicKey.count == 32, isReady else { return nil }
        var converted = [UInt8](repeating: 0, count: 32)
        guard unsafe crypto_sign_ed25519_pk_to_curve25519(&converted, publicKey) == 0 else { return nil }
        return converted
    }

    /// The X25519 key of a 64-byte Ed25519 secret key.
    public static func boxSecretKey(ofSigningKey secretKey: [UInt8]) -> [UInt8]? {
        guard secretKey.count == 64, isReady else { return nil }
        var converted = [UInt8](repeating: 0, count: 32)
        guard unsafe crypto_sign_ed25519_sk_to_curve25519(&converted, secretKey) == 0 else { return nil }
        return converted
    }

    /// A box (tag, then ciphertext) between X25519 keys; nil for wrong lengths and weak keys.
    public static func sealBox(
        _ text: [UInt8],
        nonce: [UInt8],
        publicKey: [UInt8],
        secretKey: [UInt8]
    ) -> [UInt8]? {
        guard nonce.count == nonceCount, publicKey.count == 32, secretKey.count == 32, isReady else {
            return nil
        }
        var box = [UInt8](repeating: 0, count: text.count + tagCount)
        guard unsafe crypto_box_easy(&box, text, UInt64(text.count), nonce, publicKey, secretKey) == 0
        else { return nil }
        return box
    }

    /// Opens a box between X25519 keys; nil when it does not authenticate.
    public static func openBox(
        _ box: [UInt8],
        nonce: [UInt8],
        publicKey: [UInt8],
        secretKey: [UInt8]
    ) -> [UInt8]? {
        guard box.count >= tagCount, nonce.count == nonceCount, publicKey.count == 32, secretKey.count == 32,
            isReady
        else { return nil }
        var text = [UInt8](repeating: 0, count: box.count - tagCount)
        guard unsafe crypto_box_open_easy(&text, box, UInt64(box.count), nonce, publicKey, secretKey) == 0
        else { return nil }
        return text
    }

    /// A secret box (tag, then ciphertext) under a 32-byte key; nil for wrong lengths.
    public static func sealSecretBox(_ text: [UInt8], nonce: [UInt8], key: [UInt8]) -> [UInt8]? {
        guard nonce.count == nonceCount, key.count == 32, isReady else { return nil }
        var box = [UInt8](repeating: 0, count: text.count + tagCount)
        guard unsafe crypto_secretbox_easy(&box, text, UInt64(text.count), nonce, key) == 0 else {
            return nil
        }
        return box
    }

    /// Opens a secret box; nil when it does not authenticate.
    public static func openSecretBox(_ box: [UInt8], nonce: [UInt8], key: [UInt8]) -> [UInt8]? {
        guard box.count >= tagCount, nonce.count == nonceCount, key.count == 32, isReady else { return nil }
        var text = [UInt8](repeating: 0, count: box.count - tagCount)
        guard unsafe crypto_secretbox_open_easy(&text, box, UInt64(box.count), nonce, key) == 0
        else { return nil }
        return text
    }
}
