import ControlServer
import JSONValue

extension World {
    /// The table of the control API.
    var controlRoutes: [ControlRoute] {
        worldRoutes + furtherWorldRoutes + accountRoutes + transactionRoutes + chainRoutes + snapshotRoutes
            + clockRoutes
            + nodeRoutes + faultRoutes
            + requestRoutes + pushRoutes + apnsRoutes + ansRoutes + testPushRoutes + deviceRoutes
            + traceRoutes + eventRoutes + scenarioRoutes + pageRoutes
    }
}

/// Query parameters that every list takes.
enum ListQuery {
    /// Names of the parameters.
    static let parameters = ["after", "limit", "wait", "atLeast"]
    /// Most elements of one page.
    static let maximumLimit = 10_000
    /// Longest wait in seconds.
    static let maximumWait = 600

    /// The page a query asks for.
    struct Page: Sendable {
        let after: Int
        let limit: Int
    }

    /// Reads the page that a query asks for.
    static func page(_ query: ControlQuery) throws(ControlError) -> Page {
        Page(
            after: try query.integer("after", in: 0...Int.max, default: 0),
            limit: try query.integer("limit", in: 1...maximumLimit, default: 100)
        )
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
