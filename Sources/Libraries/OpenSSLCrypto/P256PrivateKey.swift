import COpenSSL

/// A private key on the curve P-256.
///
/// SAFETY: `pointer` is owned from `init` to `deinit` and never changed; OpenSSL lets threads share such keys.
@safe public final class P256PrivateKey: @unchecked Sendable {
    let pointer: OpaquePointer

    /// A new key.
    public init() throws(OpenSSLError) {
        let context = unsafe try require(EVP_PKEY_CTX_new_id(EVP_PKEY_EC, nil), "making a key context")
        defer { unsafe EVP_PKEY_CTX_free(context) }
        try check(unsafe EVP_PKEY_keygen_init(context), "preparing a key")
        try check(unsafe EVP_PKEY_CTX_set_group_name(context, "P-256"), "choosing P-256")
        var key: OpaquePointer?
        try check(unsafe EVP_PKEY_generate(context, &key), "generating a key")
        unsafe pointer = try require(key, "generating a key")
    }

    /// The key of PEM text (PKCS#8, as in Apple's `.p8` files, or SEC 1).
    public init(pem: String) throws(OpenSSLError) {
        let source = try MemoryBIO(Array(pem.utf8))
        let key = unsafe PEM_read_bio_PrivateKey(source.pointer, nil, noPassword, nil)
        unsafe pointer = try require(key, "reading a private key")
        guard unsafe isP256(pointer) else {
            // `deinit` frees the key: all properties are set.
            throw OpenSSLError(operation: "reading a private key", reason: "it is not on the curve P-256")
        }
    }

    deinit { unsafe EVP_PKEY_free(pointer) }

    /// The key as PKCS#8 PEM text without a password.
    public func pem() throws(OpenSSLError) -> String {
        let output = try MemoryBIO()
        let result = unsafe PEM_write_bio_PKCS8PrivateKey(output.pointer, pointer, nil, nil, 0, nil, nil)
        try check(result, "writing a private key")
        return output.readText()
    }

    /// The public half.
    public func publicKey() throws(OpenSSLError) -> P256PublicKey {
        let output = try MemoryBIO()
        try check(unsafe PEM_write_bio_PUBKEY(output.pointer, pointer), "writing a public key")
        return try P256PublicKey(pem: output.readText())
    }

    /// The ES256 signature of a message: R and S, 32 bytes each.
    public func signature(of message: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        try ECDSASignature(der: derSignature(of: message)).raw()
    }

    /// The ECDSA signature with SHA-256 of a message, as ASN.1 DER.
    public func derSignature(of message: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        let context = unsafe try require(EVP_MD_CTX_new(), "making a digest context")
        defer { unsafe EVP_MD_CTX_free(context) }
        try check(
            unsafe EVP_DigestSignInit(context, nil, EVP_sha256(), nil, pointer),
            "preparing a signature"
        )
        var signature = [UInt8](repeating: 0, count: 128)
        var count = signature.count
        try check(unsafe EVP_DigestSign(context, &signature, &count, message, message.count), "signing")
        return Array(signature.prefix(count))
    }
}

/// Answers that there is no password, so that OpenSSL does not ask at the terminal.
let noPassword:
    @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?) -> Int32 = {
        _,
        _,
        _,
        _ in -1
    }

/// Whether a key lies on the curve P-256.
func isP256(_ key: OpaquePointer) -> Bool {
    var name = [CChar](repeating: 0, count: 64)
    guard unsafe EVP_PKEY_get_base_id(key) == EVP_PKEY_EC,
        unsafe EVP_PKEY_get_group_name(key, &name, name.count, nil) == 1
    else { return false }
    return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        == "prime256v1"
}
