/// Counts calls for each method and path apart.
struct RouteCounter: Sendable {
    /// Most routes that are told apart; the paths come from outside.
    private static let maximumRoutes = 4096
    /// Longest part of a path that is looked at.
    private static let maximumPathBytes = 256

    private var counts: [String: Int] = [:]

    /// The name under which a call's route is counted.
    static func route(of request: FaultRequest) -> String {
        let path = request.path ?? request.token ?? ""
        let method = (request.method ?? "").utf8.prefix(16)
        return String(decoding: method, as: UTF8.self) + " "
            + String(decoding: path.utf8.prefix(maximumPathBytes), as: UTF8.self)
    }

    /// Counts a call of a route and tells how many came before it.
    mutating func count(_ route: String) -> Int {
        let key = counts[route] != nil || counts.count < Self.maximumRoutes ? route : "others"
        let before = counts[key, default: 0]
        counts[key] = before &+ 1
        return before
    }

    /// The routes in the order of their names, with how many calls were counted.
    var all: [(route: String, count: Int)] {
        counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// How many calls of a route were counted.
    subscript(_ route: String) -> Int { counts[route] ?? 0 }
}
