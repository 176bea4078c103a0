public import Determinism
public import JSONValue

/// The time of each day at which a device shows only what is urgent, in UTC.
public struct QuietHours: Hashable, Sendable {
    /// Minutes of the day from which on, and up to which; the end may lie on the next day.
    let from: Int64
    let to: Int64

    private static let dayMinutes: Int64 = 1440

    /// Quiet hours of two times as `22:00`; nil when they are none, or the same.
    public init?(from: String, to: String) {
        guard let from = Self.minutes(from), let to = Self.minutes(to), from != to else { return nil }
        self.from = from
        self.to = to
    }

    /// Whether a moment lies in them.
    public func contains(_ moment: Timestamp) -> Bool {
        let minute =
            moment.unixMilliseconds.flooredDivision(by: 60_000)
            - moment.unixMilliseconds.flooredDivision(by: 60_000 * Self.dayMinutes) * Self.dayMinutes
        return from < to ? (from..<to).contains(minute) : minute >= from || minute < to
    }

    /// The hours in the control API's shape.
    public var json: JSONValue { ["from": .string(Self.text(from)), "to": .string(Self.text(to))] }

    /// For people.
    var text: String { "\(Self.text(from)) to \(Self.text(to))" }

    init?(json: JSONValue) {
        self.init(from: json["from"]?.stringValue ?? "", to: json["to"]?.stringValue ?? "")
    }

    private static func text(_ minutes: Int64) -> String {
        [minutes / 60, minutes % 60].map { ($0 < 10 ? "0" : "") + String($0) }.joined(separator: ":")
    }

    private static func minutes(_ text: String) -> Int64? {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ $0.count == 2 && $0.allSatisfy { (48...57).contains($0) } }),
            let hours = Int64(String(decoding: parts[0], as: UTF8.self)),
            let minutes = Int64(String(decoding: parts[1], as: UTF8.self)), hours < 24, minutes < 60
        else { return nil }
        return hours * 60 + minutes
    }
}
