import APNsRules
import Determinism
import OpenSSLCrypto

/// Reads of a client's certificate what the gateway judges it by.
struct ClientCertificateReader: Sendable {
    /// Apple's extensions of push certificates.
    ///
    /// - Source: pushy:pushy/src/main/java/com/eatthepath/pushy/apns (topics of certificates)
    private enum Extension {
        static let sandbox = "1.2.840.113635.100.6.3.1"
        static let production = "1.2.840.113635.100.6.3.2"
        static let topics = ["1.2.840.113635.100.6.3.4", "1.2.840.113635.100.6.3.6"]
    }

    private let authority: Certificate?

    /// A reader that trusts what an authority issued; nil trusts none.
    init(authorityPEM: String?) {
        authority = authorityPEM.flatMap { try? Certificate(pem: $0) }
    }

    /// The certificate of DER; nil for bytes that are none.
    func read(_ der: [UInt8]) -> APNsClientCertificate? {
        guard let certificate = try? Certificate(der: der), let from = try? certificate.validFrom(),
            let until = try? certificate.validUntil()
        else { return nil }
        var topics: [String] = []
        for topic in Extension.topics.flatMap(certificate.strings(inExtension:)) where !topics.contains(topic)
        {
            topics.append(topic)
        }
        return APNsClientCertificate(
            der: der,
            commonName: certificate.subject(.commonName),
            userId: certificate.subject(.userId),
            listedTopics: topics,
            allowsSandbox: certificate.hasExtension(Extension.sandbox),
            allowsProduction: certificate.hasExtension(Extension.production),
            validFrom: Timestamp(unixMilliseconds: from.multipliedClamped(by: 1000)),
            validUntil: Timestamp(unixMilliseconds: until.multipliedClamped(by: 1000)),
            isTrusted: authority.map(certificate.isIssued(by:)) ?? false
        )
    }
}
