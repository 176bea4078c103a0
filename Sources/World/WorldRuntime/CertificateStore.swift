import APNsServer
import Determinism
import Files
import OpenSSLCrypto
import Threads

/// The certificate authority of this machine's worlds and the certificate that their APNs shows.
///
/// Both are made at the first start and kept, so that a client has to trust the authority only once.
struct CertificateStore: Sendable {
    /// Where the authority's certificate lies for those who have to trust it.
    var authorityPath: String { folder + "/ca.pem" }

    private let folder: String
    private let furtherNames: [String]

    /// How long the authority is valid.
    private static let authorityDays = 3650
    /// How long the server's certificate is valid; Apple's platforms take no more than 398.
    private static let serverDays = 397
    /// How long before its end the server's certificate is renewed.
    private static let renewalSeconds: Int64 = 30 * 86_400
    /// How long to wait for another process that makes them.
    private static let lockMilliseconds: Int64 = 10_000
    /// A certificate is valid from a day ago, so that a slow clock does not refuse it.
    private static let backdatedSeconds: Int64 = 86_400

    /// A store in a folder, which is made when it is not there.
    init(folder: String, furtherNames: [String] = []) throws(WorldError) {
        self.folder = folder
        self.furtherNames = furtherNames
        do throws(FileError) {
            try Files.makeFolder(folder)
        } catch {
            throw WorldError("\(folder) cannot be used: \(error)")
        }
    }

    /// The certificate and key of APNs, made or renewed where needed by the machine's time, which is the clients'.
    func serverIdentity(now: Timestamp) throws(WorldError) -> CertificateAuthority.ServerIdentity {
        do {
            // Two processes that start for the first time at once must not make two authorities.
            let lock = try takeLock()
            defer { lock.release() }
            let seconds = now.unixMilliseconds / 1000
            let authority = try self.authority(now: seconds)
            if let kept = keptIdentity(of: authority, now: seconds) { return kept }
            let identity = try authority.makeServerIdentity(
                name: "api.push.apple.com",
                dnsNames: names.filter { !CertificateAuthority.isIPAddress($0) },
                ipAddresses: names.filter(CertificateAuthority.isIPAddress),
                validFrom: seconds - Self.backdatedSeconds,
                days: Self.serverDays
            )
            try write(identity.keyPEM, "server-key.pem", isPrivate: true)
            try write(identity.certificatePEM, "server.pem")
            return identity
        } catch {
            throw WorldError("the certificates in \(folder) cannot be made: \(error)")
        }
    }

    /// The authority's certificate, once it was made.
    var authorityPEM: String? { read("ca.pem") }

    /// The names and addresses that the server's certificate carries.
    private var names: [String] { APNsNames.certificateNames + furtherNames }

    private func takeLock() throws -> FileLock {
        let deadline = MachineClock.monotonicMilliseconds() + Self.lockMilliseconds
        repeat {
            if let lock = try FileLock(path: folder + "/certificates.lock") { return lock }
            Condition(()).wait(until: MachineClock.monotonicMilliseconds() + 20) { _ -> Void? in nil }
        } while MachineClock.monotonicMilliseconds() < deadline
        throw WorldError("another process is making them and does not end")
    }

    private func authority(now: Int64) throws -> CertificateAuthority {
        if let certificate = read("ca.pem"), let key = read("ca-key.pem"),
            let kept = try? CertificateAuthority(certificatePEM: certificate, keyPEM: key),
            let end = try? kept.certificate.validUntil(), end - now > Self.renewalSeconds
        {
            return kept
        }
        let made = try CertificateAuthority(
            name: "mocknet local authority",
            validFrom: now - Self.backdatedSeconds,
            days: Self.authorityDays
        )
        try write(made.keyPEM(), "ca-key.pem", isPrivate: true)
        try write(made.certificatePEM(), "ca.pem")
        return made
    }

    private func keptIdentity(of authority: CertificateAuthority, now: Int64) -> CertificateAuthority
        .ServerIdentity?
    {
        guard let certificatePEM = read("server.pem"), let keyPEM = read("server-key.pem"),
            let certificate = try? Certificate(pem: certificatePEM),
            let key = try? P256PrivateKey(pem: keyPEM),
            certificate.isIssued(by: authority.certificate), certificate.belongs(to: key),
            let end = try? certificate.validUntil(), end - now > Self.renewalSeconds,
            names.allSatisfy({ certificate.covers(host: $0) })
        else { return nil }
        return CertificateAuthority.ServerIdentity(certificatePEM: certificatePEM, keyPEM: keyPEM)
    }

    private func read(_ name: String) -> String? {
        (try? Files.read(folder + "/" + name)).map { String(decoding: $0, as: UTF8.self) }
    }

    private func write(_ text: String, _ name: String, isPrivate: Bool = false) throws(FileError) {
        try Files.write(Array(text.utf8), to: folder + "/" + name, isPrivate: isPrivate)
    }
}
