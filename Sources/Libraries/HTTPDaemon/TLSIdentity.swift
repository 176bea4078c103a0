/// The certificate, or chain of certificates, that a server shows, and its private key.
public struct TLSIdentity: Sendable {
    /// The leaf first.
    public let certificatePEM: String
    /// Not encrypted.
    public let keyPEM: String

    /// An identity of its parts.
    public init(certificatePEM: String, keyPEM: String) {
        self.certificatePEM = certificatePEM
        self.keyPEM = keyPEM
    }
}
