import AdamantModel
import ControlServer
import JSONValue

/// Query parameters that every list takes.
enum ListQuery {
    /// Names of the parameters.
    static let parameters = ["after", "limit", "wait", "atLeast"]
    /// Names of those that lists take which can be read from their newest element on, and searched.
    static let searchParameters = parameters + ["order", "before", "q"]
    /// Names of those of a list that is there as a whole, and told as a whole unless a page of it is asked for.
    static let pageParameters = ["after", "limit", "order", "before", "q"]
    /// Most elements of one page.
    static let maximumLimit = 10_000
    /// Longest wait in seconds.
    static let maximumWait = 600

    /// The page a query asks for.
    struct Page: Sendable {
        let after: Int
        /// Most elements of it.
        var limit: Int
        /// Where a list of the newest first begins: below this number; nil for the oldest first.
        var before: Int?
        let search: DocumentSearch
    }

    /// Reads the page that a query asks for, of so many elements unless it says how many.
    static func page(
        _ query: ControlQuery,
        limit: Int = 100,
        addressOf: (String) -> String? = { _ in nil }
    ) throws(ControlError) -> Page {
        Page(
            after: try query.integer("after", in: 0...Int.max, default: 0),
            limit: try query.integer("limit", in: 1...maximumLimit, default: limit),
            before: try before(query),
            search: DocumentSearch(query["q"] ?? "", addressOf: addressOf)
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

    /// A reply that waits, as the query says, until `list` finds enough elements, of which it tells a page.
    static func reply(
        _ query: ControlQuery,
        _ page: Page,
        after work: (@Sendable () -> Void)? = nil,
        list: @escaping @Sendable (Page) -> (document: JSONValue, count: Int)
    ) throws(ControlError) -> ControlReply {
        let seconds = try query.integer("wait", in: 0...maximumWait, default: 0)
        let atLeast = try query.integer("atLeast", in: 0...maximumLimit, default: 1)
        guard seconds > 0 else {
            guard let work else { return .json(list(page).document) }
            return .background { () throws(ControlError) in
                work()
                return .json(list(page).document)
            }
        }
        var counted = page
        counted.limit = max(page.limit, atLeast)
        return .waiting(seconds: seconds) { [counted] timeIsOver in
            // When the time is over, nothing depends on the count any more.
            let (document, count) = list(timeIsOver ? page : counted)
            // Spelled out: a bare `nil` would be taken for JSON's null, an answer.
            guard timeIsOver || count >= atLeast else { return Optional<JSONValue>.none }
            return timeIsOver || counted.limit == page.limit ? document : list(page).document
        }
    }
}

extension World {
    /// The page of a searchable list that a query asks for; names of accounts are found by their addresses, too.
    func page(_ query: ControlQuery, limit: Int = 100) throws(ControlError) -> ListQuery.Page {
        try ListQuery.page(query, limit: limit) { name in
            withState { state, _ in
                state.accounts.accounts.first { $0.name?.lowercased() == name }?.address.text
            }
        }
    }

    /// A page of a list that is there as a whole, whose elements are numbered by their places, as its document.
    static func document<Element>(
        _ name: String,
        _ page: ListQuery.Page,
        of elements: [Element],
        element: (Element) -> JSONValue
    ) -> JSONObject {
        document(name, page, last: elements.count) { number in
            elements.dropFirst(number - 1).first.map(element)
        }
    }

    /// A page of a list whose elements are numbered from 1 and made as they are asked for, as its document.
    static func document(
        _ name: String,
        _ page: ListQuery.Page,
        last: Int,
        element: (Int) -> JSONValue?
    ) -> JSONObject {
        func read(after: Int, before: Int) -> [NewestFirst.Element] {
            stride(from: after + 1, to: before, by: 1).compactMap { number in
                element(number).flatMap { page.search.matches($0) ? (number, $0) : nil }
            }
        }
        guard page.before == nil else {
            return NewestFirst(page, newest: last, largestWindow: 512, read: read).document(name).objectValue
                ?? JSONObject()
        }
        var found: [NewestFirst.Element] = []
        var place = page.after
        while found.count < page.limit, place < last {
            let end = min(place + 512, last)
            found += read(after: place, before: end + 1)
            place = end
        }
        let isCut = found.count > page.limit
        found = Array(found.prefix(page.limit))
        return JSONObject([
            (name, .array(found.map(\.json))), ("next", .int(found.last?.number ?? page.after)),
            ("more", .bool(isCut || place < last)),
        ])
    }
}
