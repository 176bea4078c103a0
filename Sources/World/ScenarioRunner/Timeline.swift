import Determinism
public import JSONValue

/// Events of a world's journal as lines that a person can follow.
public struct Timeline: Sendable {
    /// What addresses, tokens and devices' ids are called.
    private var names: [String: String] = [:]
    /// The moment that lines count from: that of the first event told of.
    private var start: Timestamp?

    /// How far the names of those who do something are filled up.
    private static let laneWidth = 16
    /// Texts longer than this are tokens, of which the beginning will do.
    private static let longestName = 24
    private static let tokenDigits = 8
    private static let longestText = 160

    /// A timeline in which everybody goes by an address or a number.
    public init() {}

    /// A timeline in which accounts and devices go by their names.
    ///
    /// - Parameters:
    ///   - world: what `GET /v1/world` says.
    ///   - devices: elements of `GET /v1/devices`.
    public init(world: JSONValue, devices: [JSONValue] = []) {
        for account in world["accounts"]?.arrayValue ?? [] {
            learn(account["address"], account["name"]?.stringValue)
        }
        learn(world["ans"]?["address"], "ans")
        for device in devices { learn(device: device) }
    }

    /// Takes note of a device's name, also for its present token.
    public mutating func learn(device: JSONValue) {
        learn(device["id"], device["name"]?.stringValue)
        learn(device["token"], device["name"]?.stringValue)
    }

    private mutating func learn(_ value: JSONValue?, _ name: String?) {
        if let text = value?.stringValue, let name { names[text] = name }
    }

    /// Counts from the next event on.
    public mutating func restart() {
        start = nil
    }

    /// The lines of events; those that tell nothing, such as an empty block, have none.
    public mutating func lines(_ events: [JSONValue]) -> [String] {
        events.compactMap { event in
            let moment = event["at"]?.stringValue.flatMap { Timestamp(rfc3339: $0) }
            start = start ?? moment
            guard let sentence = EventSentence(event, name: { self.name($0) }) else { return nil }
            let elapsed = (moment ?? .epoch).milliseconds.subtractingClamped((start ?? .epoch).milliseconds)
            return Self.line(milliseconds: elapsed, lane: sentence.subject, sentence.text)
        }
    }

    /// One line of a timeline: when, who, what.
    public static func line(milliseconds: Int64, lane: String, _ text: String) -> String {
        let bounded = min(max(milliseconds, 0), 9_999_999)
        let fraction = String(bounded % 1000)
        let zeros = String(repeating: "0", count: 3 - fraction.count)
        let gap = String(repeating: " ", count: max(1, laneWidth - lane.count))
        return "+\(bounded / 1000).\(zeros)\(fraction)s  \(lane)\(gap)\(text)"
    }

    /// A value for people: parties by their names, what is long by its beginning.
    func shown(_ value: JSONValue) -> String {
        if value.isNull { return "nothing" }
        if value.stringValue != nil { return name(value) }
        let text = value.text
        return text.count > Self.longestText ? text.prefix(Self.longestText) + "…" : text
    }

    private func name(_ value: JSONValue?) -> String {
        guard let text = value?.stringValue else { return "nobody" }
        if let name = names[text] { return name }
        let isToken = text.utf8.count > Self.longestName && text.allSatisfy(\.isHexDigit)
        return isToken ? String(text.prefix(Self.tokenDigits)) + "…" : text
    }
}
