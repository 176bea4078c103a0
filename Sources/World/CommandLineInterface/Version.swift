import POSIX

/// Which build this is.
enum Version {
    /// The release.
    static let number = "0.1.0"

    /// The release with the commit.
    static var text: String { "mocknet \(number) (\(commit))" }

    /// The commit it was built from, as the build or `MOCKNET_COMMIT` tells.
    private static var commit: String {
        ProcessEnvironment.value("MOCKNET_COMMIT").flatMap { $0.isEmpty ? nil : $0 } ?? "unknown"
    }
}
