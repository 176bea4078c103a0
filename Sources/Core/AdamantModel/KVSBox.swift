public import JSONValue

/// A sealed value of the key-value store, which only its owner reads.
///
/// - Source: adamant-api-jsclient:src/helpers/encryptor.ts, adamant-im:src/lib/adamant.js
public struct KVSBox: Hashable, Sendable {
    /// Hexadecimal of tag and ciphertext.
    public let message: String
    /// Hexadecimal of the 24-byte nonce.
    public let nonce: String

    /// A box of its parts.
    public init(message: String, nonce: String) {
        self.message = message
        self.nonce = nonce
    }

    /// The box that stands in a stored value; nil when the value is no such JSON.
    public init?(value: String) {
        guard let json = try? JSONValue(parsing: value), let message = json["message"]?.stringValue,
            let nonce = json["nonce"]?.stringValue
        else { return nil }
        self.init(message: message, nonce: nonce)
    }

    /// Seals a payload; nil for a nonce, key or padding of the wrong form.
    ///
    /// - Parameters:
    ///   - payload: any JSON value.
    ///   - padding: lower-case letters before and after the text, drawn by the caller.
    ///   - nonce: 24 bytes.
    ///   - privateKey: the owner's, 64 bytes.
    ///   - cryptography: the primitives.
    public init?(
        sealing payload: JSONValue,
        padding: (before: String, after: String),
        nonce: [UInt8],
        privateKey: [UInt8],
        cryptography: some Cryptography
    ) {
        guard privateKey.count == 64, Self.isLetters(padding.before), Self.isLetters(padding.after) else {
            return nil
        }
        let text = padding.before + (["payload": payload] as JSONValue).text + padding.after
        let key = Self.key(privateKey: privateKey, cryptography: cryptography)
        guard let box = cryptography.sealSecretBox(Array(text.utf8), nonce: nonce, key: key) else {
            return nil
        }
        self.init(message: Hex.encode(box), nonce: Hex.encode(nonce))
    }

    /// The text to store.
    public var value: String {
        (["message": .string(message), "nonce": .string(nonce)] as JSONValue).text
    }

    /// The payload, for the owner; nil when it does not authenticate or holds no payload.
    public func open(privateKey: [UInt8], cryptography: some Cryptography) -> JSONValue? {
        guard privateKey.count == 64, let box = Hex.decode(message), let nonceBytes = Hex.decode(nonce) else {
            return nil
        }
        let key = Self.key(privateKey: privateKey, cryptography: cryptography)
        guard let text = cryptography.openSecretBox(box, nonce: nonceBytes, key: key),
            let start = text.firstIndex(of: UInt8(ascii: "{")),
            let end = text.lastIndex(of: UInt8(ascii: "}")),
            start < end, let json = try? JSONValue(parsing: Array(text[start...end]))
        else { return nil }
        return json["payload"]
    }

    /// The key of an owner's boxes: half of SHA-512 of SHA-256 of the private key, clamped as for X25519.
    static func key(privateKey: [UInt8], cryptography: some Cryptography) -> [UInt8] {
        var key = Array(cryptography.sha512(cryptography.sha256(privateKey)).prefix(32))
        guard key.count == 32 else { return [] }
        key[0] &= 248
        key[31] = key[31] & 127 | 64
        return key
    }

    private static func isLetters(_ text: String) -> Bool {
        text.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }
    }
}
