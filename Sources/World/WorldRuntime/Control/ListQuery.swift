import ControlServer
import JSONValue

/// Query parameters that every list takes.
enum ListQuery {
    /// Names of the parameters.
    static let parameters = ["after", "limit", "wait", "atLeast"]
    /// Names of those that lists take which can be read from their newest element on, and searched.
    static let searchParameters = parameters + ["order", "before", "q"]
    /// Most elements of one page.
    static let maximumLimit = 10_000
    /// Longest wait in seconds.
    static let maximumWait = 600

    /// The page a query asks for.
    struct Page: Sendable {
        let after: Int
        let limit: Int
        /// Where a list of the newest first begins: below this number; nil for the oldest first.
        var before: Int?
        let search: DocumentSearch
    }

    /// Reads the page that a query asks for.
    static func page(_ query: ControlQuery) throws(ControlError) -> Page {
        Page(
            after: try query.integer("after", in: 0...Int.max, default: 0),
            limit: try query.integer("limit", in: 1...maximumLimit, default: 100),
            before: try before(query),
            search: DocumentSearch(query["q"] ?? "")
        )
    }

    private static func before(_ query: ControlQuery) throws(ControlError) -> Int? {
        switch query["order"] ?? "oldest" {
        case "oldest":
            guard query["before"] == nil else {
                throw .badRequest("before goes with order=newest", field: "before")
            }
            return nil
        case "newest":
            for name in ["after", "wait", "atLeast"] where query[name] != nil {
                throw .badRequest("\(name) does not go with order=newest", field: name)
            }
            return try query.integer("before", in: 0...Int.max, default: Int.max)
        case let other:
            throw .badRequest("order must be one of oldest, newest, not '\(other)'", field: "order")
        }
    }

    /// A reply that waits, as the query says, until `list` gives a document of enough elements.
    static func reply(
        _ query: ControlQuery,
        list: @escaping @Sendable () -> (document: JSONValue, count: Int)
    ) throws(ControlError) -> ControlReply {
        let seconds = try query.integer("wait", in: 0...maximumWait, default: 0)
        let atLeast = try query.integer("atLeast", in: 0...maximumLimit, default: 1)
        guard seconds > 0 else { return .json(list().document) }
        return .waiting(seconds: seconds) { timeIsOver in
            let (document, count) = list()
            // Spelled out: a bare `nil` would be taken for JSON's null, an answer.
            guard timeIsOver || count >= atLeast else { return Optional<JSONValue>.none }
            return document
        }
    }
}
