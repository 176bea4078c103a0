import Foundation
import OpenSSLCrypto
import TestSupport
import Testing

@Suite("OpenSSL: certificates")
struct CertificateAuthorityTests {
    /// 2026-01-01.
    private let start: Int64 = 1_767_225_600
    private let day: Int64 = 86_400

    private func authority() throws -> CertificateAuthority {
        try CertificateAuthority(name: "mocknet test CA", validFrom: start, days: 3650)
    }

    private func server(
        _ authority: CertificateAuthority,
        dns: [String] = ["api.example.com", "localhost"],
        ip: [String] = ["127.0.0.1", "::1"],
        days: Int = 398
    ) throws -> CertificateAuthority.ServerIdentity {
        try authority.makeServerIdentity(
            name: "server",
            dnsNames: dns,
            ipAddresses: ip,
            validFrom: start,
            days: days
        )
    }

    @Test("a server's certificate names its hosts and no others")
    func hosts() throws {
        let identity = try server(authority())
        let certificate = try Certificate(pem: identity.certificatePEM)
        for host in [
            "api.example.com", "API.example.com", "localhost", "127.0.0.1", "::1", "0:0:0:0:0:0:0:1",
        ] {
            #expect(certificate.covers(host: host), "\(host)")
        }
        for host in [
            "", "example.com", "x.api.example.com", "127.0.0.2", "server", "api.example.com\u{0}.evil",
        ] {
            #expect(!certificate.covers(host: host), "\(host)")
        }
        #expect(certificate.belongs(to: try P256PrivateKey(pem: identity.keyPEM)))
        #expect(!certificate.belongs(to: try P256PrivateKey()))
    }

    @Test("validity is what was asked for, a server's at most 398 days")
    func validity() throws {
        let authority = try authority()
        #expect(try authority.certificate.validFrom() == start)
        #expect(try authority.certificate.validUntil() == start + 3650 * day)
        for (asked, got) in [(1, 1), (398, 398), (399, 398), (100_000, 398)] as [(Int, Int64)] {
            let certificate = try Certificate(pem: server(authority, days: asked).certificatePEM)
            #expect(try certificate.validFrom() == start)
            #expect(try certificate.validUntil() == start + got * day)
        }
    }

    @Test("an authority comes back from its PEM and goes on issuing")
    func reopening() throws {
        let first = try authority()
        let (certificatePEM, keyPEM) = (try first.certificatePEM(), try first.keyPEM())
        let again = try CertificateAuthority(certificatePEM: certificatePEM, keyPEM: keyPEM)
        let certificate = try Certificate(pem: server(again).certificatePEM)
        #expect(certificate.isIssued(by: first.certificate))
        #expect(first.certificate.isIssued(by: first.certificate))
        #expect(!certificate.isIssued(by: try authority().certificate), "the same name, another key")
        #expect(!first.certificate.isIssued(by: certificate))
        let other = try P256PrivateKey().pem()
        #expect(throws: OpenSSLError.self) {
            try CertificateAuthority(certificatePEM: certificatePEM, keyPEM: other)
        }
    }

    @Test("serial numbers and keys differ from one certificate to the next")
    func distinct() throws {
        let authority = try authority()
        let (first, second) = (try server(authority), try server(authority))
        #expect(first.certificatePEM != second.certificatePEM)
        #expect(first.keyPEM != second.keyPEM)
    }

    @Test(
        "names that are none are refused, also those that would smuggle in others",
        arguments: [
            ([], []), (["a,DNS:evil.example"], []), ([""], []), (["a b"], []), (["a\n"], []),
            (["é.example"], []),
            ([String(repeating: "a", count: 254)], []), (["a"], ["localhost"]), (["a"], ["256.0.0.1"]),
            (["a"], ["1.2.3.4,IP:5.6.7.8"]), (["a"], [""]), (["a"], ["1.2.3"]), ([], ["::g"]),
        ] as [([String], [String])]
    )
    func wrongNames(dns: [String], ip: [String]) throws {
        let authority = try authority()
        #expect(throws: OpenSSLError.self) { try server(authority, dns: dns, ip: ip) }
    }

    @Test("times that no certificate can say, and names too long, are refused")
    func wrongTimes() throws {
        for (time, days) in [(.max, 1), (.min, 1), (0, .max), (400_000_000_000, 1)] as [(Int64, Int)] {
            #expect(throws: OpenSSLError.self) {
                try CertificateAuthority(name: "x", validFrom: time, days: days)
            }
        }
        let long = String(repeating: "x", count: 65)
        #expect(throws: OpenSSLError.self) { try CertificateAuthority(name: long, validFrom: 0, days: 1) }
        #expect(throws: OpenSSLError.self) { try Certificate(pem: "nonsense") }
    }

    @Test("the openssl program verifies the chain in its strict mode and shows the extensions")
    func opensslProgram() throws {
        let folder = try TemporaryFolder()
        let authority = try authority()
        try Data(authority.certificatePEM().utf8).write(to: URL(filePath: folder.path + "/ca.pem"))
        try Data(server(authority).certificatePEM.utf8).write(to: URL(filePath: folder.path + "/leaf.pem"))
        let verified = try openssl([
            "verify", "-x509_strict", "-purpose", "sslserver", "-attime", "\(start + day)",
            "-verify_hostname",
            "api.example.com", "-CAfile", folder.path + "/ca.pem", folder.path + "/leaf.pem",
        ])
        #expect(verified == folder.path + "/leaf.pem: OK\n")
        let leaf = try openssl(["x509", "-in", folder.path + "/leaf.pem", "-noout", "-text"])
        for text in [
            "Version: 3 (0x2)", "Issuer: CN = mocknet test CA", "Subject: CN = server", "NIST CURVE: P-256",
            "CA:FALSE", "TLS Web Server Authentication", "Digital Signature",
            "X509v3 Authority Key Identifier",
            "DNS:api.example.com, DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1",
        ] {
            #expect(leaf.contains(text), "\(text)")
        }
        let root = try openssl(["x509", "-in", folder.path + "/ca.pem", "-noout", "-text"])
        for text in [
            "X509v3 Basic Constraints: critical\n                CA:TRUE", "X509v3 Key Usage: critical",
            "Certificate Sign, CRL Sign", "X509v3 Subject Key Identifier",
        ] {
            #expect(root.contains(text), "\(text)")
        }
    }

    /// What the openssl program prints.
    private func openssl(_ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = output
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: text, as: UTF8.self)
    }
}
