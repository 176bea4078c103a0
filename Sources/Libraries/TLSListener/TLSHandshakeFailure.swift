import COpenSSL

/// A handshake that a client began and that came to nothing.
public struct TLSHandshakeFailure: Sendable, Equatable {
    /// Why.
    public enum Cause: Sendable, Equatable {
        /// The client said so by an alert of this number, in OpenSSL's words.
        case alert(Int, String)
        /// It ended the connection.
        case ended
        /// It took too long.
        case timedOut
        /// It spoke HTTP without TLS.
        case plainHTTP
        /// It spoke something else.
        case notTLS
        /// It offers older versions alone.
        case version
        /// It offers other protocols by ALPN alone.
        case applicationProtocol
        /// Anything else, in OpenSSL's words.
        case other(String)
    }

    /// The port of the listener.
    public let localPort: UInt16
    /// The client's address with its port.
    public let peerAddress: String
    /// Why it failed.
    public let cause: Cause
}

extension TLSHandshakeFailure.Cause {
    /// Takes what OpenSSL has noted of the thread's latest failure.
    init(error: Int32) {
        let code = ERR_peek_error()
        let reason = Int32(truncatingIfNeeded: COpenSSL_reason(code))
        guard error == SSL_ERROR_SSL, reason != SSL_R_UNEXPECTED_EOF_WHILE_READING else {
            self = .ended
            return
        }
        switch reason {
        case SSL_R_HTTP_REQUEST, SSL_R_HTTPS_PROXY_REQUEST: self = .plainHTTP
        case SSL_R_WRONG_VERSION_NUMBER: self = .notTLS
        case SSL_R_UNSUPPORTED_PROTOCOL, SSL_R_VERSION_TOO_LOW: self = .version
        case SSL_R_NO_APPLICATION_PROTOCOL: self = .applicationProtocol
        case SSL_AD_REASON_OFFSET...(SSL_AD_REASON_OFFSET + 255):
            let number = reason - SSL_AD_REASON_OFFSET
            self = .alert(Int(number), unsafe Self.text(SSL_alert_desc_string_long(number)))
        default: self = .other(unsafe Self.text(ERR_reason_error_string(code)))
        }
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
        unsafe pointer.map { unsafe String(cString: $0) } ?? ""
    }
}
