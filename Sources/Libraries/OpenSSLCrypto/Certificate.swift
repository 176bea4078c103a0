import COpenSSL

/// An X.509 certificate.
///
/// SAFETY: `pointer` is owned from `init` to `deinit` and not changed once `init` is done.
@safe public final class Certificate: @unchecked Sendable {
    let pointer: OpaquePointer

    /// The first certificate of PEM text.
    public init(pem: String) throws(OpenSSLError) {
        let source = try MemoryBIO(Array(pem.utf8))
        let certificate = unsafe PEM_read_bio_X509(source.pointer, nil, noPassword, nil)
        unsafe pointer = try require(certificate, "reading a certificate")
    }

    /// Takes over a certificate.
    init(owning pointer: OpaquePointer) {
        unsafe self.pointer = unsafe pointer
    }

    deinit { unsafe X509_free(pointer) }

    /// The certificate as PEM text.
    public func pem() throws(OpenSSLError) -> String {
        let output = try MemoryBIO()
        try check(unsafe PEM_write_bio_X509(output.pointer, pointer), "writing a certificate")
        return output.readText()
    }

    /// Unix seconds from which the certificate is valid.
    public func validFrom() throws(OpenSSLError) -> Int64 {
        try unsafe Self.unixSeconds(X509_get0_notBefore(pointer))
    }

    /// Unix seconds until which the certificate is valid.
    public func validUntil() throws(OpenSSLError) -> Int64 {
        try unsafe Self.unixSeconds(X509_get0_notAfter(pointer))
    }

    /// Whether a client that connects to this DNS name or IP address finds it in the certificate.
    public func covers(host: String) -> Bool {
        if unsafe X509_check_ip_asc(pointer, host, 0) == 1 { return true }
        return unsafe host.utf8CString.withUnsafeBufferPointer { name in
            // The length excludes the final zero byte.
            unsafe X509_check_host(pointer, name.baseAddress, name.count - 1, 0, nil) == 1
        }
    }

    /// Whether an authority's certificate names the issuer and its key made the signature.
    public func isIssued(by authority: Certificate) -> Bool {
        defer { ERR_clear_error() }
        guard unsafe X509_check_issued(authority.pointer, pointer) == X509_V_OK,
            let key = unsafe X509_get0_pubkey(authority.pointer)
        else { return false }
        return unsafe X509_verify(pointer, key) == 1
    }

    /// Whether a private key is the one of the certificate.
    public func belongs(to key: P256PrivateKey) -> Bool {
        defer { ERR_clear_error() }
        return unsafe X509_check_private_key(pointer, key.pointer) == 1
    }

    private static func unixSeconds(_ time: UnsafePointer<ASN1_TIME>?) throws(OpenSSLError) -> Int64 {
        let start = unsafe try require(ASN1_TIME_set(nil, 0), "making a time")
        defer { unsafe ASN1_STRING_free(start) }
        var days: Int32 = 0
        var seconds: Int32 = 0
        try check(unsafe ASN1_TIME_diff(&days, &seconds, start, time), "reading a time")
        return Int64(days) * 86_400 + Int64(seconds)
    }
}
