/// The sealed text of a chat message.
///
/// - Source: adamant-api-jsclient:src/helpers/encryptor.ts
public struct MessageBox: Hashable, Sendable {
    /// Hexadecimal of tag and ciphertext: the `message` member of a chat asset.
    public let message: String
    /// Hexadecimal of the 24-byte nonce: the `own_message` member.
    public let nonce: String

    /// A box as it stands in a transaction.
    public init(message: String, nonce: String) {
        self.message = message
        self.nonce = nonce
    }

    /// Seals text for a recipient; nil when the keys are unusable or the nonce has no 24 bytes.
    public init?(
        sealing text: String,
        nonce: [UInt8],
        to publicKey: [UInt8],
        from pair: KeyPair,
        cryptography: some Cryptography
    ) {
        guard
            let box = cryptography.sealBox(
                Array(text.utf8),
                nonce: nonce,
                publicKey: publicKey,
                privateKey: pair.privateKey
            )
        else { return nil }
        message = Hex.encode(box)
        self.nonce = Hex.encode(nonce)
    }

    /// The text, for either party with the other's key; nil when it does not authenticate.
    public func open(publicKey: [UInt8], privateKey: [UInt8], cryptography: some Cryptography) -> String? {
        guard let box = Hex.decode(message), let nonceBytes = Hex.decode(nonce),
            let text = cryptography.openBox(
                box,
                nonce: nonceBytes,
                publicKey: publicKey,
                privateKey: privateKey
            )
        else { return nil }
        return String(decoding: text, as: UTF8.self)
    }
}
