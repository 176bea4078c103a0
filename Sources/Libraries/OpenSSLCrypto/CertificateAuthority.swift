import COpenSSL

/// A certificate authority with a P-256 key that certifies servers.
///
/// Time is passed in as Unix seconds.
public final class CertificateAuthority: Sendable {
    /// A server's certificate with its key, both as PEM text.
    public struct ServerIdentity: Hashable, Sendable {
        /// The certificate.
        public let certificatePEM: String
        /// The key as PKCS#8.
        public let keyPEM: String

        /// A pair that was stored.
        public init(certificatePEM: String, keyPEM: String) {
            self.certificatePEM = certificatePEM
            self.keyPEM = keyPEM
        }
    }

    /// Longest validity of a server's certificate that Apple's systems accept.
    ///
    /// - Source: Apple Support, "About upcoming limits on trusted certificates" (398 days)
    public static let longestServerDays = 398

    /// The authority's certificate.
    public let certificate: Certificate
    private let key: P256PrivateKey

    /// A new authority.
    public init(name: String, validFrom: Int64, days: Int) throws(OpenSSLError) {
        key = try P256PrivateKey()
        var draft = CertificateDraft(name: name, validFrom: validFrom, days: days)
        draft.extensions = [
            (NID_basic_constraints, "critical,CA:TRUE"),
            (NID_key_usage, "critical,keyCertSign,cRLSign"),
            (NID_subject_key_identifier, "hash"),
        ]
        certificate = try draft.signed(subjectKey: key, issuer: nil, issuerKey: key)
    }

    /// The authority of a stored certificate and its key.
    public init(certificatePEM: String, keyPEM: String) throws(OpenSSLError) {
        certificate = try Certificate(pem: certificatePEM)
        key = try P256PrivateKey(pem: keyPEM)
        guard certificate.belongs(to: key) else {
            throw OpenSSLError(operation: "reading an authority", reason: "certificate and key do not match")
        }
    }

    /// The certificate as PEM text.
    public func certificatePEM() throws(OpenSSLError) -> String { try certificate.pem() }

    /// The private key as PKCS#8 PEM text.
    public func keyPEM() throws(OpenSSLError) -> String { try key.pem() }

    /// Certifies a new key of a server.
    ///
    /// - Parameters:
    ///   - name: the common name, up to 64 characters.
    ///   - dnsNames: letters, digits, `-`, `_`, `.` and `*`.
    ///   - ipAddresses: IPv4 or IPv6, as numbers.
    ///   - validFrom: Unix seconds.
    ///   - days: cut at ``longestServerDays``.
    /// - Returns: the certificate and the key.
    /// - Throws: ``OpenSSLError`` for names that are none.
    public func makeServerIdentity(
        name: String,
        dnsNames: [String],
        ipAddresses: [String],
        validFrom: Int64,
        days: Int
    ) throws(OpenSSLError) -> ServerIdentity {
        let serverKey = try P256PrivateKey()
        var draft = CertificateDraft(
            name: name,
            validFrom: validFrom,
            days: min(days, Self.longestServerDays)
        )
        draft.extensions = [
            (NID_basic_constraints, "critical,CA:FALSE"),
            (NID_key_usage, "critical,digitalSignature"),
            (NID_ext_key_usage, "serverAuth"),
            (NID_subject_alt_name, try Self.alternativeNames(dnsNames, ipAddresses)),
            (NID_subject_key_identifier, "hash"),
            (NID_authority_key_identifier, "keyid:always"),
        ]
        let server = try draft.signed(subjectKey: serverKey, issuer: certificate, issuerKey: key)
        return ServerIdentity(certificatePEM: try server.pem(), keyPEM: try serverKey.pem())
    }

    /// The names in OpenSSL's notation, where a comma would begin another one.
    private static func alternativeNames(
        _ dnsNames: [String],
        _ ipAddresses: [String]
    ) throws(OpenSSLError) -> String {
        let operation = "naming a server"
        guard let wrongName = dnsNames.first(where: { !isDNSName($0) }) else {
            guard let wrongAddress = ipAddresses.first(where: { !isIPAddress($0) }) else {
                guard !(dnsNames + ipAddresses).isEmpty else {
                    throw OpenSSLError(operation: operation, reason: "there is no name")
                }
                return (dnsNames.map { "DNS:" + $0 } + ipAddresses.map { "IP:" + $0 }).joined(separator: ",")
            }
            throw OpenSSLError(operation: operation, reason: "\(wrongAddress) is no IP address")
        }
        throw OpenSSLError(operation: operation, reason: "\(wrongName) is no DNS name")
    }

    /// Whether text can stand as a DNS name in a certificate.
    public static func isDNSName(_ text: String) -> Bool {
        (1...253).contains(text.utf8.count)
            && text.utf8.allSatisfy {
                switch $0 {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
                case UInt8(ascii: "0")...UInt8(ascii: "9"): true
                case UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: "*"): true
                default: false
                }
            }
    }

    /// Whether text is a numeric IPv4 or IPv6 address.
    public static func isIPAddress(_ text: String) -> Bool {
        defer { ERR_clear_error() }
        guard let address = unsafe a2i_IPADDRESS(text) else { return false }
        unsafe ASN1_OCTET_STRING_free(address)
        return true
    }
}
