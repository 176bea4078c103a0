import COpenSSL

/// The digest that the WebSocket handshake asks for.
public enum SHA1 {
    /// The 20-byte digest.
    public static func digest(_ bytes: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 20)
        try check(unsafe EVP_Digest(bytes, bytes.count, &digest, nil, EVP_sha1(), nil), "SHA-1")
        return digest
    }
}
