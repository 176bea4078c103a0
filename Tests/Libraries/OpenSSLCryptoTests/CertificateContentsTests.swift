import Foundation
import OpenSSLCrypto
import TestSupport
import Testing

@Suite("Contents of certificates")
struct CertificateContentsTests {
    /// A certificate that the openssl program makes.
    private static func make(subject: String, extensions: [String] = []) throws -> Certificate {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        process.arguments =
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-utf8",
                "-subj", subject, "-keyout", "/dev/null", "-outform", "DER", "-out",
                folder.path + "/cert.der",
            ] + extensions.flatMap { ["-addext", $0] }
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return try Certificate(der: Array(Data(contentsOf: URL(filePath: folder.path + "/cert.der"))))
    }

    @Test("tells the subject's attributes, in any script, and which there are not")
    func tellsSubject() throws {
        let certificate = try Self.make(subject: "/CN=Push \u{E9}\u{1F514}/UID=im.example")
        #expect(certificate.subject(.commonName) == "Push \u{E9}\u{1F514}")
        #expect(certificate.subject(.userId) == "im.example")
        let other = try Self.make(subject: "/O=nobody")
        #expect(other.subject(.commonName) == nil && other.subject(.userId) == nil)
    }

    @Test("tells which extensions there are, and the strings directly in a sequence")
    func tellsExtensions() throws {
        let certificate = try Self.make(
            subject: "/CN=x",
            extensions: [
                "1.2.3.1=DER:0500",
                // "a.b", ("app"), a number, "a.b.voip"
                "1.2.3.6=DER:30190C03612E623005" + "0C03617070" + "020105" + "0C08612E622E766F6970",
                "1.2.3.7=DER:3005", "1.2.3.8=DER:0C0161",
            ]
        )
        #expect(certificate.hasExtension("1.2.3.1") && !certificate.hasExtension("1.2.3.2"))
        #expect(certificate.strings(inExtension: "1.2.3.6") == ["a.b", "a.b.voip"])
        for other in ["1.2.3.1", "1.2.3.2", "1.2.3.7", "1.2.3.8", "nonsense"] {
            #expect(certificate.strings(inExtension: other).isEmpty)
        }
    }

    @Test(
        "are refused where the bytes are none",
        arguments: [[], [0x30], [0x30, 0x03, 0x02, 0x01, 0x05]] as [[UInt8]]
    )
    func areRefused(bytes: [UInt8]) {
        #expect(throws: OpenSSLError.self) { try Certificate(der: bytes) }
    }
}
