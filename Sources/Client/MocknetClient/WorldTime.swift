import Foundation

/// Times as the control API writes them: RFC 3339 in UTC with milliseconds.
enum WorldTime {
    /// Reads a time; nil for another text.
    static func date(_ text: String) -> Date? {
        try? Date(text, strategy: .iso8601.year().month().day().time(includingFractionalSeconds: true))
    }

    /// Writes a time.
    static func text(_ date: Date) -> String {
        date.formatted(.iso8601.year().month().day().time(includingFractionalSeconds: true)) + "Z"
    }
}
