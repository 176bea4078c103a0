#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// A call for a file that failed.
public struct FileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The file or folder.
    public let path: String
    /// The number of the system's error.
    public let code: Int32

    /// The file and the system's reason, for people.
    public var description: String {
        let reason = unsafe strerror(code).map { unsafe String(cString: $0) }
        return "\(path): \(reason ?? "error \(code)")"
    }

    /// Whether there is no such file.
    public var isMissing: Bool { code == ENOENT }

    /// The newest error of the calling thread.
    init(path: String) {
        self.init(path: path, code: errno)
    }

    /// An error of a known number.
    init(path: String, code: Int32) {
        self.path = path
        self.code = code
    }
}
