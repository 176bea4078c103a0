import Determinism
import JSONValue

/// When a rule is awake: between moments, between heights, and for which of its matches.
struct FaultWindow: Sendable, Equatable {
    private enum Moment: Sendable, Equatable {
        case absolute(Timestamp)
        /// After the rule was made.
        case later(milliseconds: Int64)
    }

    private var begin: Moment?
    private var end: Moment?
    private var heights: ClosedRange<Int>?
    private var matches: ClosedRange<Int>?
    private var step: Int?

    private static let members = [
        "from", "to", "fromSeconds", "toSeconds", "fromHeight", "toHeight", "fromMatch", "toMatch",
        "everyMatch",
    ]
    /// Longest time after the making of a rule: ten years.
    private static let maximumSeconds = 315_360_000.0

    /// Reads a window; none is always open.
    init(_ value: JSONValue?) throws(FaultRuleError) {
        guard let value else { return }
        let reader = try MemberReader(value, at: "window")
        try reader.refuseOthers(than: Self.members)
        begin = try Self.moment(reader, "from")
        end = try Self.moment(reader, "to")
        if let begin, let end, Self.isEmpty(begin, end) {
            throw reader.error(reader.has("to") ? "to" : "toSeconds", "must be later than the beginning")
        }
        heights = try Self.numbers(reader, "fromHeight", "toHeight")
        matches = try Self.numbers(reader, "fromMatch", "toMatch")
        step = try reader.integer("everyMatch", in: 1...Int64(Int32.max)).map(Int.init)
    }

    /// Whether a call comes while the rule is awake; one that does not is no match.
    func isOpen(_ request: FaultRequest, ruleMadeAt made: Timestamp) -> Bool {
        if begin != nil || end != nil {
            guard let now = request.now else { return false }
            if let begin, now < Self.timestamp(begin, made) { return false }
            if let end, now >= Self.timestamp(end, made) { return false }
        }
        guard let heights else { return true }
        return request.height.map(heights.contains) ?? false
    }

    /// Whether the rule may fire at a match, of which so many came before.
    func includes(matchesBefore before: Int) -> Bool {
        let number = before &+ 1
        guard matches?.contains(number) ?? true else { return false }
        return step.map { number.isMultiple(of: $0) } ?? true
    }

    /// Whether no later match can fire.
    func isOver(matches count: Int) -> Bool {
        matches.map { count >= $0.upperBound } ?? false
    }

    private static func timestamp(_ moment: Moment, _ made: Timestamp) -> Timestamp {
        switch moment {
        case .absolute(let timestamp): timestamp
        case .later(let milliseconds): made.adding(milliseconds: milliseconds)
        }
    }

    private static func isEmpty(_ begin: Moment, _ end: Moment) -> Bool {
        switch (begin, end) {
        case (.absolute(let first), .absolute(let last)): last <= first
        case (.later(let first), .later(let last)): last <= first
        case (.absolute, .later), (.later, .absolute): false
        }
    }

    private static func moment(_ reader: MemberReader, _ key: String) throws(FaultRuleError) -> Moment? {
        let seconds = try reader.number(key + "Seconds", in: 0...maximumSeconds)
        guard let text = try reader.text(key) else {
            return seconds.map { .later(milliseconds: Int64($0 * 1000)) }
        }
        guard seconds == nil else { throw reader.error(key + "Seconds", "cannot stand beside \(key)") }
        guard let timestamp = Timestamp(rfc3339: text) else {
            throw reader.error(key, "must be a time such as 2026-01-01T00:00:00Z")
        }
        return .absolute(timestamp)
    }

    private static func numbers(_ reader: MemberReader, _ from: String, _ to: String) throws(FaultRuleError)
        -> ClosedRange<Int>?
    {
        let range: ClosedRange<Int64> = 1...1_000_000_000_000
        let first = try reader.integer(from, in: range).map(Int.init)
        let last = try reader.integer(to, in: range).map(Int.init)
        guard first != nil || last != nil else { return nil }
        guard first ?? 1 <= last ?? Int.max else { throw reader.error(to, "must not be less than \(from)") }
        return (first ?? 1)...(last ?? Int.max)
    }
}
