import Glibc

/// A call to the system that failed.
public struct POSIXError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was tried, for people: `read notes.txt`.
    public let operation: String
    /// The system's error number.
    public let code: Int32

    /// The failure of an operation with the error number that the system left.
    init(_ operation: String, code: Int32 = errno) {
        self.operation = operation
        self.code = code
    }

    /// Whether the file or program does not exist.
    public var isMissing: Bool { code == ENOENT }

    /// What was tried and why it failed.
    public var description: String {
        // SAFETY: strerror returns a terminated text that is copied at once.
        let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        return "cannot \(operation): \(reason)"
    }
}
