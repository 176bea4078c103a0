import Files

/// Files of authorities for a child process: what it would trust anyway, and ours.
struct TrustBundle: Sendable {
    private let folder: String
    private let systemFile: String
    private let nodeFile: String

    /// Where Debian, Fedora, Alpine, macOS and SUSE keep the system's authorities.
    private static let systemFiles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
        "/etc/ssl/ca-bundle.pem",
    ]

    /// Writes the bundles into a folder of their own.
    init(caFile: String, environment: (String) -> String?) throws(FileError) {
        let own = try Files.read(caFile)
        folder = try Files.makePrivateFolder(
            in: environment("TMPDIR") ?? "/tmp",
            prefix: "mocknet-exec"
        )
        systemFile = folder + "/authorities.pem"
        let trusted = environment("SSL_CERT_FILE").flatMap { $0.isEmpty ? nil : $0 }
        try Self.write(
            own,
            after: ([trusted].compactMap(\.self) + Self.systemFiles).first(where: Files.exists),
            to: systemFile
        )
        let further = environment("NODE_EXTRA_CA_CERTS").flatMap { $0.isEmpty ? nil : $0 }
        if let further, Files.exists(further) {
            nodeFile = folder + "/node.pem"
            try Self.write(own, after: further, to: nodeFile)
        } else {
            nodeFile = caFile
        }
    }

    /// The variables that name the files.
    var variables: [(name: String, value: String)] {
        [("NODE_EXTRA_CA_CERTS", nodeFile), ("SSL_CERT_FILE", systemFile)]
    }

    /// Removes the files.
    func remove() {
        try? Files.remove(systemFile)
        if nodeFile.hasPrefix(folder) { try? Files.remove(nodeFile) }
        try? Files.removeFolder(folder)
    }

    private static func write(_ own: [UInt8], after file: String?, to path: String) throws(FileError) {
        var bytes: [UInt8] = []
        if let file { bytes = try Files.read(file) }
        if let last = bytes.last, last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
        try Files.write(bytes + own, to: path)
    }
}
