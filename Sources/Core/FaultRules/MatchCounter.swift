/// Counts the matches and firings of a rule: all together, or for each route or transaction apart.
struct MatchCounter: Sendable {
    /// What a rule's matches are counted by.
    enum Scope: String, Sendable, CaseIterable {
        /// All together.
        case rule
        /// For each method and path apart.
        case route
        /// Those of one transaction are one match, however often it is posted.
        case transaction
    }

    /// One match.
    struct Match {
        /// Its route, when counted apart.
        let route: String?
        /// How many came before.
        let before: Int
        /// The transaction, when it is what is counted.
        var transaction: String?
        /// Whether the rule fired for the first of the same transaction; nil when this is the first.
        var earlier: Bool?
    }

    var scope: Scope
    private(set) var matched = 0
    private(set) var fired = 0
    private var routeMatches = RouteCounter()
    private var routeFirings = RouteCounter()
    private var transactions = TransactionMatches()

    init(scope: Scope) {
        self.scope = scope
    }

    /// Whether a call can be counted.
    func counts(_ request: FaultRequest) -> Bool { scope != .transaction || request.transactionId != nil }

    /// Counts a call.
    mutating func count(_ request: FaultRequest) -> Match {
        if scope == .transaction, let id = request.transactionId, let known = transactions[id] {
            return Match(route: nil, before: known.before, transaction: id, earlier: known.hasFired)
        }
        let before = matched
        matched &+= 1
        switch scope {
        case .rule: return Match(route: nil, before: before)
        case .route:
            let route = RouteCounter.route(of: request)
            return Match(route: route, before: routeMatches.count(route))
        case .transaction:
            if let id = request.transactionId { transactions.note(id, before: before) }
            return Match(route: nil, before: before, transaction: request.transactionId)
        }
    }

    /// How often the rule has fired, as its limit counts.
    func firings(_ match: Match) -> Int { match.route.map { routeFirings[$0] } ?? fired }

    /// Notes that the rule fires.
    mutating func noteFiring(_ match: Match) {
        fired &+= 1
        if let route = match.route { _ = routeFirings.count(route) }
        if let id = match.transaction { transactions.noteFiring(id) }
    }

    /// How many matches were counted, for each route where they are told apart.
    var counts: [(route: String?, count: Int)] {
        guard scope == .route else { return [(nil, matched)] }
        return routeMatches.all.map { (Optional($0.route), $0.count) }
    }
}

/// The transactions that a rule has met, as long as they are among the newest.
private struct TransactionMatches: Sendable {
    /// Most transactions told apart; an older one that returns is a new match.
    private static let capacity = 10_000

    private var known: [String: (before: Int, hasFired: Bool)] = [:]
    private var order: [String] = []
    private var oldest = 0

    subscript(_ id: String) -> (before: Int, hasFired: Bool)? { known[id] }

    mutating func note(_ id: String, before: Int) {
        known[id] = (before, false)
        guard order.count >= Self.capacity else { return order.append(id) }
        known[order[oldest]] = nil
        order[oldest] = id
        oldest = (oldest + 1) % Self.capacity
    }

    mutating func noteFiring(_ id: String) { known[id]?.hasFired = true }
}
