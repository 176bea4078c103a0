// The way to one device, whatever became of the transaction elsewhere.

extension Trace {
    /// What became of it on its way to a token, and why.
    public func way(to token: String) -> Delivery {
        let own = deliveries.filter { $0.token?.lowercased() == token.lowercased() }
        if let best = Self.best(of: own) { return best }
        var way = Delivery(token: token, outcome: outcome, lostAt: lostAt, cause: cause)
        guard !deliveries.isEmpty else { return way }
        way.lostAt = .pushed
        way.outcome = .lost
        let others = facts.pushes.count
        guard others == 0 else {
            let text =
                "it was pushed to \(others) other token\(others == 1 ? "" : "s"), and not to \(token.shortToken), "
                + "which is not registered for \(facts.recipient ?? "its recipient")"
            way.cause = TraceCause(.otherToken, text, isFinal: false)
            return way
        }
        let text = "token \(token.shortToken) is not registered for \(facts.recipient ?? "its recipient")"
        way.cause = TraceCause(.notRegistered, text, isFinal: false)
        return way
    }

    /// The best of some ways, and of equals the last.
    static func best(of ways: [Delivery]) -> Delivery? {
        let order: [Outcome] = [.shown, .delivered, .pending, .lost]
        guard let best = order.first(where: { outcome in ways.contains { $0.outcome == outcome } }) else {
            return nil
        }
        return ways.last { $0.outcome == best && $0.cause == nil } ?? ways.last { $0.outcome == best }
    }

    /// The first stop at each station on the way to a token and its device.
    public func stops(to token: String, of device: String) -> [Stop] {
        Station.allCases.compactMap { station in
            stops.first { stop in
                stop.station == station
                    && (station <= .polled || stop.token?.lowercased() == token.lowercased()
                        || stop.device == device)
            }
        }
    }
}
