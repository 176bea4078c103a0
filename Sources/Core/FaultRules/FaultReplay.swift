public import JSONValue

/// Recorded decisions that are to be made again, whatever the seed.
///
/// Matches beyond those that were recorded are decided as the recorded world's seed has it.
public struct FaultReplay: Sendable {
    /// What was decided about a match.
    enum Verdict: Equatable {
        case passes
        case strikes(kind: String, delayMilliseconds: Int)
    }

    private struct Place: Hashable {
        let rule: String
        let route: String?
    }

    private struct Fates {
        var count = 0
        var firings: [Int: (kind: String, delayMilliseconds: Int)] = [:]

        /// Takes note that matches up to a number were recorded.
        mutating func include(_ match: Int) { count = max(count, match) }
    }

    /// The seed of the world that was recorded.
    public let seed: UInt64
    private let fates: [Place: Fates]

    /// Reads what `GET /v1/faults/decisions` answered.
    public init(_ document: JSONValue) throws(FaultRuleError) {
        let reader = try MemberReader(document, at: nil)
        guard let seed = reader.value("seed")?.text, let number = UInt64(seed) else {
            throw reader.error("seed", "must be the seed of the recorded world")
        }
        self.seed = number
        if let evicted = try reader.integer("evicted", in: 0...Int64.max), evicted > 0 {
            throw reader.error("evicted", "the record lacks its first \(evicted) decisions")
        }
        var fates: [Place: Fates] = [:]
        for (index, entry) in try Self.list(reader, "decisions").enumerated() {
            let reader = try MemberReader(entry, at: "decisions[\(index)]")
            let place = try Self.place(reader)
            let match = Int(try reader.required("match", reader.integer("match", in: 1...Self.most)))
            let delay = try reader.integer("delayMilliseconds", in: 0...Int64(FaultDelay.maximumMilliseconds))
            let kind = try reader.required("kind", reader.text("kind"))
            fates[place, default: Fates()].firings[match] = (kind, Int(delay ?? 0))
            fates[place, default: Fates()].include(match)
        }
        for (index, entry) in try Self.list(reader, "matches").enumerated() {
            let reader = try MemberReader(entry, at: "matches[\(index)]")
            let place = try Self.place(reader)
            let count = Int(try reader.required("count", reader.integer("count", in: 0...Self.most)))
            fates[place, default: Fates()].include(count)
        }
        self.fates = fates
    }

    /// What was decided about a match, from 1; nil when it was not recorded.
    func verdict(_ place: FaultDecision.Place) -> Verdict? {
        guard let fates = fates[Place(rule: place.rule, route: place.route)], place.match <= fates.count
        else { return nil }
        return fates.firings[place.match].map {
            .strikes(kind: $0.kind, delayMilliseconds: $0.delayMilliseconds)
        } ?? .passes
    }

    private static let most: Int64 = 1_000_000_000_000

    private static func place(_ reader: MemberReader) throws(FaultRuleError) -> Place {
        Place(
            rule: try reader.required("rule", reader.text("rule")),
            route: try reader.text("route", limit: 1024)
        )
    }

    private static func list(_ reader: MemberReader, _ key: String) throws(FaultRuleError) -> [JSONValue] {
        guard let value = reader.value(key) else { throw reader.error(key, "is missing") }
        guard let list = value.arrayValue else { throw reader.error(key, "must be a list") }
        return list
    }
}
