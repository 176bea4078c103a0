import Glibc

/// Standard output, for results, and standard error, for people.
public enum StandardStream: Int32, Sendable {
    /// Standard output.
    case output = 1
    /// Standard error.
    case error = 2

    /// Writes text at once, unbuffered; a reader that is gone is no failure.
    public func write(_ text: String) {
        _ = Files.write(Array(text.utf8)[...], to: rawValue)
    }

    /// Whether it goes to a terminal.
    public var isTerminal: Bool { isatty(rawValue) == 1 }
}
