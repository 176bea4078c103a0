import JSONValue
import Threads

/// One page of a list from its newest element on, looked for window by window, so that a search which finds little
/// ends after a while nevertheless and is gone on with by the next call.
struct NewestFirst: Sendable {
    /// An element of a list as the control API shows it.
    typealias Element = (number: Int, json: JSONValue)

    /// How long is looked for what fits.
    private static let milliseconds: Int64 = 250
    /// Most numbers that are looked at together.
    static let maximumWindow = 32_768

    /// The elements found, the newest first.
    private(set) var elements: [JSONValue] = []
    /// The `before` of the next page.
    private(set) var next: Int
    /// Whether there may be older ones.
    private(set) var hasMore = true

    /// Looks below a number.
    ///
    /// - Parameters:
    ///   - page: what was asked for.
    ///   - newest: the number of the newest element.
    ///   - oldest: no element has a lower number.
    ///   - largestWindow: how many numbers are looked at together at most.
    ///   - read: the elements after a number and before another that fit, in their order.
    init(
        _ page: ListQuery.Page,
        newest: Int,
        oldest: Int = 1,
        largestWindow: Int = maximumWindow,
        read: (_ after: Int, _ before: Int) -> [Element]
    ) {
        let deadline = MachineClock.monotonicMilliseconds() + Self.milliseconds
        next = min(page.before ?? Int.max, newest < Int.max ? newest + 1 : newest)
        var window = min(max(page.limit, 256), largestWindow)
        while elements.count < page.limit, hasMore {
            let after = max(next - 1 - window, oldest - 1)
            guard after < next - 1 else {
                hasMore = false
                break
            }
            let found = read(after, next)
            for (number, json) in found.reversed() {
                guard elements.count < page.limit else { break }
                elements.append(json)
                next = number
            }
            guard elements.count < page.limit else { break }
            next = after + 1
            hasMore = next > oldest
            guard MachineClock.monotonicMilliseconds() < deadline else { break }
            window = min(window * 2, largestWindow)
        }
    }

    /// The list's document: its elements, how to go on (`next` where that is no number looked at), and what else it tells.
    func document(
        _ name: String,
        next: Int? = nil,
        _ others: [(String, JSONValue)] = []
    ) -> JSONValue {
        let own: [(String, JSONValue)] = [
            (name, .array(elements)), ("next", .int(next ?? self.next)), ("more", .bool(hasMore)),
        ]
        return .object(JSONObject(own + others))
    }
}
