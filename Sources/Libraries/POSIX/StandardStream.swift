import Glibc

/// Standard output, for results, and standard error, for people.
public enum StandardStream: Int32, Sendable {
    /// Standard output.
    case output = 1
    /// Standard error.
    case error = 2

    /// Writes text at once, unbuffered; a reader that is gone is no failure.
    public func write(_ text: String) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            // SAFETY: exactly the slice's bytes are read.
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(rawValue, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Whether it goes to a terminal.
    public var isTerminal: Bool { isatty(rawValue) == 1 }
}
