import COpenSSL

/// A public key on the curve P-256.
///
/// SAFETY: `pointer` is owned from `init` to `deinit` and never changed; OpenSSL lets threads share such keys.
@safe public final class P256PublicKey: @unchecked Sendable {
    private let pointer: OpaquePointer

    /// The key of PEM text (`BEGIN PUBLIC KEY`).
    public init(pem: String) throws(OpenSSLError) {
        let source = try MemoryBIO(Array(pem.utf8))
        let key = unsafe PEM_read_bio_PUBKEY(source.pointer, nil, noPassword, nil)
        unsafe pointer = try require(key, "reading a public key")
        guard unsafe isP256(pointer) else {
            throw OpenSSLError(operation: "reading a public key", reason: "it is not on the curve P-256")
        }
    }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// The key as PEM text.
    public func pem() throws(OpenSSLError) -> String {
        let output = try MemoryBIO()
        try check(unsafe PEM_write_bio_PUBKEY(output.pointer, pointer), "writing a public key")
        return output.readText()
    }

    /// Whether an ECDSA signature with SHA-256 belongs to a message, in either encoding.
    ///
    /// Exactly 64 bytes are taken as R and S first; anything else, and those that fail, as ASN.1 DER.
    public func isValid(signature: [UInt8], message: [UInt8]) -> Bool {
        isValid(rawSignature: signature, message: message)
            || isValid(derSignature: signature, message: message)
    }

    /// Whether R and S, 32 bytes each, are the signature of a message.
    public func isValid(rawSignature: [UInt8], message: [UInt8]) -> Bool {
        guard let der = try? ECDSASignature(raw: rawSignature).der() else { return false }
        return verify(der, message)
    }

    /// Whether ASN.1 DER without anything after it is the signature of a message.
    public func isValid(derSignature: [UInt8], message: [UInt8]) -> Bool {
        guard (try? ECDSASignature(der: derSignature)) != nil else { return false }
        return verify(derSignature, message)
    }

    private func verify(_ der: [UInt8], _ message: [UInt8]) -> Bool {
        defer { ERR_clear_error() }
        guard let context = unsafe EVP_MD_CTX_new() else { return false }
        defer { unsafe EVP_MD_CTX_free(context) }
        guard unsafe EVP_DigestVerifyInit(context, nil, EVP_sha256(), nil, pointer) == 1 else { return false }
        return unsafe EVP_DigestVerify(context, der, der.count, message, message.count) == 1
    }
}
