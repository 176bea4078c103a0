import COpenSSL

/// An OpenSSL server context: identity and versions, and what is negotiated beside them.
@safe
final class TLSContext: Sendable {
    /// SAFETY: assigned once in `init`, never changed after it; OpenSSL counts references atomically.
    private nonisolated(unsafe) let context: OpaquePointer

    /// A context of an identity; one that negotiates chooses a protocol by ALPN, and asks for a client certificate
    /// without requiring it.
    init(certificatePEM: String, keyPEM: String, negotiates: Bool) throws(TLSListenerError) {
        guard let context = unsafe SSL_CTX_new(TLS_server_method()) else {
            throw TLSListenerError(code: .system, operation: "SSL_CTX_new", errorNumber: 0)
        }
        unsafe self.context = context
        unsafe Self.configure(context)
        if negotiates { unsafe Self.negotiate(context) }
        try unsafe Self.use(certificatePEM: certificatePEM, keyPEM: keyPEM, in: context)
    }

    deinit { unsafe SSL_CTX_free(context) }

    /// A session for an accepted socket; nil when memory is short.
    func makeSession(socket: Int32) -> OpaquePointer? {
        guard let session = unsafe SSL_new(context) else { return nil }
        guard unsafe SSL_set_fd(session, socket) == 1 else {
            unsafe SSL_free(session)
            return nil
        }
        unsafe SSL_set_accept_state(session)
        return unsafe session
    }

    private static func configure(_ context: OpaquePointer) {
        let modes =
            SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS
        unsafe SSL_CTX_set_options(context, COpenSSL_server_options())
        unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_MIN_PROTO_VERSION, Int(TLS1_2_VERSION), nil)
        unsafe SSL_CTX_ctrl(context, SSL_CTRL_MODE, Int(modes), nil)
        // One read(2) for a record instead of two.
        unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_READ_AHEAD, 1, nil)
        // Sessions live in the clients' tickets; nothing is kept here.
        unsafe SSL_CTX_ctrl(context, SSL_CTRL_SET_SESS_CACHE_MODE, Int(SSL_SESS_CACHE_OFF), nil)
        unsafe SSL_CTX_set_num_tickets(context, 1)
        // Without a context id a session of a client with a certificate could not be resumed.
        unsafe SSL_CTX_set_session_id_context(context, [0x6D, 0x6F, 0x63, 0x6B], 4)
        unsafe SSL_CTX_set_ciphersuites(
            context,
            "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
        )
    }

    private static func negotiate(_ context: OpaquePointer) {
        unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        unsafe SSL_CTX_set_cert_verify_callback(context, { _, _ in 1 }, nil)
        unsafe SSL_CTX_set_alpn_select_cb(context, selectProtocol, nil)
    }

    private static func use(
        certificatePEM: String,
        keyPEM: String,
        in context: OpaquePointer
    ) throws(TLSListenerError) {
        guard let certificates = unsafe memoryBIO(certificatePEM), let keys = unsafe memoryBIO(keyPEM) else {
            throw TLSListenerError(code: .system, operation: "BIO_new_mem_buf", errorNumber: 0)
        }
        defer {
            unsafe BIO_free(certificates)
            unsafe BIO_free(keys)
        }
        try unsafe useCertificates(certificates, in: context)
        guard let key = unsafe PEM_read_bio_PrivateKey(keys, nil, nil, nil) else {
            throw TLSListenerError(
                code: .invalidIdentity,
                operation: "Reading the private key",
                errorNumber: 0
            )
        }
        defer { unsafe EVP_PKEY_free(key) }
        guard unsafe SSL_CTX_use_PrivateKey(context, key) == 1, unsafe SSL_CTX_check_private_key(context) == 1
        else {
            throw TLSListenerError(code: .invalidIdentity, operation: "Using the private key", errorNumber: 0)
        }
        ERR_clear_error()
    }

    private static func useCertificates(
        _ source: OpaquePointer,
        in context: OpaquePointer
    ) throws(TLSListenerError) {
        var count = 0
        while let certificate = unsafe PEM_read_bio_X509(source, nil, nil, nil) {
            let used =
                count == 0
                ? unsafe SSL_CTX_use_certificate(context, certificate) == 1
                    // The chain takes the certificate over.
                : unsafe SSL_CTX_ctrl(
                    context,
                    SSL_CTRL_EXTRA_CHAIN_CERT,
                    0,
                    UnsafeMutableRawPointer(certificate)
                )
                    == 1
            if count == 0 || !used { unsafe X509_free(certificate) }
            guard used else { break }
            count += 1
        }
        ERR_clear_error()
        guard count > 0 else {
            throw TLSListenerError(
                code: .invalidIdentity,
                operation: "Reading the certificate",
                errorNumber: 0
            )
        }
    }

    private static func memoryBIO(_ text: String) -> OpaquePointer? {
        guard let source = unsafe BIO_new(BIO_s_mem()), let count = Int32(exactly: text.utf8.count) else {
            return nil
        }
        let written = unsafe Array(text.utf8).withUnsafeBytes {
            unsafe BIO_write(source, $0.baseAddress, count)
        }
        guard written == count else {
            unsafe BIO_free(source)
            return nil
        }
        return unsafe source
    }

    /// Takes `h2` wherever it is offered, else `http/1.1`; a client that offers neither is refused with an alert.
    private static let selectProtocol: SSL_CTX_alpn_select_cb_func = {
        _,
        chosen,
        chosenCount,
        offers,
        count,
        _ in
        guard let offers = unsafe offers, let chosen = unsafe chosen, let chosenCount = unsafe chosenCount
        else { return SSL_TLSEXT_ERR_ALERT_FATAL }
        let list = unsafe UnsafeBufferPointer(start: offers, count: Int(count))
        for wanted in [Array("h2".utf8), Array("http/1.1".utf8)] {
            var start = 0
            while start < list.count {
                let length = unsafe Int(list[start])
                let end = start + 1 + length
                guard end <= list.count else { return SSL_TLSEXT_ERR_ALERT_FATAL }
                if length == wanted.count, unsafe list[start + 1..<end].elementsEqual(wanted) {
                    unsafe chosen.pointee = offers + start + 1
                    unsafe chosenCount.pointee = UInt8(truncatingIfNeeded: length)
                    return SSL_TLSEXT_ERR_OK
                }
                start = end
            }
        }
        return SSL_TLSEXT_ERR_ALERT_FATAL
    }
}
