import COpenSSL

/// SHA-256 by the processor's own instructions, where it has them.
public enum SHA256 {
    /// The 32-byte digest.
    public static func digest(_ bytes: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: 32)
        let algorithm = Algorithm.sha256
        try check(
            unsafe EVP_Digest(bytes, bytes.count, &digest, nil, algorithm.pointer, nil),
            "SHA-256"
        )
        return digest
    }
}

/// An algorithm of OpenSSL's, looked up once: doing so for each digest costs more than a short digest does.
///
/// SAFETY: never changed and never freed; the library counts its users atomically.
@safe private struct Algorithm: @unchecked Sendable {
    static let sha256 = Algorithm("SHA256")

    /// Nil when the library does not have it; digests then fail.
    let pointer: OpaquePointer?

    private init(_ name: String) {
        unsafe pointer = EVP_MD_fetch(nil, name, nil)
    }
}
