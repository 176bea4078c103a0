import JSONValue

/// How many matches of a rule were counted, as a record of decisions tells it.
struct MatchCount: Sendable {
    let rule: String
    let route: String?
    let count: Int

    /// The count as the control API shows it.
    var json: JSONValue { ["rule": .string(rule), "route": .optional(route), "count": .int(count)] }
}
