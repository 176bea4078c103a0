public import JSONValue

/// The results of stories that were played, each with a seed.
///
/// A result is JSON from the start: what depends on the moment, such as times, ids and ports, stands apart in members
/// that are called `measured`, and all the rest is the same for the same seed.
public struct ScenarioReport: Sendable, Equatable {
    /// What a story came to.
    public enum Outcome: String, Sendable, CaseIterable {
        /// Each step ended as stated.
        case passed
        /// A step did not end as stated.
        case failed
        /// There was no world to play it in, or the world could not go on.
        case error
    }

    private static let format = "mocknet scenario report 1"

    /// The results.
    public private(set) var results: [JSONValue]

    /// A report of results.
    public init(_ results: [JSONValue]) {
        self.results = results
    }

    /// Reads a report as ``json`` gives it; nil for anything else.
    public init?(json: JSONValue) {
        guard json["format"]?.stringValue == Self.format, let results = json["results"]?.arrayValue,
            results.allSatisfy({ Self.outcome(of: $0) != nil && $0["name"]?.stringValue != nil })
        else { return nil }
        self.results = results
    }

    /// The results of several reports, in the order of files and seeds, whichever report they come from.
    public init(merging reports: [ScenarioReport]) {
        let all = reports.flatMap(\.results)
        results = all.indices.sorted { left, right in
            (Self.key(all[left]), left) < (Self.key(all[right]), right)
        }
        .map { all[$0] }
    }

    private static func key(_ result: JSONValue) -> String {
        let seed = result["seed"]?.text ?? ""
        let zeros = String(repeating: "0", count: max(0, 20 - seed.utf8.count))
        return
            "\(result["file"]?.stringValue ?? "")\u{0}\(result["name"]?.stringValue ?? "")\u{0}\(zeros)\(seed)"
    }

    /// What a result says of its story.
    public static func outcome(of result: JSONValue) -> Outcome? {
        result["outcome"]?.stringValue.flatMap(Outcome.init(rawValue:))
    }

    /// How many results have an outcome.
    public func count(_ outcome: Outcome) -> Int {
        results.count { Self.outcome(of: $0) == outcome }
    }

    /// The report as JSON.
    public var json: JSONValue {
        [
            "format": .string(Self.format), "passed": .int(count(.passed)), "failed": .int(count(.failed)),
            "errors": .int(count(.error)), "results": .array(results),
        ]
    }
}
