import POSIX

/// Which build this is.
enum Version {
    /// The release.
    static let number = "0.1.0"

    /// The release with the commit.
    static var text: String { "mocknet \(number) (\(Build.commit))" }
}
