/// A moment, in milliseconds since the start of the ADAMANT epoch.
///
/// Epoch seconds, as they stand in transactions and blocks, are derived by flooring and may be negative.
/// - Source: adamant:helpers/slots.js (epoch 2017-09-02T17:00:00Z = Unix 1504371600)
public struct Timestamp: Hashable, Comparable, Sendable {
    /// Unix milliseconds at which the ADAMANT epoch starts.
    public static let epochUnixMilliseconds: Int64 = 1_504_371_600_000
    /// Length of a forging slot in seconds.
    public static let slotSeconds: Int64 = 5
    /// The start of the epoch.
    public static let epoch = Timestamp(milliseconds: 0)

    /// Bounds beyond which a moment is clamped: the years 0 to 9999.
    private static let range: ClosedRange<Int64> = -63_671_590_800_000...251_897_929_199_999

    /// Milliseconds since the epoch.
    public let milliseconds: Int64

    /// The moment so many milliseconds after the epoch, clamped to the years 0 to 9999.
    public init(milliseconds: Int64) {
        self.milliseconds = min(max(milliseconds, Self.range.lowerBound), Self.range.upperBound)
    }

    /// The moment so many whole seconds after the epoch.
    public init(epochSeconds: Int64) {
        self.init(milliseconds: epochSeconds.multipliedClamped(by: 1000))
    }

    /// The moment of a Unix time in milliseconds.
    public init(unixMilliseconds: Int64) {
        self.init(milliseconds: unixMilliseconds.subtractingClamped(Self.epochUnixMilliseconds))
    }

    /// Milliseconds since 1970.
    public var unixMilliseconds: Int64 { milliseconds + Self.epochUnixMilliseconds }

    /// Whole seconds since the epoch, floored.
    public var epochSeconds: Int64 { milliseconds.flooredDivision(by: 1000) }

    /// The forging slot this moment lies in, floored.
    public var slot: Int64 { epochSeconds.flooredDivision(by: Self.slotSeconds) }

    /// The moment later by so many milliseconds.
    public func adding(milliseconds delta: Int64) -> Timestamp {
        Timestamp(milliseconds: milliseconds.addingClamped(delta))
    }

    /// Orders moments by time.
    public static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }
}

extension Int64 {
    /// The quotient rounded towards negative infinity; `divisor` is positive.
    public func flooredDivision(by divisor: Int64) -> Int64 {
        let quotient = self / divisor
        return self % divisor < 0 ? quotient - 1 : quotient
    }

    /// The sum, or the nearest bound when it does not fit.
    public func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, or the nearest bound when it does not fit.
    public func subtractingClamped(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        return overflow ? (other < 0 ? .max : .min) : difference
    }

    /// The product, or the nearest bound when it does not fit.
    public func multipliedClamped(by other: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? ((self < 0) == (other < 0) ? .max : .min) : product
    }
}
