import COpenSSL

/// The protocol that the handshake agreed on.
public enum TLSApplicationProtocol: Sendable, Equatable {
    /// HTTP/2.
    case http2
    /// HTTP/1.1, when the client offered no HTTP/2.
    case http1
    /// The client offered no protocol at all.
    case none
}

/// What a finished handshake tells about a connection.
public struct TLSFacts: Sendable, Equatable {
    /// The version as OpenSSL names it, for example `TLSv1.3`.
    public let version: String
    /// The cipher suite as OpenSSL names it.
    public let cipher: String
    /// The protocol chosen by ALPN.
    public let applicationProtocol: TLSApplicationProtocol
    /// The server name that the client asked for.
    public let serverName: String?
    /// Whether the handshake resumed an earlier session.
    public let isResumed: Bool
    /// The client's certificate in DER, when it sent one.
    public let clientCertificate: [UInt8]?

    init(session: OpaquePointer) {
        version = unsafe Self.text(SSL_get_version(session))
        cipher = unsafe Self.text(SSL_CIPHER_get_name(SSL_get_current_cipher(session)))
        applicationProtocol = unsafe Self.selectedProtocol(session)
        let name = unsafe SSL_get_servername(session, TLSEXT_NAMETYPE_host_name)
        serverName = unsafe name.map { unsafe Self.text($0) }
        isResumed = unsafe SSL_session_reused(session) == 1
        clientCertificate = unsafe Self.certificate(session)
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        guard let pointer = unsafe pointer else { return "" }
        return unsafe String(cString: pointer)
    }

    private static func selectedProtocol(_ session: OpaquePointer) -> TLSApplicationProtocol {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        unsafe SSL_get0_alpn_selected(session, &name, &length)
        guard unsafe name != nil, length > 0 else { return .none }
        return length == 2 ? .http2 : .http1
    }

    private static func certificate(_ session: OpaquePointer) -> [UInt8]? {
        guard let certificate = unsafe SSL_get1_peer_certificate(session) else { return nil }
        defer { unsafe X509_free(certificate) }
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = unsafe i2d_X509(certificate, &bytes)
        guard count > 0, let bytes = unsafe bytes else { return nil }
        defer { unsafe CRYPTO_free(bytes, "", 0) }
        return unsafe Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }
}
